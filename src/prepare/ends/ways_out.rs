//! A block of its own behind the end of a loop.
//!
//! ```c
//! for (i = 0; i < n; i++) { if (i >= length) return -1;  x[i] = 0; }  return 0;
//! ```
//!
//! becomes a loop that leads to `return phi [-1, early], [0, end]` from its middle and from its end alike. What is behind the loop begins
//! where it was left at its end; so that way gets a block of its own, with the phis of what leaves there, and the other one stays.
//!
//! Implements: 001 control-flow

use crate::llvm::{Analyses, Block, Builder, Loop};

/// Has the end of each loop lead elsewhere than ways out of its middle. Whether anything changed.
pub fn set_ends_apart(analyses: &Analyses<'_, '_>) -> bool {
    let shared: Vec<(Block<'_>, Block<'_>)> = analyses.loops().iter().filter_map(shared_end).collect();
    shared.iter().for_each(|(latch, exit)| set_apart(*latch, *exit));
    !shared.is_empty()
}

/// The latch of a loop, and the block behind it that another way out leads to as well. An end that is no branch, as that of a call that may throw, stays.
fn shared_end<'ir>(this: &Loop<'ir>) -> Option<(Block<'ir>, Block<'ir>)> {
    let (latch, exit) = (this.latch?, this.exit_of_latch()?);
    latch.terminator()?.branch()?;
    let is_early = |from: &Block<'ir>| *from != latch && this.blocks.contains(from);
    exit.predecessors().iter().any(is_early).then_some((latch, exit))
}

fn set_apart(latch: Block<'_>, exit: Block<'_>) {
    let behind = latch.function().new_block("behind");
    let builder = Builder::new(latch.function().context());
    builder.at_end(behind);
    for phi in exit.phis() {
        let value = phi.incoming_from(latch).expect("law: a phi has a value from each way in");
        let own = builder.phi(phi.ty(), "behind");
        own.add_incoming(value, latch);
        phi.add_incoming(own.value(), behind);
    }
    builder.jump(exit);
    let terminator = latch.terminator().expect("law: a complete block has a terminator");
    exit.forget_predecessor(latch);
    terminator.redirect(exit, behind);
}
