//! How often loops run that end where their counter is a number.
//!
//! ```c
//! for (unsigned i = 0; i != n; i += 3) ...
//! ```
//!
//! LLVM solves `3 i = n` in numbers of 32 bits, in which 3 has an inverse: the answer is `2863311531 n`. Where 3 divides `n`, that is `n / 3`, of which the polynomial
//! says nothing; elsewhere the counter wraps around before it is `n`. So the count times 3, with factors as small as 32 bits allow, is what is
//! read, and that it is a multiple of 3 is taken for granted.

use super::Reading;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::parameters::integer;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::refusal::Reason;
use crate::presburger::PwAff;

/// Steps of programs are small, as are those of several iterations in one.
const LARGEST_STEP: i128 = 63;

/// A number of iterations is this number divided by a step that divides it.
struct Steps {
    whole: Number,
    step: i128,
}

impl Steps {
    /// What a number of iterations is, if its factors are those of an inverse.
    fn of(count: &Number) -> Option<Steps> {
        let bits = count.width;
        // Factors of sizes have fewer bits: such a multiple of anything would soon wrap around.
        let limit = 1i128 << (bits / 2);
        let is_small = |polynomial: &Polynomial| polynomial.terms().all(|(_, factor)| factor.abs() < limit);
        if count.polynomial.terms().all(|(atoms, factor)| atoms.is_empty() || factor.abs() < limit) {
            return None;
        }
        let in_steps = |step: i128| {
            let whole = count.polynomial.scale(step)?.within_bits(bits);
            is_small(&whole).then_some(Steps { whole: Number { polynomial: whole, exact: false, width: bits }, step })
        };
        (3..=LARGEST_STEP).step_by(2).find_map(in_steps)
    }
}

impl Affine<'_, '_, '_> {
    /// Bounds of a number of iterations that is wide, where it was accepted.
    pub(super) fn count_interval(&self, count: &Number) -> Interval {
        match Steps::of(count) {
            Some(Steps { whole, step }) => self.interval(&whole.polynomial).quotient(step),
            None => self.interval(&count.polynomial),
        }
    }
}

impl Reading<'_, '_, '_, '_> {
    /// The number of iterations as an affine expression.
    pub(super) fn count_aff(&self, count: &Number) -> Result<PwAff, Reason> {
        const WHAT: &str = "the number of iterations";
        let Some(Steps { whole, step }) = Steps::of(count) else { return self.exact_aff(count, WHAT) };
        let value = self.exact_aff(&whole, WHAT)?;
        let rest = value.mod_val(&integer(step));
        self.require(&rest.le_set(&self.constant(0)), "counters come to the number that ends their loop");
        Ok(value.scale_down(&integer(step)).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::numbers::polynomial::Atom;
    use crate::llvm::LoopId;

    #[test]
    fn an_inverse_is_a_step() {
        let n = || Polynomial::atom(Atom::Iterator(LoopId(0)));
        let count = |factor: i128, constant: i128, width: u32| {
            let polynomial = n().scale(factor).and_then(|p| p.add(&Polynomial::constant(constant))).expect("small");
            Steps::of(&Number { polynomial, exact: false, width }).map(|steps| (steps.whole.polynomial, steps.step))
        };
        let third = 0xaaaa_aaabi128;
        let whole = n().subtract(&Polynomial::constant(3)).expect("small");
        assert_eq!(count(third, -1, 32), Some((whole.clone(), 3)));
        assert_eq!(count(third - (1 << 32), -1, 32), Some((whole, 3)));
        assert_eq!(count(0xcccc_cccc_cccc_cccd, 0, 64), Some((n(), 5)));
        assert_eq!(count(1, -1, 32), None);
        assert_eq!(count(100_000, 0, 32), None);
    }
}
