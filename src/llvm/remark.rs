//! Speaking to the user: LLVM's optimization remarks, shown under `-Rpass=loopwright` (done), `-Rpass-missed=loopwright`
//! (not done) and `-Rpass-analysis=loopwright` (found out), and by `opt` under `-pass-remarks=loopwright` and the like.

use super::debug::Location;
use super::ffi::*;
use super::ir::{Block, Function};
use super::session::Session;
use super::zero_terminated;
use std::ffi::CString;

/// Must be numbered as `loopwright_remark` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    Done,
    Missed,
    Analysis,
}

/// A remark. Its text is that of its words in a row; other programs find the words, and the fields beside the text, by their names.
pub struct Remark<'a, 'ir> {
    pub kind: RemarkKind,
    /// One word in capitals (`Tiled`).
    pub name: &'a str,
    /// Where in the source.
    pub location: Option<Location<'ir>>,
    /// Where in the program.
    pub block: Block<'ir>,
    /// Name and text; the name `String` is that of words without one.
    pub words: Vec<(&'static str, String)>,
    /// Name and text, not shown.
    pub fields: Vec<(&'static str, String)>,
}

impl<'ir> Session<'ir> {
    pub fn remark(&self, remark: &Remark<'_, 'ir>) {
        let Remark { kind, name, location, block, words, fields } = remark;
        let name = zero_terminated(name);
        let location = location.map_or(std::ptr::null_mut(), Location::raw);
        let all = || words.iter().chain(fields);
        let names: Vec<CString> = all().map(|(name, _)| zero_terminated(name)).collect();
        let texts: Vec<CString> = all().map(|(_, text)| zero_terminated(text)).collect();
        let pointers = |all: &[CString]| all.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
        let (names, texts) = (pointers(&names), pointers(&texts));
        let emitter = call!(loopwright_remark_emitter(self.function_managers(), block.function().raw()));
        let words = RemarkWords { names: names.as_ptr(), texts: texts.as_ptr(), shown: words.len(), all: names.len() };
        call!(loopwright_remark(emitter, *kind as u32, name.as_ptr(), location, block.raw(), &words));
    }

    /// Whether anybody listens to remarks about the function: if not, what only they would say need not be found out.
    pub fn is_heard(&self, function: Function<'ir>) -> bool {
        call!(loopwright_is_heard(call!(loopwright_remark_emitter(self.function_managers(), function.raw()))))
    }

    /// Ends the compilation with a message and a failure, as soon as the compiler sees fit.
    pub fn error(&self, text: &str) {
        call!(loopwright_error(self.module().context().raw(), zero_terminated(text).as_ptr()));
    }

    /// Says what the user should know without having asked for remarks.
    pub fn warning(&self, text: &str) {
        call!(loopwright_warning(self.module().context().raw(), zero_terminated(text).as_ptr()));
    }
}
