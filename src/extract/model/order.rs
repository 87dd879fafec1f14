//! The order in which the program runs its statements, as a schedule tree.

use crate::llvm::LoopId;
use crate::presburger::{DimKind, Id, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionPwAff, UnionSet};
use crate::scop::tree::{Band, LoopKind, Node};
use std::collections::BTreeMap;

/// The loops around a statement, and its instances.
pub(super) type Item = (Vec<LoopId>, Tuple);

/// The program's own order: statements in textual order, nested as the loops are. `items` gives for each statement its loops and the
/// tuple of its instances; some loops have marks.
pub(super) fn original_order(items: &[Item], marks: &BTreeMap<LoopId, &str>, depth: usize) -> Node {
    let mut groups: Vec<(Option<LoopId>, Vec<Item>)> = Vec::new();
    for item in items {
        let here = item.0.get(depth).copied();
        match groups.last_mut() {
            Some((id, group)) if here.is_some() && *id == here => group.push(item.clone()),
            _ => groups.push((here, vec![item.clone()])),
        }
    }
    let mut children: Vec<(UnionSet, Node)> = Vec::new();
    for (id, group) in groups {
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

fn instance_space((_, instances): &Item) -> Space {
    Space::set(&[], instances)
}

/// The band of one loop: each statement by its iterator of that loop.
fn loop_band(group: &[Item], depth: usize) -> Band {
    let mut member = UnionPwAff::empty(&[]);
    for item in group {
        member.add_pw_aff(&PwAff::var_on_domain(&instance_space(item), DimKind::Out, depth));
    }
    let partial = MultiUnionPwAff::from_union_pw_aff(&member);
    Band { partial, permutable: false, coincident: vec![false], options: vec![LoopKind::Default], isolate: None }
}
