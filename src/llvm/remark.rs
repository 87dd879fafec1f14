//! Speaking to the user: LLVM's optimization remarks, shown under `-Rpass=loopwright` (done), `-Rpass-missed=loopwright`
//! (not done) and `-Rpass-analysis=loopwright` (found out), and by `opt` under `-pass-remarks=loopwright` and the like.

use super::debug::Location;
use super::ffi::*;
use super::ir::{Block, Function};
use super::session::Session;
use super::zero_terminated;

/// Must be numbered as `loopwright_remark` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    Done,
    Missed,
    Analysis,
}

impl<'ir> Session<'ir> {
    /// `name` is one word in capitals (`Tiled`), `location` where in the source, `block` where in the program.
    pub fn remark(&self, kind: RemarkKind, name: &str, location: Option<Location<'ir>>, block: Block<'ir>, text: &str) {
        let (name, text) = (zero_terminated(name), zero_terminated(text));
        let location = location.map_or(std::ptr::null_mut(), Location::raw);
        let emitter = call!(loopwright_remark_emitter(self.function_managers(), block.function().raw()));
        call!(loopwright_remark(emitter, kind as u32, name.as_ptr(), location, block.raw(), text.as_ptr()));
    }

    /// Whether anybody listens to remarks about the function: if not, what only they would say need not be found out.
    pub fn is_heard(&self, function: Function<'ir>) -> bool {
        call!(loopwright_is_heard(call!(loopwright_remark_emitter(self.function_managers(), function.raw()))))
    }

    /// Ends the compilation with a message and a failure, as soon as the compiler sees fit.
    pub fn error(&self, text: &str) {
        call!(loopwright_error(self.module().context().raw(), zero_terminated(text).as_ptr()));
    }
}
