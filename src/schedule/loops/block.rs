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
//! Writing out needs blocks without holes. The instances of *whole* blocks run in the jammed loops, all
//! others in plain ones ([`instances`] tells them apart). The statements of a band are *even* if a block without holes for one of them is one for all;
//! then the jammed loop over `j` runs before the plain one of the same block, which is legal if no dependence is carried along `j`. Others are
//! *uneven*, as in the elimination
//!
//! ```text
//! for k  for i > k { T: A[i][k] /= A[k][k];  for j > k: S: A[i][j] -= A[i][k] * A[k][j]; }
//! ```
//!
//! where `T` runs at `j = k`: of a block of `k` and `i`, what is not whole (`T`, and `S` up to the last `k`) runs first, then the jammed `S`. That this is
//! legal is not proved here; [`crate::schedule::check`] is asked, and if it says no there are no such blocks.
//!
//! A block is an interval of each of some members, the others standing still. In a skewed band such as `(i, k, i + j)` going from one value of
//! `i` to the next means a step `(1, 0, -1)` of the iterators: a [`Side`] knows these steps.

use crate::presburger::{ConstraintKind, Int, Set, UnionSet};
use crate::schedule::model::linear::direction;
use crate::schedule::model::problem::{Hyperplane, Problem, Row, affine};
use crate::schedule::model::vector::{VectorLoop, is_consecutive, others};
use crate::schedule::search::plan::BandPlan;
use std::collections::BTreeMap;

/// Copies of statements in one jammed loop: their operands have to stay in the 16 to 32 vector registers.
const MOST_COPIES: i64 = 32;
/// Values of a member in a block, where two members are jammed and where one is.
const OF_TWO: i64 = 4;
const OF_ONE: i64 = 8;
/// What stays in registers must be at least this part of all loads and stores: `A[i][j] = x[j]` is as fast as it can write, and the load is not worth
/// eight copies. (One over this number.)
const LEAST_KEPT: i64 = 2;

/// A member of a band with the number of its values that are written out.
pub(crate) type Jam = (usize, i64);

/// A side of a box of iterations.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// The member that it lies along.
    pub member: Hyperplane,
    /// How many values of it there are.
    pub size: i64,
    /// For each statement that boxes are made of: the step along which this member alone grows, by one.
    steps: BTreeMap<usize, Vec<i64>>,
}

impl Side {
    /// The side along a member that grows by one with each of these steps.
    pub fn straight(member: Hyperplane, size: i64, steps: BTreeMap<usize, Vec<i64>>) -> Side {
        Side { member, size, steps }
    }
}

/// The members to jam into a vector loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// At most two, with how many of their values are written out.
    pub jam: Vec<Jam>,
    /// The statements that run in blocks.
    pub nodes: Vec<usize>,
    /// Whether these are all statements of the band, and a whole block of one is whole for all.
    pub is_even: bool,
}

/// Which blocks may be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Those of all statements of a band, whole for all at once.
    #[default]
    Even,
    /// Others too, after which the order has to be checked.
    Uneven,
}

/// The step of a statement's iterators along which the member alone grows by one; none if there is no such step.
fn step(problem: &Problem, plan: &BandPlan, s: usize, m: usize) -> Option<Vec<i64>> {
    let row = &plan.band.members[m][&s].iterators;
    let along = direction(row, &others(&plan.band.members, m, s, &plan.done), problem.statements[s].n)?;
    let growth: i64 = row.iter().zip(&along).map(|(a, b)| a * b).sum();
    (growth == 1).then_some(along)
}

/// The side along a member of boxes made of the statements `nodes`.
pub(crate) fn side(problem: &Problem, plan: &BandPlan, m: usize, size: i64, nodes: &[usize]) -> Side {
    let steps = nodes.iter().filter_map(|s| Some((*s, step(problem, plan, *s, m)?))).collect();
    Side { member: plan.band.members[m].clone(), size, steps }
}

/// The movements of a statement's references along a member, all other members standing still; none if it does not move.
pub(crate) fn movements(problem: &Problem, plan: &BandPlan, s: usize, m: usize) -> Option<Vec<Option<Vec<i64>>>> {
    let statement = &problem.statements[s];
    let along =
        direction(&plan.band.members[m][&s].iterators, &others(&plan.band.members, m, s, &plan.done), statement.n)?;
    Some(statement.references.iter().map(|r| r.movement(&along)).collect())
}

/// The members to jam into the vector loop over `v`: those along which a datum that moves along `v` stays in its register, at most two.
pub(crate) fn into_vector(
    problem: &Problem,
    plan: &BandPlan,
    v: usize,
    found: &VectorLoop,
    allowed: Allowed,
) -> Blocks {
    let n = plan.band.members.len();
    let fits = |s: &usize| found.penalties.contains_key(s) && is_boxable(problem, plan, *s, 0..n);
    let nodes: Vec<usize> = plan.nodes.iter().copied().filter(fits).collect();
    let is_even =
        nodes.len() == plan.nodes.len() && found.is_fusible && plan.band.coincident[v] && are_cut_alike(problem, plan);
    if nodes.is_empty() || !(is_even || allowed == Allowed::Uneven) {
        return Blocks::default();
    }
    let mut useful: Vec<(i64, usize)> =
        (0..n).filter(|m| *m != v).map(|m| (kept(problem, plan, &nodes, m, v), m)).collect();
    useful.retain(|(weight, _)| *weight > 0);
    if useful.is_empty() {
        return Blocks::default();
    }
    useful.sort_by_key(|(weight, m)| (-weight, *m));
    useful.truncate(2);
    let kept: i64 = useful.iter().map(|(weight, _)| weight).sum();
    if kept * LEAST_KEPT < moving(problem, plan, &nodes, v) {
        return Blocks::default();
    }
    useful.sort_by_key(|(_, m)| *m);
    let factor = if useful.len() == 2 { OF_TWO } else { OF_ONE };
    let in_one_loop = |component: &Vec<usize>| component.iter().filter(|s| nodes.contains(s)).count();
    let most = if is_even { nodes.len() } else { found.components.iter().map(in_one_loop).max().unwrap_or(1) };
    let usual: Vec<Jam> = useful.iter().map(|(_, m)| (*m, factor)).collect();
    let short = usual.iter().map(|(m, _)| (*m, few_values(problem, plan, &nodes, *m).unwrap_or(factor))).collect();
    let short = affordable(most, short);
    let jam = if short.is_empty() { affordable(most, usual) } else { short };
    Blocks { jam, nodes, is_even }
}

/// How many values a member takes, from 0 on, if these are few: whole blocks of such a member leave none for other loops.
fn few_values(problem: &Problem, plan: &BandPlan, nodes: &[usize], m: usize) -> Option<i64> {
    let of_statement = |s: &usize| {
        let row = &plan.band.members[m][s];
        let mut counted = row.iterators.iter().enumerate().filter(|(_, factor)| **factor != 0);
        let (Some((d, 1)), None) = (counted.next(), counted.next()) else { return None };
        let is_plain = row.params.iter().all(|factor| *factor == 0) && row.constant == 0;
        problem.statements[*s].few_values(d).filter(|_| is_plain)
    };
    let all: Option<Vec<i64>> = nodes.iter().map(of_statement).collect();
    all?.into_iter().max().filter(|most| *most > 1)
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
    let outer = (0..n)
        .find(|m| plan.band.coincident[*m] && plan.nodes.iter().all(|s| is_boxable(problem, plan, *s, *m..*m + 1)))?;
    let factor = OF_ONE / (plan.nodes.len() as i64).min(2);
    let jam = affordable(plan.nodes.len(), vec![(outer, factor)]).first().copied()?;
    let cut = plan.nodes.iter().any(|s| is_cut_along(problem, plan, *s, outer, serial));
    (!cut).then_some((jam, serial))
}

/// Loads and stores per instance of data that move along `v` and stay along `m`.
fn kept(problem: &Problem, plan: &BandPlan, nodes: &[usize], m: usize, v: usize) -> i64 {
    let of_statement = |s: &usize| {
        let (Some(along_v), Some(along_m)) = (movements(problem, plan, *s, v), movements(problem, plan, *s, m)) else {
            return 0;
        };
        let references = problem.statements[*s].references.iter();
        let moving = references.zip(along_v.iter().zip(&along_m)).filter(|(_, (v, m))| !stays(v) && stays(m));
        moving.map(|(r, _)| i64::from(r.weight())).sum()
    };
    nodes.iter().map(of_statement).sum()
}

/// Loads and stores per instance of data that move along `v`.
fn moving(problem: &Problem, plan: &BandPlan, nodes: &[usize], v: usize) -> i64 {
    let of_statement = |s: &usize| {
        let along = movements(problem, plan, *s, v).unwrap_or_default();
        let moving = problem.statements[*s].references.iter().zip(&along).filter(|(_, along)| !stays(along));
        moving.map(|(r, _)| i64::from(r.weight())).sum::<i64>()
    };
    nodes.iter().map(of_statement).sum()
}

/// Whether a reference is to the same datum after a step.
fn stays(movement: &Option<Vec<i64>>) -> bool {
    movement.as_ref().is_some_and(|along| along.iter().all(|x| *x == 0))
}

fn affordable(statements: usize, jam: Vec<Jam>) -> Vec<Jam> {
    let copies = jam.iter().map(|(_, factor)| factor).product::<i64>() * statements as i64;
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

/// Whether blocks of the statement along these members can be told from its domain's constraints.
fn is_boxable(problem: &Problem, plan: &BandPlan, s: usize, members: std::ops::Range<usize>) -> bool {
    let Some(bounds) = &problem.statements[s].bounds else { return false };
    members.into_iter().all(|m| {
        let Some(step) = step(problem, plan, s, m) else { return false };
        bounds.iter().all(|(kind, row)| *kind == ConstraintKind::Inequality || slope(row, &step) == 0)
    })
}

/// Whether a constraint of the statement's domain that cuts blocks along `m` depends on the member `other` too.
fn is_cut_along(problem: &Problem, plan: &BandPlan, s: usize, m: usize, other: usize) -> bool {
    let (Some(along), Some(across)) = (step(problem, plan, s, m), step(problem, plan, s, other)) else { return true };
    let both = |row: &Row| slope(row, &along) != 0 && slope(row, &across) != 0;
    problem.statements[s].bounds.as_ref().is_none_or(|bounds| bounds.iter().any(|(_, row)| both(row)))
}

/// Whether the other loops around a block decide if it is whole, so that all of one vector loop over `v` is in whole blocks or none of it.
pub(crate) fn are_whole_along(problem: &Problem, plan: &BandPlan, blocks: &Blocks, v: usize) -> bool {
    let is_cut = |s: &usize| blocks.jam.iter().any(|(m, _)| is_cut_along(problem, plan, *s, *m, v));
    !blocks.nodes.iter().any(is_cut)
}

/// How much the row grows with one step.
fn slope(row: &Row, step: &[i64]) -> i64 {
    row.iterators.iter().zip(step).map(|(a, b)| a * b).sum()
}

/// The instances whose box has no hole: whatever has the same values of the other members, and of these values in the same intervals, is in
/// the domain too.
///
/// For a constraint `c >= 0` and a side along `h` on which `c` grows with `h` that is `c >= 0` at the first value of `h` in its interval, if it
/// shrinks at the last one.
pub(crate) fn instances(problem: &Problem, nodes: &[usize], sides: &[Side]) -> UnionSet {
    nodes
        .iter()
        .map(|s| UnionSet::from_set(&whole(problem, *s, sides)))
        .fold(UnionSet::empty(&problem.params), |all, own| all.union(&own))
}

fn whole(problem: &Problem, s: usize, sides: &[Side]) -> Set {
    let statement = &problem.statements[s];
    let space = &statement.space;
    let known: Option<Vec<&Vec<i64>>> = sides.iter().map(|side| side.steps.get(&s)).collect();
    let (Some(steps), Some(bounds)) = (known, &statement.bounds) else { return Set::empty(space) };
    let mut inside = Set::universe(space);
    let inequalities = bounds.iter().filter(|(kind, _)| *kind == ConstraintKind::Inequality);
    for (_, bound) in inequalities {
        let mut least = affine(space, bound);
        let mut cut = false;
        for (side, step) in sides.iter().zip(&steps) {
            let slope = slope(bound, step);
            if slope == 0 {
                continue;
            }
            cut = true;
            let here = affine(space, &side.member[&s]);
            let size = Int::from(side.size);
            let first = here.scale_down(&size).floor().scale(&size);
            let end = if slope > 0 { first } else { first.add_constant(&Int::from(side.size - 1)) };
            least = least.add(&end.sub(&here).scale(&Int::from(slope)));
        }
        if cut {
            inside = inside.intersect(&least.nonneg_set());
        }
    }
    inside
}
