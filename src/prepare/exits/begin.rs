//! The first iterations of a loop run as they are, before its exit is found.
//!
//! ```c
//! for (i = 0; i < n && i < 16; i++) { if (x[i] == 9) return i;  o[i] = 2 * x[i]; }      the first iterations
//! for (k = i; k < n; k++) if (x[k] == 9) break;                                         then as in `split`
//! for (; i < k; i++) o[i] = 2 * x[i];
//! ```
//!
//! To find the exit of a loop, to begin another one that runs up to it, and to leave that takes as long as some dozens of iterations of a loop that does little. So what is
//! left soon is left by the program's own ways; and a loop that is known to have few iterations runs as it is.

use super::copies::{Copies, branch_to_short, copy_loop, is_single, lay_out};
use super::exit::Exit;
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value};

/// So many iterations run as they are, of loops of which it is known how many there are at most, and of others: these may all be about to end.
pub(super) const FIRST: i128 = 16;
const FIRST_OF_UNKNOWN: i128 = 32;

/// Loops that go on fewer times than that take no longer as they are.
pub(super) const SHORT: i128 = 64;

/// Has a copy of the loop run its first iterations, behind which the loop begins then; and another one all of them, where it is known to be short.
pub(super) fn begin<'ir>(builder: &Builder<'ir>, exit: &mut Exit<'ir>, is_short: Option<Value<'ir>>) {
    let start = exit.preheader.terminator().expect("law: a complete block has a terminator");
    let short = is_short.map(|is_short| {
        let short = copy_loop(builder, (exit.preheader, exit.latch), &exit.blocks);
        (is_short, short)
    });
    let function = exit.header.function();
    let is_counted = exit.begun.as_ref().is_some_and(|conditions| conditions.is_counted());
    let word = Type::integer(function.context(), 64);
    let copies = Copies::of(builder, &exit.blocks, "begin", |i| !is_single(i));
    let [turn, rest] = ["turn", "rest"].map(|name| function.new_block(name));
    copies.lead(builder, |next| (next == exit.header).then_some(turn));
    let header = copies.blocks[&exit.header];
    exit.blocks
        .iter()
        .filter(|block| **block != exit.header)
        .flat_map(|block| block.phis())
        .for_each(|phi| copies.connect(phi));
    builder.at_end(rest);
    for phi in exit.header.phis() {
        let from = |block| phi.incoming_from(block).expect("law: a phi has a value from each way in");
        let next = copies.value(from(exit.latch));
        let own = copies.phi(phi);
        own.add_incoming(from(exit.preheader), exit.preheader);
        own.add_incoming(next, turn);
        let behind = builder.phi(phi.ty(), &phi.name());
        behind.add_incoming(next, turn);
        phi.add_incoming(behind.value(), rest);
    }
    exit.header.forget_predecessor(exit.preheader);
    builder.jump(exit.header);
    builder.before(header.first_instruction().expect("law: a complete block has a terminator"));
    let to_go = builder.phi(word, "to.go");
    builder.at_end(turn);
    let left = builder.binary(Opcode::Sub, to_go.value(), Value::integer(word, 1));
    let first = if is_counted { FIRST } else { FIRST_OF_UNKNOWN };
    to_go.add_incoming(Value::integer(word, first), exit.preheader);
    to_go.add_incoming(left, turn);
    let is_over = builder.icmp(IntPredicate::Eq, left, Value::integer(word, 0));
    let back = builder.branch(is_over, rest, header);
    let own = copies.blocks[&exit.latch].terminator().expect("law: a complete block has a terminator");
    back.set_metadata("llvm.loop", own.metadata("llvm.loop"));
    own.set_metadata("llvm.loop", None);
    turn.mark_aside();
    lay_out(turn, &exit.blocks);
    copies.mark_aside();
    match short {
        Some((is_short, short)) => branch_to_short(builder, start, is_short, [short, header]),
        None => start.redirect(exit.header, header),
    }
    exit.preheader = rest;
}
