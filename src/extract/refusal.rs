//! Why a loop nest was left alone, in the user's terms.
//!
//! A [`Refusal`] is an expected "no": it names the one thing that stood in the way, the place in the source, and what the user could
//! change. `for (...) { f(x); A[i] = 0; }` gives `CallWithEffects { callee: "f" }`, shown as "the call to 'f' may read or write memory or not return".
//!
//! Implements: 000 2.2

use super::ssa::{follows_links, multiplies};
use crate::llvm::{Analyses, Instruction, Language, Location, Loop, Opcode, ScevKind, Value};
use crate::presburger::Id;
use std::fmt;

/// Operands that a read is looked for through.
const MOST_OPERANDS: usize = 30;

/// The reason, each variant with what its text needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    CallWithEffects {
        /// Empty if it has no name.
        callee: String,
        kind: Callee,
    },
    /// Other threads would give another result.
    DependsOnThread {
        what: String,
        cure: &'static str,
    },
    VolatileOrAtomic,
    MayThrow,
    UnknownTripCount,
    /// What it counts with is not added to, but doubled or halved.
    MultipliedCounter,
    SeveralExits,
    /// It only reads, until it finds something.
    EndsByData,
    /// What decides when it ends is what its own iterations write.
    EndsByOwn,
    /// Each of its iterations reads where the next one goes on.
    FollowsLinks,
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
        /// What parts of the nest may do without, and the whole does not: it is not in the way of anything that would gain.
        besides: Option<Box<Reason>>,
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

/// What a call calls, as far as that says what could be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// It reserves memory.
    Reserves,
    /// It gives memory back.
    Releases,
    /// A function of a library: input, output and the like.
    Library,
    /// The same, in a loop that does nothing else.
    Alone,
    /// What compilers call where products and quotients of complex numbers may have come out wrong.
    OfComplex,
    /// It computes, and sets `errno`, which may be an element that the loops access.
    SetsErrno,
    /// Its body is here, but it is not to be inlined.
    KeptApart,
    /// Its body is here.
    Defined,
    /// Its body is here, and is to be inlined.
    Inlined,
    /// Its body is here, and calls itself: it cannot be inlined.
    Recursive,
    /// Whatever a pointer says.
    Pointer,
    Assembly,
    /// It is elsewhere, and might only compute a number from numbers.
    OfNumbers,
    Elsewhere,
    /// It is elsewhere, and a loop does nothing but call it.
    ElsewhereAlone,
}

/// What cures depend on beside the reason.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    pub language: Language,
    /// Whether threads are to share the loops.
    pub shared: bool,
}

/// A reason with its place.
#[derive(Clone, Debug)]
pub struct Refusal<'ir> {
    pub reason: Reason,
    pub location: Option<Location<'ir>>,
    /// Where two things stand in each other's way: what the other one does, and where.
    pub other: Option<(String, Location<'ir>)>,
    /// What the user could do about it, once it is known who asks.
    pub cure: Option<String>,
}

impl<'ir> Refusal<'ir> {
    pub fn at(location: Option<Location<'ir>>, reason: Reason) -> Self {
        Refusal { reason, location, other: None, cure: None }
    }

    pub fn anywhere(reason: Reason) -> Self {
        Refusal { reason, location: None, other: None, cure: None }
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

    /// About a loop that is left elsewhere than at its end, or when data says so: with the place where it is left, or what is read there. Where a call
    /// may write what is read, the call is in the way; and a loop that does nothing but read until then is a search.
    pub fn of_loop(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, reason: Reason) -> Self {
        let is_about_end = matches!(reason, Reason::UnknownTripCount | Reason::SeveralExits);
        let deciders = || this.exiting.iter().filter_map(|block| super::ssa::decider(block.terminator()?));
        let is_inside = |load: &Instruction<'ir>| this.holds(*load);
        let loads = || deciders().filter_map(read_by).filter(is_inside);
        if is_about_end && let Some((call, load)) = loads().find_map(|load| Some((writer(analyses, this, load)?, load)))
        {
            let read = load.place().map(|at| ("what tells when the loop ends is read".to_string(), at));
            return Refusal::at(call.place(), Reason::of_call(analyses, call)).with(read);
        }
        let reason =
            if is_about_end && loads().next().is_some() && only_reads(this) { Reason::EndsByData } else { reason };
        let reason = if is_about_end && follows_links(this) { Reason::FollowsLinks } else { reason };
        let reason =
            if is_about_end && loads().any(|load| is_fed(analyses, this, load)) { Reason::EndsByOwn } else { reason };
        let reason =
            if reason == Reason::UnknownTripCount && multiplies(this) { Reason::MultipliedCounter } else { reason };
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

    /// With what the user could do about it, unless that is known already.
    pub fn advised(self, setting: Setting) -> Self {
        let cure = self.cure.or_else(|| self.reason.cure(setting));
        Refusal { cure, ..self }
    }

    /// What the user could do about it.
    pub fn cure(&self) -> Option<String> {
        self.cure.clone().or_else(|| self.reason.cure(Setting::default()))
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
        let cure = self.cure().map(|cure| format!("; {cure}")).unwrap_or_default();
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
            Opcode::Call => Some(format!("what {} returns", instruction.call()?.callee()?.shown_name())),
            Opcode::Load => {
                if let Some(member) = instruction.memory()?.pointer.member_name() {
                    return Some(member);
                }
                let object = instruction.memory()?.pointer.underlying_object();
                let is_read =
                    object.as_instruction().is_some_and(|i| matches!(i.opcode(), Opcode::Load | Opcode::Call));
                let name = shown_name(object)?;
                Some(if is_read { format!("a pointer in {name}") } else { format!("what {name} points to") })
            }
            _ => None,
        }
    };
    value.shown_name().or_else(argument).or_else(made)
}

/// A call in the loop that may write what a load reads at one place in all iterations.
fn writer<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, load: Instruction<'ir>) -> Option<Instruction<'ir>> {
    let place = analyses.scev(load.memory()?.pointer)?;
    let is_fixed = analyses.is_invariant(place, this.id);
    let calls = this.instructions().filter(|i| i.call().is_some());
    let mut calls = calls.filter(|i| !i.is_marker() && i.may_write_memory());
    calls.find(|call| is_fixed && analyses.writes(*call, load))
}

/// Whether a loop writes what a load reads in a later iteration: by the same steps, and ahead of it.
fn is_fed<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, load: Instruction<'ir>) -> bool {
    let address = |access: Instruction<'ir>| analyses.scev(access.memory()?.pointer);
    let Some(read) = address(load) else { return false };
    let node = analyses.node(read);
    let step = match (node.kind, node.operands.as_slice(), node.in_loop == Some(this.id)) {
        (ScevKind::AddRec, [_, step], true) => analyses.node(*step).constant,
        _ => None,
    };
    let distance = |store: Instruction<'ir>| {
        let distance = analyses.difference(address(store)?, read)?;
        analyses.node(distance).constant
    };
    let stores = this.instructions().filter(|i| i.opcode() == Opcode::Store);
    let mut ahead = stores.filter_map(|store| distance(store)?.checked_mul(step?)).filter(|ahead| *ahead > 0);
    ahead.next().is_some()
}

/// Whether a loop does nothing that could be noticed but to end.
fn only_reads(this: &Loop<'_>) -> bool {
    let mut all = this.instructions();
    all.all(|instruction| instruction.is_marker() || !instruction.has_side_effects())
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
    let own = value.shown_name().map(quoted);
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

    /// Whether it may be one on one core only.
    pub fn may_be_of_one_core(&self) -> bool {
        matches!(self, Reason::NoGain { .. } | Reason::UnknownExtent { .. } | Reason::NonAffineCondition { .. })
    }

    /// What is assumed never holds, in words; the limit of all parameters is assumed without any.
    pub fn always_violated(assumptions: &[String]) -> Reason {
        let assumption = match assumptions {
            [] => "all numbers that bounds and subscripts depend on were below 2^40 in magnitude".to_string(),
            all => all.join(" and "),
        };
        Reason::AlwaysViolated { assumption }
    }

    /// One word for the remark's name, as other tools key on it.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::CallWithEffects { .. } => "CallWithEffects",
            Reason::DependsOnThread { .. } => "DependsOnThread",
            Reason::VolatileOrAtomic => "VolatileOrAtomic",
            Reason::MayThrow => "MayThrow",
            Reason::UnknownTripCount => "UnknownTripCount",
            Reason::MultipliedCounter => "MultipliedCounter",
            Reason::SeveralExits => "SeveralExits",
            Reason::EndsByData => "EndsByData",
            Reason::FollowsLinks => "FollowsLinks",
            Reason::EndsByOwn => "EndsByOwn",
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
            Reason::CallWithEffects { callee, kind } => {
                let what = match kind {
                    Callee::Pointer => "the call through a function pointer".to_string(),
                    Callee::Assembly => "the inline assembly".to_string(),
                    _ => format!("the call to '{callee}'"),
                };
                write!(f, "{what} may read or write memory or not return")
            }
            Reason::DependsOnThread { what, .. } => {
                write!(f, "{what} is not known to be the same on every thread")
            }
            Reason::VolatileOrAtomic => f.write_str("a volatile or atomic access must happen exactly as written"),
            Reason::MayThrow => f.write_str("a call may throw an exception that leaves the loop"),
            Reason::UnknownTripCount => {
                f.write_str("the number of iterations is not known before the loop starts (data-dependent bound, while loop, or counter that may wrap)")
            }
            Reason::MultipliedCounter => {
                f.write_str("the loop's counter is multiplied or divided in each iteration, so that the number of iterations is not known before it starts")
            }
            Reason::SeveralExits => f.write_str("the loop can be left in the middle (break, return or goto)"),
            Reason::EndsByData => f.write_str("the loop only reads, and ends where the data says so"),
            Reason::FollowsLinks => f.write_str("each iteration reads where the next one goes on (a list, a tree or a table of links)"),
            Reason::EndsByOwn => f.write_str("the loop ends where data says so that it writes itself, so that its iterations run in order"),
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
            Reason::AlwaysViolated { assumption } => write!(f, "it could only be modelled if {assumption}, which is never so as the loops are read here"),
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
            Reason::NoGain { why, .. } => write!(f, "no transformation that pays was found: {why}"),
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
        self.cure().map_or(Ok(()), |cure| write!(f, "; {cure}"))
    }
}
