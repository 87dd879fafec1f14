//! Counters that are doubled, counted.
//!
//! ```c
//! for (int i = 1; i < n; i *= 2) ...
//! ```
//!
//! as well as `i += i` or `i <<= 3`, has no closed form that LLVM would look for. But `i` is `1 << s` in step `s`, and with `b` the bits that `n - 1` has there are
//! `b` steps:
//!
//! ```c
//! for (int s = 0; s < b; s++) { int i = 1 << s; ... }
//! ```
//!
//! That is done where the program says that doubling does not wrap around, so that the loop does end. What is computed from `i` is then
//! computed from a counter, and the loops around and inside are a nest.
//!
//! Implements: 002 5.2.2

use crate::llvm::instruction::{Branch, Wrapping};
use crate::llvm::{Analyses, Builder, Instruction, IntPredicate, Loop, Opcode, Value};

/// A loop whose counter begins with a power of two and is multiplied by another one.
struct Doubled<'ir> {
    /// The counter, and what it is next.
    phi: Instruction<'ir>,
    next: Instruction<'ir>,
    /// It begins with so many doublings of 1, and each step is so many.
    first: u32,
    step: u32,
    /// The loop goes on as long as the counter, or what it is next, is below this.
    limit: Limit<'ir>,
    /// The end of the loop, which goes on if its condition is true, or else if it is false.
    end: Instruction<'ir>,
    goes_on: IntPredicate,
    /// Before this the limit is known, outside of all loops where it is.
    before: Instruction<'ir>,
}

/// What a counter is compared with.
struct Limit<'ir> {
    value: Value<'ir>,
    /// What is compared is the counter as it was in the iteration that ends.
    is_late: bool,
    is_inclusive: bool,
    is_signed: bool,
}

/// Has the loops whose counters are doubled count their steps. Whether there are any.
pub(in crate::prepare) fn count_steps(analyses: &Analyses<'_, '_>) -> bool {
    let mut any = false;
    for this in analyses.loops() {
        // One after the other: the counter of one may be the limit of the next.
        if let Some(doubled) = doubled(analyses, this) {
            count(this, &doubled);
            any = true;
        }
    }
    any
}

fn doubled<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Doubled<'ir>> {
    let (latch, preheader) = (this.latch?, this.preheader?);
    let is_plain = this.simplified && this.exiting == [latch];
    let end = latch.terminator().filter(|_| is_plain)?;
    let Branch::If { condition, then, otherwise } = end.branch()? else { return None };
    let stays = match (then == this.header, otherwise == this.header) {
        (true, false) => true,
        (false, true) => false,
        _ => return None,
    };
    let (predicate, a, b) = condition.as_instruction()?.icmp()?;
    this.header.phis().into_iter().find_map(|phi| {
        let width = phi.ty().integer_width().filter(|width| matches!(width, 32 | 64))?;
        let first = power_of_two(phi.incoming_from(preheader)?, width)?;
        let next = phi.incoming_from(latch)?.as_instruction()?;
        let step = doublings(next, phi.value(), width)?;
        let compared = [phi.value(), next.value()];
        let (predicate, own, value) = match (compared.contains(&a), compared.contains(&b)) {
            (true, false) => (predicate, a, b),
            (false, true) => (predicate.swapped(), b, a),
            _ => return None,
        };
        let asked = if stays { predicate } else { predicate.negated() };
        let promises = next.wrapping();
        let (is_inclusive, is_signed) = match asked {
            IntPredicate::Slt if promises.nsw => (false, true),
            IntPredicate::Sle if promises.nsw => (true, true),
            IntPredicate::Ult if promises.nuw || promises.nsw => (false, false),
            IntPredicate::Ule if promises.nuw || promises.nsw => (true, false),
            _ => return None,
        };
        let limit = Limit { value, is_late: own == phi.value(), is_inclusive, is_signed };
        let goes_on = if stays { IntPredicate::Ult } else { IntPredicate::Uge };
        let before = known_before(analyses, this, value)?;
        Some(Doubled { phi, next, first, step, limit, end, goes_on, before })
    })
}

/// The end of the outermost block before which a value is known and that comes before the loop.
fn known_before<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, value: Value<'ir>) -> Option<Instruction<'ir>> {
    let home = value.as_instruction().and_then(|i| i.block());
    let around = std::iter::successors(Some(this), |l| l.parent.map(|id| analyses.loop_(id)));
    let is_free = |l: &&Loop<'ir>| l.preheader.is_some() && !home.is_some_and(|home| l.blocks.contains(&home));
    around.take_while(is_free).last()?.preheader?.terminator()
}

/// Which power of two a positive constant is.
fn power_of_two(value: Value<'_>, width: u32) -> Option<u32> {
    let value = value.as_integer().filter(|value| *value > 0 && value & (value - 1) == 0)?;
    Some(value.trailing_zeros()).filter(|bits| *bits + 1 < width)
}

/// How often one value is another one doubled.
fn doublings<'ir>(value: Instruction<'ir>, of: Value<'ir>, width: u32) -> Option<u32> {
    let operands = value.operands();
    let &[a, b] = operands.as_slice() else { return None };
    let times = match value.opcode() {
        Opcode::Add if a == of && b == of => 1,
        Opcode::Shl if a == of => u32::try_from(b.as_integer()?).ok()?,
        Opcode::Mul if a == of => power_of_two(b, width)?,
        _ => return None,
    };
    (1..width).contains(&times).then_some(times)
}

fn count<'ir>(this: &Loop<'ir>, doubled: &Doubled<'ir>) {
    let Doubled { phi, next, first, step, end, goes_on, .. } = *doubled;
    let builder = Builder::new(this.header.function().context());
    let ty = phi.ty();
    let number = |value: u32| Value::integer(ty, value.into());
    let steps = steps(&builder, doubled);
    let (Some(preheader), Some(latch), Some(begin)) = (this.preheader, this.latch, this.header.first_instruction())
    else {
        return;
    };
    builder.before(begin);
    let counter = builder.phi(ty, "step");
    builder.before(this.header.first_after_phis().expect("law: a block ends with what is no phi"));
    let small = Wrapping { nuw: true, nsw: true, exact: false };
    let done = builder.binary_with(Opcode::Mul, counter.value(), number(step), small);
    let exponent = builder.binary_with(Opcode::Add, done, number(first), small);
    let value = builder.binary_with(Opcode::Shl, number(1), exponent, next.wrapping());
    builder.before(end);
    let counted = builder.binary_with(Opcode::Add, counter.value(), number(1), small);
    end.set_operand(0, builder.icmp(goes_on, counted, steps));
    counter.add_incoming(number(0), preheader);
    counter.add_incoming(counted, latch);
    phi.replace_with(value);
}

/// How often the loop runs: once, or as often as it takes to come to the limit.
fn steps<'ir>(builder: &Builder<'ir>, doubled: &Doubled<'ir>) -> Value<'ir> {
    let Doubled { limit, first, step, before, .. } = doubled;
    let ty = limit.value.ty();
    let number = |value: u32| Value::integer(ty, value.into());
    let most = |a: Value<'ir>, b: Value<'ir>, name: &str| builder.intrinsic(name, &[ty], &[a, b]).value();
    let name = if limit.is_signed { "llvm.smax" } else { "llvm.umax" };
    builder.before(*before);
    let last = match limit.is_inclusive {
        true => most(limit.value, number(0), name),
        false => builder.sub(most(limit.value, number(1), name), number(1)),
    };
    // With these bits the limit is what the loop comes to in any case, and LLVM sees that.
    let late = u32::from(limit.is_late);
    let least = Value::integer(ty, (1i128 << (first + 1 - late)) - 1);
    let last = builder.binary(Opcode::Or, last, least);
    let unset = builder.intrinsic("llvm.ctlz", &[ty], &[last, builder.integer(1, 0)]).value();
    let left = builder.sub(number(ty.integer_width().unwrap_or(0) - first), unset);
    let steps = match step {
        1 => left,
        _ => builder.binary(Opcode::UDiv, builder.add(left, number(step - 1)), number(*step)),
    };
    builder.add(steps, number(late))
}
