//! The first iterations of a loop run as they are, before its exit is found or many elements are asked at once.
//!
//! ```c
//! for (i = 0; i < n && i < 32; i++) { if (x[i] == 9) return i;  o[i] = 2 * x[i]; }      the first iterations
//! for (k = i; k < n; k++) if (x[k] == 9) break;                                         then as in `split`
//! for (; i < k; i++) o[i] = 2 * x[i];
//! ```
//!
//! To find the exit of a loop, to begin another one that runs up to it, and to leave that takes as long as some dozens of iterations of a loop that does little. So what is
//! left soon is left by the program's own ways; and a loop that is known to have few iterations runs as it is.

use super::copies::{Copies, branch_to_short, copy_loop, is_single, is_small, lay_out};
use crate::llvm::build::Promise;
use crate::llvm::{Block, Builder, Instruction, IntPredicate, LoopHint, Type, Value};
use std::collections::HashMap;

/// So many iterations run as they are: then there is time for what has to be known before vectors begin, wherever the loop is left.
pub const FIRST: i128 = 32;

/// So many of them are written out: more would save little time, but LLVM would write out all of them.
const AT_ONCE: u32 = 4;

/// A loop, and how it begins.
pub struct Beginning<'b, 'ir> {
    pub preheader: Block<'ir>,
    pub header: Block<'ir>,
    pub latch: Block<'ir>,
    /// In program order.
    pub blocks: &'b [Block<'ir>],
    /// By how many bytes each iteration moves pointers that it hands on, where that is known.
    pub steps: &'b HashMap<Instruction<'ir>, i128>,
    /// Whether all of it is to run as it is.
    pub is_short: Option<Value<'ir>>,
}

/// Has a copy of the loop run its first iterations, and another one all of them where it is short. The block behind the first ones, in which the loop begins then.
pub fn begin<'ir>(builder: &Builder<'ir>, of: &Beginning<'_, 'ir>) -> Block<'ir> {
    let start = of.preheader.terminator().expect("law: a complete block has a terminator");
    let short = of.is_short.map(|is_short| (is_short, copy_loop(builder, (of.preheader, of.latch), of.blocks)));
    let function = of.header.function();
    let word = Type::integer(function.context(), 64);
    let copies = Copies::of(builder, of.blocks, "begin", |i| !is_single(i));
    let [turn, rest] = ["turn", "rest"].map(|name| function.new_block(name));
    copies.lead(builder, |next| (next == of.header).then_some(turn));
    let header = copies.blocks[&of.header];
    let inner = of.blocks.iter().filter(|block| **block != of.header);
    inner.flat_map(|block| block.phis()).for_each(|phi| copies.connect(phi));
    builder.at_end(rest);
    // Phis come first in a block.
    let (moved, others): (Vec<_>, Vec<_>) = of.header.phis().into_iter().partition(|phi| of.steps.contains_key(phi));
    for phi in others.into_iter().chain(moved) {
        let from = |block| phi.incoming_from(block).expect("law: a phi has a value from each way in");
        let next = copies.value(from(of.latch));
        let own = copies.phi(phi);
        own.add_incoming(from(of.preheader), of.preheader);
        own.add_incoming(next, turn);
        // So that it is known into what and how far such a pointer points.
        let behind = match of.steps.get(&phi) {
            Some(step) => {
                let bytes = Value::integer(word, FIRST * step);
                builder.gep(Type::integer(function.context(), 8), from(of.preheader), &[bytes], Promise::Nothing)
            }
            None => {
                let behind = builder.phi(phi.ty(), &phi.name());
                behind.add_incoming(next, turn);
                behind.value()
            }
        };
        phi.add_incoming(behind, rest);
    }
    of.header.forget_predecessor(of.preheader);
    builder.jump(of.header);
    builder.before(header.first_instruction().expect("law: a complete block has a terminator"));
    let to_go = builder.phi(word, "to.go");
    builder.at_end(turn);
    let left = builder.sub(to_go.value(), Value::integer(word, 1));
    to_go.add_incoming(Value::integer(word, FIRST), of.preheader);
    to_go.add_incoming(left, turn);
    let is_over = builder.icmp(IntPredicate::Eq, left, Value::integer(word, 0));
    let back = builder.branch(is_over, rest, header);
    let own = copies.blocks[&of.latch].terminator().expect("law: a complete block has a terminator");
    back.set_metadata("llvm.loop", own.metadata("llvm.loop"));
    own.set_metadata("llvm.loop", None);
    turn.mark_aside();
    back.hint_loop(if is_small(of.blocks) { LoopHint::UnrollCount(AT_ONCE) } else { LoopHint::DisableUnrolling });
    lay_out(turn, of.blocks);
    copies.mark_aside();
    match short {
        Some((is_short, short)) => branch_to_short(builder, start, is_short, [short, header]),
        None => start.redirect(of.header, header),
    }
    rest
}
