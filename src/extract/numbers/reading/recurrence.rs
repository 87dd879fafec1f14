//! Expressions of scalar evolution as numbers.
//!
//! LLVM knows the counter of `for (int i = n; ...; i += 3)` as `{n,+,3}<nsw>`: in iteration `t` of its loop it is the polynomial `n + 3 t`.
//!
//! Implements: 000 2.3.3

use super::narrow::is_more_than_a_step;
use super::operation::Extreme;
use super::{DEEPEST_EXPRESSION, READING, Reading};
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::parameters::{Source, integer};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::reading::Closed;
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::{Instruction, Opcode, ScevId, ScevKind, Signedness, Value};
use crate::presburger::Set;
use crate::presburger::budget::spend;

type Fallible<T> = Result<T, Reason>;

/// Numbers of fewer bits are no sizes of loops and rows.
const LEAST_PACKED: u32 = 16;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    pub(super) fn of_scev(&self, scev: ScevId, depth: usize) -> Fallible<Number> {
        spend(READING);
        let node = self.affine.analyses.node(scev);
        let width = node.width;
        let no = || Reason::NonAffineCondition { what: self.affine.analyses.text(scev) };
        if depth > DEEPEST_EXPRESSION || node.is_pointer || width == 0 || width > 64 {
            return Err(no());
        }
        let operand = |at: usize| self.of_scev(node.operands[at], depth + 1);
        match node.kind {
            ScevKind::Constant => {
                let value = node.constant.ok_or_else(no)?;
                Ok(Number::constant(value, width))
            }
            ScevKind::Unknown => self.of_opaque(node.value.ok_or_else(no)?, width, depth),
            ScevKind::Add | ScevKind::Mul => {
                let mut sum = operand(0)?;
                for at in 1..node.operands.len() {
                    let mut next = operand(at)?;
                    if node.kind == ScevKind::Mul {
                        (sum, next) = self.sizes(sum, next);
                    }
                    let polynomial = match node.kind {
                        ScevKind::Add => sum.polynomial.add(&next.polynomial),
                        _ => sum.polynomial.multiply(&next.polynomial),
                    };
                    let exact = sum.exact && next.exact && node.nsw;
                    sum = Number { polynomial: polynomial.ok_or_else(no)?, exact, width };
                }
                Ok(Number { polynomial: self.affine.paired(sum.polynomial)?, ..sum })
            }
            ScevKind::PtrToInt => self.address_of_scev(node.operands[0], depth + 1),
            ScevKind::AddRec => self.of_recurrence(scev, depth),
            ScevKind::SignExtend => {
                let number = self.or_rest_before(node.operands[0], operand(0)?);
                Ok(Number { width, ..self.exact(number, "a 32-bit index")? })
            }
            ScevKind::ZeroExtend => self.zero_extended(node.operands[0], width, depth),
            ScevKind::Truncate => {
                if let Some(part) = self.part_of_packed(scev) {
                    return Ok(part);
                }
                let a = operand(0)?;
                let exact =
                    self.affine.is_exact(&a) && self.affine.interval(&a.polynomial).is_within(Interval::signed(width));
                Ok(Number { polynomial: a.polynomial, exact, width })
            }
            ScevKind::UDiv => self.of_quotient(scev, depth),
            ScevKind::SMax | ScevKind::SMin | ScevKind::UMax | ScevKind::UMin => {
                let numbers = (0..node.operands.len()).map(operand).collect::<Fallible<Vec<_>>>()?;
                let (extreme, signedness) = match node.kind {
                    ScevKind::SMax => (Extreme::Greatest, Signedness::Signed),
                    ScevKind::SMin => (Extreme::Least, Signedness::Signed),
                    ScevKind::UMax => (Extreme::Greatest, Signedness::Unsigned),
                    _ => (Extreme::Least, Signedness::Unsigned),
                };
                self.extremum(numbers, extreme, signedness, width)
            }
            _ => Err(no()),
        }
    }

    /// A quotient without a sign.
    fn of_quotient(&self, scev: ScevId, depth: usize) -> Fallible<Number> {
        let node = self.affine.analyses.node(scev);
        let no = || Reason::NonAffineCondition { what: self.affine.analyses.text(scev) };
        let divisor = self.affine.analyses.node(node.operands[1]).constant.filter(|d| *d > 0);
        let Some(divisor) = divisor else { return self.quotient_before(scev).ok_or_else(no) };
        if let Some(part) = self.part_of_packed(scev) {
            return Ok(part);
        }
        let a = self.unsigned(self.of_scev(node.operands[0], depth + 1)?, "a dividend")?;
        if let Some(polynomial) = a.polynomial.quotient(divisor) {
            return Ok(Number::exactly(polynomial, node.width));
        }
        let value = self.aff(&a.polynomial)?.scale_down(&integer(divisor)).floor();
        Ok(self.quasi(value, self.affine.interval(&a.polynomial).quotient(divisor), node.width))
    }

    /// A quotient by a number that is only known when the program runs, as a parameter, if the program divides before the region.
    fn quotient_before(&self, scev: ScevId) -> Option<Number> {
        self.computed_before(scev, Opcode::UDiv)
    }

    /// The lower or the upper bits of a value in which the program has several numbers, as a parameter: a structure of two of 32 bits is passed as one of 64. That
    /// the lower ones are all that there is to the value would mean that the other number is zero.
    fn part_of_packed(&self, scev: ScevId) -> Option<Number> {
        let node = self.affine.analyses.node(scev);
        let whole = self.affine.analyses.node(*node.operands.first()?);
        let value = whole.value.filter(|value| whole.kind == ScevKind::Unknown && self.affine.is_invariant(*value))?;
        if node.kind == ScevKind::UDiv {
            let divisor = self.affine.analyses.node(node.operands[1]).constant?;
            let is_shift = divisor >= 1 << LEAST_PACKED && (divisor as u128).is_power_of_two();
            return is_shift.then(|| self.computed_before(scev, Opcode::LShr)).flatten();
        }
        let has_others = |user: &Instruction<'ir>| {
            let is_shift = matches!(user.opcode(), Opcode::LShr | Opcode::AShr) && user.operand(0) == value;
            is_shift && user.operand(1).as_integer().is_some_and(|by| by >= i128::from(node.width))
        };
        let is_packed = node.width >= LEAST_PACKED && value.users().iter().any(has_others);
        is_packed.then(|| self.computed_before(scev, Opcode::Trunc)).flatten()
    }

    /// What an instruction gives that the program comes to before the region, as a parameter.
    fn computed_before(&self, scev: ScevId, opcode: Opcode) -> Option<Number> {
        let (analyses, entry) = (self.affine.analyses, self.affine.region.entry.terminator()?);
        let is_this = |i: &Instruction<'ir>| {
            i.opcode() == opcode && analyses.is_available(i.value(), entry) && analyses.scev(i.value()) == Some(scev)
        };
        let value = analyses.function().instructions().into_iter().find(is_this)?.value();
        let width = value.ty().integer_width()?;
        Some(Number::exactly(self.affine.value_parameter(value).ok()?, width))
    }

    /// Takes for granted that the quotients by such numbers that a count is computed from are not zero: a loop over parts of a whole is entered if there is
    /// one, of which LLVM makes the question whether the whole is smaller than a part. Where that is so, if there are any.
    pub(super) fn whole_parts(&self, count: ScevId) -> Fallible<Option<Set>> {
        let (mut pending, mut found) = (vec![count], None::<Set>);
        while let Some(scev) = pending.pop() {
            let node = self.affine.analyses.node(scev);
            if node.kind == ScevKind::UDiv && self.affine.analyses.node(node.operands[1]).constant.is_none() {
                let quotient = self.aff(&self.of_scev(scev, 0)?.polynomial)?;
                let wanted = quotient.ge_set(&self.constant(1));
                self.require(&wanted, "what is divided into parts has one");
                found = Some(found.map_or(wanted.clone(), |found| found.intersect(&wanted)));
            }
            pending.extend(&node.operands);
        }
        Ok(found)
    }

    /// A value of which LLVM says no more than that it is one.
    fn of_opaque(&self, value: Value<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        if self.affine.is_invariant(value) {
            return match self.exact_quotient(value, depth) {
                Some(number) => Ok(number),
                None => Ok(Number::exactly(self.affine.value_parameter(value)?, width)),
            };
        }
        let instruction = value.as_instruction();
        if let Some(phi) = instruction.filter(|i| i.is_phi())
            && let Ok(number) = self.attempt(|| self.of_wraparound(phi, width, depth))
        {
            return Ok(number);
        }
        if self.closed == Closed::Named {
            return self.named_scev(value, depth);
        }
        match instruction.filter(|i| depth < DEEPEST_EXPRESSION / 2 && !i.is_phi()) {
            Some(instruction) => self.of_instruction(instruction, width, depth + 1),
            None => Err(data_dependent(value)),
        }
    }

    /// The operand as a number without a sign; where that is not known, its name.
    fn zero_extended(&self, operand: ScevId, width: u32, depth: usize) -> Fallible<Number> {
        let extended = || {
            let number = self.or_rest_before(operand, self.of_scev(operand, depth + 1)?);
            Ok(Number { width, ..self.unsigned(number, "an unsigned index")? })
        };
        match self.affine.analyses.node(operand).value.filter(|v| !self.affine.is_invariant(*v)) {
            Some(value) if self.closed == Closed::Named => {
                self.attempt(extended).or_else(|_: Reason| Ok(self.affine.name(value, Signedness::Unsigned, width)))
            }
            _ => extended(),
        }
    }

    /// The number; what is left in a few bits of a quotient or the like that does not change in the region, as a parameter, read with its sign: loops with remainders of a
    /// parameter for a bound run to the greatest one. `(unsigned short)(n / 2)`, halved again where two iterations are one.
    fn or_rest_before(&self, scev: ScevId, number: Number) -> Number {
        let affine = self.affine;
        let atoms = || number.polynomial.atoms();
        let is_quasi = |atom: Atom| matches!(atom, Atom::Quasi(_));
        let is_constant = |atom: Atom| match atom {
            Atom::Quasi(at) => affine.quasi_atoms()[at].0.is_empty(),
            other => other.is_constant(),
        };
        let is_rest = is_more_than_a_step(number.width) && atoms().any(is_quasi) && atoms().all(is_constant);
        let can_expand = || {
            let before = affine.region.entry.terminator();
            before.is_some_and(|before| affine.analyses.can_expand(scev, before))
        };
        if !is_rest || affine.is_exact(&number) || !can_expand() {
            return number;
        }
        match affine.parameter(Source::Scev(scev), None, Interval::signed(number.width)) {
            Ok(at) => Number::exactly(Polynomial::atom(Atom::Parameter(at)), number.width),
            Err(_) => number,
        }
    }

    /// `{start,+,step}` of a loop around the scope is `start + step * iteration`; of a loop before the region, a parameter.
    fn of_recurrence(&self, scev: ScevId, depth: usize) -> Fallible<Number> {
        let node = self.affine.analyses.node(scev);
        let no = || Reason::NonAffineCondition { what: self.affine.analyses.text(scev) };
        let id = node.in_loop.ok_or_else(no)?;
        if !self.affine.region.nests.iter().any(|nest| self.affine.analyses.is_within(id, *nest)) {
            let range = self.affine.analyses.signed_range(scev);
            let interval = range.map_or(Interval::signed(node.width), Interval::from);
            let at = self.affine.parameter(Source::Scev(scev), None, interval)?;
            return Ok(Number::exactly(Polynomial::atom(Atom::Parameter(at)), node.width));
        }
        if node.operands.len() != 2 || !self.scope.loops.contains(&id) {
            return Err(no());
        }
        let start = self.of_scev(node.operands[0], depth + 1)?;
        let step = self.size(self.of_scev(node.operands[1], depth + 1)?);
        let moved = step.polynomial.multiply(&Polynomial::atom(Atom::Iterator(id)));
        let polynomial = moved.and_then(|moved| start.polynomial.add(&moved)).ok_or_else(no)?;
        let exact = start.exact && step.exact && node.nsw;
        Ok(Number { polynomial, exact, width: node.width })
    }
}
