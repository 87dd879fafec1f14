//! Loops that go on although all that they are for is decided.
//!
//! ```c
//! for (i = 0; i < n; i++) ok = ok && x[i] > 0;
//! for (i = 0; i < n; i++) if (first < 0 && x[i] == key) first = i;
//! ```
//!
//! Once `ok` is false, or `first` is a number, it stays so, and nothing else comes of the loop. So it is left there:
//!
//! ```c
//! for (i = 0; i < n && ok; i++) ok = x[i] > 0;
//! for (i = 0; i < n && first < 0; i++) if (x[i] == key) first = i;
//! ```
//!
//! which are searches. That nothing else comes of it is seen by going through an iteration in which the condition has the answer that decides ([`Rest`]): each variable that
//! is used behind the loop stays what it is, and a loop of this kind writes nothing.
//!
//! Implements: 001 reductions

use crate::llvm::instruction::Branch;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Builder, Instruction, IntPredicate, Loop, Opcode, Value};

/// So many operations back from what is handed on are looked at.
const DEEPEST: usize = 8;

/// A condition of a variable of a loop, and the answer behind which nothing happens.
struct Decision<'ir> {
    condition: Value<'ir>,
    answer: bool,
    /// The variable, what it is at first and in the next iteration, and what is asked of it.
    variable: Instruction<'ir>,
    first: Value<'ir>,
    next: Value<'ir>,
    asked: Asked<'ir>,
}

/// How a condition comes of a variable.
#[derive(Clone, Copy)]
enum Asked<'ir> {
    /// It is a condition itself.
    Itself,
    /// It is a truth as it is in memory.
    LowestBit,
    With(IntPredicate, Value<'ir>),
}

/// Has loops end where all is decided. Whether there were any.
pub(in crate::prepare) fn leave(analyses: &Analyses<'_, '_>) -> bool {
    let all = analyses.loops().iter();
    let found: Vec<_> = all.filter_map(|this| Some((this, decision_of(analyses, this)?))).collect();
    found.iter().for_each(|(this, decision)| leave_by(this, decision));
    !found.is_empty()
}

fn decision_of<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Decision<'ir>> {
    let harmless = |i: Instruction<'ir>| !i.may_write_memory() && i.will_return() && !i.may_throw();
    let is_plain = this.simplified && this.children.is_empty() && this.has_single_exit();
    if !is_plain || analyses.backedges(this.id, CountKind::Exact).is_none() || !this.instructions().all(harmless) {
        return None;
    }
    let latch = this.latch?;
    let candidates = this.header.phis().into_iter().flat_map(|phi| questions(analyses, this, phi, latch));
    let both = candidates.flat_map(|question| [true, false].map(|answer| Decision { answer, ..question }));
    both.into_iter().find(|decision| is_all_decided(analyses, this, latch, decision))
}

/// The conditions of a variable by which each iteration of a loop chooses between blocks. Of choices between values LLVM makes vectors.
fn questions<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    phi: Instruction<'ir>,
    latch: Block<'ir>,
) -> Vec<Decision<'ir>> {
    let first = this.preheader.and_then(|preheader| phi.incoming_from(preheader));
    let (Some(first), Some(next)) = (first, phi.incoming_from(latch)) else { return Vec::new() };
    let question = |condition, asked| Decision { condition, answer: true, variable: phi, first, next, asked };
    let of_user = |user: Instruction<'ir>| {
        if user.opcode() == Opcode::Trunc && user.ty().integer_width() == Some(1) {
            return Some(question(user.value(), Asked::LowestBit));
        }
        let (predicate, variable, with) = user.icmp().filter(|_| this.holds(user))?;
        let is_own = variable == phi.value() && with.as_integer().is_some();
        is_own.then(|| question(user.value(), Asked::With(predicate, with)))
    };
    let mut found: Vec<Decision<'ir>> = phi.users().into_iter().filter_map(of_user).collect();
    found.extend((phi.ty().integer_width() == Some(1)).then(|| question(phi.value(), Asked::Itself)));
    let is_asked_first = |user: &Instruction<'ir>| {
        this.holds(*user)
            && user.branch().is_some()
            && user.block().is_some_and(|block| analyses.dominates(block, latch))
    };
    found.retain(|question| question.condition.users().iter().any(is_asked_first));
    found
}

/// Whether nothing that is used behind the loop changes in iterations that begin with the answer, nor the answer itself.
fn is_all_decided<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    latch: Block<'ir>,
    decision: &Decision<'ir>,
) -> bool {
    let rest = Rest { analyses, this, decision };
    let handed_on = |phi: &Instruction<'ir>| phi.incoming_from(latch);
    let variables = this.header.phis();
    let stays = |phi: &Instruction<'ir>| handed_on(phi).is_some_and(|next| rest.is_variable(next, *phi));
    let left = || this.exits.iter().flat_map(|exit| exit.phis()).flat_map(|phi| phi.incoming());
    let is_known = |value: Value<'ir>| {
        let is_inside = value.as_instruction().is_some_and(|i| this.holds(i));
        !is_inside || variables.iter().any(|phi| handed_on(phi) == Some(value) && stays(phi))
    };
    stays(&decision.variable)
        && left().all(|(value, _)| is_known(value))
        && left().any(|(value, _)| value.as_instruction().is_some_and(|i| this.holds(i)))
}

/// What happens in an iteration in which the condition has its answer.
struct Rest<'s, 'a, 'ir> {
    analyses: &'s Analyses<'a, 'ir>,
    this: &'s Loop<'ir>,
    decision: &'s Decision<'ir>,
}

impl<'ir> Rest<'_, '_, 'ir> {
    /// Whether a value is then what a variable of the loop is.
    fn is_variable(&self, value: Value<'ir>, phi: Instruction<'ir>) -> bool {
        let value = self.simplified(value, DEEPEST);
        let is_known = |number| self.known_number(phi) == Some(number);
        value == phi.value() || value.as_integer().is_some_and(is_known)
    }

    /// The number that a variable must be, as the condition says that it is equal to one.
    fn known_number(&self, phi: Instruction<'ir>) -> Option<i128> {
        let Decision { variable, answer, asked, .. } = *self.decision;
        let number = match asked {
            Asked::Itself => Value::integer(phi.ty(), answer.into()).as_integer(),
            Asked::With(IntPredicate::Eq, with) if answer => with.as_integer(),
            Asked::With(IntPredicate::Ne, with) if !answer => with.as_integer(),
            _ => None,
        };
        number.filter(|_| variable == phi)
    }

    fn simplified(&self, value: Value<'ir>, depth: usize) -> Value<'ir> {
        if value == self.decision.condition {
            return Value::integer(value.ty(), self.decision.answer.into());
        }
        let Some(here) = value.as_instruction().filter(|i| depth > 0 && self.this.holds(*i)) else { return value };
        let again = |value| self.simplified(value, depth - 1);
        let truth = |value: Value<'ir>| value.as_integer().map(|known| known != 0);
        match here.opcode() {
            Opcode::Select => {
                let (condition, then, otherwise) = here.select().expect("law: a select has three operands");
                match truth(again(condition)) {
                    Some(true) => again(then),
                    Some(false) => again(otherwise),
                    None => value,
                }
            }
            Opcode::And | Opcode::Or if here.ty().integer_width() == Some(1) => {
                let decides = here.opcode() == Opcode::Or;
                let operands = here.operands().into_iter().map(again);
                operands.into_iter().find(|operand| truth(*operand) == Some(decides)).unwrap_or(value)
            }
            Opcode::ZExt => {
                let is_zero = again(here.operand(0)).as_integer() == Some(0);
                if is_zero { Value::zero(here.ty()) } else { value }
            }
            Opcode::Phi if here.block() != Some(self.this.header) => self.joined(here, depth).unwrap_or(value),
            _ => value,
        }
    }

    /// The one value that comes to a phi by the ways that are left.
    fn joined(&self, phi: Instruction<'ir>, depth: usize) -> Option<Value<'ir>> {
        let home = phi.block()?;
        let mut incoming = phi.incoming().into_iter().filter(|(_, from)| self.is_open(*from, home));
        let first = self.simplified(incoming.next()?.0, depth - 1);
        incoming.all(|(value, _)| self.simplified(value, depth - 1) == first).then_some(first)
    }

    /// Whether control may come from one block to another one: not by the branch for the other answer, nor from where only that leads.
    fn is_open(&self, from: Block<'ir>, to: Block<'ir>) -> bool {
        let closed = |block: &Block<'ir>| {
            let Some(Branch::If { condition, then, otherwise }) = block.terminator()?.branch() else { return None };
            (condition == self.decision.condition && then != otherwise)
                .then_some((*block, if self.decision.answer { otherwise } else { then }))
        };
        self.this.blocks.iter().filter_map(closed).all(|(asks, closed)| {
            let only_so = closed.predecessors().len() == 1 && self.analyses.dominates(closed, from);
            !only_so && (from, to) != (asks, closed)
        })
    }
}

/// Has a loop go on only where the next iteration does not begin with the answer, which need not be asked then if the first one does not either.
fn leave_by<'ir>(this: &Loop<'ir>, decision: &Decision<'ir>) {
    let end = this.latch.and_then(Block::terminator).expect("law: a loop with a single exit has a latch");
    let Some(Branch::If { condition, then, .. }) = end.branch() else { return };
    let builder = Builder::new(end.context());
    let ask = |value| match decision.asked {
        Asked::Itself => value,
        Asked::LowestBit => builder.cast(Opcode::Trunc, value, decision.condition.ty()),
        Asked::With(predicate, with) => builder.icmp(predicate, value, with),
    };
    builder.before(end);
    let first = ask(decision.first);
    let other = Value::integer(decision.condition.ty(), (!decision.answer).into());
    if first == other {
        let own = this.instructions().filter(|user| user.operands().contains(&decision.condition));
        for user in own.collect::<Vec<_>>() {
            let places = user.operands().into_iter().enumerate().filter(|(_, value)| *value == decision.condition);
            places.for_each(|(at, _)| user.set_operand(at, other));
        }
    }
    // The next iteration would ask that in any case.
    let asked = ask(decision.next);
    let is_open = if decision.answer { builder.not(asked) } else { asked };
    let [yes, no] = [1, 0].map(|bit| builder.integer(1, bit));
    let goes_on = match then == this.header {
        true => builder.select(condition, is_open, no),
        false => builder.select(condition, yes, builder.not(is_open)),
    };
    end.set_operand(0, goes_on);
}
