//! What a user could do about loops that are left alone, in the words of the language at hand.
//!
//! ```c
//! for (int i = 0; i < n; i++) { printf("%d", i);  a[i] *= 2; }      // call it in a loop of its own
//! for (int i = 0; i < n; i++) a[i] = f(i);                          // declare it __attribute__((const)), if it only computes
//! ```
//!
//! A cure helps if it is followed: so what a call calls decides about it, and whether threads share the loops.
//!
//! Implements: 000 2.2

use super::refusal::{Callee, Reason, Setting};
use crate::llvm::{Analyses, Function, Instruction, Language, Type, Value, ValueKind, demangled};

/// Functions of compilers' own libraries (`__muldc3`) that multiply and divide complex numbers, without what their parts are.
const OF_COMPLEX: [&str; 2] = ["__mul", "__div"];

/// What the parts are: half, single, double, extended and fourfold precision.
const OF_PARTS: [&str; 5] = ["hc3", "sc3", "dc3", "xc3", "tc3"];

/// What reserves memory, by the end of its name in the source.
const RESERVES: [&str; 18] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "strdup",
    "operator new",
    "operator new[]",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rdl_alloc",
    "__rdl_alloc_zeroed",
    "__rdl_realloc",
    "_FortranAAllocatableAllocate",
    "_FortranAPointerAllocate",
    "_FortranAAllocatableAllocateSource",
];

/// What gives memory back.
const RELEASES: [&str; 7] = [
    "free",
    "operator delete",
    "operator delete[]",
    "__rust_dealloc",
    "__rdl_dealloc",
    "_FortranAAllocatableDeallocate",
    "_FortranAPointerDeallocate",
];

/// What functions of Fortran's runtime begin with.
const FORTRAN: &str = "_Fortran";

/// Functions of C that clang takes to set `errno`, and does not say that they do nothing else.
const ROUNDS: [&str; 12] = [
    "lrint", "lrintf", "lrintl", "llrint", "llrintf", "llrintl", "lround", "lroundf", "lroundl", "llround", "llroundf",
    "llroundl",
];

/// Attributes of functions that are not inlined.
const KEPT_APART: [&str; 2] = ["noinline", "optnone"];

impl Reason {
    /// A call that may read or write memory or not return.
    pub fn of_call<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>) -> Reason {
        let call = instruction.call().expect("law: it is a call");
        let (callee, kind) = match call.callee() {
            Some(function) => (function.shown_name(), kind_of(analyses, instruction, function)),
            None if call.target().kind() == ValueKind::InlineAssembly => (String::new(), Callee::Assembly),
            None => (String::new(), Callee::Pointer),
        };
        Reason::CallWithEffects { callee, kind }
    }

    /// What the user could do about it, where there is something.
    pub fn cure(&self, setting: Setting) -> Option<String> {
        use Language::*;
        let language = setting.language;
        let text = match self {
            Reason::CallWithEffects { kind, .. } => return of_call(*kind, setting),
            Reason::DependsOnThread { cure, .. } => cure,
            Reason::VolatileOrAtomic => "use a plain variable inside the loops",
            Reason::MayThrow => match language {
                Rust => "call nothing that may panic, or let panics abort (panic = \"abort\" in Cargo.toml)",
                _ => "declare the function noexcept, or define it in this file",
            },
            Reason::UnknownTripCount => match language {
                C | Cxx => "count up to a limit that is known before the loop, with a signed counter",
                Fortran => "count up to a limit that is known before the loop: do i = 1, n",
                Rust => "count up to a limit that is known before the loop: for i in 0..n",
            },
            Reason::MultipliedCounter => "count the steps, and compute it from them, as 1 << s or n >> s",
            Reason::FollowsLinks => "keep the elements in an array, one behind the other",
            Reason::SeveralExits => "let the loop run to its end, or search in a loop of its own",
            Reason::IrregularLoop | Reason::IrregularControl { .. } => match language {
                Fortran => "write it as do loops and ifs",
                _ => "write it as for loops and ifs",
            },
            Reason::NonAffineCondition { .. } => match language {
                C | Cxx => "decide by counters and sizes, or choose between two values with ?:",
                Fortran => "decide by counters and sizes, or choose between two values with merge",
                Rust => "decide by counters and sizes, or choose between two values by if and else",
            },
            Reason::NonAffineSubscript { .. } => "use subscripts that are sums of counters, times constants or sizes",
            Reason::UnknownPointer { .. } => "read the pointer once before the loops",
            Reason::AlwaysOverlap { .. } => "use two arrays",
            Reason::UnknownExtent { .. } => match language {
                C => "declare the pointers restrict",
                Cxx => "declare the pointers __restrict",
                Fortran => {
                    "give the arrays to a subroutine as arguments with their shape, x(n, m), without pointer or target"
                }
                Rust => "give the arrays to a function as slices, &[T] and &mut [T]",
            },
            Reason::BetweenLoops { .. } => "compute it before the first of the loops",
            Reason::MixedElementTypes { .. } => "access it as one type",
            Reason::UnsupportedInstruction { .. } => "move it out of the loop",
            Reason::MayWrap { .. } => match language {
                C | Cxx => "use a signed or a wider type",
                Fortran => "use a wider type, integer(8)",
                Rust => "use usize or i64",
            },
            Reason::TooLarge { .. } => "take the loops apart into functions",
            Reason::TooHard => match language {
                Rust => "LOOPWRIGHT_OPTIONS=budget=N raises it",
                _ => "-loopwright-budget raises it",
            },
            Reason::NotSelected => "leave out these options",
            Reason::FixedBySource { .. } => "take the pragma away to have the nest rewritten",
            Reason::NoScheduleGiven { .. } => "print<loopwright-scops> names its statements: those of lines need -g",
            Reason::Storage { .. } | Reason::CannotPrivatize { .. } => "declare what is temporary inside of the loop",
            Reason::Ordered { and } => return and.cure(setting),
            Reason::IllegalSchedule { .. } | Reason::Broken { .. } => "report it as a bug, with the source",
            Reason::OtherAddressSpace { .. }
            | Reason::UnsupportedType { .. }
            | Reason::AlwaysViolated { .. }
            | Reason::EndsByData
            | Reason::EndsByOwn
            | Reason::ManyStores
            | Reason::NothingToDo
            | Reason::GivenSchedule { .. }
            | Reason::NoGain { .. } => return None,
        };
        Some(text.to_string())
    }
}

/// What is called, by all that is known of it.
fn kind_of<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>, function: Function<'ir>) -> Callee {
    let name = demangled(&function.name());
    let name = name.split('(').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    let is_of_library = || function.place().is_some_and(|place| place.is_of_library());
    let is_number = |ty: Type<'ir>| ty.is_float() || ty.is_integer();
    let call = instruction.call().expect("law: it is a call");
    match () {
        () if is_alone(analyses, instruction) && is_known_here(analyses, instruction, name) => Callee::Alone,
        () if RESERVES.contains(&name) => Callee::Reserves,
        () if RELEASES.contains(&name) => Callee::Releases,
        () if OF_COMPLEX.iter().any(|kind| name.strip_prefix(kind).is_some_and(|ty| OF_PARTS.contains(&ty))) => {
            Callee::OfComplex
        }
        () if call.sets_errno() || ROUNDS.contains(&name) => Callee::SetsErrno,
        () if name.starts_with(FORTRAN) || analyses.library_function(instruction).is_some() => Callee::Library,
        () if call.intrinsic().is_some() || is_of_library() => Callee::Library,
        () if calls_itself(function, instruction) => Callee::Recursive,
        () if function.has_body() && KEPT_APART.iter().any(|word| function.has_attribute(word)) => Callee::KeptApart,
        () if function.has_body() && function.has_attribute("alwaysinline") => Callee::Inlined,
        () if function.has_body() => Callee::Defined,
        () if is_alone(analyses, instruction) => Callee::ElsewhereAlone,
        () if is_number(instruction.ty()) && call.arguments().iter().all(|value| is_number(value.ty())) => {
            Callee::OfNumbers
        }
        () => Callee::Elsewhere,
    }
}

/// Whether what is called calls itself, or is the function that it is called in.
fn calls_itself(function: Function<'_>, instruction: Instruction<'_>) -> bool {
    let is_of_itself = |each: Instruction<'_>| each.call().and_then(|call| call.callee()) == Some(function);
    instruction.block().is_some_and(|block| block.function() == function)
        || function.blocks().into_iter().flat_map(|block| block.instructions()).any(is_of_itself)
}

/// Whether a function does what a library does for many, so that no other way to call it would help.
fn is_known_here<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>, name: &str) -> bool {
    let is_listed = RESERVES.contains(&name) || RELEASES.contains(&name) || name.starts_with(FORTRAN);
    let is_of_errno = instruction.call().is_some_and(|call| call.sets_errno());
    is_listed || !is_of_errno && analyses.library_function(instruction).is_some()
}

/// Whether a loop around no others does nothing but call, and keep what calls give.
fn is_alone<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>) -> bool {
    let around = instruction.block().and_then(|block| analyses.loop_of(block)).map(|id| analyses.loop_(id));
    let is_of_call = |value: Value<'ir>| value.as_instruction().is_some_and(|given| given.call().is_some());
    let keeps = |each: Instruction<'ir>| each.memory().and_then(|access| access.stored).is_none_or(is_of_call);
    around.is_some_and(|this| {
        let is_single = this.parent.is_none() && this.children.is_empty();
        is_single && this.instructions().all(keeps)
    })
}

/// What could be done about a call.
fn of_call(kind: Callee, Setting { language, shared }: Setting) -> Option<String> {
    use Language::*;
    let text = match kind {
        Callee::Reserves => "reserve the memory before the loops",
        Callee::Releases => "release the memory behind the loops",
        Callee::Library | Callee::Assembly | Callee::Recursive => "let it have a loop of its own",
        Callee::OfComplex => "-fcx-limited-range computes it without the call, and without regard to infinite parts",
        Callee::SetsErrno => "-fno-math-errno keeps it from setting errno",
        Callee::Alone => return None,
        Callee::KeptApart => match language {
            C | Cxx | Fortran => "take its noinline away, and look behind LLVM's inlining: the option position=late",
            Rust => "take its #[inline(never)] away",
        },
        Callee::Defined => match language {
            C | Cxx => {
                "mark what is called __attribute__((always_inline)), and look behind LLVM's inlining: the option position=late"
            }
            Rust => "mark what is called #[inline(always)]",
            Fortran => "write what it does into the loop",
        },
        Callee::Inlined => "look behind LLVM's inlining: the option position=late",
        Callee::ElsewhereAlone => match language {
            Rust => "if it only computes, define it in Rust",
            _ => "if it only computes, define it in this file",
        },
        Callee::Pointer => match language {
            C | Fortran => "call a function by its name, or let the call have a loop of its own",
            Cxx => {
                "call a function by its name (a final class, a template's parameter for std::function), or let the call have a loop of its own"
            }
            Rust => "take impl Fn for dyn Fn, or let the call have a loop of its own",
        },
        Callee::OfNumbers if !shared && matches!(language, C | Cxx) => {
            "if it only computes, declare it __attribute__((const)) or define it in this file; else let it have a loop of its own"
        }
        Callee::OfNumbers | Callee::Elsewhere => match language {
            Rust => "if it only computes, define it in Rust; else let it have a loop of its own",
            _ => "if it only computes, define it in this file; else let it have a loop of its own",
        },
    };
    Some(text.to_string())
}
