//! Why a loop nest was left alone, in the user's terms.
//!
//! A [`Refusal`] is an expected "no": it names the one thing that stood in the way, the place in the source, and what the user could
//! change. `for (...) { f(x); A[i] = 0; }` gives `CallWithEffects { callee: "f" }`, shown as "the call to 'f' may read or write memory
//! or not return".
//!
//! Implements: 000 2.2

use crate::llvm::{Instruction, Location, Loop, Opcode, Value};
use crate::presburger::Id;
use std::fmt;

/// Operands that a read is looked for through.
const MOST_OPERANDS: usize = 30;

/// The reason, each variant with what its text needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    CallWithEffects {
        callee: String,
    },
    /// Other threads would give another result.
    DependsOnThread {
        what: String,
    },
    VolatileOrAtomic,
    MayThrow,
    UnknownTripCount,
    SeveralExits,
    IrregularLoop,
    IrregularControl {
        what: String,
    },
    NonAffineCondition {
        what: String,
    },
    NonAffineSubscript {
        array: String,
    },
    UnknownPointer {
        what: String,
    },
    /// Whether it overlaps another array cannot be told: their addresses are not of one kind.
    OtherAddressSpace {
        array: String,
    },
    /// Two arrays that must be apart, and are not, wherever the loops run.
    AlwaysOverlap {
        array: String,
        other: String,
    },
    UnknownExtent {
        array: String,
    },
    /// A value that is computed between the loops of another region.
    BetweenLoops {
        what: String,
    },
    MixedElementTypes {
        array: String,
    },
    UnsupportedInstruction {
        what: String,
    },
    UnsupportedType {
        what: String,
    },
    AlwaysViolated {
        assumption: String,
    },
    MayWrap {
        what: String,
    },
    TooLarge {
        what: &'static str,
        limit: usize,
    },
    /// In one block, which is taken for one statement.
    ManyStores,
    TooHard,
    NothingToDo,
    /// It could be rewritten, but is not among those that the user wants.
    NotSelected,
    /// The source says what one of the loops is to become.
    FixedBySource {
        what: String,
    },
    /// The user gives schedules for other models of the function only.
    NoScheduleGiven {
        file: String,
    },
    /// The schedule that the user gives for it does not apply or is not legal.
    GivenSchedule {
        what: String,
    },
    NoGain {
        why: String,
    },
    IllegalSchedule {
        what: String,
    },
    Storage {
        what: String,
    },
    /// Of an array of the model that each thread would need a copy of.
    CannotPrivatize {
        array: Id,
        what: String,
    },
    /// Iterations depend on one another, and the rest is not affine either.
    Ordered {
        and: Box<Reason>,
    },
    Broken {
        what: String,
    },
}

/// A reason with its place.
#[derive(Clone, Debug)]
pub struct Refusal<'ir> {
    pub reason: Reason,
    pub location: Option<Location<'ir>>,
    /// Where two things stand in each other's way: what the other one does, and where.
    pub other: Option<(String, Location<'ir>)>,
}

impl<'ir> Refusal<'ir> {
    pub fn at(location: Option<Location<'ir>>, reason: Reason) -> Self {
        Refusal { reason, location, other: None }
    }

    pub fn anywhere(reason: Reason) -> Self {
        Refusal { reason, location: None, other: None }
    }

    /// With what the other of two accesses does, and where.
    pub fn with(self, other: Option<(String, Location<'ir>)>) -> Self {
        Refusal { other, ..self }
    }

    /// With what is read to decide about control, and where.
    pub fn decided_by(self, decider: Option<Value<'ir>>) -> Self {
        let other = decider.and_then(read_by).and_then(|load| {
            let name = shown_name(load.memory()?.pointer.underlying_object());
            let name = name.map_or("an element".to_string(), |name| format!("'{name}'"));
            Some((format!("{name} is read"), load.place()?))
        });
        self.with(other)
    }

    /// About a loop that is left elsewhere than at its end, or when data says so: with the place where it is left, or what is read there.
    pub fn of_loop(this: &Loop<'ir>, reason: Reason) -> Self {
        let refusal = Refusal::at(this.location, reason);
        let early = this.exiting.iter().find(|block| Some(**block) != this.latch).or(this.exiting.first());
        let Some(end) = early.and_then(|block| block.terminator()) else { return refusal };
        let read = refusal.decided_by(super::ssa::decider(end));
        let left = || end.place().map(|at| ("it is left".to_string(), at));
        match read.other {
            Some(_) => read,
            None => read.with(left()),
        }
    }

    /// The reason with the lines it is about; those of `file` without its name.
    pub fn sentence(&self, file: Option<&str>) -> String {
        let place = |at: Location<'ir>| match at.file() {
            own if file == Some(&own) && at.column() == 0 => format!("line {}", at.line()),
            own if file == Some(&own) => format!("line {}:{}", at.line(), at.column()),
            _ => at.to_string(),
        };
        let here = self.location.map(|at| format!("at {}", place(at)));
        let there = self.other.as_ref().map(|(what, at)| format!("{what} at {}", place(*at)));
        let places: Vec<String> = here.into_iter().chain(there).collect();
        if places.is_empty() { self.reason.to_string() } else { format!("{} ({})", self.reason, places.join("; ")) }
    }

    /// The sentence, and what the user could do.
    pub fn advice(&self, file: Option<&str>) -> String {
        let cure = self.reason.cure().map(|cure| format!("; {cure}")).unwrap_or_default();
        self.sentence(file) + &cure
    }
}

/// What a user knows a value by: its name in the source; or where it comes from.
pub fn shown_name(value: Value<'_>) -> Option<String> {
    let argument = || value.argument_number().map(|at| format!("argument {}", at + 1));
    let made = || {
        let instruction = value.as_instruction()?;
        match instruction.opcode() {
            Opcode::Alloca => Some("a local array".to_string()),
            Opcode::Call => Some(format!("what {} returns", instruction.call()?.callee()?.name())),
            Opcode::Load => {
                let object = instruction.memory()?.pointer.underlying_object();
                let is_read = object.as_instruction().is_some_and(|i| i.opcode() == Opcode::Load);
                let name = shown_name(object)?;
                Some(if is_read { format!("a pointer in {name}") } else { format!("what {name} points to") })
            }
            _ => None,
        }
    };
    value.source_name().or_else(argument).or_else(made)
}

/// The first load that a value is computed from.
pub fn read_by(value: Value<'_>) -> Option<Instruction<'_>> {
    let mut pending = vec![value];
    let mut seen = Vec::new();
    while let Some(value) = pending.pop() {
        let Some(instruction) = value.as_instruction().filter(|_| !seen.contains(&value)) else { continue };
        seen.push(value);
        if instruction.opcode() == Opcode::Load {
            return Some(instruction);
        }
        if seen.len() > MOST_OPERANDS {
            return None;
        }
        pending.extend(instruction.operands().into_iter().rev().filter(|_| !instruction.is_phi()));
    }
    None
}

/// What a user knows a value by that is not affine: its name, or what it is read from.
pub fn described(value: Value<'_>) -> String {
    let quoted = |name: String| format!("'{name}'");
    let read = || {
        let pointer = read_by(value)?.memory()?.pointer;
        let name = shown_name(pointer.underlying_object()).map(quoted);
        Some(format!("on what is read from {}", name.unwrap_or_else(|| "memory".into())))
    };
    let own = value.source_name().map(quoted);
    own.or_else(read).unwrap_or_else(|| "on what is computed inside the loops".into())
}

/// The refusal of a value that data decides about.
pub fn data_dependent(value: Value<'_>) -> Reason {
    Reason::NonAffineCondition { what: described(value) }
}

impl Reason {
    /// Whether something would have to be found out about which elements are touched.
    pub fn is_of_extent(&self) -> bool {
        matches!(self, Reason::UnknownExtent { .. })
    }

    /// What is assumed never holds, in words; the limit of all parameters is assumed without any.
    pub fn always_violated(assumptions: &[String]) -> Reason {
        let assumption = match assumptions {
            [] => "all numbers that bounds and subscripts depend on were below 2^40 in magnitude".to_string(),
            all => all.join(" and "),
        };
        Reason::AlwaysViolated { assumption }
    }

    /// What the user could do about it, where there is something.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            Reason::CallWithEffects { .. } => "declare it const or move it out of the loop",
            Reason::DependsOnThread { .. } => "define the function in this file, or call it before the loops",
            Reason::VolatileOrAtomic => "use a plain variable inside the loops",
            Reason::MayThrow => "declare the function noexcept, or define it in this file",
            Reason::UnknownTripCount => "count up to a limit that is known before the loop, with a signed counter",
            Reason::SeveralExits => "let the loop run to its end, or search in a loop of its own",
            Reason::IrregularLoop | Reason::IrregularControl { .. } => "write it as for loops and ifs",
            Reason::NonAffineCondition { .. } => "decide by counters and sizes, or choose between two values with ?:",
            Reason::NonAffineSubscript { .. } => "use subscripts that are sums of counters, times constants or sizes",
            Reason::UnknownPointer { .. } => "read the pointer once before the loops",
            Reason::AlwaysOverlap { .. } => "use two arrays",
            Reason::UnknownExtent { .. } => "declare the pointers restrict",
            Reason::BetweenLoops { .. } => "compute it before the first of the loops",
            Reason::MixedElementTypes { .. } => "access it as one type",
            Reason::UnsupportedInstruction { .. } => "move it out of the loop",
            Reason::MayWrap { .. } => "use a signed or a wider type",
            Reason::TooLarge { .. } => "take the loops apart into functions",
            Reason::TooHard => "-loopwright-budget raises it",
            Reason::NotSelected => "leave out these options",
            Reason::FixedBySource { .. } => "take the pragma away to have the nest rewritten",
            Reason::NoScheduleGiven { .. } => "print<loopwright-scops> shows the names of its statements",
            Reason::Storage { .. } | Reason::CannotPrivatize { .. } => "declare what is temporary inside of the loop",
            Reason::Ordered { and } => return and.cure(),
            Reason::IllegalSchedule { .. } | Reason::Broken { .. } => "report it as a bug, with the source",
            Reason::OtherAddressSpace { .. }
            | Reason::UnsupportedType { .. }
            | Reason::AlwaysViolated { .. }
            | Reason::ManyStores
            | Reason::NothingToDo
            | Reason::GivenSchedule { .. }
            | Reason::NoGain { .. } => return None,
        })
    }

    /// One word for the remark's name, as other tools key on it.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::CallWithEffects { .. } => "CallWithEffects",
            Reason::DependsOnThread { .. } => "DependsOnThread",
            Reason::VolatileOrAtomic => "VolatileOrAtomic",
            Reason::MayThrow => "MayThrow",
            Reason::UnknownTripCount => "UnknownTripCount",
            Reason::SeveralExits => "SeveralExits",
            Reason::IrregularLoop => "IrregularLoop",
            Reason::IrregularControl { .. } => "IrregularControl",
            Reason::NonAffineCondition { .. } => "NonAffineCondition",
            Reason::NonAffineSubscript { .. } => "NonAffineSubscript",
            Reason::UnknownPointer { .. } => "UnknownPointer",
            Reason::UnknownExtent { .. } => "UnknownExtent",
            Reason::BetweenLoops { .. } => "BetweenLoops",
            Reason::MixedElementTypes { .. } => "MixedElementTypes",
            Reason::UnsupportedInstruction { .. } => "UnsupportedInstruction",
            Reason::UnsupportedType { .. } => "UnsupportedType",
            Reason::OtherAddressSpace { .. } => "OtherAddressSpace",
            Reason::AlwaysOverlap { .. } => "AlwaysOverlap",
            Reason::AlwaysViolated { .. } => "AlwaysViolated",
            Reason::MayWrap { .. } => "MayWrap",
            Reason::TooLarge { .. } => "TooLarge",
            Reason::ManyStores => "ManyStores",
            Reason::TooHard => "TooHard",
            Reason::NothingToDo => "NothingToDo",
            Reason::NotSelected => "NotSelected",
            Reason::FixedBySource { .. } => "FixedBySource",
            Reason::NoScheduleGiven { .. } => "NoScheduleGiven",
            Reason::GivenSchedule { .. } => "GivenSchedule",
            Reason::NoGain { .. } => "NoGain",
            Reason::IllegalSchedule { .. } => "IllegalSchedule",
            Reason::Storage { .. } | Reason::CannotPrivatize { .. } => "Storage",
            Reason::Ordered { .. } => "NoGain",
            Reason::Broken { .. } => "Broken",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::CallWithEffects { callee } => {
                write!(f, "the call to '{callee}' may read or write memory or not return")
            }
            Reason::DependsOnThread { what } => {
                write!(f, "{what} is not known to be the same on every thread")
            }
            Reason::VolatileOrAtomic => f.write_str("a volatile or atomic access must happen exactly as written"),
            Reason::MayThrow => f.write_str("a call may throw an exception that leaves the loop"),
            Reason::UnknownTripCount => {
                f.write_str("the number of iterations is not known before the loop starts (data-dependent bound, while loop, or counter that may wrap)")
            }
            Reason::SeveralExits => f.write_str("the loop can be left in the middle (break, return or goto)"),
            Reason::IrregularLoop => f.write_str("the loop is not a natural loop with one entry and one way back"),
            Reason::IrregularControl { what } => write!(f, "control flow that is not a nest of loops and ifs: {what}"),
            Reason::NonAffineCondition { what } => {
                let what = what.split(", !").next().unwrap_or(what);
                write!(f, "the condition {what} is not an affine comparison of loop counters and loop-invariant values")
            }
            Reason::NonAffineSubscript { array } => {
                write!(f, "a subscript of '{array}' is not an affine expression of loop counters and loop-invariant values")
            }
            Reason::UnknownExtent { array } => {
                write!(f, "which elements of '{array}' are touched depends on data, so it cannot be tested whether it overlaps another array")
            }
            Reason::UnknownPointer { what } => write!(f, "the pointer {what} is computed or read inside the loops, and it is not known how"),
            Reason::BetweenLoops { what } => write!(f, "{what}, which they use, is computed between earlier loops that are rewritten"),
            Reason::MixedElementTypes { array } => write!(f, "'{array}' is accessed with elements of different sizes"),
            Reason::UnsupportedInstruction { what } => write!(f, "an instruction that is not modelled: {what}"),
            Reason::UnsupportedType { what } => write!(f, "a value of a type that is not modelled: {what}"),
            Reason::OtherAddressSpace { array } => write!(f, "'{array}' is in an address space of its own: whether it overlaps other arrays cannot be tested"),
            Reason::AlwaysOverlap { array, other } => write!(f, "'{array}' and '{other}' are parts of one object that always overlap"),
            Reason::AlwaysViolated { assumption } => write!(f, "it would only be right if {assumption}, which never holds where the loops run more than once"),
            Reason::MayWrap { what } => write!(f, "{what} may wrap around"),
            Reason::TooLarge { what, limit } => write!(f, "more than {limit} {what}"),
            Reason::ManyStores => f.write_str("so many elements are written at once that all of this is one statement"),
            Reason::TooHard => f.write_str("the analysis did not end within its step budget"),
            Reason::NothingToDo => f.write_str("the loops neither read nor write memory"),
            Reason::NotSelected => f.write_str("it is not among the loop nests that 'first' or 'regions' allow"),
            Reason::FixedBySource { what } => write!(f, "the source says '{what}' of a loop, so it is kept"),
            Reason::NoScheduleGiven { file } => {
                write!(f, "no schedule in '{file}' has the statements of this loop nest, and it has some for this function")
            }
            Reason::GivenSchedule { what } => write!(f, "the schedule that is given for it cannot be used: {what}"),
            Reason::NoGain { why } => write!(f, "no transformation that pays was found: {why}"),
            Reason::IllegalSchedule { what } => write!(f, "the schedule found failed the independent legality check: {what}"),
            Reason::Storage { what } => write!(f, "no storage for what lives across statements or threads: {what}"),
            Reason::CannotPrivatize { what, .. } => write!(f, "each thread would need a copy of its own of {what}"),
            Reason::Ordered { and } => {
                write!(f, "iterations of the loops depend on earlier ones, so that none becomes parallel; no loop is tiled or vectorised either: {and}")
            }
            Reason::Broken { what } => write!(f, "internal error, the loops are unchanged: {what}"),
        }
    }
}

/// The reason, and what the user could do.
impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        self.reason.cure().map_or(Ok(()), |cure| write!(f, "; {cure}"))
    }
}
