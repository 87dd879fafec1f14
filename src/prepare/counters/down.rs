//! Counters that go down, as wide as addresses.
//!
//! ```c
//! for (int j = i; j > 0 && a[j - 1] > key; j--) a[j] = a[j - 1];
//! ```
//!
//! LLVM knows that `j` is not negative where it is made an address, and makes a word of it without a sign, `zext nneg j`. As its steps go down, it does not see that this is
//! the word `i` at first, and one less each time: below zero it would not be. So the loop gets a second counter, which is a word:
//!
//! ```c
//! for (int j = i, long w = i; j > 0 && a[w - 1] > key; j--, w--) a[w] = a[w - 1];
//! ```
//!
//! Where `j` is negative, or has wrapped around, `zext nneg j` is no value that a program may go by, so that any other will do. LLVM leaves one of both counters behind all this.

use crate::llvm::instruction::Wrapping;
use crate::llvm::{Analyses, Builder, Instruction, Loop, Opcode, ScevKind, Signedness, Value};

/// A word that is made of a counter.
struct Word<'ir> {
    cast: Instruction<'ir>,
    /// It is the counter and so much.
    phi: Instruction<'ir>,
    beyond: i128,
}

/// Gives loops whose counters go down counters that are words, for what is made words without a sign. Whether there are any.
pub(in crate::prepare) fn widen(analyses: &Analyses<'_, '_>) -> bool {
    let of_loop = |this| words(analyses, this).into_iter().map(move |(word, step)| (this, word, step));
    // All are found before anything is changed.
    let all: Vec<_> = analyses.loops().iter().flat_map(of_loop).collect();
    let mut made: Vec<(Value<'_>, Value<'_>)> = Vec::new();
    for (this, Word { cast, phi, beyond }, step) in &all {
        let builder = Builder::new(this.header.function().context());
        let known = made.iter().find(|(of, wide)| (*of, wide.ty()) == (phi.value(), cast.ty()));
        let wide = known.map(|(_, wide)| *wide).unwrap_or_else(|| {
            let wide = counter(&builder, this, (*phi, *step), *cast);
            made.push((phi.value(), wide));
            wide
        });
        builder.before(*cast);
        let signed = Wrapping { nsw: true, ..Wrapping::default() };
        let word = match beyond {
            0 => wide,
            _ => builder.binary_with(Opcode::Add, wide, Value::integer(cast.ty(), *beyond), signed),
        };
        cast.replace_with(word);
    }
    !all.is_empty()
}

/// The words made of the counters of a loop that go down, with the steps by which these go, as far as LLVM does not see steps of the words.
fn words<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Vec<(Word<'ir>, i128)> {
    let (Some(latch), Some(_)) = (this.latch, this.preheader) else { return Vec::new() };
    let found = |cast: Instruction<'ir>| {
        let is_word = cast.opcode() == Opcode::ZExt && cast.is_nonnegative_cast();
        let (phi, beyond) = is_word.then(|| of_phi(cast.operand(0))).flatten()?;
        let (from, change) = of_phi(phi.incoming_from(latch)?).filter(|_| phi.block() == Some(this.header))?;
        let sees_steps = analyses.node(analyses.scev(cast.value())?).kind == ScevKind::AddRec;
        (from == phi && change < 0 && !sees_steps).then_some((Word { cast, phi, beyond }, change))
    };
    this.instructions().filter_map(found).collect()
}

/// Of which phi a number is computed by adding a constant, without wrapping around, and which.
fn of_phi(number: Value<'_>) -> Option<(Instruction<'_>, i128)> {
    let here = number.as_instruction()?;
    match here.opcode() {
        Opcode::Phi => Some((here, 0)),
        Opcode::Add if here.wrapping().nsw => {
            Some((here.operand(0).as_instruction().filter(|i| i.is_phi())?, here.operand(1).as_integer()?))
        }
        _ => None,
    }
}

/// The counter of a loop that goes by the same steps as a phi does, in as many bits as a word made of it has.
fn counter<'ir>(
    builder: &Builder<'ir>,
    this: &Loop<'ir>,
    (phi, step): (Instruction<'ir>, i128),
    word: Instruction<'ir>,
) -> Value<'ir> {
    let known = "law: the loop has one latch and one preheader";
    let (latch, preheader) = (this.latch.expect(known), this.preheader.expect(known));
    let start = phi.incoming_from(preheader).expect("law: a phi has a value from each way in");
    builder.before(preheader.terminator().expect("law: a complete block has a terminator"));
    let start = builder.resize(start, word.ty(), Signedness::Signed);
    builder.before(this.header.first_instruction().expect("law: a complete block has a terminator"));
    let wide = builder.phi(word.ty(), &phi.name());
    builder.before(latch.terminator().expect("law: a complete block has a terminator"));
    let signed = Wrapping { nsw: true, ..Wrapping::default() };
    let next = builder.binary_with(Opcode::Add, wide.value(), Value::integer(word.ty(), step), signed);
    wide.add_incoming(start, preheader);
    wide.add_incoming(next, latch);
    wide.value()
}
