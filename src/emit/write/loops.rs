//! Loops, as blocks: the one place where they are written.
//!
//!     before:  br (first <= last), body, after
//!     body:    at = phi [first, before], [next, ...]        ...        next = at + 1     br (next <= last), body, after
//!
//! is the form that LLVM's own passes make of `for (at = first; at <= last; at++)`.

use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::arith::linear::Linear;
use crate::llvm::{Block, Builder, Function, Instruction, IntPredicate, LoopHint, Value};

/// A loop the body of which is being written.
pub struct Loop<'ir> {
    counter: Instruction<'ir>,
    body: Block<'ir>,
    after: Block<'ir>,
}

/// What is seen in the text of the new code.
#[derive(Clone, Copy)]
pub struct Names<'n> {
    pub body: &'n str,
    pub after: &'n str,
    pub counter: &'n str,
}

impl<'ir> Loop<'ir> {
    /// A loop that is entered if the first number is not above the last. The builder goes on in its body.
    pub fn enter(
        builder: &Builder<'ir>,
        function: Function<'ir>,
        names: Names<'_>,
        first: Value<'ir>,
        last: Value<'ir>,
    ) -> Loop<'ir> {
        let runs = builder.icmp(IntPredicate::Sle, first, last);
        Loop::behind(builder, function, names, first, |body, after| builder.branch(runs, body, after))
    }

    /// A loop that runs once at least.
    pub fn begin(builder: &Builder<'ir>, function: Function<'ir>, names: Names<'_>, first: Value<'ir>) -> Loop<'ir> {
        Loop::behind(builder, function, names, first, |body, _| builder.jump(body))
    }

    /// A loop behind what `enter` ends the block with, given where the loop and what comes after it begin.
    fn behind(
        builder: &Builder<'ir>,
        function: Function<'ir>,
        names: Names<'_>,
        first: Value<'ir>,
        enter: impl FnOnce(Block<'ir>, Block<'ir>) -> Instruction<'ir>,
    ) -> Loop<'ir> {
        let (body, after) = (function.new_block(names.body), function.new_block(names.after));
        let before = builder.block();
        enter(body, after);
        builder.at_end(body);
        let counter = builder.phi(first.ty(), names.counter);
        counter.add_incoming(first, before);
        Loop { counter, body, after }
    }

    /// The number of the iteration.
    pub fn counter(&self) -> Value<'ir> {
        self.counter.value()
    }

    /// Goes back with the next number if `again` holds; the builder goes on behind the loop. Gives the branch back.
    pub fn leave(self, builder: &Builder<'ir>, next: Value<'ir>, again: Value<'ir>) -> Instruction<'ir> {
        let latch = builder.block();
        let branch = builder.branch(again, self.body, self.after);
        self.counter.add_incoming(next, latch);
        builder.at_end(self.after);
        branch
    }
}

/// Writes `for (i = first; i <= last; i++) body(i)`, where `last + 1` does not wrap.
pub fn counted<'ir>(
    builder: &Builder<'ir>,
    function: Function<'ir>,
    first: Value<'ir>,
    last: Value<'ir>,
    body: &mut dyn FnMut(Value<'ir>),
) {
    let names = Names { body: "each", after: "each.end", counter: "at" };
    let each = Loop::enter(builder, function, names, first, last);
    body(each.counter());
    let next = builder.add(each.counter(), builder.integer(64, 1));
    let again = builder.icmp(IntPredicate::Sle, next, last);
    each.leave(builder, next, again);
}

/// What LLVM is told of a loop all iterations of which are to be computed at once, in vectors of so many lanes: that it is left as it is until then.
pub(super) fn at_once<'ir>(each: &For, lanes: u32) -> Vec<LoopHint<'ir>> {
    let distance = || Linear::of(&each.upper)?.plus(-1, &Linear::of(&each.lower)?)?.known();
    match distance().map(|distance| (distance + 1, i64::from(lanes))) {
        Some((iterations, lanes)) if iterations > 0 && iterations % lanes == 0 => {
            let vectors = LoopHint::InterleaveCount((iterations / lanes) as u32);
            vec![LoopHint::VectorizeWidth(lanes as u32), vectors, LoopHint::DisableUnrolling]
        }
        _ => Vec::new(),
    }
}

/// A loop the body of which is being written.
pub(super) struct Entered<'ir> {
    pub written: Loop<'ir>,
    /// What counts its iterations.
    pub counter: Known<'ir>,
    /// The number behind the last value of that.
    pub behind: Known<'ir>,
}
