//! One of two numbers, by a condition.
//!
//! ```c
//! for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) o[y * w + x] = u[(y < 1 ? 0 : y - 1) * w + x];
//! ```
//!
//! LLVM multiplies before it chooses, `y < 1 ? 0 : y * w - w`, which is no piecewise affine number. But what each product of parameters is multiplied by is one in both, and
//! the choice is that between these: `(y < 1 ? 0 : y - 1) w`. Of polynomials that is an identity, so that the number is exact where both are. A phi is such a choice where
//! two ways come together that went apart by a condition.

use super::Reading;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::{Reason, data_dependent};
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Instruction, Value};
use crate::presburger::Set;
use std::collections::{BTreeMap, BTreeSet};

type Fallible<T> = Result<T, Reason>;

/// What products of parameters are multiplied by.
type Factors = BTreeMap<Vec<Atom>, Polynomial>;

impl<'ir> Reading<'_, '_, '_, 'ir> {
    pub(super) fn of_select(&self, instruction: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        self.of_choice(instruction, [0, 1, 2].map(|at| instruction.operand(at)), width, depth)
    }

    /// A value that two ways bring together, as they went apart by a condition and nothing is on them but what computes it.
    pub(super) fn of_join(&self, phi: Instruction<'ir>, width: u32, depth: usize) -> Fallible<Number> {
        let no = || data_dependent(phi.value());
        let block = phi.block().ok_or_else(no)?;
        let (Some(&(a, from)), Some(&(b, other)), 2) =
            (phi.incoming().first(), phi.incoming().get(1), phi.incoming().len())
        else {
            return Err(no());
        };
        let fork =
            |block: Block<'ir>| block.predecessors().first().copied().filter(|_| block.predecessors().len() == 1);
        let asks = |fork: Block<'ir>| fork.terminator()?.branch();
        let fork = [Some(from), Some(other), fork(from), fork(other)].into_iter().flatten().find(|at| {
            let goes = |way: Block<'ir>| way == *at || fork(way) == Some(*at);
            goes(from) && goes(other) && matches!(asks(*at), Some(Branch::If { .. }))
        });
        let Some(Branch::If { condition, then, otherwise }) = fork.and_then(asks) else { return Err(no()) };
        let fork = fork.ok_or_else(no)?;
        let way = |from: Block<'ir>| if from == fork { block } else { from };
        let (yes, no_) = match (way(from), way(other)) {
            (x, y) if x != y && x == then && y == otherwise => (a, b),
            (x, y) if x != y && x == otherwise && y == then => (b, a),
            _ => return Err(no()),
        };
        self.of_choice(phi, [condition, yes, no_], width, depth)
    }

    /// The second value where the condition holds, else the third.
    fn of_choice(
        &self,
        chosen: Instruction<'ir>,
        [condition, yes, no]: [Value<'ir>; 3],
        width: u32,
        depth: usize,
    ) -> Fallible<Number> {
        let (a, b) = (self.of_value(yes, depth + 1)?, self.of_value(no, depth + 1)?);
        let condition = self.condition_at(condition, depth + 1)?;
        if !a.polynomial.is_affine() || !b.polynomial.is_affine() {
            let number = self.choice_of_products(&condition, [&a, &b], width)?;
            return number.ok_or_else(|| data_dependent(chosen.value()));
        }
        let side = |number: &Number| self.exact_aff(number, "a selected value");
        let value = side(&a)?.intersect_domain(&condition).union_add(&side(&b)?.subtract_domain(&condition));
        Ok(self.quasi(value, Interval::signed(width), width))
    }

    /// The first number where the condition holds, else the second one; `None` if they are no sums of products of parameters with affine numbers.
    fn choice_of_products(&self, condition: &Set, [a, b]: [&Number; 2], width: u32) -> Fallible<Option<Number>> {
        let products: BTreeSet<Vec<Atom>> =
            [a, b].into_iter().flat_map(|number| products(&number.polynomial)).collect();
        let (Some(of_a), Some(of_b)) = (factors(&a.polynomial, &products), factors(&b.polynomial, &products)) else {
            return Ok(None);
        };
        let mut sum = Polynomial::default();
        for product in of_a.keys().chain(of_b.keys()).collect::<BTreeSet<_>>() {
            let factor = |all: &Factors| all.get(product).cloned().unwrap_or_default();
            let (x, y) = (factor(&of_a), factor(&of_b));
            let chosen = if x == y { x } else { self.choice(condition, &x, &y, width)? };
            let whole = product.iter().try_fold(chosen, |p, atom| p.multiply(&Polynomial::atom(*atom)));
            let Some(all) = whole.and_then(|whole| sum.add(&whole)) else { return Ok(None) };
            sum = all;
        }
        Ok(Some(Number { polynomial: sum, exact: a.exact && b.exact, width }))
    }

    fn choice(&self, condition: &Set, x: &Polynomial, y: &Polynomial, width: u32) -> Fallible<Polynomial> {
        let interval = self.affine.interval(x).hull(self.affine.interval(y));
        let value = self.aff(x)?.intersect_domain(condition).union_add(&self.aff(y)?.subtract_domain(condition));
        Ok(self.quasi(value, interval, width).polynomial)
    }
}

/// The products of parameters that something is multiplied by that changes.
fn products(polynomial: &Polynomial) -> BTreeSet<Vec<Atom>> {
    let product = |atoms: &[Atom]| -> Option<Vec<Atom>> {
        let constant: Vec<Atom> = atoms.iter().copied().filter(|atom| atom.is_constant()).collect();
        (!constant.is_empty() && constant.len() + 1 == atoms.len()).then_some(constant)
    };
    polynomial.terms().filter_map(|(atoms, _)| product(atoms)).collect()
}

/// The sum as these products with their factors, all of which are affine, and a rest that is affine too, for the empty product.
fn factors(polynomial: &Polynomial, products: &BTreeSet<Vec<Atom>>) -> Option<Factors> {
    let mut found = Factors::new();
    for (atoms, factor) in polynomial.terms() {
        let (constant, changing): (Vec<Atom>, Vec<Atom>) = atoms.iter().partition(|atom| atom.is_constant());
        let (product, rest) = match (products.contains(&constant), constant.len(), changing.len()) {
            (true, _, 0 | 1) => (constant, changing),
            (false, 0, 0 | 1) | (false, 1, 0) => (Vec::new(), atoms.to_vec()),
            _ => return None,
        };
        let term =
            rest.iter().try_fold(Polynomial::constant(factor), |p, atom| p.multiply(&Polynomial::atom(*atom)))?;
        let sum = found.entry(product).or_default();
        *sum = sum.add(&term)?;
    }
    Some(found)
}
