//! Instructions as numbers.
//!
//! `%q = sdiv i32 %i, 4` is no polynomial, but an atom of its own, the quasi-affine `floor(i / 4)` for `i >= 0`, with bounds from those of `i`. Sums
//! and products are those of polynomials, exact with the flag `nsw`. A shift to the left is a product.

use super::Reading;
use crate::extract::numbers::affine::at_most_cases;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::parameters::Pitch;
use crate::extract::numbers::parameters::integer;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::{Instruction, Opcode, Signedness, Value};
use crate::presburger::PwAff;

/// Which one of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Least,
    Greatest,
}

type Fallible<T> = Result<T, Reason>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    pub(super) fn of_instruction(&self, instruction: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let operand = |at: usize| self.of_value(instruction.operand(at), depth + 1);
        let constant = |at: usize| instruction.operand(at).as_integer();
        let flags = instruction.wrapping();
        let too_big = || Reason::MayWrap { what: "a constant expression".into() };
        let ring = |a: &Number, b: &Number, polynomial: Option<Polynomial>| {
            let exact = a.exact && b.exact && flags.nsw;
            let polynomial = self.affine.paired(polynomial.ok_or_else(too_big)?)?;
            Ok(Number { polynomial, exact, width })
        };
        match instruction.opcode() {
            Opcode::Add => {
                let (a, b) = (operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.add(&b.polynomial))
            }
            Opcode::Or if instruction.is_disjoint_or() => {
                let (a, b) = (operand(0)?, operand(1)?);
                let exact = a.exact && b.exact;
                a.polynomial
                    .add(&b.polynomial)
                    .map(|polynomial| Number { polynomial, exact, width })
                    .ok_or_else(too_big)
            }
            Opcode::Sub => {
                let (a, b) = (operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.subtract(&b.polynomial))
            }
            Opcode::Mul => {
                let (a, b) = self.sizes(operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.multiply(&b.polynomial))
            }
            Opcode::Shl => {
                let shift =
                    constant(1).filter(|s| (0..63).contains(s)).ok_or_else(|| data_dependent(instruction.value()))?;
                let a = operand(0)?;
                ring(&a, &a, a.polynomial.scale(1 << shift))
            }
            Opcode::Xor if constant(1) == Some(-1) => {
                let a = operand(0)?;
                let polynomial = a.polynomial.scale(-1).and_then(|p| p.add(&Polynomial::constant(-1)));
                polynomial.map(|polynomial| Number { polynomial, exact: a.exact, width }).ok_or_else(too_big)
            }
            Opcode::PtrToInt | Opcode::PtrToAddr if width == 64 => {
                self.address_number(instruction.operand(0), depth + 1)
            }
            Opcode::SExt => {
                let a = self.exact(operand(0)?, "a 32-bit index")?;
                Ok(Number { width, ..a })
            }
            Opcode::ZExt => self.of_zero_extension(instruction, width, depth),
            Opcode::Trunc => {
                let a = operand(0)?;
                let exact =
                    self.affine.is_exact(&a) && self.affine.interval(&a.polynomial).is_within(Interval::signed(width));
                Ok(Number { polynomial: a.polynomial, exact, width })
            }
            Opcode::SDiv | Opcode::SRem | Opcode::UDiv | Opcode::URem | Opcode::And | Opcode::LShr | Opcode::AShr => {
                self.of_division(instruction, width, depth)
            }
            Opcode::Select => self.of_select(instruction, width, depth),
            Opcode::Phi => {
                let scev = self.affine.scev_in(instruction.value(), self.scope);
                let of_scev = || self.of_scev(scev.ok_or_else(|| data_dependent(instruction.value()))?, depth + 1);
                self.attempt(of_scev).or_else(|reason| self.of_join(instruction, width, depth).map_err(|_| reason))
            }
            Opcode::Freeze => operand(0),
            Opcode::Call => self.of_extremum(instruction, width, depth),
            _ => Err(data_dependent(instruction.value())),
        }
    }

    fn of_zero_extension(&self, instruction: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let operand = instruction.operand(0);
        if operand.ty().integer_width() == Some(1) {
            return self.of_condition(operand, 1, width, depth);
        }
        let number = self.of_value(operand, depth + 1)?;
        let number = match instruction.is_nonnegative_cast() {
            true => self.exact(number, "an unsigned index")?,
            false => self.unsigned(number, "an unsigned index")?,
        };
        Ok(Number { width, ..number })
    }

    fn of_extremum(&self, instruction: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let name = instruction.call().and_then(|call| call.intrinsic()).unwrap_or_default();
        let (extreme, signedness) = match name.as_str() {
            "llvm.smax" => (Extreme::Greatest, Signedness::Signed),
            "llvm.smin" => (Extreme::Least, Signedness::Signed),
            "llvm.umax" => (Extreme::Greatest, Signedness::Unsigned),
            "llvm.umin" => (Extreme::Least, Signedness::Unsigned),
            _ => return Err(data_dependent(instruction.value())),
        };
        let a = self.of_value(instruction.operand(0), depth + 1)?;
        let b = self.of_value(instruction.operand(1), depth + 1)?;
        self.extremum(vec![a, b], extreme, signedness, width)
    }

    pub(super) fn extremum(
        &self,
        numbers: Vec<Number>,
        extreme: Extreme,
        signedness: Signedness,
        width: u32,
    ) -> Fallible<Number> {
        let of_pointers = || self.extreme_address(&numbers, extreme)?.ok_or(None);
        let is_unsigned = signedness == Signedness::Unsigned;
        match if is_unsigned { self.attempt(of_pointers) } else { Err(None) } {
            Ok(number) => return Ok(number),
            Err(Some(reason)) => return Err(reason),
            Err(None) => {}
        }
        let mut result: Option<PwAff> = None;
        let mut bounds: Option<Interval> = None;
        for number in numbers {
            let what = "an operand of a minimum or maximum";
            let number = match is_unsigned {
                true => self.unsigned(number, what)?,
                false => self.exact(number, what)?,
            };
            let here = self.affine.interval(&number.polynomial);
            let value = self.aff(&number.polynomial)?;
            result = Some(match &result {
                None => value,
                Some(best) => {
                    at_most_cases(best.n_pieces() * value.n_pieces())?;
                    match extreme {
                        Extreme::Greatest => best.max(&value),
                        Extreme::Least => best.min(&value),
                    }
                    .coalesce()
                }
            });
            bounds = Some(bounds.map_or(here, |b| b.hull(here)));
        }
        let value = result.ok_or(Reason::UnsupportedInstruction { what: "an empty minimum".into() })?;
        let bounds = bounds.unwrap_or(Interval::ALL);
        if is_unsigned && super::narrow::is_narrow(width) {
            return Ok(Number { exact: false, ..self.quasi(value, bounds, width) });
        }
        Ok(self.quasi(value, bounds.intersect(Interval::signed(width)), width))
    }

    fn of_division(&self, instruction: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let no = || data_dependent(instruction.value());
        let Some(by) = instruction.operand(1).as_integer() else {
            return self.of_remainder(instruction, width, depth);
        };
        let operand = self.of_value(instruction.operand(0), depth + 1)?;
        let (divisor, wants_remainder, is_unsigned) = match instruction.opcode() {
            Opcode::SDiv => (by, false, false),
            Opcode::UDiv => (by, false, true),
            Opcode::SRem => (by, true, false),
            Opcode::URem => (by, true, true),
            Opcode::LShr if (0..62).contains(&by) => (1 << by, false, true),
            Opcode::AShr if (0..62).contains(&by) => (1 << by, false, false),
            Opcode::And if by > 0 && (by + 1) & by == 0 => (by + 1, true, false),
            _ => return Err(no()),
        };
        if divisor <= 0 {
            return Err(no());
        }
        if divisor == 1 && !wants_remainder {
            return Ok(operand);
        }
        let rounds_down = matches!(instruction.opcode(), Opcode::AShr | Opcode::And);
        let counts_bits = divisor & (divisor - 1) == 0;
        if wants_remainder && counts_bits && (is_unsigned || rounds_down) {
            return self.lowest_bits(&operand, divisor.trailing_zeros(), width);
        }
        if matches!(instruction.opcode(), Opcode::AShr | Opcode::LShr)
            && let Some(polynomial) = operand.polynomial.quotient(divisor)
        {
            let exact = self.affine.is_exact(&operand);
            let rest = Number { polynomial, exact, width: width - divisor.trailing_zeros() };
            let rest = match is_unsigned {
                true => self.unsigned(rest, "a shifted value")?,
                false => self.exact(rest, "a shifted value")?,
            };
            return Ok(Number { width, ..rest });
        }
        if !wants_remainder && divisor == self.unit.get() {
            self.wish_for_elements(&operand.polynomial, divisor);
        }
        let operand = match is_unsigned {
            true => self.unsigned(operand, "a dividend")?,
            false => self.exact(operand, "a dividend")?,
        };
        if !wants_remainder && let Some(polynomial) = operand.polynomial.quotient(divisor) {
            return Ok(Number::exactly(polynomial, width));
        }
        let interval = self.affine.interval(&operand.polynomial);
        let value = self.aff(&operand.polynomial)?;
        let nonnegative = interval.is_nonnegative() || is_unsigned || rounds_down;
        let divisor_int = integer(divisor);
        let (result, bounds) = match (wants_remainder, nonnegative) {
            (true, true) => (value.mod_val(&divisor_int), Interval::new(0, divisor - 1)),
            (true, false) => (value.tdiv_r(&divisor_int), Interval::new(1 - divisor, divisor - 1)),
            (false, true) => (value.scale_down(&divisor_int).floor(), interval.quotient(divisor)),
            (false, false) => (value.tdiv_q(&divisor_int), interval.quotient(divisor)),
        };
        Ok(self.quasi(result, bounds.intersect(Interval::signed(width)), width))
    }

    /// Where bytes are divided to count elements, asks for strides that are counted in elements.
    fn wish_for_elements(&self, bytes: &Polynomial, of_element: i128) {
        for (atoms, factor) in bytes.terms().filter(|(_, factor)| factor % of_element != 0) {
            let mut strides = atoms.iter().filter_map(|atom| match atom {
                Atom::Parameter(at) => self.affine.plain_value(*at).filter(|(_, unit)| *unit == 1),
                _ => None,
            });
            if let (Some((stride, _)), None) = (strides.next(), strides.next()) {
                let unit = of_element / num_integer::gcd(of_element, factor);
                self.affine.wish_first(stride, Pitch::Multiple { unit });
            }
        }
    }

    fn of_condition(&self, value: Value<'ir>, one: i128, width: u32, depth: usize) -> Fallible<Number> {
        let condition = self.condition_at(value, depth + 1)?;
        let yes = self.constant(one).intersect_domain(&condition);
        let no = self.constant(0).subtract_domain(&condition);
        Ok(self.quasi(yes.union_add(&no), Interval::new(one.min(0), one.max(0)), width))
    }
}
