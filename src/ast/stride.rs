//! Strides: which residues a loop's iterator can have.
//!
//! The date `2 i + 1` of `{ S[i] : 0 <= i < N }` has the set of values `{ [c] : exists i : c = 2 i + 1, ... }`. Read modulo 2 the
//! equality says `c = 1`, whatever the integer `i` is: the loop starts at an odd number and steps by 2. In general an equality
//! `a c + f + sum of m_k e_k = 0` over outer variables in `f` and locals `e_k` says `a c + f = 0` modulo the gcd `m` of the `m_k`, and if
//! `a` has an inverse modulo `m`, then `c = -f / a`. This is Section 6.2 of Quilleré, Rajopadhye and Wilde without the
//! extension to a unimodular mapping. Statements that share a loop have in common the gcd of their strides and of the
//! differences of their offsets. What an equality does not say in this way is left to the guards.

use super::affine::Row;
use crate::presburger::Int;
use crate::presburger::int::Number;

/// The values of a variable are `offset` modulo `modulus` (1 says nothing); `offset` is over the variables before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stride {
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
        if modulus.is_zero() || modulus.is_one() {
            return Stride::unit(n);
        }
        let Some(inverse) = inverse(factor, &modulus) else { return Stride::unit(n) };
        let outer = Row { constant: equality.constant.clone(), coefficients: equality.coefficients[..n].to_vec() };
        Stride { offset: outer.scaled(&Number::neg(&inverse)), modulus }.reduced()
    }

    /// What holds of all values of which one of the two holds.
    pub fn or(&self, other: &Stride) -> Stride {
        let difference = self.offset.plus(&Int::from(-1), &other.offset);
        let modulus = [&self.modulus, &other.modulus, &difference.constant, &difference.content()]
            .into_iter()
            .fold(Int::zero(), |gcd, m| Number::gcd(&gcd, m));
        if modulus.is_zero() {
            return self.clone();
        }
        Stride { modulus, offset: self.offset.clone() }.reduced()
    }

    fn reduced(self) -> Stride {
        let offset = self.offset.map(|c| c.rem_floor(&self.modulus));
        Stride { offset, modulus: self.modulus }
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
    }

    #[test]
    fn shared_strides() {
        let stride = |m, c| Stride { modulus: Int::from(m), offset: row(c, &[0]) };
        assert_eq!(stride(4, 1).or(&stride(6, 3)).modulus, Int::from(2));
        assert_eq!(stride(4, 1).or(&stride(4, 1)).modulus, Int::from(4));
        assert!(stride(2, 0).or(&stride(2, 1)).is_unit());
    }
}
