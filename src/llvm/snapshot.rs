//! A function as it was, to go back to.
//!
//!     let snapshot = session.snapshot(function);
//!     ...                                             passes, edits, new functions and globals, a panic in the middle of them
//!     session.restore(snapshot);
//!
//! It holds a copy of the body that uses nothing of the module: whoever looks at the users of a global sees no more of them than before.
//! To restore it removes all functions and globals that the module has got since, so that there is one snapshot at a time.

use std::ptr::NonNull;

use super::ffi::{self, *};
use super::ir::Function;
use super::session::Session;

/// Of a function with a body.
pub struct Snapshot<'ir> {
    raw: NonNull<ffi::Snapshot>,
    function: Function<'ir>,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        call!(loopwright_snapshot_free(self.raw.as_ptr()));
    }
}

impl<'ir> Session<'ir> {
    pub fn snapshot(&self, function: Function<'ir>) -> Snapshot<'ir> {
        assert!(function.has_body(), "law: a snapshot is of a body");
        let raw = NonNull::new(call!(loopwright_snapshot(function.raw()))).expect("law: a snapshot can be taken");
        Snapshot { raw, function }
    }

    /// Makes the function what it was. All handles on what is in it, and on functions and globals made since, are dead then.
    pub fn restore(&mut self, snapshot: Snapshot<'ir>) {
        let is_complete = call!(loopwright_restore(snapshot.raw.as_ptr(), self.function_managers()));
        if !is_complete {
            self.error(&format!("loopwright: function '{}' cannot be restored", snapshot.function.name()));
        }
    }
}
