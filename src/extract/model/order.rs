//! The order in which the program runs its statements, as a schedule tree.
//!
//!     for (i < n) { for (j < n) s += A[i][j];  if (i == n - 1) t = s; }
//!
//! is what LLVM has of a sum that is used behind its loops. The copy, which comes last of all, is put behind the loop, where it keeps no two iterations in order.

use crate::llvm::LoopId;
use crate::presburger::{
    Constraint, ConstraintKind, DimKind, Id, Map, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionPwAff, UnionSet,
};
use crate::scop::tree::{Band, LoopKind, Node};
use std::collections::BTreeMap;

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Item<'s> {
    /// The loops around it, outermost first.
    pub loops: Vec<LoopId>,
    pub instances: Tuple,
    pub domain: &'s Set,
}

/// The program's own order: statements in textual order, nested as the loops are; what is done at the end of a loop's last iteration alone, behind it. Some loops
/// have marks; these keep what is in them, as they may be left before.
pub(super) fn original_order(items: &[Item<'_>], marks: &BTreeMap<LoopId, &str>, depth: usize) -> Node {
    let mut children: Vec<(UnionSet, Node)> = Vec::new();
    for (id, group) in groups(items, marks, depth) {
        let mut filter = UnionSet::empty(&[]);
        group.iter().for_each(|item| filter.add_set(&Set::universe(&instance_space(item))));
        let node = match id {
            None => Node::Leaf,
            Some(id) => {
                let child = Box::new(original_order(&group, marks, depth + 1));
                let band = Node::Band { band: loop_band(&group, depth), child };
                match marks.get(&id) {
                    Some(mark) => Node::Mark { id: Id::new(mark), child: Box::new(band) },
                    None => band,
                }
            }
        };
        children.push((filter, node));
    }
    match children.len() {
        1 => children.pop().expect("law: one child").1,
        _ => Node::Sequence(
            children.into_iter().map(|(filter, child)| Node::Filter { filter, child: Box::new(child) }).collect(),
        ),
    }
}

/// The statements of each loop at a depth that follow each other, and each other statement alone.
fn groups<'s>(
    items: &[Item<'s>],
    marks: &BTreeMap<LoopId, &str>,
    depth: usize,
) -> Vec<(Option<LoopId>, Vec<Item<'s>>)> {
    let mut groups: Vec<(Option<LoopId>, Vec<Item<'s>>)> = Vec::new();
    for item in items {
        let here = item.loops.get(depth).copied();
        match groups.last_mut() {
            Some((id, group)) if here.is_some() && *id == here => group.push(item.clone()),
            _ => groups.push((here, vec![item.clone()])),
        }
    }
    let apart = |(id, mut group): (Option<LoopId>, Vec<Item<'s>>)| {
        let is_plain = id.is_some_and(|id| !marks.contains_key(&id));
        let behind = group.split_off(if is_plain { n_before_the_end(&group, depth) } else { group.len() });
        std::iter::once((id, group)).chain(behind.into_iter().map(|item| (None, vec![item])))
    };
    groups.into_iter().flat_map(apart).collect()
}

/// How many of the statements of a loop come before those that are done, in no loop inside of it, behind all others in its last iteration alone. Not none.
fn n_before_the_end(group: &[Item<'_>], depth: usize) -> usize {
    let is_plain = |item: &Item<'_>| item.loops.len() == depth + 1 && is_set_to_one(item.domain, depth);
    let is_last = |item: &&Item<'_>| is_plain(item) && comes_last(item, group, depth);
    let n_behind = group.iter().skip(1).rev().take_while(is_last).count();
    group.len() - n_behind
}

/// Whether equations say what a dimension is: one look before more is asked.
fn is_set_to_one(domain: &Set, position: usize) -> bool {
    let column = domain.dim(DimKind::Param) + position;
    domain.pieces().iter().all(|piece| {
        let sets = |c: &Constraint| c.kind == ConstraintKind::Equality && c.coefficients[column] != 0.into();
        piece.constraints().iter().any(sets)
    })
}

/// Whether no statement of a loop has an instance in an iteration behind one that has an instance of this statement.
fn comes_last(item: &Item<'_>, group: &[Item<'_>], depth: usize) -> bool {
    let iterations = |of: &Item<'_>| of.domain.project_out(DimKind::Out, depth + 1, of.loops.len() - depth - 1);
    let own = iterations(item);
    let later = own.apply(&Map::lex_lt_at(own.space(), depth));
    group.iter().all(|other| iterations(other).is_disjoint(&later))
}

fn instance_space(item: &Item<'_>) -> Space {
    Space::set(&[], &item.instances)
}

/// The band of one loop: each statement by its iterator of that loop.
fn loop_band(group: &[Item<'_>], depth: usize) -> Band {
    let mut member = UnionPwAff::empty(&[]);
    for item in group {
        member.add_pw_aff(&PwAff::var_on_domain(&instance_space(item), DimKind::Out, depth));
    }
    let partial = MultiUnionPwAff::from_union_pw_aff(&member);
    Band { partial, permutable: false, coincident: vec![false], options: vec![LoopKind::Default], isolate: None }
}
