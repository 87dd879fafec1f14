//! Which statements depend on each other, and in which order groups of them can run.
//!
//! `S -> T -> S, T -> U`: the strongly connected components are `{S, T}` and `{U}`, in this order. Statements of one component have to
//! share a loop that carries their cycle; components can be distributed over loops of their own.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// The strongly connected components of the nodes under the arrows, in an order that follows the arrows between them; where these leave
/// a choice, by the least node. Each is sorted. Arrows to other nodes are ignored.
pub(crate) fn components(nodes: &[usize], arrows: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let arrows: BTreeSet<(usize, usize)> = arrows.into_iter().collect();
    let index: BTreeMap<usize, usize> = nodes.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let mut graph = DiGraph::<usize, ()>::new();
    nodes.iter().for_each(|n| {
        graph.add_node(*n);
    });
    for (from, to) in &arrows {
        if let (Some(from), Some(to)) = (index.get(from), index.get(to)) {
            graph.add_edge(NodeIndex::new(*from), NodeIndex::new(*to), ());
        }
    }
    let mut parts: Vec<Vec<usize>> =
        tarjan_scc(&graph).into_iter().map(|part| part.into_iter().map(|i| graph[i]).collect()).collect();
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts.sort();
    order(parts, &arrows)
}

/// The disjoint groups in an order that follows the arrows, ties by position. Groups on a cycle of arrows come last, as they stand.
pub(crate) fn order(groups: Vec<Vec<usize>>, arrows: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let group_of: BTreeMap<usize, usize> =
        groups.iter().enumerate().flat_map(|(g, members)| members.iter().map(move |m| (*m, g))).collect();
    let between: BTreeSet<(usize, usize)> = arrows
        .iter()
        .filter_map(|(from, to)| Some((*group_of.get(from)?, *group_of.get(to)?)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut waiting: Vec<usize> = (0..groups.len()).collect();
    let mut ordered = Vec::with_capacity(groups.len());
    while !waiting.is_empty() {
        let ready = |g: usize| !between.iter().any(|(from, to)| *to == g && waiting.contains(from));
        let next = waiting.iter().position(|g| ready(*g)).unwrap_or(0);
        ordered.push(groups[waiting.remove(next)].clone());
    }
    ordered
}

/// Whether the groups can be put in an order that follows the arrows.
pub(crate) fn is_acyclic(groups: &[Vec<usize>], arrows: &BTreeSet<(usize, usize)>) -> bool {
    let ordered = order(groups.to_vec(), arrows);
    let position: BTreeMap<usize, usize> =
        ordered.iter().enumerate().flat_map(|(g, members)| members.iter().map(move |m| (*m, g))).collect();
    arrows.iter().all(|(from, to)| match (position.get(from), position.get(to)) {
        (Some(from), Some(to)) => from <= to,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_follow_the_arrows_and_else_the_text() {
        let arrows = [(1, 0), (0, 3), (3, 0), (2, 2)];
        assert_eq!(components(&[0, 1, 2, 3], arrows), vec![vec![1], vec![0, 3], vec![2]]);
        assert_eq!(components(&[2, 1], []), vec![vec![1], vec![2]]);
        assert!(!is_acyclic(&[vec![0, 2], vec![1]], &[(0, 1), (1, 2)].into()));
        assert!(is_acyclic(&[vec![0, 1], vec![2]], &[(0, 1), (1, 2)].into()));
    }
}
