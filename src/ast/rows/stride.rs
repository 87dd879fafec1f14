//! Strides: which residues a loop's iterator can have.
//!
//! The date `2 i + 1` of `{ S[i] : 0 <= i < N }` has the set of values `{ [c] : exists i : c = 2 i + 1, ... }`. Read modulo 2 the
//! equality says `c = 1`, whatever the integer `i` is: the loop starts at an odd number and steps by 2. In general an equality
//! `a c + f + sum of m_k e_k = 0` over outer variables in `f` and locals `e_k` says `a c + f = 0` modulo the gcd `m` of the `m_k`, and if
//! `a` has an inverse modulo `m`, then `c = -f / a`. This is Section 6.2 of Quilleré, Rajopadhye and Wilde without the
//! extension to a unimodular mapping. Statements that share a loop have in common the gcd of their strides and of the
//! differences of their offsets. What an equality does not say in this way is left to the guards.
//!
//! Implements: 003 6.2

use super::affine::Row;
use crate::presburger::Int;
use crate::presburger::int::Number;

/// The values of a variable are `offset` modulo `modulus` (1 says nothing, 0 that they are `offset`); `offset` is over the variables
/// before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ast) struct Stride {
    pub modulus: Int,
    pub offset: Row,
}

impl Stride {
    /// Every integer.
    pub fn unit(n: usize) -> Stride {
        Stride { modulus: Int::one(), offset: Row::zero(n) }
    }

    pub fn is_unit(&self) -> bool {
        self.modulus.is_one()
    }

    /// What `equality` (`= 0` over `n` outer variables, the variable itself, and then locals) says.
    pub fn of_equality(equality: &Row, n: usize) -> Stride {
        let locals = &equality.coefficients[n + 1..];
        let modulus = locals.iter().fold(Int::zero(), |gcd, m| Number::gcd(&gcd, m));
        let factor = &equality.coefficients[n];
        let outer = Row { constant: equality.constant.clone(), coefficients: equality.coefficients[..n].to_vec() };
        if modulus.is_zero() && factor.abs().is_one() {
            return Stride { offset: outer.scaled(&Number::neg(factor)), modulus };
        }
        if modulus.is_zero() || modulus.is_one() {
            return Stride::unit(n);
        }
        let Some(inverse) = inverse(factor, &modulus) else { return Stride::unit(n) };
        Stride { offset: outer.scaled(&Number::neg(&inverse)), modulus }.reduced()
    }

    /// What holds of all values of which one of the two holds, where the outer variables have these residues.
    pub fn or(&self, other: &Stride, outer: &Residues<'_>) -> Stride {
        let difference = self.offset.plus(&Int::from(-1), &other.offset);
        let difference = outer.of(&difference);
        let modulus = [&self.modulus, &other.modulus, &difference.offset.constant, &difference.modulus]
            .into_iter()
            .fold(Int::zero(), |gcd, m| Number::gcd(&gcd, m));
        if modulus.is_zero() {
            return self.clone();
        }
        Stride { offset: outer.reduced(&self.offset, &modulus), modulus }
    }

    /// With as few outer variables in the offset as `outer` allows.
    pub fn settled(self, outer: &Residues<'_>) -> Stride {
        if self.modulus.is_zero() {
            return self;
        }
        Stride { offset: outer.reduced(&self.offset, &self.modulus), modulus: self.modulus }
    }

    /// Whether this says more than `other`.
    pub fn is_finer(&self, other: &Stride) -> bool {
        !other.modulus.is_zero() && (self.modulus.is_zero() || self.modulus > other.modulus)
    }

    fn reduced(self) -> Stride {
        let offset = self.offset.map(|c| c.rem_floor(&self.modulus));
        Stride { offset, modulus: self.modulus }
    }
}

/// What is known of the residues of the dimensions outside, behind `n_params` parameters.
pub(in crate::ast) struct Residues<'r> {
    pub n_params: usize,
    pub strides: &'r [Stride],
}

impl Residues<'_> {
    /// The stride of a dimension, if its offset is a number.
    fn known(&self, variable: usize) -> Option<&Stride> {
        let stride = variable.checked_sub(self.n_params).and_then(|d| self.strides.get(d))?;
        stride.offset.is_constant().then_some(stride)
    }

    /// A number that `row` is equal to modulo the result's modulus (which is 0 if it is that number).
    pub fn of(&self, row: &Row) -> Stride {
        let (mut modulus, mut constant) = (Int::zero(), row.constant.clone());
        for (v, factor) in row.coefficients.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            match self.known(v) {
                Some(stride) => {
                    modulus = Number::gcd(&modulus, &factor.mul(&stride.modulus));
                    constant.add_mul(factor, &stride.offset.constant);
                }
                None => modulus = Number::gcd(&modulus, factor),
            }
        }
        Stride { modulus, offset: Row { constant, coefficients: vec![Int::zero(); row.coefficients.len()] } }
    }

    /// `row` modulo `modulus`, without the variables whose multiples there are numbers.
    pub fn reduced(&self, row: &Row, modulus: &Int) -> Row {
        let mut reduced = row.clone();
        for v in 0..row.coefficients.len() {
            let Some(stride) = self.known(v) else { continue };
            let factor = row.coefficients[v].clone();
            if factor.mul(&stride.modulus).is_divisible_by(modulus) {
                reduced.constant.add_mul(&factor, &stride.offset.constant);
                reduced.coefficients[v] = Int::zero();
            }
        }
        reduced.map(|c| c.rem_floor(modulus))
    }
}

/// The inverse of `a` modulo `modulus`, if they have no common factor.
fn inverse(a: &Int, modulus: &Int) -> Option<Int> {
    let (mut r0, mut r1) = (modulus.clone(), a.rem_floor(modulus));
    let (mut t0, mut t1) = (Int::zero(), Int::one());
    while !r1.is_zero() {
        let quotient = Number::div_floor(&r0, &r1);
        (r0, r1) = (r1.clone(), r0.sub(&quotient.mul(&r1)));
        (t0, t1) = (t1.clone(), t0.sub(&quotient.mul(&t1)));
    }
    r0.is_one().then(|| t0.rem_floor(modulus))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(constant: i64, coefficients: &[i64]) -> Row {
        Row { constant: Int::from(constant), coefficients: coefficients.iter().map(|&c| Int::from(c)).collect() }
    }

    #[test]
    fn an_equality_gives_modulus_and_offset() {
        let odd = Stride::of_equality(&row(-1, &[0, 1, -2]), 1);
        assert_eq!(odd, Stride { modulus: Int::from(2), offset: row(1, &[0]) });
        let skewed = Stride::of_equality(&row(0, &[1, 2, -3]), 1);
        assert_eq!(skewed, Stride { modulus: Int::from(3), offset: row(0, &[1]) });
        assert!(Stride::of_equality(&row(0, &[1, 2, -4]), 1).is_unit());
        let one = Stride::of_equality(&row(-5, &[3, 1]), 1);
        assert_eq!(one, Stride { modulus: Int::from(0), offset: row(5, &[-3]) });
    }

    #[test]
    fn shared_strides() {
        let stride = |m, c| Stride { modulus: Int::from(m), offset: row(c, &[0]) };
        let nothing = Residues { n_params: 0, strides: &[] };
        let or = |a: Stride, b: Stride| a.or(&b, &nothing).modulus;
        assert_eq!(or(stride(4, 1), stride(6, 3)), Int::from(2));
        assert_eq!(or(stride(4, 1), stride(4, 1)), Int::from(4));
        assert_eq!(or(stride(2, 0), stride(2, 1)), Int::from(1));
        assert_eq!(or(stride(0, 64), stride(32, 0)), Int::from(32));
        assert_eq!(or(stride(0, 64), stride(0, 64)), Int::from(0));
        let tiles = [stride(32, 0)];
        let outer = Residues { n_params: 0, strides: &tiles };
        let same = Stride { modulus: Int::from(0), offset: row(0, &[1]) };
        assert_eq!(same.or(&stride(32, 0), &outer), stride(32, 0));
    }
}
