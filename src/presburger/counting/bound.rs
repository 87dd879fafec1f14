//! Bounds of quasi-polynomials over their domains, as functions of the parameters.
//!
//! `ub [n] -> { [i] -> n * i - i^2 : 0 <= i <= n }` is `([n] -> { max(0, 1/2 * n^2) : n >= 0 }, False)`: the domain has the vertices `0` and `n`, and each value is
//! a mean of Bernstein's coefficients over them ([`super::bernstein`]), which are `0`, `n^2/2` and `0`, so that none is above the
//! greatest of these, and none below the least. The lower bound `0` is the value at a vertex that is an integer point for every `n`: it is
//! reached, and the second value of the answer is `True`. The upper one is not reached (the greatest value is about `n^2/4`).
//!
//! Which vertices there are depends on the parameters; pieces are the regions that have the same ones ([`crate::presburger::named::vertices`]). Dimensions that the polynomial does
//! not mention are projected out first, exactly. What is affine, with floors, has an exact bound by integer programming, always reached; other floors are
//! split by remainders if these are few, else become dimensions of their own between their rational bounds. On an unbounded
//! domain the coefficients along rays must not grow, else the bound is infinite: valid, and not said to be reached.

use super::bernstein::{Frame, frame_of, never_negative};
use super::fold::{PwQPolynomialFold, UnionPwQPolynomialFold};
use super::polynomial::{Atom, Floor, Linear, Polynomial, fraction};
use super::pw_qpolynomial::{PwQPolynomial, split_by_classes};
use super::union_qpolynomial::UnionPwQPolynomial;
use crate::presburger::algebra::generators::Cone;
use crate::presburger::algebra::hull::with_all_equalities;
use crate::presburger::conjunction::divs::locals_as_variables;
use crate::presburger::conjunction::{Conjunction, unit_row};
use crate::presburger::named::map::Map;
use crate::presburger::named::multi::function_space;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Space, Tuple, Tuples};
use crate::presburger::named::vertices;
use crate::presburger::number::budget::spend;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::Matrix;
use crate::presburger::number::ratio::Ratio;
use crate::presburger::solve::project;
use crate::presburger::solve::unknowns::Sense;
use std::collections::BTreeMap;
use std::rc::Rc;

impl PwQPolynomial {
    /// `u` with `q(x) <= u(p)` for all `x` in the domain of this `q` at each `p`, and whether each `u(p)` is surely some `q(x)`. If the domain
    /// wraps a relation, its domain elements count as parameters. `u` is defined where there is an `x`.
    /// isl: `pw_qpolynomial_bound` with `isl_fold_max`, iscc: `ub`.
    pub fn upper_bound(&self) -> (PwQPolynomialFold, bool) {
        bound(&[self], Sense::Maximum)
    }

    /// `l` with `l(p) <= q(x)`, as [`PwQPolynomial::upper_bound`]. isl: `pw_qpolynomial_bound` with `isl_fold_min`, iscc: `lb`.
    pub fn lower_bound(&self) -> (PwQPolynomialFold, bool) {
        bound(&[self], Sense::Minimum)
    }
}

impl UnionPwQPolynomial {
    /// [`PwQPolynomial::upper_bound`] of the parts together. isl: `union_pw_qpolynomial_bound` with `isl_fold_max`, iscc: `ub`.
    pub fn upper_bound(&self) -> (UnionPwQPolynomialFold, bool) {
        self.bounds(Sense::Maximum)
    }

    /// [`PwQPolynomial::lower_bound`] of the parts together. isl: `union_pw_qpolynomial_bound` with `isl_fold_min`, iscc: `lb`.
    pub fn lower_bound(&self) -> (UnionPwQPolynomialFold, bool) {
        self.bounds(Sense::Minimum)
    }

    fn bounds(&self, sense: Sense) -> (UnionPwQPolynomialFold, bool) {
        let mut grouped: BTreeMap<Tuples, Vec<&PwQPolynomial>> = BTreeMap::new();
        self.parts().for_each(|part| grouped.entry(outer_space(part).tuples().clone()).or_default().push(part));
        let start = (UnionPwQPolynomialFold::empty(self.params_space()), true);
        grouped
            .values()
            .map(|parts| bound(parts, sense))
            .fold(start, |(all, tight), (part, own)| (all.plus(&part), tight && own))
    }
}

/// What a bound of the function depends on.
fn outer_space(function: &PwQPolynomial) -> Space {
    let space = function.domain_space();
    Space::unwrap(space).map_or_else(|| space.params_space(), |pairs| pairs.domain())
}

/// A polynomial that bounds, and whether it is the value at an integer point for all parameters of its piece.
#[derive(Clone, Debug)]
struct Candidate {
    value: Polynomial,
    reached: bool,
}

/// Upper bounds on disjoint sets; `None` where there is none.
type Bounds = Vec<(Set, Option<Vec<Candidate>>)>;

/// Of functions, at least one, whose bounds depend on the same, with the same parameters.
fn bound(functions: &[&PwQPolynomial], sense: Sense) -> (PwQPolynomialFold, bool) {
    let outer = outer_space(functions[0]);
    let sign = Ratio::integer(Int::from(if sense == Sense::Maximum { 1 } else { -1 }));
    let mut bounds = Bounds::new();
    for function in functions {
        let is_params = function.domain_space().is_params();
        for (set, value) in function.pieces() {
            let value = value.scale(&sign);
            let own = match is_params {
                true => vec![(set.clone(), Some(vec![Candidate { value, reached: true }]))],
                false => over(set, &value, &outer),
            };
            bounds = joined(&bounds, &own);
        }
    }
    let bounds = bounds.into_iter().map(|(set, all)| {
        let all = all.map(|all| pruned(&frames(&set), all));
        (set.coalesce(), all)
    });
    let bounds = merged(bounds.collect());
    let tight = bounds.iter().all(|(_, all)| all.as_ref().is_some_and(|all| all.iter().all(|one| one.reached)));
    let signed = |all: Vec<Candidate>| all.iter().map(|one| one.value.scale(&sign)).collect();
    let pieces = bounds.into_iter().map(|(set, all)| (set, all.map(signed)));
    (PwQPolynomialFold::of(&outer, sense, pieces.collect()), tight)
}

/// With pieces joined to others that are equal on them: where vertices meet, more of them are there than around.
fn merged(mut bounds: Bounds) -> Bounds {
    let surely_equal = |frames: &[Frame], a: &Candidate, b: &Candidate| {
        let (more, less) = (a.value.sub(&b.value), b.value.sub(&a.value));
        frames.iter().all(|frame| never_negative(&more, frame) && never_negative(&less, frame))
    };
    let mut k = 0;
    while k < bounds.len() {
        let (set, own) = &bounds[k];
        let own = own.clone().unwrap_or_default();
        let frames = frames(set);
        let covers = |all: &[Candidate], other: &[Candidate]| {
            all.iter().all(|x| other.iter().any(|y| (y.reached || !x.reached) && surely_equal(&frames, x, y)))
        };
        let place = (0..bounds.len()).find(|&other| {
            let fits = |all: &Vec<Candidate>| !own.is_empty() && covers(&own, all) && covers(all, &own);
            other != k && bounds[other].1.as_ref().is_some_and(fits)
        });
        let Some(other) = place else {
            k += 1;
            continue;
        };
        let (set, _) = bounds.remove(k);
        let other = if other > k { other - 1 } else { other };
        bounds[other].0 = bounds[other].0.union(&set).coalesce();
        k = 0;
    }
    bounds
}

/// Of both where both are.
fn joined(a: &Bounds, b: &Bounds) -> Bounds {
    let mut result = Bounds::new();
    let mut alone: Vec<Set> = b.iter().map(|(set, _)| set.clone()).collect();
    for (set, values) in a {
        let mut rest = set.clone();
        for ((own, others), left) in b.iter().zip(&mut alone) {
            spend(1);
            let both = values.as_ref().zip(others.as_ref()).map(|(x, y)| [x.clone(), y.clone()].concat());
            result.push((set.intersect(own), both));
            rest = rest.subtract(own);
            *left = left.subtract(set);
        }
        result.push((rest, values.clone()));
    }
    result.extend(alone.into_iter().zip(b.iter().map(|(_, values)| values.clone())));
    result.retain(|(set, _)| !set.is_empty());
    result
}

/// Upper bounds of a polynomial over a set, on elements of `outer`, whose columns are the set's first ones.
fn over(set: &Set, value: &Polynomial, outer: &Space) -> Bounds {
    let first = outer.n_dim();
    if let Some((form, denominator)) = fraction(value) {
        return affine(set, &form, &denominator, outer);
    }
    let parts = split_by_classes(&(set.clone(), value.clone()), first).into_iter().map(|(set, value)| {
        if let Some((form, denominator)) = fraction(&value) {
            return affine(&set, &form, &denominator, outer);
        }
        let n = set.space().n_dim();
        let used = |v: usize| v < first || value.mentions(v);
        let columns: Vec<usize> = (0..n).filter(|&v| used(v)).collect();
        let place = |v: usize| columns.iter().position(|&c| c == v).unwrap_or(0);
        let value = value.renamed(&(0..n).map(place).collect::<Vec<_>>());
        let sources: Vec<Option<usize>> = columns.iter().map(|&v| Some(v)).collect();
        let pieces = set.0.pieces.wide();
        let bounds = pieces.iter().map(|piece| {
            let mut shadow = piece.rearrange(&sources);
            project::eliminate_easy(&mut shadow);
            polynomial(&shadow.simplified(), &value, first, outer)
        });
        bounds.fold(Bounds::new(), |all, own| joined(&all, &own))
    });
    parts.fold(Bounds::new(), |all, own| joined(&all, &own))
}

/// The greatest value of `form / denominator`, exactly.
fn affine(set: &Set, form: &Linear, denominator: &Int, outer: &Space) -> Bounds {
    let first = outer.n_dim();
    let space = function_space(outer, &Tuple::anonymous(1));
    let mut values = Vec::new();
    let mut infinite = Set::empty(outer);
    for piece in set.0.pieces.wide().iter() {
        let n = piece.n_var;
        let mut lift = Lift::new(piece.insert_variables(n, 1));
        let mut row = lift.row(&form.scaled(&Int::from(-1)));
        row[1 + n] = Int::one();
        lift.conj.add_eq(&row);
        let grows = rays_of(&locals_as_variables(&lift.conj), first).iter().any(|ray| ray[n - first].is_positive());
        if grows {
            infinite = infinite.union(&outer_part(piece, outer));
            continue;
        }
        let sources: Vec<Option<usize>> = (0..first).chain([n]).map(Some).collect();
        values.push(lift.conj.rearrange(&sources));
    }
    let infinite = infinite.coalesce();
    let greatest = Map::from_conjunctions(&space, values).dim_max(0);
    let greatest = greatest.expect("law: the values of pieces that do not grow have a greatest one");
    let scale = Ratio::new(Int::one(), denominator.clone());
    let mut bounds = Bounds::new();
    for (set, aff) in greatest.pieces() {
        let function = PwQPolynomial::from_aff(set, aff).scale(&scale);
        let value = function.pieces().first().map_or_else(Polynomial::zero, |(_, value)| value.clone());
        bounds.push((set.subtract(&infinite), Some(vec![Candidate { value, reached: true }])));
    }
    bounds.push((infinite, None));
    bounds.retain(|(set, _)| !set.is_empty());
    bounds
}

/// The elements of `outer` that the piece has something for.
fn outer_part(piece: &Conjunction<Int>, outer: &Space) -> Set {
    let sources: Vec<Option<usize>> = (0..outer.n_dim()).map(Some).collect();
    Set(Map::from_conjunctions(outer, vec![piece.rearrange(&sources)]))
}

/// Directions in which the polyhedron goes on for ever, whatever the first columns are, by its other columns; those of lines twice.
fn rays_of(flat: &Conjunction<Int>, first: usize) -> Vec<Vec<Int>> {
    let n = flat.n_var - first;
    let homogeneous = |rows: &Matrix<Int>| -> Vec<Vec<Int>> {
        rows.rows().map(|row| [Int::zero()].into_iter().chain(row[1 + first..].iter().cloned()).collect()).collect()
    };
    let (lines, rays) = Cone::of(1 + n, &homogeneous(&flat.eq), &homogeneous(&flat.ineq)).generators();
    let lines = lines.iter().flat_map(|row| [row.clone(), opposite(row)]);
    let rays = rays.iter().filter(|row| row[0].is_zero()).cloned();
    rays.chain(lines).map(|row| row[1..].to_vec()).filter(|row| row.iter().any(|x| !x.is_zero())).collect()
}

fn opposite(row: &[Int]) -> Vec<Int> {
    row.iter().map(Number::neg).collect()
}

/// The part where the variable is not negative, and the rest: a line has a vertex in each.
fn halves(piece: &Conjunction<Int>, v: usize) -> [Conjunction<Int>; 2] {
    let mut row = unit_row(piece.width(), 1 + v);
    let mut halves = [piece.clone(), piece.clone()];
    halves[0].add_ineq(&row);
    row[1 + v] = Int::from(-1);
    row[0] = Int::from(-1);
    halves[1].add_ineq(&row);
    halves
}

/// Upper bounds of a polynomial over a conjunction by the coefficients over its vertices.
fn polynomial(piece: &Conjunction<Int>, value: &Polynomial, first: usize, outer: &Space) -> Bounds {
    let mut lift = Lift::new(piece.clone());
    let unlifted = value;
    let value = lift.polynomial(unlifted, first);
    let flat = with_all_equalities(&locals_as_variables(&lift.conj)).simplified();
    let whole = outer_part(piece, outer);
    if flat.known_empty || whole.is_empty() {
        return Bounds::new();
    }
    let n = flat.n_var - first;
    let rays = rays_of(&flat, first);
    let along_line = rays.iter().find(|ray| rays.contains(&opposite(ray)));
    if let Some(v) = along_line.and_then(|ray| (0..n).find(|&v| v < piece.n_var - first && !ray[v].is_zero())) {
        return halves(piece, first + v)
            .iter()
            .fold(Bounds::new(), |all, half| joined(&all, &polynomial(half, unlifted, first, outer)));
    }
    let corners = vertices::solutions(&flat, first, n);
    let mut regions: Vec<(Set, Vec<usize>)> = vec![(whole, Vec::new())];
    for (k, (domain, _)) in corners.iter().enumerate() {
        let domain = Set(Map::from_conjunctions(outer, vec![domain.clone()]));
        let mut split = Vec::new();
        for (region, present) in regions {
            let (with, without) = (region.intersect(&domain), region.subtract(&domain));
            split.push((with.coalesce(), [present.clone(), vec![k]].concat()));
            split.push((without.coalesce(), present));
        }
        split.retain(|(region, _)| !region.is_empty());
        regions = split;
    }
    let bounds = regions.into_iter().map(|(region, present)| {
        let corners: Vec<&vertices::Point> = present.iter().map(|&k| &corners[k].1).collect();
        let frame =
            Frame { first, n, points: corners.iter().map(|corner| coordinates(corner)).collect(), rays: rays.clone() };
        let candidates = candidates(&region, &value, &frame, &corners);
        (region, candidates)
    });
    bounds.collect()
}

/// The coordinates of a vertex as polynomials.
fn coordinates(corner: &vertices::Point) -> Vec<Polynomial> {
    let one = |(row, by): &(Vec<Int>, Int)| {
        let mut form = Linear::constant(row[0].clone());
        row[1..].iter().enumerate().for_each(|(v, c)| form.add_mul(&Linear::var(v), c));
        Polynomial::from_linear(&form).scale(&Ratio::new(Int::one(), by.clone()))
    };
    corner.iter().map(one).collect()
}

/// The coefficients on a region, if those along rays do not grow.
fn candidates(region: &Set, value: &Polynomial, frame: &Frame, corners: &[&vertices::Point]) -> Option<Vec<Candidate>> {
    if corners.is_empty() {
        return None;
    }
    let minus = Ratio::integer(Int::from(-1));
    let frames = frames(region);
    let mut found = Vec::new();
    for (rays, coefficients) in frame.expand(value) {
        let bounds = rays.iter().all(|e| *e == 0);
        for (exponents, value) in coefficients {
            if !bounds && !frames.iter().all(|f| never_negative(&value.scale(&minus), f)) {
                return None;
            }
            // A power of one weight has the value at its corner as its coefficient, a constant that at each.
            let used: Vec<usize> = (0..corners.len()).filter(|&p| exponents[p] > 0).collect();
            let is_integer = |p: usize| corners[p].iter().all(|(_, by)| by.is_one());
            let reached = match used[..] {
                [] => (0..corners.len()).any(is_integer),
                [p] => is_integer(p),
                _ => false,
            };
            if bounds {
                found.push(Candidate { value, reached });
            }
        }
    }
    Some(pruned(&frames, found))
}

/// What generates the pieces of a region, in which locals are left out.
fn frames(region: &Set) -> Vec<Frame> {
    let n = region.space().n_dim();
    let rows = |rows: &Matrix<Int>| rows.rows().map(<[Int]>::to_vec).collect::<Vec<_>>();
    let one = |piece: &Conjunction<Int>| {
        let flat = locals_as_variables(piece);
        let (lines, rays) = Cone::of(flat.width(), &rows(&flat.eq), &rows(&flat.ineq)).generators();
        frame_of(n, &rays, &lines)
    };
    region.0.pieces.wide().iter().map(one).collect()
}

/// Those that no other one is above on the whole region; of equal ones, one that is reached.
fn pruned(frames: &[Frame], mut all: Vec<Candidate>) -> Vec<Candidate> {
    all.sort_by_key(|one| !one.reached);
    let mut kept: Vec<Candidate> = Vec::new();
    let above = |a: &Candidate, b: &Candidate| {
        spend(1);
        a.value == b.value || frames.iter().all(|frame| never_negative(&a.value.sub(&b.value), frame))
    };
    for one in all {
        if !kept.iter().any(|other| above(other, &one)) {
            kept.retain(|other| !above(&one, other));
            kept.push(one);
        }
    }
    kept
}

/// A conjunction that gets a local for each floor of a polynomial.
struct Lift {
    conj: Conjunction<Int>,
    columns: BTreeMap<Rc<Floor>, usize>,
}

impl Lift {
    fn new(conj: Conjunction<Int>) -> Lift {
        Lift { conj, columns: BTreeMap::new() }
    }

    /// The form over the columns of the conjunction.
    fn row(&mut self, form: &Linear) -> Vec<Int> {
        let terms: Vec<(usize, Int)> =
            form.terms.iter().map(|(atom, coefficient)| (self.column(atom), coefficient.clone())).collect();
        let mut row = vec![Int::zero(); self.conj.width()];
        row[0] = form.constant.clone();
        terms.into_iter().for_each(|(column, coefficient)| row[column] = coefficient);
        row
    }

    fn column(&mut self, atom: &Atom) -> usize {
        match atom {
            Atom::Var(v) => 1 + v,
            Atom::Floor(floor) => {
                if let Some(column) = self.columns.get(floor) {
                    return *column;
                }
                let row = self.row(&floor.form);
                let div: Vec<Int> = [floor.denominator.clone()].into_iter().chain(row).collect();
                let column = self.conj.add_div(&div);
                self.columns.insert(floor.clone(), column);
                column
            }
        }
    }

    /// The polynomial with a variable for each floor of variables from `first` on.
    fn polynomial(&mut self, value: &Polynomial, first: usize) -> Polynomial {
        let mut floors = Vec::new();
        value.floors(&mut |floor| floors.push(Atom::Floor(floor.clone())));
        floors.retain(|floor| floor.any_var(&|v| v >= first));
        floors.iter().for_each(|floor| {
            self.column(floor);
        });
        value.map_atoms(&|atom| match atom {
            Atom::Floor(floor) if floors.contains(atom) => Linear::var(self.columns[floor] - 1),
            _ => Linear::atom(atom.clone()),
        })
    }
}

#[cfg(test)]
mod tests;
