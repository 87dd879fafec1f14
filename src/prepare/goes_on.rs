//! What a loop hands on where it goes on.
//!
//! ```rust,ignore
//! for (x, y) in a.iter().zip(b.iter_mut()) { *y += *x; }
//! ```
//!
//! An iterator says with each element whether there is one, so that the next pointer is `select more, &b[k], undef` and the next number `k + zext more`; and the
//! loop goes on if `more`. Where it does, the one is `&b[k]` and the other `k + 1`, which are a pointer and a number that go by equal steps.
//!
//! Whether there is a next element may also be said by a variable: by a pointer that is null behind the last one, or, of a range with both ends, by a flag
//! that is set with the last number. From what the variable is where the loop goes on follows which of its values it has. Such a loop is left where the
//! variable is asked ([`is_told_by_variable`]), until LLVM has each way that leads to the question go straight on.
//!
//! What is written anew is computed from the same values by the same operations, and used where the conditions hold only, so it is what it was there.

use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Builder, Instruction, IntPredicate, Loop, Opcode, Value, ValueKind};

/// So many operations back from what is handed on are looked at.
const DEEPEST: usize = 5;

/// So many conditions are known of one way at most.
const MOST_KNOWN: usize = 24;

/// Where values are looked at: what conditions are known to be there, and where others may be computed.
struct Way<'ir> {
    known: Vec<(Value<'ir>, bool)>,
    builder: Builder<'ir>,
}

/// Has loops hand on values that do not ask again whether they go on. Whether anything changed.
pub(super) fn settle(analyses: &Analyses<'_, '_>) -> bool {
    analyses.loops().iter().map(settle_loop).fold(false, |any, changed| any | changed)
}

fn settle_loop(this: &Loop<'_>) -> bool {
    let Some((end, condition, holds)) = going_on(this) else { return false };
    let latch = end.block().expect("law: the end of a block is in it");
    let builder = Builder::new(end.context());
    builder.before(end);
    let way = Way { known: following(condition, holds), builder };
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

/// The end of the loop's latch, its condition, and whether that holds where the loop goes on.
fn going_on<'ir>(this: &Loop<'ir>) -> Option<(Instruction<'ir>, Value<'ir>, bool)> {
    let end = this.latch?.terminator()?;
    let Branch::If { condition, then, otherwise } = end.branch()? else { return None };
    let holds = then == this.header;
    (holds != (otherwise == this.header)).then_some((end, condition, holds))
}

/// A condition and all that follows from it: what its parts are, and which of two values has been chosen.
fn following(condition: Value<'_>, holds: bool) -> Vec<(Value<'_>, bool)> {
    let (mut known, mut at) = (vec![(condition, holds)], 0);
    while let Some((condition, holds)) = known.get(at).copied().filter(|_| known.len() < MOST_KNOWN) {
        at += 1;
        let Some(instruction) = condition.as_instruction() else { continue };
        let is = |value: Value<'_>, wanted: bool| value.as_integer().map(|number| number != 0) == Some(wanted);
        match (instruction.opcode(), instruction.operands().as_slice(), holds) {
            (Opcode::And, &[a, b], true) | (Opcode::Or, &[a, b], false) => known.extend([(a, holds), (b, holds)]),
            (Opcode::Select, &[a, b, c], true) if is(c, false) => known.extend([(a, true), (b, true)]),
            (Opcode::Select, &[a, b, c], false) if is(b, true) => known.extend([(a, false), (c, false)]),
            (Opcode::Xor, &[a, b], _) if is(b, true) => known.push((a, !holds)),
            (Opcode::Trunc, &[a], _) if instruction.wrapping().nuw => known.extend(chosen(a, i128::from(holds), true)),
            (Opcode::ICmp, &[a, b], _) => {
                let is_equal = match instruction.icmp() {
                    Some((IntPredicate::Eq, ..)) => holds,
                    Some((IntPredicate::Ne, ..)) => !holds,
                    _ => continue,
                };
                known.extend(constant(b).and_then(|number| chosen(a, number, is_equal)));
            }
            _ => {}
        }
    }
    known
}

/// A number, or 0 for a pointer that is null.
fn constant(value: Value<'_>) -> Option<i128> {
    let is_null = value.ty().is_pointer() && value.kind() == ValueKind::Null;
    value.as_integer().or_else(|| is_null.then_some(0))
}

/// Which of two values has been chosen, if what is chosen is, or is not, this constant.
fn chosen(value: Value<'_>, number: i128, is_equal: bool) -> Option<(Value<'_>, bool)> {
    let (asked, then, otherwise) = value.as_instruction()?.select()?;
    let is_ruled_out = |value: Value<'_>| constant(value).is_some_and(|own| (own == number) != is_equal);
    match (is_ruled_out(then), is_ruled_out(otherwise)) {
        (true, false) => Some((asked, false)),
        (false, true) => Some((asked, true)),
        _ => None,
    }
}

impl<'ir> Way<'ir> {
    /// Another value that is the same on this way, if it asks for what is known.
    fn settled(&self, value: Value<'ir>, depth: usize) -> Option<Value<'ir>> {
        if let Some(holds) = self.is_known(value) {
            return Some(self.builder.integer(1, i128::from(holds)));
        }
        let instruction = value.as_instruction().filter(|_| depth > 0)?;
        let again = |value| self.settled(value, depth - 1);
        match instruction.opcode() {
            Opcode::Select => {
                let (asked, then, otherwise) = instruction.select()?;
                let value = if again(asked)?.as_integer()? != 0 { then } else { otherwise };
                Some(again(value).unwrap_or(value))
            }
            Opcode::Add | Opcode::Sub | Opcode::Xor | Opcode::ZExt | Opcode::SExt | Opcode::GetElementPtr => {
                let operands: Vec<(Value<'ir>, Option<Value<'ir>>)> =
                    instruction.operands().into_iter().map(|operand| (operand, again(operand))).collect();
                operands.iter().any(|(_, own)| own.is_some()).then(|| self.rewritten(instruction, &operands))
            }
            _ => None,
        }
    }

    /// Whether a condition holds, if that is known of itself or of its opposite.
    fn is_known(&self, condition: Value<'ir>) -> Option<bool> {
        let asked = |value: Value<'ir>| value.as_instruction().and_then(|i| i.icmp());
        let is_opposite = |a: Value<'ir>, b: Value<'ir>| match (asked(a), asked(b)) {
            (Some((one, a, b)), Some((other, c, d))) => one == other.negated() && a == c && b == d,
            _ => false,
        };
        self.known.iter().find_map(|(value, holds)| match *value == condition {
            true => Some(*holds),
            false => is_opposite(*value, condition).then_some(!holds),
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

/// Whether a loop is left, or ends, where a variable is asked that one of the ways there has set to a constant, or a flag that it hands on.
pub(super) fn is_told_by_variable(this: &Loop<'_>) -> bool {
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
    let is_flag = |phi: &Instruction<'_>| phi.ty().integer_width().is_some_and(|width| width == 1 || width == 8);
    let asks_flag = || {
        let users = this.header.phis().into_iter().filter(is_flag).flat_map(Instruction::users);
        users.into_iter().any(|user| user.opcode() == Opcode::Trunc && user.ty().integer_width() == Some(1))
    };
    let tells = this.exiting.iter().any(|block| match block.terminator().and_then(|end| end.branch()) {
        Some(Branch::If { condition, .. }) => is_told(condition),
        _ => false,
    });
    tells || this.latch.is_some_and(|latch| !this.exiting.contains(&latch)) && asks_flag()
}
