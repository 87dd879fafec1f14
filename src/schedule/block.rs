//! Register blocks: outer loops unrolled and jammed into the innermost one.
//!
//! In `for i: for k: for j: C[i][j] += A[i][k] * B[k][j]` with `j` in the vector unit, each step loads `C` and `B` and stores `C` for one
//! multiplication. With four values of `i` and of `k` written out inside of `j`,
//!
//! ```text
//! for i/4  for k/4
//!   for j (vector)
//!     C[4i][j] += A[4i][4k] * B[4k][j]; C[4i][j] += A[4i][4k+1] * B[4k+1][j]; ... C[4i+3][j] += ...
//! ```
//!
//! eight loads and four stores serve sixteen multiplications, and each `C[i][j]` still adds its products in the order of `k`. The other use is
//! a loop that only runs one step after the other, `for i: for j: y[i] += A[i][j] * x[j]`: eight values of `i` inside of `j` are eight sums that do
//! not wait for each other.
//!
//! Writing out needs blocks without holes. The instances of *whole* blocks (or tiles of blocks) run in the jammed loops, all
//! others in plain ones ([`instances`] tells them apart). The jammed loop over `j` runs before the plain one of the same block, so a condition that cuts
//! a block may not depend on `j`, unless no dependence is carried along it ([`is_cut_along`]).

use super::linear::direction;
use super::plan::BandPlan;
use super::problem::{Hyperplane, Problem, Row};
use super::render::affine;
use super::vector::{VectorLoop, is_consecutive};
use crate::presburger::{ConstraintKind, Int, Set, UnionSet};

/// Copies of statements in one jammed loop: their operands have to stay in the 16 to 32 vector registers.
const MOST_COPIES: i64 = 32;
/// Values of a member in a block, where two members are jammed and where one is.
const OF_TWO: i64 = 4;
const OF_ONE: i64 = 8;

/// A member of a band with the number of its values that are written out.
pub(crate) type Jam = (usize, i64);

/// The movements of a statement's references along a member, all other members standing still; none if it does not move.
pub(crate) fn movements(problem: &Problem, plan: &BandPlan, s: usize, m: usize) -> Option<Vec<Option<Vec<i64>>>> {
    let n = plan.band.members.len();
    let mut others = plan.done.get(&s).cloned().unwrap_or_default();
    others.extend((0..n).filter(|o| *o != m).map(|o| plan.band.members[o][&s].iterators.clone()));
    let statement = &problem.statements[s];
    let along = direction(&plan.band.members[m][&s].iterators, &others, statement.n)?;
    Some(statement.references.iter().map(|r| r.movement(&along)).collect())
}

/// The members to jam into the vector loop over `v`: those along which a datum that moves along `v` stays in its register, at most two.
pub(crate) fn into_vector(problem: &Problem, plan: &BandPlan, v: usize, found: &VectorLoop) -> Vec<Jam> {
    let together = found.fusible && plan.nodes.iter().all(|s| found.penalties.contains_key(s));
    if !together || !plan.band.coincident[v] || !are_cut_alike(problem, plan) {
        return Vec::new();
    }
    let mut useful: Vec<(i64, usize)> =
        (0..plan.band.members.len()).filter(|m| *m != v).map(|m| (kept(problem, plan, m, v), m)).collect();
    useful.retain(|(weight, _)| *weight > 0);
    if !(0..plan.band.members.len()).all(|m| m == v || is_boxable(problem, plan, m)) {
        return Vec::new();
    }
    useful.sort_by_key(|(weight, m)| (-weight, *m));
    useful.truncate(2);
    useful.sort_by_key(|(_, m)| *m);
    let factor = if useful.len() == 2 { OF_TWO } else { OF_ONE };
    affordable(plan, useful.iter().map(|(_, m)| (*m, factor)).collect())
}

/// The member to jam into a loop that runs in order, and that loop's member, which goes through memory in steps of one element.
pub(crate) fn into_serial(problem: &Problem, plan: &BandPlan) -> Option<(Jam, usize)> {
    if !are_cut_alike(problem, plan) {
        return None;
    }
    let n = plan.band.members.len();
    let is_smooth = |m: usize| {
        plan.nodes.iter().all(|s| {
            movements(problem, plan, *s, m)
                .is_some_and(|all| all.iter().all(|r| r.as_ref().is_some_and(|r| is_consecutive(r))))
        })
    };
    let serial = (0..n).rev().find(|m| !plan.band.coincident[*m] && is_smooth(*m))?;
    let moves = |s: &usize, m: usize| movements(problem, plan, *s, m).is_some();
    let outer = (0..n).find(|m| {
        plan.band.coincident[*m] && plan.nodes.iter().all(|s| moves(s, *m)) && is_boxable(problem, plan, *m)
    })?;
    let factor = OF_ONE / (plan.nodes.len() as i64).min(2);
    let jam = affordable(plan, vec![(outer, factor)]).first().copied()?;
    let cut = plan.nodes.iter().any(|s| is_cut_along(problem, plan, *s, outer, serial));
    (!cut).then_some((jam, serial))
}

/// Loads and stores per instance of data that move along `v` and stay along `m`.
fn kept(problem: &Problem, plan: &BandPlan, m: usize, v: usize) -> i64 {
    let of_statement = |s: &usize| {
        let (Some(along_v), Some(along_m)) = (movements(problem, plan, *s, v), movements(problem, plan, *s, m)) else {
            return 0;
        };
        let stays = |r: &Option<Vec<i64>>| r.as_ref().is_some_and(|r| r.iter().all(|x| *x == 0));
        let weight = |writes: bool| if writes { 2 } else { 1 };
        let references = problem.statements[*s].references.iter();
        let moving = references.zip(along_v.iter().zip(&along_m)).filter(|(_, (v, m))| !stays(v) && stays(m));
        moving.map(|(r, _)| weight(r.writes)).sum()
    };
    plan.nodes.iter().map(of_statement).sum()
}

fn affordable(plan: &BandPlan, jam: Vec<Jam>) -> Vec<Jam> {
    let copies = jam.iter().map(|(_, factor)| factor).product::<i64>() * plan.nodes.len() as i64;
    if copies <= MOST_COPIES { jam } else { Vec::new() }
}

/// Whether a block without holes for one statement is one for all: they have the same instances in the same places. (A block of one statement
/// must not run before what another one has in a block with holes.)
fn are_cut_alike(problem: &Problem, plan: &BandPlan) -> bool {
    let first = plan.nodes[0];
    let alike = |s: &usize| {
        problem.statements[*s].bounds == problem.statements[first].bounds
            && plan.band.members.iter().all(|member| member[s] == member[&first])
    };
    plan.nodes.iter().all(alike)
}

/// Whether blocks along the member can be told from the domain's constraints: for each statement it is one iterator, shifted.
fn is_boxable(problem: &Problem, plan: &BandPlan, m: usize) -> bool {
    plan.nodes.iter().all(|s| {
        let Some(i) = only_iterator(&plan.band.members[m][s]) else { return false };
        let equal = |(kind, row): &(ConstraintKind, Row)| *kind == ConstraintKind::Equality && row.iterators[i] != 0;
        problem.statements[*s].bounds.as_ref().is_some_and(|bounds| !bounds.iter().any(equal))
    })
}

/// Whether a constraint of the statement's domain that cuts blocks along `m` depends on the member `other` too.
fn is_cut_along(problem: &Problem, plan: &BandPlan, s: usize, m: usize, other: usize) -> bool {
    let Some(i) = only_iterator(&plan.band.members[m][&s]) else { return true };
    let along = &plan.band.members[other][&s].iterators;
    let both = |row: &Row| row.iterators[i] != 0 && row.iterators.iter().zip(along).any(|(a, b)| *a != 0 && *b != 0);
    problem.statements[s].bounds.as_ref().is_none_or(|bounds| bounds.iter().any(|(_, row)| both(row)))
}

/// The iterator that the row is, up to sign and shift.
fn only_iterator(row: &Row) -> Option<usize> {
    let mut moving = row.iterators.iter().enumerate().filter(|(_, c)| **c != 0);
    match (moving.next(), moving.next()) {
        (Some((i, 1 | -1)), None) => Some(i),
        _ => None,
    }
}

/// The instances whose block has no hole: with `h` of `complete` in the same interval of that size, all instances are in the domain, whatever
/// else they share.
///
/// For a constraint `a i + rest >= 0` and `h = i`, that is `a i0 + rest >= 0` for the end `i0` of the interval where `a i` is least.
pub(crate) fn instances(problem: &Problem, nodes: &[usize], complete: &[(Hyperplane, i64)]) -> UnionSet {
    nodes
        .iter()
        .map(|s| UnionSet::from_set(&whole(problem, *s, complete)))
        .fold(UnionSet::empty(&problem.params), |all, own| all.union(&own))
}

fn whole(problem: &Problem, s: usize, complete: &[(Hyperplane, i64)]) -> Set {
    let statement = &problem.statements[s];
    let space = &statement.space;
    let mut inside = Set::universe(space);
    let bounds = statement.bounds.as_ref().expect("law: blocks are made of statements with simple domains");
    let inequalities = bounds.iter().filter(|(kind, _)| *kind == ConstraintKind::Inequality);
    for (_, bound) in inequalities {
        let mut rest = bound.clone();
        let mut cut = false;
        let mut least = affine(space, &Row::zero(bound.params.len(), statement.n));
        for (hyperplane, size) in complete {
            let row = &hyperplane[&s];
            let i = only_iterator(row).expect("law: blocks are along iterators");
            let a = bound.iterators[i] * row.iterators[i];
            if a == 0 {
                continue;
            }
            cut = true;
            rest.iterators[i] = 0;
            let mut shift = row.clone();
            shift.iterators[i] = 0;
            let first = affine(space, row).scale_down(&Int::from(*size)).floor().scale(&Int::from(*size));
            let end = if a > 0 { first } else { first.add_constant(&Int::from(size - 1)) };
            least = least.add(&end.sub(&affine(space, &shift)).scale(&Int::from(a)));
        }
        if cut {
            inside = inside.intersect(&least.add(&affine(space, &rest)).nonneg_set());
        }
    }
    inside
}
