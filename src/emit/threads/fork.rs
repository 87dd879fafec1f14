//! Threads or none: the one place where they are forked.
//!
//!     if (the work is worth a fork) { keep errno; hold cancellation; __kmpc_fork_call(f.threads, frame); give both back; } else f.part(frame, ...);

use super::errno::Handed;
use crate::emit::write::writer::Writer;
use crate::llvm::openmp::{Entry, ident};
use crate::llvm::{Function, Value};

impl<'ir> Writer<'_, 'ir> {
    /// Threads, before and behind which this one's `errno` and cancellation are as they were, or this one alone.
    pub(super) fn either(
        &mut self,
        is_worth: Value<'ir>,
        handed: Option<Handed<'ir>>,
        fork_threads: &dyn Fn(&Self),
        run_alone: &dyn Fn(&Self),
    ) {
        let (fork, run, after) = (self.new_block("fork"), self.new_block("alone"), self.new_block("done"));
        self.builder.branch(is_worth, fork, run);
        self.builder.at_end(fork);
        let kept = self.keep_errno(handed);
        let state = self.hold_cancellation(&|ty, name| self.reserve_apart(ty, name));
        fork_threads(self);
        self.release_cancellation(state);
        self.restore_errno(kept);
        self.builder.jump(after);
        self.builder.at_end(run);
        run_alone(self);
        self.builder.jump(after);
        self.builder.at_end(after);
    }

    /// Has threads run a function on a frame, and waits for them.
    pub(super) fn fork(&self, threads: Function<'ir>, frame: Value<'ir>) {
        let count = self.builder.integer(32, 1);
        let arguments = [ident(self.main.module()), count, threads.value(), frame];
        Entry::Fork.call(&self.builder, &arguments).set_location(self.location);
    }
}
