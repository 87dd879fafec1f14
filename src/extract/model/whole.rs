//! Accesses of one statement to one array, as one.
//!
//! A block that stays one thing and stores `d[i][0][0]`, `d[i][0][1]`, ..., `d[i][4][4]` has one write, `{ S[i] -> d[i, a, b] : 0 <= a, b <= 4 }`.
//! Pairs of accesses are what dependences are computed from; of hundreds there would be ten thousands.

use crate::presburger::Id;
use crate::scop::Access;

/// The same accesses with those that do the same to the same array as one. `name` is the statement's; these are its accesses from number `from` on.
pub(super) fn taken_together(accesses: Vec<Access>, name: &Id, from: usize) -> Vec<Access> {
    let mut together: Vec<Access> = Vec::new();
    let mut parts: Vec<Vec<Access>> = Vec::new();
    for access in accesses {
        let is_alike = |other: &Access| {
            (&other.array, other.kind, other.reduction) == (&access.array, access.kind, access.reduction)
                && other.applied.is_some() == access.applied.is_some()
        };
        let Some(at) = together.iter().position(is_alike) else {
            parts.push(vec![access.clone()]);
            together.push(access);
            continue;
        };
        let is_same = |part: &Access| part.applied.is_none() && part.relation.plain_is_equal(&access.relation);
        if parts[at].iter().any(is_same) {
            continue;
        }
        let other = &mut together[at];
        other.relation = other.relation.union(&access.relation);
        other.applied = other.applied.as_ref().zip(access.applied.as_ref()).map(|(a, b)| a.union(b));
        parts[at].push(access);
    }
    for (access, number) in together.iter_mut().zip(from..) {
        access.id = Id::new(&format!("{name}_{number}"));
        access.relation = access.relation.coalesce();
        access.applied = access.applied.as_ref().map(|applied| applied.coalesce());
    }
    together
}
