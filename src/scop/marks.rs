//! Marks of schedule trees that say how loops run.
//!
//! ```text
//! mark: "pipeline"
//! child:
//!   schedule: "[{ S[i, j] -> [(floor((j)/8))] }, { S[i, j] -> [(i)] }]"
//! ```
//!
//! Of `for i: for j: S: a[i][j] = f(a[i - 1][j], a[i][j - 1])` with two threads the first has the upper half of the rows and the second the lower one. Both
//! go through eight columns after the other; the second one begins with eight of them when the first is done with the same eight.

use super::tree::Node;

/// The mark above a loop that could be left in the middle, and is not in the runs that the model is of: it takes its iterations one by one.
pub const LEFT_EARLY: &str = "left early";

/// The mark above a loop that read again in each iteration what is read before it in the runs that the model is of: as the program has it, it takes its iterations one by one.
pub const READ_BEFORE: &str = "read before";

/// The mark above a band of two members whose second one threads share, in one piece each: all of them take the values of the first member in order, and each
/// begins with one only when the thread that has the piece before is done with it. Each member by itself must put dependent instances in order, or together.
pub const PIPELINE: &str = "pipeline";

impl Node {
    /// Whether threads share a loop: one that is coincident, or a pipeline.
    pub fn has_parallel(&self) -> bool {
        let is_pipeline = matches!(self, Node::Mark { id, .. } if id.as_str() == PIPELINE);
        is_pipeline || self.is_coincident() || self.children().into_iter().any(Node::has_parallel)
    }

    /// Whether something is said of loops that dependences could refute: that some carry nothing, or that a band is permutable.
    pub fn has_claims(&self) -> bool {
        let is_permutable = matches!(self, Node::Band { band, .. } if band.permutable && band.n_member() > 1);
        is_permutable || self.has_parallel() || self.children().into_iter().any(Node::has_claims)
    }

    /// Whether some loop carries nothing.
    pub fn has_coincident(&self) -> bool {
        self.is_coincident() || self.children().into_iter().any(Node::has_coincident)
    }

    fn is_coincident(&self) -> bool {
        matches!(self, Node::Band { band, .. } if band.coincident.contains(&true))
    }
}
