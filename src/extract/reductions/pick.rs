//! Which values of a part or at a latch are replaced together.
//!
//! The candidates are pairs of a value before and after, `(m, m2)` and `(at, at2)`; what is found are the largest groups of them of which
//! [`super::decision`] proves that one decision replaces all. What such a group is, and an example, are in [`super::arg_reduction`].

use super::arg_reduction::{Member, Pick};
use super::decision::{Key, MOST_STATES, Search, extreme};
use crate::extract::control::subregion::Opaque;
use crate::extract::ssa::operands;
use crate::llvm::Value;

/// The picks among values that take the place of others: at a latch those of the header's phis, behind an opaque part those of its exit's.
pub fn picks<'ir>(members: &[Member<'ir>], part: Option<&Opaque<'ir>>) -> Vec<Pick<'ir>> {
    let mut found: Vec<Pick<'ir>> = Vec::new();
    let is_free = |found: &[Pick<'ir>], m: &Member<'ir>| !found.iter().any(|pick| pick.members.contains(m));
    for key in members {
        let with = |other: &&Member<'ir>| {
            other.old != key.old && other.result != key.result && Search::finds(&[*key, **other], part)
        };
        let mut all = vec![*key];
        for other in members.iter().filter(with) {
            if !all.iter().any(|m| m.old == other.old || m.result == other.result) {
                all.push(*other);
            }
        }
        if all.iter().all(|m| is_free(&found, m)) {
            found.extend(Search::proves(&all, Key::OfFirst, part));
        }
    }
    for member in members {
        if is_free(&found, member) {
            found.extend(Search::proves(&[*member], Key::Elsewhere, part));
        }
    }
    found
}

/// The picks of an opaque part, whose olds are what its exit's phis come from.
pub fn picks_of_part<'ir>(part: &Opaque<'ir>) -> Vec<Pick<'ir>> {
    let mut members = Vec::new();
    for phi in part.exit.phis() {
        if !phi.incoming().iter().all(|(_, from)| part.leads_on(*from)) {
            continue;
        }
        let mut seen = vec![phi.value()];
        let mut next = 0;
        while next < seen.len() && seen.len() <= MOST_STATES {
            let value = seen[next];
            next += 1;
            let Some(instruction) = value.as_instruction() else { continue };
            let home = instruction.block();
            let is_inside = home.is_some_and(|home| home == part.exit || part.blocks.contains(&home));
            let from: Vec<Value<'ir>> = match instruction.select() {
                _ if !is_inside => {
                    members.push(Member { old: value, result: phi.value() });
                    continue;
                }
                Some((_, then, otherwise)) => vec![then, otherwise],
                None if instruction.is_phi() => instruction.incoming().into_iter().map(|(value, _)| value).collect(),
                None if extreme(instruction).is_some() => operands(instruction),
                None => continue,
            };
            from.into_iter().for_each(|value| {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            });
        }
    }
    picks(&members, Some(part))
}
