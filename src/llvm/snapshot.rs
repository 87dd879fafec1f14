//! A function as it was, to go back to.
//!
//!     let snapshot = session.snapshot(function);
//!     ...                                             passes, edits, new functions and globals, a panic in the middle of them
//!     session.restore(snapshot);
//!
//! [`Session::attempt`] does both around whatever may panic. The snapshot holds a copy of the body that uses nothing of the module: whoever looks at the users of a global sees no more of them than before.
//! To restore it removes all functions and globals that the module has got since, so that there is one snapshot at a time.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use super::ffi::{self, *};
use super::ir::Function;
use super::session::Session;

/// What an attempt leaves of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// What was made of it.
    Changed,
    /// What it was before.
    AsBefore,
}

/// Of a function with a body, and without addresses of blocks: these are constants elsewhere, and would not go back.
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
    /// What `body` makes of a function with a body, if it says so; otherwise, and after a panic in it, the function, and the module, are as they were.
    ///
    /// # Errors
    /// The text of the panic.
    pub fn attempt<R>(
        &mut self,
        function: Function<'ir>,
        body: impl FnOnce(&mut Session<'ir>) -> (R, Leaves),
    ) -> Result<R, String> {
        let snapshot = tracing::info_span!("snapshot").in_scope(|| self.snapshot(function));
        let outcome = catch_unwind(AssertUnwindSafe(|| body(self)));
        if !matches!(outcome, Ok((_, Leaves::Changed))) {
            tracing::info_span!("restore").in_scope(|| self.restore(snapshot));
        }
        outcome.map(|(result, _)| result).map_err(|panic| panic_text(&*panic))
    }

    pub fn snapshot(&self, function: Function<'ir>) -> Snapshot<'ir> {
        assert!(function.has_body(), "law: a snapshot is of a body");
        assert!(!function.has_addressed_block(), "law: a snapshot is of a function without addresses of blocks");
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

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_string())
}
