//! Counters that go on in a loop where one inside of it has left them.
//!
//! ```c
//! for (k = 0, i = 0; i < n; i++) for (j = 0; j < m; j++) to[k++] = a[i][j];
//! ```
//!
//! Scalar evolution knows what `k` is behind the inner loop, `k + m` for the `k` before it, but does not look for it when it looks what `k` is in the outer one. So that
//! is written there:
//!
//! ```c
//! for (k = 0, i = 0; i < n; i++) { for (j = 0, l = k; j < m; j++) to[l++] = a[i][j];  k = k + m; }
//! ```
//!
//! That the inner loop comes to its end each time where it may have nothing to do is asked before both (`prepare/guards`).
//!
//! A counter that is narrower than an address first becomes as wide ([`widen`]): all its steps say that they do not wrap around, and so it is the same number in
//! any width, but products of how often loops run could wrap around in the narrow one.

use crate::llvm::instruction::Wrapping;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Builder, Instruction, Loop, Opcode, ScevId, ScevKind, Signedness, Type, Value};
use std::collections::HashMap;

/// So many operations are passed between what an inner loop leaves and what the outer one hands on: additions of numbers that stay the same, and phis.
const LONGEST_WAY: usize = 8;

/// So many values a counter has on its way through a nest: two for each loop, and its steps.
const MOST_VALUES: usize = 32;

/// The values of a counter in a loop and in those inside: phis, and steps that do not wrap around.
struct Counter<'ir> {
    values: Vec<Instruction<'ir>>,
    /// Numbers as wide as addresses that are made of it.
    words: Vec<Instruction<'ir>>,
}

/// Makes counters that loops around others hand on as wide as addresses, where addresses are made of them. Whether there were any.
pub(in crate::prepare) fn widen(analyses: &Analyses<'_, '_>) -> bool {
    let word = Type::integer(analyses.function().context(), analyses.function().layout().pointer_width());
    let mut widened: Vec<Counter<'_>> = Vec::new();
    for outer in analyses.loops().iter().filter(|this| !this.children.is_empty()) {
        for phi in outer.header.phis().into_iter().filter(|phi| phi.ty().integer_width() < word.integer_width()) {
            let is_known = widened.iter().any(|counter| counter.values.contains(&phi));
            let counter = Counter::of(analyses, outer, phi, word).filter(|_| !is_known);
            widened.extend(counter);
        }
    }
    widened.iter().for_each(|counter| counter.widen(word));
    !widened.is_empty()
}

impl<'ir> Counter<'ir> {
    fn of(analyses: &Analyses<'_, 'ir>, outer: &Loop<'ir>, phi: Instruction<'ir>, word: Type<'ir>) -> Option<Self> {
        let is_value = |i: &Instruction<'ir>| {
            let is_step = i.opcode() == Opcode::Add && i.wrapping().nsw;
            i.ty() == phi.ty() && (i.is_phi() || is_step) && outer.holds(*i)
        };
        if !phi.ty().is_integer() || analyses.node(analyses.scev(phi.value())?).kind != ScevKind::Unknown {
            return None;
        }
        let (mut values, mut pending) = (Vec::new(), vec![phi]);
        while let Some(value) = pending.pop() {
            if values.contains(&value) {
                continue;
            }
            values.push(value);
            if values.len() > MOST_VALUES {
                return None;
            }
            pending.extend(value.users().into_iter().filter(is_value));
            pending
                .extend(value.operands().into_iter().filter_map(|operand| operand.as_instruction()).filter(is_value));
        }
        let is_word = |i: &Instruction<'ir>| {
            let keeps = i.opcode() == Opcode::SExt || i.opcode() == Opcode::ZExt && i.is_nonnegative_cast();
            keeps && i.ty() == word
        };
        let words: Vec<_> = values.iter().flat_map(|value| value.users()).filter(is_word).collect();
        let is_inside = |value: &Instruction<'ir>| {
            value.is_phi() && value.block().and_then(|home| analyses.loop_of(home)).is_some_and(|home| home != outer.id)
        };
        (!words.is_empty() && values.iter().any(is_inside)).then_some(Counter { values, words })
    }

    fn widen(&self, word: Type<'ir>) {
        let builder = Builder::new(self.values[0].context());
        let mut wide: HashMap<Instruction<'ir>, Value<'ir>> = HashMap::new();
        let phis = || self.values.iter().copied().filter(|value| value.is_phi());
        for phi in phis() {
            builder.before(phi);
            wide.insert(phi, builder.phi(word, &phi.name()).value());
        }
        for phi in phis() {
            let mut known: Vec<(Block<'ir>, Value<'ir>)> = Vec::new();
            for (value, from) in phi.incoming() {
                // From one block, by several cases, comes one value.
                let before = known.iter().find(|(block, _)| *block == from).map(|(_, value)| *value);
                let value = before.unwrap_or_else(|| {
                    let end = from.terminator().expect("law: a complete block has a terminator");
                    self.as_word(&builder, &mut wide, value, end)
                });
                known.push((from, value));
                wide[&phi].as_instruction().expect("law: a phi is an instruction").add_incoming(value, from);
            }
        }
        for made in &self.words {
            let value = self.as_word(&builder, &mut wide, made.operand(0), *made);
            made.replace_with(value);
        }
        self.remove_unused();
    }

    /// The same number as wide as an address: made of the same steps if it is of the counter, otherwise before an instruction.
    fn as_word(
        &self,
        builder: &Builder<'ir>,
        wide: &mut HashMap<Instruction<'ir>, Value<'ir>>,
        value: Value<'ir>,
        before: Instruction<'ir>,
    ) -> Value<'ir> {
        let word = wide.values().next().expect("law: a counter is handed on by a phi").ty();
        let Some(step) = value.as_instruction().filter(|i| self.values.contains(i)) else {
            builder.before(before);
            return builder.resize(value, word, Signedness::Signed);
        };
        if let Some(known) = wide.get(&step) {
            return *known;
        }
        let [a, b] = [0, 1].map(|at| self.as_word(builder, wide, step.operand(at), step));
        builder.before(step);
        let own = builder.binary_with(Opcode::Add, a, b, Wrapping { nsw: true, ..Wrapping::default() });
        wide.insert(step, own);
        own
    }

    /// Nothing counts what nobody asks for.
    fn remove_unused(&self) {
        let is_own = |user: &Instruction<'ir>| self.values.contains(user);
        if self.values.iter().all(|value| value.users().iter().all(is_own)) {
            for value in &self.values {
                value.value().replace_all_uses_with(Value::zero(value.ty()));
            }
            self.values.iter().for_each(|value| value.remove());
        }
    }
}

/// What an inner loop leaves of a variable of the loop around.
struct Left<'ir> {
    /// The phi behind the inner loop.
    left: Instruction<'ir>,
    variable: Instruction<'ir>,
    /// So much is added in each round of the outer loop: as often as the inner one runs what one round of that adds.
    step: ScevId,
    rounds: Option<Rounds<'ir>>,
}

/// Computes what an inner loop leaves of a variable of the loop around from what that was before, for one such variable. Whether there was any.
pub(in crate::prepare) fn compute_one(analyses: &Analyses<'_, '_>) -> bool {
    // Of the loops inside it is known first.
    let Some(found) = analyses.loops().iter().rev().find_map(|this| left(analyses, this)) else { return false };
    let before = found.left.block().and_then(|block| block.first_after_phis());
    let before = before.expect("law: a complete block has a terminator");
    let builder = Builder::new(before.context());
    let step = match &found.rounds {
        Some(Rounds { times, each, outermost }) => {
            let times = analyses.expand(*times, *outermost);
            builder.before(*outermost);
            let times = builder.freeze(times);
            let each = analyses.expand(*each, before);
            builder.before(before);
            builder.mul(times, each)
        }
        None => analyses.expand(found.step, before),
    };
    builder.before(before);
    found.left.replace_with(builder.add(found.variable.value(), step));
    true
}

fn left<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Left<'ir>> {
    let outer = analyses.loop_(this.parent?);
    let [exit] = this.exits.as_slice() else { return None };
    if !this.has_single_exit() || analyses.backedges(this.id, CountKind::Exact).is_none() {
        return None;
    }
    let before = exit.first_after_phis()?;
    exit.phis().into_iter().filter(|left| left.ty().is_integer()).find_map(|left| {
        let &[(value, _)] = left.incoming().as_slice() else { return None };
        let end = analyses.scev_at(value, Some(outer.id))?;
        let unknowns = analyses.unknowns(end);
        let is_start =
            |variable: &Instruction<'ir>| unknowns.contains(&variable.value()) && hands_on(outer, *variable, left);
        let variable = outer.header.phis().into_iter().find(is_start)?;
        let start = analyses.scev(variable.value())?;
        let step = analyses.difference(end, start)?;
        let stays = analyses.node(start).kind == ScevKind::Unknown
            && !analyses.unknowns(step).contains(&variable.value())
            && analyses.is_invariant(step, outer.id)
            && analyses.can_expand(step, before);
        let rounds = || rounds(analyses, this, value, step).filter(|own| analyses.can_expand(own.each, before));
        stays.then(|| Left { left, variable, step, rounds: rounds() })
    })
}

/// How often a loop runs, where that is a sum, as a number of its own: the length of a row of `w - r + 1` elements, of which products could not be told apart.
struct Rounds<'ir> {
    times: ScevId,
    each: ScevId,
    /// Before the outermost loop in which it stays the same.
    outermost: Instruction<'ir>,
}

fn rounds<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, left: Value<'ir>, step: ScevId) -> Option<Rounds<'ir>> {
    let each = analyses.node(analyses.scev(left)?);
    let each = *each.operands.get(1).filter(|_| each.kind == ScevKind::AddRec && each.operands.len() == 2)?;
    let ty = left.ty();
    let more = analyses.backedges(this.id, CountKind::Exact)?;
    let own = analyses.sum(more, analyses.constant(analyses.scev_type(more)?, 1));
    let times = analyses.sum(analyses.resized(more, ty, Signedness::Unsigned), analyses.constant(ty, 1));
    let around = std::iter::successors(this.parent, |id| analyses.loop_(*id).parent);
    let outermost = around
        .take_while(|id| analyses.is_invariant(times, *id))
        .filter_map(|id| analyses.loop_(id).preheader?.terminator())
        .take_while(|before| analyses.can_expand(times, *before))
        .last()?;
    let is_sum = analyses.node(own).kind == ScevKind::Add;
    (is_sum && analyses.product(times, each) == step).then_some(Rounds { times, each, outermost })
}

/// Whether the next value of a variable of a loop is what a loop inside has left, and what stays the same.
fn hands_on<'ir>(outer: &Loop<'ir>, variable: Instruction<'ir>, left: Instruction<'ir>) -> bool {
    let Some(mut value) = outer.latch.and_then(|latch| variable.incoming_from(latch)) else { return false };
    for _ in 0..LONGEST_WAY {
        let Some(here) = value.as_instruction().filter(|i| outer.holds(*i)) else { return false };
        if here == left {
            return true;
        }
        let is_inside = |value: &Value<'ir>| value.as_instruction().is_some_and(|i| outer.holds(i));
        let operands: Vec<Value<'ir>> = here.operands().into_iter().filter(is_inside).collect();
        match operands.as_slice() {
            [only] if matches!(here.opcode(), Opcode::Add | Opcode::Phi) => value = *only,
            _ => return false,
        }
    }
    false
}
