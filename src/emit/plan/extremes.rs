//! What leaves minima and maxima of floating-point numbers as they are.
//!
//!     for (i) if (key[i] % 2 == 0) m[key[i]] = fmax(m[key[i]], x[i]);
//!
//! A share's copy of `m` cannot begin with what is in `m`: nobody may look at elements that the loop does not touch, the memory of which
//! may not even be there. It begins with a number that each other one takes the place of. Which one that is, the flags of the updates
//! say: where neither NaN nor infinity occurs, the largest finite number with the other sign; where no NaN does, infinity; where any number
//! may occur, as with `fmax` by itself, a NaN, which `fmax` passes over. An element that is still that after the loop either was not touched,
//! or by numbers that change nothing.

use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::ssa::{decider, operands};
use crate::extract::statements::root::Root;
use crate::llvm::{Instruction, Opcode, Type, TypeKind, Value};
use crate::presburger::Id;
use crate::scop::ReductionOperator;
use std::collections::{BTreeSet, HashSet};

/// Which numbers occur, as far as the program promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    Finite,
    NoNan,
    All,
}

impl Numbers {
    /// Those that all minima and maxima of a type below promise alike; `None` if they differ or have no number that leaves them as they are.
    pub fn of<'ir>(binding: &Binding<'ir>, below: &BTreeSet<Id>, ty: Type<'ir>) -> Option<Numbers> {
        let inside = binding.statements.iter().filter(|statement| below.contains(&statement.id));
        let mut all = inside.flat_map(computation).filter_map(|instruction| promised(instruction, ty));
        let first = all.next()??;
        let has_constant = first != Numbers::Finite || largest(ty).is_some();
        (has_constant && all.all(|other| other == Some(first))).then_some(first)
    }

    /// The number that leaves each other one as it is in a minimum or maximum.
    pub fn neutral<'ir>(self, ty: Type<'ir>, operator: ReductionOperator) -> Value<'ir> {
        let end = match self {
            Numbers::Finite => largest(ty).expect("law: a plan has made sure that the type has a largest number"),
            Numbers::NoNan => f64::INFINITY,
            Numbers::All => return Value::float(ty, f64::NAN),
        };
        Value::float(ty, if operator == ReductionOperator::Max { -end } else { end })
    }
}

/// What an instruction promises, if it may be a part of a minimum or maximum; `Some(None)` if that does not help.
fn promised<'ir>(instruction: Instruction<'ir>, ty: Type<'ir>) -> Option<Option<Numbers>> {
    let flags = instruction.fast_math();
    let passes_over_nan = match instruction.opcode() {
        Opcode::FCmp if instruction.operand(0).ty() == ty => false,
        Opcode::Select if instruction.ty() == ty => false,
        Opcode::Call if instruction.ty() == ty => match instruction.call()?.intrinsic()?.as_str() {
            "llvm.maxnum" | "llvm.minnum" => true,
            "llvm.maximum" | "llvm.minimum" | "llvm.maximumnum" | "llvm.minimumnum" => false,
            _ => return None,
        },
        _ => return None,
    };
    Some(match (flags.no_nans, flags.no_infs) {
        (true, true) => Some(Numbers::Finite),
        (true, false) => Some(Numbers::NoNan),
        (false, false) if passes_over_nan => Some(Numbers::All),
        _ => None,
    })
}

/// The instructions that a statement's values are computed by.
fn computation<'ir>(statement: &BoundStatement<'ir>) -> Vec<Instruction<'ir>> {
    let mut pending: Vec<Value<'ir>> = match &statement.root {
        Root::Store { store, .. } | Root::Scatter { store, .. } => {
            store.memory().and_then(|access| access.stored).into_iter().collect()
        }
        Root::Write { value, .. } => vec![*value],
        Root::Pick { outputs, .. } | Root::Together { outputs } => outputs.iter().map(|output| output.value).collect(),
        Root::Opaque { part, .. } => {
            let inside = part.blocks.iter().flat_map(|block| block.instructions()).map(|i| i.value());
            inside.chain(part.start.terminator().and_then(decider)).collect()
        }
    };
    let mut seen: HashSet<Value<'ir>> = HashSet::new();
    let mut found = Vec::new();
    while let Some(value) = pending.pop() {
        let is_inside = matches!(statement.leaves.get(&value), None | Some(Leaf::Indirect { .. }));
        let Some(instruction) = value.as_instruction().filter(|_| is_inside && seen.insert(value)) else { continue };
        found.push(instruction);
        if !instruction.is_phi() && seen.len() < MOST_INSTRUCTIONS {
            pending.extend(operands(instruction));
        }
    }
    found
}

/// More instructions than a statement may have.
const MOST_INSTRUCTIONS: usize = 4_000;

/// The largest finite number of a type.
fn largest(ty: Type<'_>) -> Option<f64> {
    match ty.kind() {
        TypeKind::Half => Some(65_504.0),
        TypeKind::BFloat => Some(f64::from(f32::from_bits(0x7f7f_0000))),
        TypeKind::Float => Some(f64::from(f32::MAX)),
        TypeKind::Double => Some(f64::MAX),
        _ => None,
    }
}
