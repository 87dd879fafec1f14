//! What has ended of the program, for debug builds: see the law of handles in [`super`].
//!
//!     call.remove();                        // its address is noted
//!     call.operands();                      // panics: "law: what ended is not asked"
//!     let phi = builder.phi(ty, "x");       // may be given the same address: LLVM hands it out anew, so it is forgotten
//!
//! A handle that ended is found until LLVM gives its address to something new and that is looked at. In other builds nothing is noted.

use super::ir::Function;
use std::cell::RefCell;
use std::collections::HashSet;

thread_local! {
    /// The addresses of what ended.
    static ENDED: RefCell<HashSet<usize>> = RefCell::default();
}

/// What was at this address ended.
pub(super) fn note(address: usize) {
    if cfg!(debug_assertions) {
        ENDED.with_borrow_mut(|ended| ended.insert(address));
    }
}

/// LLVM says that something is at this address.
pub(super) fn forget(address: usize) {
    if cfg!(debug_assertions) {
        ENDED.with_borrow_mut(|ended| ended.remove(&address));
    }
}

/// Panics if what was at this address ended, in debug builds.
pub(super) fn check(address: usize) {
    debug_assert!(ENDED.with_borrow(|ended| !ended.contains(&address)), "law: what ended is not asked");
}

/// The addresses of a function's blocks and instructions; none where nothing is noted.
pub(super) fn contents(function: Function<'_>) -> HashSet<usize> {
    if !cfg!(debug_assertions) {
        return HashSet::new();
    }
    let blocks = function.blocks();
    let instructions = blocks.iter().flat_map(|block| block.instructions()).map(|i| i.raw() as usize);
    blocks.iter().map(|block| block.raw() as usize).chain(instructions).collect()
}
