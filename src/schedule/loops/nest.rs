//! Loops as the arranger sees them, before they are a schedule tree.
//!
//! The tile loop of `i` by 32 is the member `floor(i / 32)`, its point loop the member `i`, the wavefront of two tile loops the sum
//! `floor(i / 32) + floor(j / 32)`: one kind of member for all three.

use super::block::Side;
use crate::schedule::model::problem::Hyperplane;
use crate::scop::tree::LoopKind;

/// The mark of a loop that runs in order with several values of an outer one written out in it: `y[i] += A[i][j] * x[j]` for eight values of `i`
/// reads eight rows of `A`, each a stream that the processor sees coming only if each has a load of its own.
pub(crate) const STREAMS: &str = "streams";

/// The mark of a loop for the vector unit that fills vectors as it is, and is so short that LLVM may write it out. Then the loop around it would be an innermost
/// one, whose iterations LLVM puts into vectors if it can: those of a product of two matrices of five rows would be gathered and scattered.
pub(crate) const OWN_VECTORS: &str = "own vectors";

/// The mark of a loop for the vector unit that has as many iterations as a few vectors of so many lanes: all of them are computed at once.
pub(crate) fn strip_mark(lanes: i64) -> String {
    format!("{STRIP}{lanes}")
}

/// The lanes that such a mark names.
#[cfg(feature = "llvm")]
pub(crate) fn lanes_of_mark(mark: &str) -> Option<u32> {
    mark.strip_prefix(STRIP)?.parse().ok()
}

const STRIP: &str = "strip of vectors of ";

/// So many instances in a row are asked whether they replace the best so far where some of more did, and where there are no more.
pub(crate) const ASKED_AGAIN: i64 = 32;

/// A function of instances: the sum of `floor(hyperplane / size)`.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Hyperplanes with sizes.
    pub terms: Vec<(Hyperplane, i64)>,
    /// Whether the loop over it can run in parallel, when all loops outside of it are fixed.
    pub coincident: bool,
}

/// What the innermost of some loops is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// One iteration after the other, as far as we know.
    Scalar,
    /// One iteration after the other, as each may be the last.
    Single,
    /// The vector unit: no dependence between its iterations stands in the way.
    Vector,
    /// The same, with so few iterations that they are written out: what they work on is in registers as long as the loops around run.
    Strip,
}

/// Which of two parts comes first: whole boxes, or all the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    Whole,
    Rest,
}

/// Where a band stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surroundings {
    NoLoop,
    Loop,
    /// One of the loops around it is parallel.
    ParallelLoop,
}

impl Surroundings {
    /// Where what is inside of loops over these members stands.
    pub fn inside(self, members: &[Member]) -> Surroundings {
        match self == Surroundings::ParallelLoop || members.iter().any(|member| member.coincident) {
            true => Surroundings::ParallelLoop,
            false => Surroundings::Loop,
        }
    }
}

/// The loops of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Loops {
    /// Nothing more.
    Leaf,
    /// As the program ran these statements.
    Original(Vec<usize>),
    /// One after the other.
    Sequence(Vec<(Vec<usize>, Loops)>),
    /// The instances of whole boxes with these sides, and all others.
    Split { sides: Vec<Side>, whole: Box<Loops>, rest: Box<Loops>, first: First },
    /// A mark above others.
    Mark(String, Box<Loops>),
    /// Loops around others.
    Band { members: Vec<Member>, permutable: bool, unit: Unit, kind: LoopKind, child: Box<Loops> },
}

impl Loops {
    /// Whether some loop is one over tiles or blocks.
    pub fn are_tiled(&self) -> bool {
        match self {
            Loops::Leaf | Loops::Original(_) => false,
            Loops::Sequence(parts) => parts.iter().any(|(_, part)| part.are_tiled()),
            Loops::Mark(_, below) => below.are_tiled(),
            Loops::Split { .. } => true,
            Loops::Band { members, child, .. } => {
                members.iter().any(|member| member.terms.iter().any(|(_, size)| *size > 1)) || child.are_tiled()
            }
        }
    }

    /// Which of the statements are in no loop that can run in parallel.
    pub fn in_no_parallel_loop(&self, nodes: Vec<usize>) -> Vec<usize> {
        match self {
            Loops::Leaf | Loops::Original(_) => nodes,
            Loops::Mark(_, below) => below.in_no_parallel_loop(nodes),
            Loops::Split { whole, rest, .. } => {
                let in_either = [whole, rest].map(|part| part.in_no_parallel_loop(nodes.clone()));
                nodes.into_iter().filter(|s| in_either.iter().any(|part| part.contains(s))).collect()
            }
            Loops::Band { members, .. } if members.iter().any(|member| member.coincident) => Vec::new(),
            Loops::Band { child, .. } => child.in_no_parallel_loop(nodes),
            Loops::Sequence(parts) => {
                let of_part = |(own, part): &(Vec<usize>, Loops)| {
                    part.in_no_parallel_loop(own.iter().copied().filter(|s| nodes.contains(s)).collect())
                };
                parts.iter().flat_map(of_part).collect()
            }
        }
    }
}

/// The loop over the values of a hyperplane.
pub(super) fn point(hyperplane: &Hyperplane, coincident: bool) -> Member {
    Member { terms: vec![(hyperplane.clone(), 1)], coincident }
}

/// The loop over the values of a hyperplane, which runs in order.
pub(super) fn in_order(hyperplane: &Hyperplane) -> Member {
    Member { terms: vec![(hyperplane.clone(), 1)], coincident: false }
}

/// Loops over the members around others; none for no members.
pub(super) fn around(members: Vec<Member>, below: Loops) -> Loops {
    match members.is_empty() {
        true => below,
        false => {
            let kind = LoopKind::Default;
            Loops::Band { members, permutable: true, unit: Unit::Scalar, kind, child: Box::new(below) }
        }
    }
}

/// The loops, none of which is written several times for different parts of what it scans.
pub(super) fn in_one_loop(loops: Loops) -> Loops {
    match loops {
        Loops::Band { members, permutable, unit, kind: LoopKind::Default, child } => {
            let child = Box::new(in_one_loop(*child));
            Loops::Band { members, permutable, unit, kind: LoopKind::Atomic, child }
        }
        Loops::Sequence(parts) => {
            Loops::Sequence(parts.into_iter().map(|(nodes, part)| (nodes, in_one_loop(part))).collect())
        }
        Loops::Mark(text, below) => Loops::Mark(text, Box::new(in_one_loop(*below))),
        other => other,
    }
}

/// `below` for each value of the members, without loops.
pub(super) fn written_out(members: Vec<Member>, below: Loops) -> Loops {
    match members.is_empty() {
        true => below,
        false => {
            let kind = LoopKind::Unroll;
            Loops::Band { members, permutable: true, unit: Unit::Scalar, kind, child: Box::new(below) }
        }
    }
}
