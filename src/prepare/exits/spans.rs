//! Inner loops of which the first and the last iteration tell about all.
//!
//! ```c
//! for (i = 0; i < n; i++) for (j = 0; j < m; j++) { if (j >= length[i]) return -1;  b[i][j] = f(a[i][j]); }
//! ```
//!
//! The loop over `j` reads `length[i]` for its exit, the same in each iteration, and compares it with a number that grows. If the comparison lets `j = 0` and `j = m - 1` go on, it
//! does all between: what it lets go on is a range, as long as no number wraps around. So the slice asks these two, and takes `n` steps and not `n * m`. Where it says that the loops are
//! left, they are left in that iteration of the outer loop, whichever of the inner one that is.
//!
//! The program may leave before the last iteration, so what it promises of numbers there, as that they do not wrap around, says nothing: that is asked of the counter, and where it may wrap, one iteration follows
//! the other; what is computed from it promises nothing in the slice. Comparisons may be joined where each of them alone takes the way out. Nothing else may go by the counter: no address, no way, no number of another loop.

use super::slice::Slice;
use crate::llvm::scev::CountKind;
use crate::llvm::{
    Analyses, Block, Builder, Instruction, IntPredicate, Loop, LoopId, Opcode, ScevId, Signedness, Type, Value,
};
use crate::prepare::apart::behind;
use crate::prepare::searches::{Way, way_out};
use std::collections::HashSet;

/// Numbers that are compared are so far from the counter at most, and the counter is as far from the end of its numbers.
const FARTHEST: i128 = 1 << 20;

/// From the first to the last iteration there are fewer than that, so that bytes that addresses go over can be counted in 64 bits: a program that may be left in the middle may say any number.
const MOST_STEPS: u32 = 40;

/// Loops that go on fewer times than that take no longer as they are.
const SHORT: i128 = 7;

/// Counters with fewer bits are too near to the end of their numbers.
const LEAST_BITS: u32 = 32;

/// An inner loop that goes on behind its first iteration with the last one.
pub(super) struct Span<'ir> {
    pub id: LoopId,
    /// Goes up by one.
    counter: Instruction<'ir>,
    /// Others that are always as much more than it: of `j` and `j + 1`, LLVM makes two.
    others: Vec<(Instruction<'ir>, i128)>,
    /// Its value in the first iteration.
    first: Value<'ir>,
    /// What the last iteration is known by.
    end: End<'ir>,
    latch: Block<'ir>,
    /// No number below this is counted.
    least: i128,
    /// By how many bytes iterations move addresses that are watched.
    moved: Vec<(Instruction<'ir>, i128)>,
    /// What is computed from the counters.
    goes: HashSet<Instruction<'ir>>,
    /// How often it goes back, if that is known before the loop whose exit is found first.
    steps: Option<ScevId>,
}

/// A number that stays the same in a loop: in the last iteration the counter is so much below it.
#[derive(Clone, Copy)]
struct End<'ir> {
    number: Value<'ir>,
    above: i128,
}

/// The inner loops of a slice of which two iterations tell all.
///
/// The slice has addresses that are watched; of those that such a loop goes over it is known by how many bytes.
pub(super) fn spans<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    (slice, watched): (&Slice<'ir>, &[Instruction<'ir>]),
) -> Vec<Span<'ir>> {
    let inner = analyses.loops().iter().filter(|l| l.id != this.id && analyses.is_within(l.id, this.id));
    inner.filter_map(|inner| span(analyses, (this, inner), (slice, watched))).collect()
}

fn span<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (this, inner): (&Loop<'ir>, &Loop<'ir>),
    (slice, watched): (&Slice<'ir>, &[Instruction<'ir>]),
) -> Option<Span<'ir>> {
    let (latch, preheader) = (inner.latch?, inner.preheader?);
    let is_run = |block: &Block<'ir>| slice.blocks.contains(block) && !slice.straight.contains_key(block);
    let leads_on = |block: &Block<'ir>| {
        block.successors().iter().any(|next| !inner.blocks.contains(next) && this.blocks.contains(next))
    };
    if !is_run(&latch) || inner.exiting.iter().any(|block| leads_on(block) != (*block == latch)) {
        return None;
    }
    let handed_on = inner.header.phis().into_iter().filter(|phi| slice.instructions.contains(phi));
    let handed_on: Vec<Instruction<'ir>> = handed_on.collect();
    let [counter, others @ ..] = handed_on.as_slice() else { return None };
    let counter = *counter;
    if counter.ty().integer_width().is_none_or(|bits| bits < LEAST_BITS)
        || analyses.constant_step(analyses.scev(counter.value())?, inner.id) != Some(1)
    {
        return None;
    }
    let with_distance = |other: &Instruction<'ir>| Some((*other, plus(analyses, other.value(), counter)?));
    let others = others.iter().map(with_distance).collect::<Option<Vec<_>>>()?;
    let end = end_of(analyses, inner, counter)?;
    let goes = goes_by(inner, slice, &handed_on);
    let is_plain = |i: &Instruction<'ir>| {
        let is_of_two = !i.is_phi() && i.memory().is_none() && i.call().is_none() && !i.is_terminator();
        handed_on.contains(i) || is_of_two && !may_wrap(analyses, *i, counter)
    };
    let decided_by_it = inner.blocks.iter().filter(|block| is_run(block) && **block != latch).filter(|block| {
        let operands = block.terminator().into_iter().flat_map(|end| end.operands());
        operands.filter_map(|operand| operand.as_instruction()).any(|i| goes.contains(&i))
    });
    let ways = decided_by_it.map(|block| way_out(this, *block)).collect::<Option<Vec<_>>>()?;
    let parts = ways.into_iter().flat_map(Way::parts);
    let parts = parts.filter(|part| part.condition.as_instruction().is_some_and(|i| goes.contains(&i)));
    let least = parts.map(|part| least(analyses, &part, counter, &goes)).collect::<Option<Vec<_>>>()?;
    let least = least.into_iter().max().unwrap_or(0);
    let first = counter.incoming_from(preheader)?;
    let watched = watched.iter().filter(|address| inner.holds(**address));
    let step = |address: &Instruction<'ir>| match goes.contains(address) {
        true => behind::step(analyses, inner, *address, |base| !goes.contains(&base)),
        false => Some(0),
    };
    let moved = watched.map(|address| Some((*address, step(address)?))).collect::<Option<Vec<_>>>()?;
    if !goes.iter().all(is_plain) {
        return None;
    }
    let steps = analyses.backedges(inner.id, CountKind::Exact);
    let before = this.preheader?.terminator()?;
    let steps = steps.filter(|steps| analyses.is_invariant(*steps, this.id) && analyses.can_expand(*steps, before));
    Some(Span { id: inner.id, counter, others, first, end, latch, least, moved, goes, steps })
}

/// Whether a number of fewer bits than addresses may wrap around before the last iteration: one that is not the counter and a constant.
fn may_wrap<'ir>(analyses: &Analyses<'_, 'ir>, number: Instruction<'ir>, counter: Instruction<'ir>) -> bool {
    let is_narrow = number.ty().integer_width().is_some_and(|bits| bits > 1 && bits < 64);
    is_narrow && plus(analyses, number.value(), counter).is_none()
}

/// By what a loop is known to end that is left behind its latch, one iteration for each number: it goes on while the counter and a constant are below the end, or are not it.
fn end_of<'ir>(analyses: &Analyses<'_, 'ir>, inner: &Loop<'ir>, counter: Instruction<'ir>) -> Option<End<'ir>> {
    use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let way = way_out(inner, inner.latch?)?;
    let (predicate, a, b) = way.condition.as_instruction()?.icmp()?;
    let stays = |value: Value<'ir>| value.as_instruction().is_none_or(|i| !inner.holds(i));
    let (number, end) = if stays(b) { (a, b) } else { (b, a) };
    let goes_on = match (predicate, stays(b), way.if_holds) {
        (Eq, _, true) | (Ne, _, false) => Goes::Below,
        (Ult | Slt, true, false) | (Ugt | Sgt, false, false) | (Uge | Sge, true, true) | (Ule | Sle, false, true) => {
            Goes::Below
        }
        (Ule | Sle, true, false) | (Uge | Sge, false, false) | (Ugt | Sgt, true, true) | (Ult | Slt, false, true) => {
            Goes::UpTo
        }
        _ => return None,
    };
    let plus = plus(analyses, number, counter).filter(|plus| stays(end) && *plus >= 0)?;
    Some(End { number: end, above: if let Goes::UpTo = goes_on { plus - 1 } else { plus } })
}

/// While what a loop goes on.
enum Goes {
    Below,
    UpTo,
}

/// How much more a number is than the counter, if that is always the same and little.
fn plus<'ir>(analyses: &Analyses<'_, 'ir>, number: Value<'ir>, counter: Instruction<'ir>) -> Option<i128> {
    if number.ty() != counter.ty() {
        return None;
    }
    let [number, counter] = [number, counter.value()].map(|value| analyses.scev(value));
    analyses.node(analyses.difference(number?, counter?)?).constant.filter(|plus| plus.abs() <= FARTHEST)
}

/// What the slice computes in a loop from its counters.
fn goes_by<'ir>(inner: &Loop<'ir>, slice: &Slice<'ir>, counters: &[Instruction<'ir>]) -> HashSet<Instruction<'ir>> {
    let (mut found, mut pending) = (counters.iter().copied().collect::<HashSet<_>>(), counters.to_vec());
    while let Some(here) = pending.pop() {
        let users = here.users().into_iter().filter(|user| inner.holds(*user) && slice.instructions.contains(user));
        pending.extend(users.filter(|user| found.insert(*user)));
    }
    found
}

/// The least counter from which on a comparison lets a range of counters go on: it compares the counter and a constant with what stays the same.
fn least<'ir>(
    analyses: &Analyses<'_, 'ir>,
    part: &Way<'ir>,
    counter: Instruction<'ir>,
    goes: &HashSet<Instruction<'ir>>,
) -> Option<i128> {
    let goes_by = |value: &Value<'ir>| value.as_instruction().is_some_and(|i| goes.contains(&i));
    let (predicate, a, b) = part.condition.as_instruction()?.icmp().filter(|_| part.cases.is_empty())?;
    let leaves_if_equal = if part.if_holds { IntPredicate::Eq } else { IntPredicate::Ne };
    let number = if goes_by(&a) { a } else { b };
    if predicate == leaves_if_equal || goes_by(&a) == goes_by(&b) {
        return None;
    }
    plus(analyses, number, counter).map(|plus| (-plus).max(0))
}

impl<'ir> Span<'ir> {
    /// Whether there are so few iterations that to find the exit first takes longer, or none, computed before an instruction.
    pub(super) fn is_short(&self, analyses: &Analyses<'_, 'ir>, before: Instruction<'ir>) -> Option<Value<'ir>> {
        let steps = analyses.expand(self.steps?, before);
        let bits = steps.ty().integer_width()?;
        let builder = Builder::new(before.context());
        builder.before(before);
        let number = |number| Value::integer(steps.ty(), number);
        // Of a loop that does not run it goes back once less than never.
        let above = builder.sub(steps, number(SHORT));
        let most = number(1i128 << (bits - 1).min(MOST_STEPS));
        Some(builder.freeze(builder.icmp(IntPredicate::Uge, above, most)))
    }

    /// How many steps a watched address has gone in this loop, and of how many bytes, if it goes at all.
    pub(super) fn gone(
        &self,
        builder: &Builder<'ir>,
        address: Instruction<'ir>,
        value: impl Fn(Value<'ir>) -> Value<'ir>,
    ) -> Option<(Value<'ir>, i128)> {
        let (_, by) = self.moved.iter().find(|(moved, by)| *moved == address && *by != 0)?;
        let steps = builder.sub(value(self.counter.value()), value(self.first));
        Some((builder.resize(steps, Type::integer(builder.context(), 64), Signedness::Unsigned), *by))
    }

    /// Has the loop that is copied so go on with its last iteration behind the first one.
    pub(super) fn leap(
        &self,
        builder: &Builder<'ir>,
        block: impl Fn(Block<'ir>) -> Block<'ir>,
        value: impl Fn(Value<'ir>) -> Value<'ir>,
    ) {
        let counter = value(self.counter.value()).as_instruction().expect("law: the copy of a phi is one");
        let latch = block(self.latch);
        builder.before(latch.terminator().expect("law: a complete block has a terminator"));
        let ty: Type<'ir> = counter.ty();
        let number = |number| Value::integer(ty, number);
        let first = value(self.first);
        let last = builder.sub(value(self.end.number), number(self.end.above));
        let bits = ty.integer_width().expect("law: a counter is a number");
        let most = number((1i128 << (bits - 1).min(MOST_STEPS)) - FARTHEST);
        let asked = [
            builder.icmp(IntPredicate::Eq, counter.value(), first),
            builder.icmp(IntPredicate::Ult, first, last),
            builder.icmp(IntPredicate::Ult, last, most),
            builder.icmp(IntPredicate::Uge, first, number(self.least)),
        ];
        let all = asked
            .into_iter()
            .reduce(|all, part| builder.binary(Opcode::And, all, part))
            .expect("law: something is asked");
        let computed = self.goes.iter().filter(|i| !i.is_phi()).filter_map(|i| value(i.value()).as_instruction());
        computed.for_each(Instruction::drop_promises);
        for (own, above) in [(self.counter, 0)].iter().chain(&self.others) {
            let own = value(own.value()).as_instruction().expect("law: the copy of a phi is one");
            let incoming = own.incoming();
            let at = incoming.iter().position(|(_, from)| *from == latch);
            let at = at.expect("law: a phi has a value from each way in");
            let there = if *above == 0 { last } else { builder.add(last, number(*above)) };
            own.set_operand(at, builder.select(all, there, incoming[at].0));
        }
    }
}
