//! To which blocks control always comes.
//!
//!     for (i) { a; if (x[i]) b; else c; d; if (i >= n) return; e; }            from a always to d and e, from b not to c
//!
//! That is about one iteration of the loop around, in which control does not leave in the middle: what LLVM's post-dominators say is about ways to the
//! function's end, of which a loop without end has none. Found once for all blocks, as dominators of the graph backwards (Cooper, Harvey, Kennedy: "A Simple,
//! Fast Dominance Algorithm").

use super::detect::Region;
use crate::llvm::{Analyses, Block, LoopId};
use petgraph::algo::dominators::{self, Dominators};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet};

/// The blocks of a region in one loop, or in none, and where control comes from them.
pub struct Leading<'ir> {
    nodes: HashMap<Block<'ir>, NodeIndex>,
    backwards: Dominators<NodeIndex>,
}

impl<'ir> Leading<'ir> {
    pub fn of(analyses: &Analyses<'_, 'ir>, region: &Region<'ir>, around: Option<LoopId>) -> Self {
        let around = around.map(|id| analyses.loop_(id));
        let in_region: HashSet<Block<'ir>> = region.blocks.iter().copied().collect();
        let in_loop: Option<HashSet<Block<'ir>>> = around.map(|this| this.blocks.iter().copied().collect());
        let is_here = |block: &Block<'ir>| {
            in_region.contains(block) && in_loop.as_ref().is_none_or(|blocks| blocks.contains(block))
        };
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let over = graph.add_node(());
        let here: Vec<Block<'ir>> = region.blocks.iter().copied().filter(is_here).collect();
        let nodes: HashMap<Block<'ir>, NodeIndex> = here.iter().map(|block| (*block, graph.add_node(()))).collect();
        for block in here {
            let stays = |next: &Block<'ir>| in_region.contains(next) || *next == region.exit;
            for next in block.successors().into_iter().filter(stays) {
                let goes_on = is_here(&next) && around.is_none_or(|this| this.header != next);
                graph.add_edge(if goes_on { nodes[&next] } else { over }, nodes[&block], ());
            }
        }
        Leading { nodes, backwards: dominators::simple_fast(&graph, over) }
    }

    /// Whether control comes from one block to another one, whichever way it goes, before the iteration is over; also if it never is.
    pub fn always_leads(&self, from: Block<'ir>, to: Block<'ir>) -> bool {
        let Some(mut ways) = self.backwards.strict_dominators(self.nodes[&from]) else { return true };
        ways.any(|node| self.nodes.get(&to) == Some(&node))
    }
}
