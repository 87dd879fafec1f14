//! Loops in which buffers take turns.
//!
//! ```c
//! for (t = 0; t < steps; t++) { for (i = 1; i < n - 1; i++) b[i] = f(a, i);  swap(a, b); }
//! ```
//!
//! Which buffer `a` is depends on whether `t` is even. Two iterations in one, as LLVM's unroller writes them, leave each pointer what it was:
//!
//! ```c
//! for (t = 0; t + 1 < steps; t += 2) { for (...) b[i] = f(a, i);  for (...) a[i] = f(b, i); }      if (steps % 2) ...
//! ```
//!
//! so that the nest reads as if it had been written with two loops. A ring of three pointers takes three iterations, a number that is 0 and 1 in
//! turns (`cur = 1 - cur`) two, `cur = (cur + 1) % 3` three, and so does `h[t % 3]`. Where it says by a choice which buffer it is, as in `t & 1 ? a : b`, that
//! is the same.

use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Block, Instruction, IntPredicate, Loop, Opcode, ScevKind, Value};
use std::collections::HashSet;

/// Pointers in one ring: programs keep the last steps of a recurrence, of which four are many.
const LONGEST_RING: usize = 4;

/// Iterations in one: rings of two and of three in the same loop take six.
const MOST_TURNS: usize = 6;

/// Operations inside one another from a number to the next one: `cur = (cur + 1) % 3` has two.
const LARGEST_STEP: usize = 6;

/// Writes of all iterations in one: with more statements a region takes seconds to schedule; two grids of a lattice with 9 directions have 18.
const MOST_WRITES: usize = 24;

/// A loop in which buffers take turns.
pub struct Turns<'ir> {
    pub header: Block<'ir>,
    /// After so many iterations all have had theirs.
    pub count: usize,
}

/// The loops around others with turns, always in the same order: of loops inside one another, the innermost.
pub fn turns<'ir>(analyses: &Analyses<'_, 'ir>) -> Vec<Turns<'ir>> {
    let mut found: Vec<(&Loop<'ir>, usize)> = Vec::new();
    for this in analyses.loops().iter().rev() {
        if !found.iter().any(|(inner, _)| analyses.is_within(inner.id, this.id)) {
            found.extend(turns_of(analyses, this).map(|count| (this, count)));
        }
    }
    found.into_iter().map(|(this, count)| Turns { header: this.header, count }).collect()
}

/// After how many iterations all buffers of a loop are what they were, if there are some that take turns and the loop is worth it.
fn turns_of<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<usize> {
    if this.children.is_empty() || analyses.backedges(this.id, CountKind::Exact).is_none() {
        return None;
    }
    let instructions = || this.instructions();
    let rings = this.header.phis().into_iter().filter_map(|phi| ring(this, phi));
    let remainders = instructions().filter_map(|instruction| remainder(analyses, this, instruction));
    let count = rings.chain(remainders).reduce(least_common_multiple)?;
    let n_writes = instructions().filter(|instruction| instruction.may_write_memory()).count();
    (count <= MOST_TURNS && count * n_writes <= MOST_WRITES).then_some(count)
}

/// After how many iterations, more than one, a pointer or a switch between two numbers is what it was.
fn ring<'ir>(this: &Loop<'ir>, phi: Instruction<'ir>) -> Option<usize> {
    let next = |phi: Instruction<'ir>| phi.incoming_from(this.latch?);
    if is_switched(next(phi)?, phi) {
        return says_where(phi).then_some(2);
    }
    if let Some(count) = comes_back(phi, phi.incoming_from(this.preheader?)?, next(phi)?) {
        return says_where(phi).then_some(count);
    }
    let is_in_header = |i: &Instruction<'ir>| i.is_phi() && i.block() == Some(this.header);
    let mut at = phi;
    for length in 1..=LONGEST_RING {
        at = next(at)?.as_instruction().filter(is_in_header)?;
        if at == phi {
            return (length > 1 && (phi.ty().is_pointer() || says_where(phi))).then_some(length);
        }
    }
    None
}

/// After how many iterations, more than one, a number that is computed from itself alone is the constant again that it began with.
fn comes_back<'ir>(phi: Instruction<'ir>, first: Value<'ir>, next: Value<'ir>) -> Option<usize> {
    let first = first.as_integer()?;
    let mut now = first;
    for count in 1..=MOST_TURNS {
        now = computed(next, (phi, now), LARGEST_STEP)?;
        if now == first {
            return (count > 1).then_some(count);
        }
    }
    None
}

/// What a value of at most so many operations is where a number that it is computed from, with constants, has this value: signed, as its bits say.
fn computed<'ir>(value: Value<'ir>, given: (Instruction<'ir>, i128), depth: usize) -> Option<i128> {
    let width = value.ty().integer_width().filter(|width| *width <= 64)?;
    if value == given.0.value() {
        return Some(given.1);
    }
    if let Some(constant) = value.as_integer() {
        return Some(constant);
    }
    let step = value.as_instruction().filter(|_| depth > 0)?;
    let of = |at: usize| computed(step.operand(at), given, depth - 1);
    let unsigned = |at: usize| {
        let width = step.operand(at).ty().integer_width()?;
        Some(of(at)? & ((1i128 << width) - 1))
    };
    let result = match step.opcode() {
        Opcode::Add => of(0)? + of(1)?,
        Opcode::Sub => of(0)? - of(1)?,
        Opcode::Xor => of(0)? ^ of(1)?,
        Opcode::And => of(0)? & of(1)?,
        Opcode::Or => of(0)? | of(1)?,
        Opcode::SRem => of(0)?.checked_rem(of(1)?)?,
        Opcode::URem => unsigned(0)?.checked_rem(unsigned(1)?)?,
        Opcode::Trunc | Opcode::SExt => of(0)?,
        Opcode::ZExt => unsigned(0)?,
        Opcode::Select => return of(if unsigned(0)? == 1 { 1 } else { 2 }),
        Opcode::ICmp => {
            let (predicate, ..) = step.icmp()?;
            i128::from(match predicate {
                IntPredicate::Eq => of(0)? == of(1)?,
                IntPredicate::Ne => of(0)? != of(1)?,
                IntPredicate::Slt => of(0)? < of(1)?,
                IntPredicate::Sle => of(0)? <= of(1)?,
                IntPredicate::Sgt => of(0)? > of(1)?,
                IntPredicate::Sge => of(0)? >= of(1)?,
                IntPredicate::Ult => unsigned(0)? < unsigned(1)?,
                IntPredicate::Ule => unsigned(0)? <= unsigned(1)?,
                IntPredicate::Ugt => unsigned(0)? > unsigned(1)?,
                IntPredicate::Uge => unsigned(0)? >= unsigned(1)?,
            })
        }
        _ => return None,
    };
    let unused = 128 - width;
    Some(result << unused >> unused)
}

/// Whether a number comes from another one by `c - number` or by flipping bits, which done twice is nothing.
fn is_switched<'ir>(next: Value<'ir>, phi: Instruction<'ir>) -> bool {
    let Some(step) = next.as_instruction() else { return false };
    let operand = |at: usize| step.operand(at);
    match step.opcode() {
        Opcode::Sub => operand(0).as_integer().is_some() && operand(1) == phi.value(),
        Opcode::Xor => operand(1).as_integer().is_some() && operand(0) == phi.value(),
        _ => false,
    }
}

/// By what the loop's counter is divided, where the rest says which buffer it is.
fn remainder<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, instruction: Instruction<'ir>) -> Option<usize> {
    let by = || usize::try_from(instruction.operands().get(1)?.as_integer()?).ok().filter(|by| *by <= MOST_TURNS);
    let modulus = match instruction.opcode() {
        Opcode::SRem | Opcode::URem => by()?,
        Opcode::And => by().filter(|by| by & (by + 1) == 0)? + 1,
        Opcode::Trunc if instruction.ty().integer_width() == Some(1) => 2,
        _ => return None,
    };
    let counter = analyses.node(analyses.scev(instruction.operand(0))?);
    let is_counter = counter.kind == ScevKind::AddRec && counter.in_loop == Some(this.id);
    (is_counter && (2..=MOST_TURNS).contains(&modulus) && says_where(instruction)).then_some(modulus)
}

/// Whether a number is part of an address, or chooses one. (Where it decides what is done, iterations of one kind are better kept together.)
fn says_where(number: Instruction<'_>) -> bool {
    let (mut seen, mut pending) = (HashSet::from([number]), vec![number]);
    while let Some(part) = pending.pop() {
        for user in part.value().users() {
            match user.opcode() {
                Opcode::GetElementPtr => return true,
                Opcode::Select if user.ty().is_pointer() => return true,
                Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::Shl
                | Opcode::Or
                | Opcode::Xor
                | Opcode::And
                | Opcode::SRem
                | Opcode::URem
                | Opcode::SExt
                | Opcode::ZExt
                | Opcode::Trunc
                | Opcode::ICmp
                | Opcode::Select
                    if seen.insert(user) =>
                {
                    pending.push(user);
                }
                _ => {}
            }
        }
    }
    false
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    (a..=a * b).step_by(a).find(|multiple| multiple.is_multiple_of(b)).expect("law: the product is a multiple of both")
}

#[cfg(test)]
mod tests {
    use super::least_common_multiple;

    #[test]
    fn rings_of_two_and_three_meet_after_six() {
        assert_eq!(least_common_multiple(2, 3), 6);
        assert_eq!(least_common_multiple(4, 2), 4);
        assert_eq!(least_common_multiple(3, 3), 3);
    }
}
