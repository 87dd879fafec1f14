//! The best few so far: values that take each other's places when a better one comes.
//!
//!     for (i) if (x[i] < m) { s = m; m = x[i]; } else if (x[i] < s) s = x[i];
//!
//! `m` and `s` are a *ranking*: each stays what it is, or becomes what has come or what another one was. There is no decision by which both are replaced as a
//! whole, so they are no pair of [`super::arg_reduction`], and the best few of two runs of iterations cannot be put together by one comparison. But
//! an iteration behind which all of them are what they were has done nothing, and most do nothing: of n numbers in random order, the best k are replaced some
//! k ln n times. So many iterations can be asked whether they change anything (see [`crate::extract::binding::question`]), whatever the order of
//! the comparisons, and whatever goes with the values (`at2 = at1; at1 = i;`).
//!
//! Whether an iteration may stay what it is, by a comparison with a member, says only if it pays to ask. What is asked must be harmless besides: iterations behind one that
//! changes a member are asked with values that they never see in the program. These must not decide what is read or divided.

use super::arg_reduction::{Member, Pick};
use super::decision::{MOST_STATES, extreme, is_of_object_read_in};
use crate::extract::control::subregion::Opaque;
use crate::extract::ssa::{decider, inputs};
use crate::llvm::{Block, FloatPredicate, Instruction, IntPredicate, Value};
use std::collections::HashSet;

/// A value that is computed from more values than this is not looked through.
const MOST_VALUES: usize = 200;

/// How a value comes to be what it is.
struct Origin<'ir> {
    /// The values that it is one of.
    of: Vec<Value<'ir>>,
    /// The selects, minima, maxima and phis of a part that it comes through.
    states: Vec<Value<'ir>>,
    /// What it depends on which of them.
    conditions: Vec<Value<'ir>>,
}

/// The rankings of two and more members among values that take the place of others: at a latch those of the header's phis, behind an opaque part those of its exit's.
pub fn rankings<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> Vec<Vec<Member<'ir>>> {
    let known: Vec<HashSet<Value<'ir>>> = members.iter().map(|member| depends_on(member.result, part)).collect();
    let meet = |a: usize, b: usize| known[a].contains(&members[b].old) || known[b].contains(&members[a].old);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in 0..members.len() {
        let (met, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|other| meet(at, *other)));
        groups = apart;
        groups.push(met.into_iter().flatten().chain([at]).collect());
    }
    let members = groups.into_iter().map(|group| group.into_iter().map(|at| members[at]).collect::<Vec<_>>());
    members.filter(|group| group.len() > 1 && is_ranking(group, part)).collect()
}

/// Each member as a value that is replaced or not, by itself: first the ones that no other one becomes, which are replaced whenever anything is. None if
/// what is one member and what is another one cannot be told apart.
pub fn alone<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> Option<Vec<Pick<'ir>>> {
    let origins = members.iter().map(|member| origin(member.result, part)).collect::<Option<Vec<_>>>()?;
    let keeps = |state: Value<'ir>, old: Value<'ir>| origin(state, part).is_some_and(|origin| origin.of.contains(&old));
    let pick = |(member, origin): (&Member<'ir>, &Origin<'ir>)| {
        let states: Vec<Value<'ir>> = origin.states.iter().copied().filter(|state| keeps(*state, member.old)).collect();
        Pick { states, ..Pick::replaces(*member) }
    };
    let picks: Vec<Pick<'ir>> = members.iter().zip(&origins).map(pick).collect();
    let mut seen = HashSet::new();
    let is_taken = |pick: &Pick<'ir>| {
        let becomes = |(other, origin): (&Member<'ir>, &Origin<'ir>)| {
            *other != pick.witness() && origin.of.contains(&pick.witness().old)
        };
        members.iter().zip(&origins).any(becomes)
    };
    let are_apart = picks.iter().flat_map(|pick| &pick.states).all(|state| seen.insert(*state));
    let (taken, last): (Vec<_>, Vec<_>) = picks.into_iter().partition(is_taken);
    are_apart.then(|| last.into_iter().chain(taken).collect())
}

/// Whether an iteration can be asked with other values in the places of these than it sees in the program, and all of it can be looked at.
pub fn can_be_tried<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> bool {
    let olds: Vec<Value<'ir>> = members.iter().map(|member| member.old).collect();
    let inside = part.into_iter().flat_map(|part| &part.blocks).flat_map(|block| block.instructions());
    let inside: Vec<Instruction<'ir>> = inside.filter(|i| !i.is_terminator() && !i.is_marker()).collect();
    let is_there = |i: &Instruction<'ir>| {
        i.is_phi() || i.is_speculatable() || part.is_some_and(|part| is_of_object_read_in(*i, part.start))
    };
    let decided = part.into_iter().flat_map(conditions);
    let results = members.iter().map(|member| member.result);
    let asked = results.chain(decided).chain(inside.iter().map(|instruction| instruction.value()));
    let known: Vec<HashSet<Value<'ir>>> = asked.map(|value| depends_on(value, part)).collect();
    let is_fine = |i: Instruction<'ir>| {
        i.is_phi() || i.is_speculatable() || !inputs(i).iter().any(|side| names_any(*side, &olds, part))
    };
    let is_whole = known.iter().all(|values| values.len() <= MOST_VALUES);
    let mut computed = known.iter().flatten().filter_map(|value| value.as_instruction());
    is_whole && inside.iter().all(is_there) && computed.all(is_fine)
}

/// Whether each of the values may stay what it is, by a comparison with one of them.
pub fn is_ranking<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> bool {
    let olds: Vec<Value<'ir>> = members.iter().map(|member| member.old).collect();
    let is_ranked = |member: &Member<'ir>| {
        origin(member.result, part).is_some_and(|origin| {
            let compares = |condition: &Value<'ir>| compares(*condition, &olds, part);
            origin.of.contains(&member.old) && origin.conditions.iter().any(compares)
        })
    };
    !members.is_empty() && members.iter().all(is_ranked)
}

/// How a value comes to be what it is; none if there is too much to it.
fn origin<'ir>(value: Value<'ir>, part: Option<&Opaque<'ir>>) -> Option<Origin<'ir>> {
    let mut origin = Origin { of: Vec::new(), states: Vec::new(), conditions: Vec::new() };
    let mut seen = vec![value];
    let mut next = 0;
    while next < seen.len() {
        let here = seen[next];
        next += 1;
        let instruction = here.as_instruction();
        let sides = match instruction {
            Some(select) if select.select().is_some() => {
                let (condition, then, otherwise) = select.select()?;
                origin.conditions.push(condition);
                vec![then, otherwise]
            }
            Some(least) if extreme(least).is_some() => {
                origin.conditions.push(here);
                inputs(least)
            }
            Some(phi) if is_joined_in(phi, part) => {
                origin.conditions.extend(part.into_iter().flat_map(conditions));
                phi.incoming().into_iter().map(|(value, _)| value).collect()
            }
            _ => {
                origin.of.push(here);
                continue;
            }
        };
        origin.states.push(here);
        for side in sides {
            if !seen.contains(&side) {
                seen.push(side);
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some(origin)
}

/// Whether a phi brings together what a part has computed.
fn is_joined_in<'ir>(phi: Instruction<'ir>, part: Option<&Opaque<'ir>>) -> bool {
    let is_own = |home: Block<'ir>| part.is_some_and(|part| home == part.exit || part.blocks.contains(&home));
    phi.is_phi() && phi.block().is_some_and(is_own)
}

/// By what control in a part is decided.
fn conditions<'p, 'ir>(part: &'p Opaque<'ir>) -> impl Iterator<Item = Value<'ir>> + 'p {
    let blocks = std::iter::once(part.start).chain(part.blocks.iter().copied());
    blocks.filter_map(|block| block.terminator().and_then(decider))
}

/// All that a value is computed from in an iteration, or more than [`MOST_VALUES`] of it.
fn depends_on<'ir>(value: Value<'ir>, part: Option<&Opaque<'ir>>) -> HashSet<Value<'ir>> {
    let mut found = HashSet::new();
    let mut pending = vec![value];
    while let Some(here) = pending.pop() {
        if found.len() > MOST_VALUES || !found.insert(here) {
            continue;
        }
        let Some(instruction) = here.as_instruction() else { continue };
        let is_join = is_joined_in(instruction, part);
        if is_join {
            pending.extend(part.into_iter().flat_map(conditions));
        }
        if is_join || !instruction.is_phi() {
            pending.extend(inputs(instruction));
        }
    }
    found
}

/// Whether a condition is, or is computed from, a comparison of which is more, with one of these values or what is computed from it.
fn compares<'ir>(condition: Value<'ir>, olds: &[Value<'ir>], part: Option<&Opaque<'ir>>) -> bool {
    let is_comparison = |value: &Value<'ir>| {
        value.as_instruction().is_some_and(|instruction| {
            let integer = instruction.icmp().map(|(predicate, ..)| predicate);
            let float = instruction.fcmp().map(|(predicate, ..)| predicate);
            let is_ordering = integer.is_some_and(|p| !matches!(p, IntPredicate::Eq | IntPredicate::Ne))
                || float.is_some_and(is_ordering)
                || extreme(instruction).is_some();
            is_ordering && inputs(instruction).iter().any(|side| names_any(*side, olds, part))
        })
    };
    depends_on(condition, part).iter().any(is_comparison)
}

fn is_ordering(predicate: FloatPredicate) -> bool {
    use FloatPredicate::{Oge, Ogt, Ole, Olt, Uge, Ugt, Ule, Ult};
    matches!(predicate, Oge | Ogt | Ole | Olt | Uge | Ugt | Ule | Ult)
}

fn names_any<'ir>(value: Value<'ir>, olds: &[Value<'ir>], part: Option<&Opaque<'ir>>) -> bool {
    let known = depends_on(value, part);
    olds.iter().any(|old| known.contains(old))
}
