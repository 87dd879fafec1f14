//! What a loop hands on where it goes on.
//!
//! ```rust,ignore
//! for (x, y) in a.iter().zip(b.iter_mut()) { *y += *x; }
//! ```
//!
//! An iterator says with each element whether there is one, so that the next pointer is `select more, &b[k], undef` and the next number `k + zext more`; and the
//! loop goes on if `more`. Where it does, the one is `&b[k]` and the other `k + 1`, which are a pointer and a number that go by equal steps.
//!
//! Whether there is a next element may also be said by a variable, as by a pointer that is null behind the last one. Such a loop is left where the variable is
//! asked ([`is_told_by_variable`]), until LLVM has each way that leads to the question go straight on.
//!
//! What is written anew is computed from the same values by the same operations, and used where the conditions hold only, so it is what it was there.

use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Builder, Instruction, IntPredicate, Loop, Opcode, Value};

/// So many operations back from what is handed on are looked at.
const DEEPEST: usize = 5;

/// What is known of a condition.
#[derive(Clone, Copy)]
struct Known<'ir> {
    condition: Value<'ir>,
    holds: bool,
}

/// Where values are looked at: what is known there, and where others may be computed.
struct Way<'s, 'a, 'ir> {
    analyses: &'s Analyses<'a, 'ir>,
    end: Instruction<'ir>,
    known: Vec<Known<'ir>>,
    builder: Builder<'ir>,
}

/// Has loops hand on values that do not ask again whether they go on. Whether anything changed.
pub(in crate::prepare) fn settle(analyses: &Analyses<'_, '_>) -> bool {
    analyses.loops().iter().filter(|this| settle_loop(analyses, this)).count() > 0
}

fn settle_loop<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    let Some((end, known)) = going_on(this) else { return false };
    let latch = end.block().expect("law: the end of a block is in it");
    let builder = Builder::new(end.context());
    builder.before(end);
    let way = Way { analyses, end, known: following(analyses, known), builder };
    let mut changed = false;
    for phi in this.header.phis() {
        let Some(at) = phi.incoming().iter().position(|(_, from)| *from == latch) else { continue };
        if let Some(value) = way.settled(phi.operand(at), DEEPEST) {
            phi.set_operand(at, value);
            changed = true;
        }
    }
    changed
}

/// The end of the loop's latch, and what holds where it goes on.
fn going_on<'ir>(this: &Loop<'ir>) -> Option<(Instruction<'ir>, Known<'ir>)> {
    let end = this.latch?.terminator()?;
    let Branch::If { condition, then, otherwise } = end.branch()? else { return None };
    let holds = then == this.header;
    (holds != (otherwise == this.header)).then_some((end, Known { condition, holds }))
}

/// A condition and what follows from it for its parts.
fn following<'ir>(analyses: &Analyses<'_, 'ir>, condition: Known<'ir>) -> Vec<Known<'ir>> {
    let (mut all, mut pending) = (Vec::new(), vec![condition]);
    while let Some(known) = pending.pop() {
        all.push(known);
        let Some(instruction) = known.condition.as_instruction() else { continue };
        let is_true = |value: Value<'_>| value.as_integer().is_some_and(|number| number != 0);
        let is_false = |value: Value<'_>| value.as_integer() == Some(0);
        let part = |condition| Known { condition, ..known };
        match (instruction.opcode(), instruction.operands().as_slice(), known.holds) {
            (Opcode::And, &[a, b], true) | (Opcode::Or, &[a, b], false) => pending.extend([part(a), part(b)]),
            (Opcode::Select, &[a, b, c], true) if is_false(c) => pending.extend([part(a), part(b)]),
            (Opcode::Select, &[a, b, c], false) if is_true(b) => pending.extend([part(a), part(c)]),
            (Opcode::Xor, &[a, b], holds) if is_true(b) => pending.push(Known { condition: a, holds: !holds }),
            _ => pending.extend(chosen(analyses, known)),
        }
    }
    all
}

/// What follows for the condition of a choice from what is asked of the one that was chosen: of `(c ? i : k) < 0` that `c` does not hold.
fn chosen<'ir>(analyses: &Analyses<'_, 'ir>, known: Known<'ir>) -> Option<Known<'ir>> {
    let asks = known.condition.as_instruction()?;
    let (condition, then, otherwise) = choice(analyses, asks.operands().first()?.as_instruction()?)?;
    let opposite = asks.icmp().map(|(predicate, _, with)| match known.holds {
        true => (predicate.negated(), with),
        false => (predicate, with),
    });
    let is_other = |one: Value<'ir>| match opposite {
        Some((opposite, with)) => match (analyses.scev(one), analyses.scev(with)) {
            (Some(one), Some(with)) => analyses.is_known(opposite, one, with),
            _ => false,
        },
        None if asks.opcode() == Opcode::Trunc => one.as_integer().is_some_and(|one| (one & 1 != 0) != known.holds),
        None => false,
    };
    match (is_other(then), is_other(otherwise)) {
        (true, false) => Some(Known { condition, holds: false }),
        (false, true) => Some(Known { condition, holds: true }),
        _ => None,
    }
}

/// The condition by which a value is one of two, whether they are chosen or come by different ways, the one if it holds, and the other one.
fn choice<'ir>(analyses: &Analyses<'_, 'ir>, value: Instruction<'ir>) -> Option<(Value<'ir>, Value<'ir>, Value<'ir>)> {
    if !value.is_phi() {
        return value.select();
    }
    let home = value.block()?;
    let &[(a, from_a), (b, from_b)] = value.incoming().as_slice() else { return None };
    if [from_a, from_b].into_iter().any(|from| analyses.dominates(home, from)) {
        return None;
    }
    let asked = |from: Block<'ir>| {
        let of = |block: Block<'ir>, next: Block<'ir>| match block.terminator()?.branch()? {
            Branch::If { condition, then, otherwise } if then != otherwise => Some((condition, then == next)),
            _ => None,
        };
        let before = || match from.predecessors().as_slice() {
            [only] => of(*only, from),
            _ => None,
        };
        of(from, home).or_else(before)
    };
    match (asked(from_a)?, asked(from_b)?) {
        ((one, true), (other, false)) if one == other => Some((one, a, b)),
        ((one, false), (other, true)) if one == other => Some((one, b, a)),
        _ => None,
    }
}

impl<'ir> Way<'_, '_, 'ir> {
    /// Another value that is the same on this way, if it asks for what is known.
    fn settled(&self, value: Value<'ir>, depth: usize) -> Option<Value<'ir>> {
        if let Some(holds) = self.is_known(value) {
            return Some(self.builder.integer(1, i128::from(holds)));
        }
        let instruction = value.as_instruction().filter(|_| depth > 0)?;
        let again = |value| self.settled(value, depth - 1);
        match instruction.opcode() {
            Opcode::Select | Opcode::Phi => {
                let (asked, then, otherwise) = choice(self.analyses, instruction)?;
                let value = if again(asked)?.as_integer()? != 0 { then } else { otherwise };
                let value = again(value).unwrap_or(value);
                self.is_there(value).then_some(value)
            }
            Opcode::Add | Opcode::Sub | Opcode::Xor | Opcode::ZExt | Opcode::SExt | Opcode::GetElementPtr => {
                let operands: Vec<(Value<'ir>, Option<Value<'ir>>)> =
                    instruction.operands().into_iter().map(|operand| (operand, again(operand))).collect();
                // What came by one way only is not there.
                let is_there = operands.iter().all(|(operand, own)| self.is_there(own.unwrap_or(*operand)));
                let is_other = operands.iter().any(|(_, own)| own.is_some());
                (is_other && is_there).then(|| self.rewritten(instruction, &operands))
            }
            _ => None,
        }
    }

    /// Whether a value is known at the end of the latch, as what comes by only one way is not.
    fn is_there(&self, value: Value<'ir>) -> bool {
        let made_here = value.as_instruction().and_then(|i| i.block()) == Some(self.builder.block());
        made_here || self.analyses.is_available(value, self.end)
    }

    /// Whether a condition holds, if that is known of itself or of its opposite.
    fn is_known(&self, condition: Value<'ir>) -> Option<bool> {
        let asked = |value: Value<'ir>| value.as_instruction().and_then(|i| i.icmp());
        let is_opposite = |a: Value<'ir>, b: Value<'ir>| match (asked(a), asked(b)) {
            (Some((one, a, b)), Some((other, c, d))) => one == other.negated() && a == c && b == d,
            _ => false,
        };
        self.known.iter().find_map(|known| match known.condition == condition {
            true => Some(known.holds),
            false => is_opposite(known.condition, condition).then_some(!known.holds),
        })
    }

    /// The operation on other operands. Constants are folded.
    fn rewritten(&self, operation: Instruction<'ir>, operands: &[(Value<'ir>, Option<Value<'ir>>)]) -> Value<'ir> {
        let own = |(operand, own): (Value<'ir>, Option<Value<'ir>>)| own.unwrap_or(operand);
        match (operation.opcode(), operands) {
            (opcode @ (Opcode::ZExt | Opcode::SExt), &[of]) => self.builder.cast(opcode, own(of), operation.ty()),
            (opcode, &[a, b]) if opcode != Opcode::GetElementPtr => {
                self.builder.binary_with(opcode, own(a), own(b), operation.wrapping())
            }
            _ => {
                let renamed =
                    |value| operands.iter().find(|(operand, _)| *operand == value).map_or(value, |pair| own(*pair));
                self.builder.copy(operation, renamed).value()
            }
        }
    }
}

/// Whether a loop is left, or ends, where a variable is asked that one of the ways there has set to a constant.
pub(in crate::prepare) fn is_told_by_variable(this: &Loop<'_>) -> bool {
    let is_told = |condition: Value<'_>| {
        let compared = condition.as_instruction().and_then(|i| i.icmp());
        let asked = match compared {
            Some((IntPredicate::Eq | IntPredicate::Ne, a, b)) if b.is_constant() => a,
            Some(_) => return false,
            None => condition,
        };
        let phi = asked.as_instruction().filter(|i| i.is_phi());
        let phi = phi.filter(|phi| phi.block().is_some_and(|home| home != this.header && this.blocks.contains(&home)));
        phi.is_some_and(|phi| phi.incoming().iter().any(|(value, _)| value.is_constant()))
    };
    this.exiting.iter().any(|block| match block.terminator().and_then(|end| end.branch()) {
        Some(Branch::If { condition, .. }) => is_told(condition),
        _ => false,
    })
}
