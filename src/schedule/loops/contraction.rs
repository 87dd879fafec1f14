//! Contractions: matrix multiplication and its relatives, recognised by how references move.
//!
//! In `C[i][j] += A[i][k] * B[k][j]` each of the three references stands still along just one member: `B` along `i`, `A` along `j`, `C` along `k`. Whatever
//! else moves all of them (a batch), whether subscripts are transposed, whether the domain is a triangle, and what other statements share the band
//! does not matter. Formally (Gareev, Grosser and Kruse, "High-Performance Generalized Tensor Operations", TACO 2018): a statement reads and writes one
//! reference and reads two others such that some member moves all but the first of the three, some all but the second, some all but the third.
//!
//! A tile of a contraction reads each element of `A` and `B` many times. The mark above its points names the arrays of those two that no statement
//! of the band writes, `pack B A`: a copy of their tile in one piece could take their place. Nothing copies them so far: at sizes
//! where rows do not fall onto each other in the cache, blocks in registers run at the speed of the multiplications already.

use super::block::movements;
use crate::schedule::model::problem::Problem;
use crate::schedule::model::reference::Reference;
use crate::schedule::search::plan::BandPlan;

/// The text of the mark above the points of a tile, if some statement of the band is a contraction.
pub(crate) fn mark(problem: &Problem, plan: &BandPlan) -> Option<String> {
    let (one, other) = plan.nodes.iter().find_map(|s| operands(problem, plan, *s))?;
    let mut arrays = vec![other.array.clone(), one.array.clone()];
    arrays.dedup();
    let written = |r: &Reference| r.writes;
    arrays.retain(|array| {
        let mut references = plan.nodes.iter().flat_map(|s| &problem.statements[*s].references);
        !references.any(|r| written(r) && r.array == *array)
    });
    let words = arrays.iter().map(|array| format!(" {array}"));
    Some(if arrays.is_empty() { "contraction".to_string() } else { format!("pack{}", words.collect::<String>()) })
}

/// The two operands of the contraction that a statement is.
fn operands<'p>(problem: &'p Problem, plan: &BandPlan, s: usize) -> Option<(&'p Reference, &'p Reference)> {
    let references = &problem.statements[s].references;
    let along: Vec<Vec<Option<Vec<i64>>>> =
        (0..plan.band.members.len()).map(|m| movements(problem, plan, s, m)).collect::<Option<_>>()?;
    let moves = |m: usize, r: usize| along[m][r].as_ref().is_some_and(|steps| steps.iter().any(|x| *x != 0));
    let all_but = |still: usize, others: [usize; 2]| {
        (0..along.len()).any(|m| !moves(m, still) && others.iter().all(|r| moves(m, *r)))
    };
    let same = |a: usize, b: usize| references[a].moves_like(&references[b]);
    let is_read = |r: &usize| !references[*r].writes;
    for sum in (0..references.len()).filter(|r| references[*r].writes) {
        if !(0..references.len()).any(|r| is_read(&r) && same(r, sum)) {
            continue;
        }
        for a in (0..references.len()).filter(is_read) {
            for b in (a + 1..references.len()).filter(is_read) {
                if all_but(sum, [a, b]) && all_but(a, [sum, b]) && all_but(b, [sum, a]) {
                    return Some((&references[a], &references[b]));
                }
            }
        }
    }
    None
}
