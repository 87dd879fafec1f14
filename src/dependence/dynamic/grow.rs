//! From disjoint cells to trees: which questions find the cell of a point.
//!
//! For the cells `i = 0 -> r_in{}` and `1 <= i < n -> B1{i - 1}` within the domain `0 <= i < n`, the first constraint of a cell that the
//! domain does not imply is asked, `i = 0`; where it holds only the first cell is left, where it does not only the second, and the
//! tree is `(i = 0 -> r_in{} : B1{i - 1})`. Every question decides for one more constraint of a cell that is still possible, so this
//! ends. A floor in a constraint or in a term becomes a division before the first place that needs it.

use super::tree::{Condition, Linear, Tree};
use crate::presburger::budget::spend;
use crate::presburger::int::Number;
use crate::presburger::{Aff, BasicSet, Constraint, ConstraintKind, DimKind, Id, Int, Set};

/// What a tree knows at some place: its variables and what it has divided.
#[derive(Clone)]
pub struct Scope {
    /// Parameters and dimensions, in the order of the space.
    variables: Vec<Id>,
    divisions: Vec<Division>,
    /// Names of quotients and remainders given so far, and others to avoid.
    taken: Vec<Id>,
}

#[derive(Clone)]
struct Division {
    dividend: Linear,
    divisor: Int,
    quotient: Id,
    remainder: Id,
}

impl Scope {
    /// The scope of trees over `params` and then `context`.
    pub fn new(params: &[Id], context: &[Id]) -> Scope {
        let variables: Vec<Id> = params.iter().chain(context).cloned().collect();
        Scope { taken: variables.clone(), variables, divisions: Vec::new() }
    }

    /// The same with one more dimension.
    pub fn with(&self, variable: Id) -> Scope {
        let mut wider = self.clone();
        wider.taken.push(variable.clone());
        wider.variables.push(variable);
        wider
    }

    /// A name that is not yet taken.
    pub fn fresh(&self, wish: &str) -> Id {
        super::program::fresh(wish, |name| !self.taken.contains(name))
    }

    /// `aff`, with integer values, as a linear expression; divisions that it needs are added to the scope.
    pub fn linear(&mut self, aff: &Aff) -> Linear {
        let mut floors: Vec<Linear> = Vec::new();
        let space = aff.domain_space();
        for div in aff.divs() {
            let numerator = self.row(space.n_dim(), &div.constant, &div.coefficients, &floors);
            floors.push(self.quotient(numerator, &div.denominator));
        }
        let n_params = space.dim(DimKind::Param);
        let own = (0..n_params).map(|p| aff.coefficient(DimKind::Param, p));
        let own = own.chain((0..space.dim(DimKind::Out)).map(|d| aff.coefficient(DimKind::Out, d)));
        let coefficients: Vec<Int> = own.chain((0..aff.n_div()).map(|d| aff.div_coefficient(d))).collect();
        let numerator = self.row(space.n_dim(), &aff.constant_value(), &coefficients, &floors);
        if aff.denominator() == Int::one() { numerator } else { self.quotient(numerator, &aff.denominator()) }
    }

    /// `constant + coefficients . (variables, floors)`, of which there are `n` variables.
    fn row(&self, n: usize, constant: &Int, coefficients: &[Int], floors: &[Linear]) -> Linear {
        let mut sum = Linear::constant(constant);
        let add = |sum: &mut Linear, name: &Id, c: &Int| match sum.terms.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.add(c),
            None => sum.terms.push((name.clone(), c.clone())),
        };
        for (name, c) in self.variables.iter().zip(&coefficients[..n]) {
            add(&mut sum, name, c);
        }
        for (floor, c) in floors.iter().zip(&coefficients[n..]) {
            sum.constant = sum.constant.add(&floor.constant.mul(c));
            floor.terms.iter().for_each(|(name, f)| add(&mut sum, name, &f.mul(c)));
        }
        sum.terms.retain(|(_, c)| !c.is_zero());
        // Variables of the context come first, in their order, then what was divided.
        let place = |name: &Id| self.variables.iter().position(|v| v == name).unwrap_or(usize::MAX);
        sum.terms.sort_by_key(|(name, _)| place(name));
        sum
    }

    fn quotient(&mut self, dividend: Linear, divisor: &Int) -> Linear {
        let known = self.divisions.iter().find(|d| d.dividend == dividend && d.divisor == *divisor);
        let quotient = match known {
            Some(division) => division.quotient.clone(),
            None => {
                let number = self.divisions.len() + 1;
                let (quotient, remainder) = (self.fresh(&format!("d{number}")), self.fresh(&format!("r{number}")));
                self.taken.extend([quotient.clone(), remainder.clone()]);
                let divisor = divisor.clone();
                self.divisions.push(Division { dividend, divisor, quotient: quotient.clone(), remainder });
                quotient
            }
        };
        Linear { constant: Int::zero(), terms: vec![(quotient, Int::one())] }
    }

    /// `tree` below the divisions that have been added since there were `known` of them.
    pub fn divided(&self, known: usize, tree: Tree) -> Tree {
        self.divisions[known..].iter().rev().fold(tree, |rest, division| Tree::Divide {
            dividend: division.dividend.clone(),
            divisor: division.divisor.clone(),
            quotient: division.quotient.clone(),
            remainder: division.remainder.clone(),
            rest: Box::new(rest),
        })
    }

    /// How many divisions have been made.
    pub fn n_divisions(&self) -> usize {
        self.divisions.len()
    }
}

/// The tree over `region` that is `leaf(i)` on the cell `cells[i].0`, and nothing outside of all cells. Cells with equal second
/// components have equal leaves.
pub fn grow(
    scope: &Scope,
    region: &Set,
    cells: &[(Set, usize)],
    leaf: &mut impl FnMut(&mut Scope, &Set, usize) -> Tree,
) -> Tree {
    let cells: Vec<(Set, usize)> = cells.iter().map(|(set, at)| (set.compute_divs(), *at)).collect();
    below(scope, region, &cells, leaf)
}

fn below(
    scope: &Scope,
    region: &Set,
    cells: &[(Set, usize)],
    leaf: &mut impl FnMut(&mut Scope, &Set, usize) -> Tree,
) -> Tree {
    spend(1);
    let possible = |(set, at): &(Set, usize)| {
        let inside = set.intersect(region).compute_divs();
        (!inside.is_empty()).then_some((inside, *at))
    };
    let left: Vec<(Set, usize)> = cells.iter().filter_map(possible).collect();
    let Some((_, first)) = left.first() else { return Tree::Nothing };
    let mut inner = scope.clone();
    let known = inner.n_divisions();
    let all_same = left.iter().all(|(_, at)| at == first);
    let covered = left.iter().fold(Set::empty(region.space()), |all, (set, _)| all.union(set));
    if all_same && region.is_subset(&covered) {
        let tree = leaf(&mut inner, region, *first);
        return inner.divided(known, tree);
    }
    let question = left.iter().find_map(|(set, _)| open_question(set, region));
    let (kind, aff) = question.expect("law: a cell that does not cover the region has a constraint that cuts it");
    let (condition, yes) = match kind {
        ConstraintKind::Equality => (Condition::Zero(inner.linear(&aff)), aff.zero_set()),
        ConstraintKind::Inequality => {
            (Condition::Positive(inner.linear(&aff.add_constant(&Int::one()))), aff.nonneg_set())
        }
    };
    let on_yes = below(&inner, &region.intersect(&yes), &left, leaf);
    let on_no = below(&inner, &region.subtract(&yes), &left, leaf);
    inner.divided(known, Tree::Branch { condition, yes: Box::new(on_yes), no: Box::new(on_no) })
}

/// A constraint of a piece of `set` that does not hold everywhere in `region`.
fn open_question(set: &Set, region: &Set) -> Option<(ConstraintKind, Aff)> {
    set.gist(region).pieces().iter().chain(&set.pieces()).find_map(|piece| {
        let constraints = piece.constraints();
        constraints.iter().find_map(|constraint| {
            let aff = form(piece, constraint)?;
            let holds = match constraint.kind {
                ConstraintKind::Equality => aff.zero_set(),
                ConstraintKind::Inequality => aff.nonneg_set(),
            };
            let cuts = !region.is_subset(&holds) && !region.is_disjoint(&holds);
            cuts.then_some((constraint.kind, aff))
        })
    })
}

/// The affine form of a constraint, if the locals that it mentions are divs.
fn form(piece: &BasicSet, constraint: &Constraint) -> Option<Aff> {
    let divs: Option<Vec<_>> = piece.locals().into_iter().collect();
    Some(Aff::from_parts(piece.space(), &divs?, &constraint.constant, &constraint.coefficients, &Int::one()))
}
