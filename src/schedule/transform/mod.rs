//! Transformations of schedule trees: small functions from a tree, a place in it and arguments to another tree, or to a reason why not.
//!
//! ```text
//! domain: "[n] -> { S[i, j] : 0 <= i, j < n }"          tile(tree, loops 0..1 of S, [32, 32])
//! child:                                            ->  schedule: "[.. floor((i)/32) .., .. floor((j)/32) ..]"
//!   schedule: "[.. (i) ..]"                             child:
//!   child:                                                schedule: "[.. (i) .., .. (j) ..]"
//!     schedule: "[.. (j) ..]"
//! ```
//!
//! Each one runs the same instances as before, whatever it is applied to, and says nothing about legality: that is for
//! [`super::check`], which knows only the result. A transformation of loops first puts its loops into a band of their own
//! ([`band::gathered`]), so bands may be cut or joined on the way. What a band claims of its members (coincident, permutable) is kept where it
//! follows from what was claimed before, and dropped otherwise: `parallel` claims again, and the check proves it.
//!
//! One family per file: [`band`] (interchange, reverse, skew, shift), [`sequence`] (fuse, distribute, move, sink), [`tile`] (strip-mine, tile,
//! wavefront, pipeline, diamond, isolate), [`peel`] and [`unroll`] (unroll, jam). [`select`] says how places are named; the text form of all is [`super::script`].

pub mod band;
pub mod peel;
pub mod select;
pub mod sequence;
pub mod tile;
pub mod unroll;

pub use select::{Loop, Loops};

use crate::presburger::{Id, MultiUnionPwAff, UnionPwAff, UnionSet};
use crate::scop::tree::{Band, Node, Tree};

/// Why a transformation does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inapplicable(pub String);

impl std::fmt::Display for Inapplicable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Inapplicable {}

/// What a transformation gives.
pub type Outcome = Result<Tree, Inapplicable>;

fn no<T>(reason: impl Into<String>) -> Result<T, Inapplicable> {
    Err(Inapplicable(reason.into()))
}

/// Puts a mark above a node.
pub fn mark(tree: &Tree, path: &[usize], name: &str) -> Outcome {
    match tree.node(path) {
        Some(node) if !path.is_empty() && !matches!(node, Node::Filter { .. }) => {
            Ok(tree.with_node(path, Node::Mark { id: Id::new(name), child: Box::new(node.clone()) }))
        }
        _ => no("a mark stands above a node that is neither the root nor a filter"),
    }
}

/// Marks the loops below which copies of parts of `array` are worth their making: `pack A`.
pub fn pack(tree: &Tree, loops: &Loops, array: &str) -> Outcome {
    let (tree, path) = band::gathered(tree, loops)?;
    mark(&tree, &path, &format!("pack {array}"))
}

/// The band at `path` and what is below it.
fn band_at<'t>(tree: &'t Tree, path: &[usize]) -> Result<(&'t Band, &'t Node), Inapplicable> {
    match tree.node(path) {
        Some(Node::Band { band, child }) => Ok((band, child)),
        _ => no("there is no loop"),
    }
}

fn under(band: Band, child: Node) -> Node {
    Node::Band { band, child: Box::new(child) }
}

fn filtered(filter: UnionSet, child: Node) -> Node {
    Node::Filter { filter, child: Box::new(child) }
}

/// A band of these members.
fn of_members(affs: &[UnionPwAff]) -> Band {
    let members = affs.iter().map(MultiUnionPwAff::from_union_pw_aff);
    let partial = members.reduce(|all, next| all.flat_range_product(&next)).expect("law: a band has members");
    Band::new(partial)
}
