//! From expressions to instructions, and the proof that 64 bits are enough.
//!
//! The bound `max(0, 32 * c0 - n)` becomes
//!
//!     %1 = mul nsw i64 %c0, 32
//!     %2 = sub nsw i64 %1, %n
//!     %3 = call i64 @llvm.smax.i64(i64 0, i64 %2)
//!
//! where `nsw` (and `nuw`, where nothing is negative) is a promise that [`range_of`] has proved before anything was written: parameters lie within the limits that the guard
//! tests (at most 2^40 in size), the iterator of a loop lies between the least lower and the greatest upper bound, and sums, products
//! and quotients of ranges are ranges. An expression whose range may leave 64 bits is refused when planning. What runs before the
//! guard has decided, or on values that the loops might not take, is written without promises: none of the operations used here
//! traps, so a wrong number there is only a number.

use crate::ast::{Comparison, Expr};
use crate::llvm::instruction::Wrapping;
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value};
use crate::presburger::{Id, Int};

/// Inclusive bounds of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

/// A number of 64 bits, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'ir> {
    pub value: Value<'ir>,
    pub range: Range,
}

impl Range {
    /// What 64 bits hold.
    pub const WORD: Range = Range { low: i64::MIN as i128, high: i64::MAX as i128 };

    pub fn new(low: i128, high: i128) -> Range {
        Range { low, high }
    }

    pub fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The range, if 64 bits hold it.
    pub fn in_word(self) -> Option<Range> {
        self.is_within(Range::WORD).then_some(self)
    }

    pub fn plus(self, other: Range) -> Option<Range> {
        Some(Range::new(self.low.checked_add(other.low)?, self.high.checked_add(other.high)?))
    }

    pub fn minus(self, other: Range) -> Option<Range> {
        Some(Range::new(self.low.checked_sub(other.high)?, self.high.checked_sub(other.low)?))
    }

    pub fn times(self, other: Range) -> Option<Range> {
        let corners = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let products: Option<Vec<i128>> = corners.into_iter().map(|(a, b)| a.checked_mul(b)).collect();
        let products = products?;
        Some(Range::new(products.iter().copied().min()?, products.iter().copied().max()?))
    }

    /// Both.
    pub fn hull(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn divided(self, divisor: i128) -> Range {
        Range::new(self.low.div_euclid(divisor), self.high.div_euclid(divisor))
    }

    fn modulo(self, divisor: i128) -> Range {
        if self.low >= 0 && self.high < divisor { self } else { Range::new(0, divisor - 1) }
    }
}

const TRUTH: Range = Range { low: 0, high: 1 };

/// The range of an expression; `None` if a name is unknown or some part of it may leave 64 bits.
pub fn range_of(expr: &Expr, names: &dyn Fn(&Id) -> Option<Range>) -> Option<Range> {
    let of = |e: &Expr| range_of(e, names);
    let all = |operands: &[Expr]| operands.iter().map(of).collect::<Option<Vec<Range>>>();
    let range = match expr {
        Expr::Int(value) => value.as_i64().map(|v| Range::new(v.into(), v.into())),
        Expr::Name(name) => names(name),
        Expr::Add(a, b) => of(a)?.plus(of(b)?),
        Expr::Sub(a, b) => of(a)?.minus(of(b)?),
        Expr::Neg(a) => Range::new(0, 0).minus(of(a)?),
        Expr::Mul(a, b) => of(a)?.times(of(b)?),
        Expr::FloorDiv(a, d) | Expr::ExactDiv(a, d) => Some(of(a)?.divided(divisor(d)?)),
        Expr::Mod(a, d) => Some(of(a)?.modulo(divisor(d)?)),
        Expr::Min(operands) => {
            all(operands)?.into_iter().reduce(|a, b| Range::new(a.low.min(b.low), a.high.min(b.high)))
        }
        Expr::Max(operands) => {
            all(operands)?.into_iter().reduce(|a, b| Range::new(a.low.max(b.low), a.high.max(b.high)))
        }
        Expr::Compare(_, a, b) => of(a).and(of(b)).map(|_| TRUTH),
        Expr::And(operands) | Expr::Or(operands) => all(operands).map(|_| TRUTH),
        Expr::Not(a) => of(a).map(|_| TRUTH),
        Expr::Select(c, a, b) => of(c).and(Some(of(a)?.hull(of(b)?))),
    };
    range.and_then(Range::in_word)
}

fn divisor(d: &Int) -> Option<i128> {
    d.as_i64().filter(|d| *d > 0).map(i128::from)
}

/// Writes expressions with a builder, at its position.
#[derive(Clone, Copy)]
pub struct Arithmetic<'b, 'ir> {
    pub builder: &'b Builder<'ir>,
    pub bounds: Bounds,
}

/// Whether values are known to be in their ranges where the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// They are, and what that proves is promised.
    Established,
    /// That is yet to be tested: nothing is promised.
    Unproved,
}

impl<'ir> Arithmetic<'_, 'ir> {
    fn promises(self) -> bool {
        self.bounds == Bounds::Established
    }

    fn word(self) -> Type<'ir> {
        Type::integer(self.builder.context(), 64)
    }

    /// A constant, modulo 2^64.
    pub fn constant(self, value: i128) -> Known<'ir> {
        let wrapped = i128::from(value as i64);
        Known { value: Value::integer(self.word(), wrapped), range: Range::new(wrapped, wrapped) }
    }

    pub fn add(self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        if a.range == Range::new(0, 0) {
            return b;
        }
        if b.range == Range::new(0, 0) {
            return a;
        }
        self.ring(Opcode::Add, a, b, a.range.plus(b.range))
    }

    pub fn sub(self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.ring(Opcode::Sub, a, b, a.range.minus(b.range))
    }

    pub fn mul(self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        if a.range == Range::new(1, 1) {
            return b;
        }
        if b.range == Range::new(1, 1) {
            return a;
        }
        self.ring(Opcode::Mul, a, b, a.range.times(b.range))
    }

    /// Modulo 2^64; with a promise and a range if the true result is known to fit.
    fn ring(self, opcode: Opcode, a: Known<'ir>, b: Known<'ir>, range: Option<Range>) -> Known<'ir> {
        let fits = range.and_then(Range::in_word);
        let value = match fits {
            Some(range) if self.promises() => {
                // Of numbers that are not negative, the result is right by either reading. LLVM takes sums apart, and keeps what it knows of addresses by that.
                let nuw = [a.range, b.range, range].iter().all(|range| range.low >= 0);
                self.builder.binary_with(opcode, a.value, b.value, Wrapping { nuw, nsw: true, exact: false })
            }
            _ => self.builder.binary(opcode, a.value, b.value),
        };
        Known { value, range: fits.unwrap_or(Range::WORD) }
    }

    /// The expression's value.
    pub fn value(self, expr: &Expr, names: &dyn Fn(&Id) -> Known<'ir>) -> Known<'ir> {
        let of = |e: &Expr| self.value(e, names);
        match expr {
            Expr::Int(value) => {
                let value = value.as_i64().expect("law: constants of planned expressions have 64 bits");
                self.constant(value.into())
            }
            Expr::Name(name) => names(name),
            Expr::Add(a, b) => self.add(of(a), of(b)),
            Expr::Sub(a, b) => self.sub(of(a), of(b)),
            Expr::Neg(a) => self.sub(self.constant(0), of(a)),
            Expr::Mul(a, b) => self.mul(of(a), of(b)),
            Expr::FloorDiv(a, d) => self.floor_div(of(a), d),
            Expr::ExactDiv(a, d) => self.exact_div(of(a), d),
            Expr::Mod(a, d) => self.modulo(of(a), d),
            Expr::Min(operands) => self.extremum("llvm.smin", operands, names),
            Expr::Max(operands) => self.extremum("llvm.smax", operands, names),
            Expr::Compare(..) | Expr::And(_) | Expr::Or(_) | Expr::Not(_) => {
                let truth = self.truth(expr, names);
                Known { value: self.builder.cast(Opcode::ZExt, truth, self.word()), range: TRUTH }
            }
            Expr::Select(condition, a, b) => {
                let condition = self.truth(condition, names);
                let (a, b) = (of(a), of(b));
                Known { value: self.builder.select(condition, a.value, b.value), range: a.range.hull(b.range) }
            }
        }
    }

    /// Whether the expression is not 0, as one bit. A part that C would not evaluate does not poison the result.
    pub fn truth(self, expr: &Expr, names: &dyn Fn(&Id) -> Known<'ir>) -> Value<'ir> {
        let bit = |b: bool| self.builder.integer(1, i128::from(b));
        match expr {
            Expr::Compare(comparison, a, b) => {
                let (a, b) = (self.value(a, names), self.value(b, names));
                self.builder.icmp(predicate(*comparison), a.value, b.value)
            }
            Expr::And(operands) => {
                let parts: Vec<_> = operands.iter().map(|o| self.truth(o, names)).collect();
                parts.into_iter().reduce(|a, b| self.builder.select(a, b, bit(false))).unwrap_or(bit(true))
            }
            Expr::Or(operands) => {
                let parts: Vec<_> = operands.iter().map(|o| self.truth(o, names)).collect();
                parts.into_iter().reduce(|a, b| self.builder.select(a, bit(true), b)).unwrap_or(bit(false))
            }
            Expr::Not(a) => self.builder.not(self.truth(a, names)),
            Expr::Int(value) => bit(*value != Int::from(0)),
            _ => self.builder.icmp(IntPredicate::Ne, self.value(expr, names).value, self.constant(0).value),
        }
    }

    /// The smaller (`llvm.smin`) or larger (`llvm.smax`) of two.
    pub fn choose(self, intrinsic: &str, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        let pick = |x: i128, y: i128| if intrinsic == "llvm.smin" { x.min(y) } else { x.max(y) };
        let range = Range::new(pick(a.range.low, b.range.low), pick(a.range.high, b.range.high));
        let constants = (a.value.as_integer(), b.value.as_integer());
        if let (Some(x), Some(y)) = constants {
            return self.constant(pick(x, y));
        }
        if range == a.range && (a.range.high <= b.range.low || b.range.high <= a.range.low) {
            return a;
        }
        if range == b.range && (a.range.high <= b.range.low || b.range.high <= a.range.low) {
            return b;
        }
        let call = self.builder.intrinsic(intrinsic, &[self.word()], &[a.value, b.value]);
        Known { value: call.value(), range }
    }

    fn extremum(self, intrinsic: &str, operands: &[Expr], names: &dyn Fn(&Id) -> Known<'ir>) -> Known<'ir> {
        let parts: Vec<_> = operands.iter().map(|o| self.value(o, names)).collect();
        let chosen = parts.into_iter().reduce(|a, b| self.choose(intrinsic, a, b));
        chosen.expect("law: a minimum or maximum has operands")
    }

    /// Rounded towards minus infinity.
    pub fn floor_div(self, a: Known<'ir>, d: &Int) -> Known<'ir> {
        let number = divisor(d).expect("law: divisors of planned expressions are positive and have 64 bits");
        let by = self.constant(number).value;
        let range = a.range.divided(number);
        let builder = self.builder;
        if number == 1 {
            return a;
        }
        if number & (number - 1) == 0 {
            let shift = self.constant(i128::from(number.trailing_zeros())).value;
            let opcode = if a.range.low >= 0 { Opcode::LShr } else { Opcode::AShr };
            return Known { value: builder.binary(opcode, a.value, shift), range };
        }
        if a.range.low >= 0 && self.promises() {
            return Known { value: builder.binary(Opcode::UDiv, a.value, by), range };
        }
        let quotient = builder.binary(Opcode::SDiv, a.value, by);
        let remainder = builder.binary(Opcode::SRem, a.value, by);
        let sign = builder.binary(Opcode::AShr, remainder, self.constant(63).value);
        Known { value: builder.add(quotient, sign), range }
    }

    fn exact_div(self, a: Known<'ir>, d: &Int) -> Known<'ir> {
        let number = divisor(d).expect("law: divisors of planned expressions are positive and have 64 bits");
        let exact = Wrapping { exact: self.promises(), ..Wrapping::default() };
        let value = self.builder.binary_with(Opcode::SDiv, a.value, self.constant(number).value, exact);
        Known { value, range: a.range.divided(number) }
    }

    fn modulo(self, a: Known<'ir>, d: &Int) -> Known<'ir> {
        let number = divisor(d).expect("law: divisors of planned expressions are positive and have 64 bits");
        let by = self.constant(number).value;
        let range = a.range.modulo(number);
        let builder = self.builder;
        if number & (number - 1) == 0 {
            return Known { value: builder.binary(Opcode::And, a.value, self.constant(number - 1).value), range };
        }
        if a.range.low >= 0 && self.promises() {
            return Known { value: builder.binary(Opcode::URem, a.value, by), range };
        }
        let remainder = builder.binary(Opcode::SRem, a.value, by);
        let sign = builder.binary(Opcode::AShr, remainder, self.constant(63).value);
        let correction = builder.binary(Opcode::And, sign, by);
        Known { value: builder.add(remainder, correction), range }
    }
}

fn predicate(comparison: Comparison) -> IntPredicate {
    match comparison {
        Comparison::Eq => IntPredicate::Eq,
        Comparison::Ne => IntPredicate::Ne,
        Comparison::Le => IntPredicate::Sle,
        Comparison::Lt => IntPredicate::Slt,
        Comparison::Ge => IntPredicate::Sge,
        Comparison::Gt => IntPredicate::Sgt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::session::with_ir;

    const NAMES: [(&str, i64); 3] = [("a", -17), ("b", 6), ("c", 1 << 40)];

    fn expressions() -> Vec<Expr> {
        let texts = [
            "floord(a, 3)",
            "floord(a, 4)",
            "mod(a, 3)",
            "mod(a, 8)",
            "floord(b - 1, 5)",
            "mod(c, 7)",
            "max(a, b, 2 * a + 5 * b)",
            "min(a, b) - -a",
            "a < b && mod(b, 2) == 0 || c == 0",
            "!(a >= b) ? c - 1 : 3 * c",
            "b * 3 / 9",
        ];
        texts.iter().map(|text| text.parse().expect("an expression")).collect()
    }

    /// Constants fold, so the value that comes out is the number itself.
    #[test]
    fn written_expressions_have_the_values_of_expressions() {
        let known = |name: &Id| NAMES.iter().find(|(n, _)| *n == name.as_str()).map(|(_, v)| *v);
        with_ir("define void @f() {\n  ret void\n}", |session| {
            let function = session.module().function("f").expect("f");
            let builder = Builder::new(session.module().context());
            let end = function.entry().and_then(|b| b.terminator()).expect("a body");
            builder.before(end);
            for expr in expressions() {
                let expected = expr.eval(&|name| known(name).map(Int::from)).expect("all names known");
                for bounds in [Bounds::Unproved, Bounds::Established] {
                    let arithmetic = Arithmetic { builder: &builder, bounds };
                    let names = |name: &Id| arithmetic.constant(known(name).expect("known").into());
                    let got = arithmetic.value(&expr, &names);
                    assert_eq!(got.value.as_integer().map(|v| v as i64), expected.as_i64(), "{expr}");
                    let range = range_of(&expr, &|name| known(name).map(|v| Range::new(v.into(), v.into())));
                    assert!(got.range.is_within(range.expect("small")), "{expr}");
                }
            }
        })
        .expect("a module");
    }

    #[test]
    fn what_may_leave_64_bits_has_no_range() {
        let names = |name: &Id| (name.as_str() == "n").then(|| Range::new(-(1 << 40), 1 << 40));
        let of = |text: &str| range_of(&text.parse().expect("an expression"), &names);
        assert_eq!(of("2 * n + 1"), Some(Range::new(-(1 << 41) + 1, (1 << 41) + 1)));
        assert_eq!(of("n * n"), None);
        assert_eq!(of("0 * (8388608 * n)"), None);
        assert_eq!(of("n + m"), None);
    }
}
