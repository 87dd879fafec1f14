//! Loops that do nothing but search ask many elements at once.
//!
//! ```c
//! for (i = 0; i < n; i++) if (x[i] == key) break;
//! ```
//!
//! LLVM leaves such a loop in single steps: a vector of what follows `x[i]` may lie beyond what the program reads, where there may be no memory. But there is memory up to the end of the
//! page that an element lies in, as memory is given in pages: what an iteration has read says which elements behind it can be read too, whether the program does so or not.
//! So the first iterations run as they are ([`super::exits::begin`]), then one more, then vectors as far as the pages of all its arrays reach, and so on ([`write`]):
//!
//! ```c
//! for (i = 32, c = 1;; c = ...) {
//!     do { if (x[i] == key) goto found; if (++i == n) goto none; } while (--c > 0);       the loop as it is
//!     m = elements behind x[i - 1] in its page, at most n - 1 - i;
//!     for (; m >= 32; m -= 32, i += 32) if (any of x[i], ..., x[i + 31] is key) break;    vectors
//! }
//! ```
//!
//! Whatever vectors say, the iteration that leaves is one of the loop as it is, so that each way out is taken with the values that the program has there. What is read too much decides
//! nothing: lanes before the first one that leaves are iterations of the program, others are not looked at.
//!
//! Which loops can do so: [`conditions`]. Weaknesses: all elements are read in each iteration (`if (a[i] && b[i] == key)` reads `b[i]` sometimes, which is not enough to know of its
//! pages); elements lie one behind the other, or a few apart ([`reads`]).
//!
//! Implements: 001 while

mod conditions;
mod reads;
mod write;

use crate::llvm::{Analyses, Block, Function, Instruction, Loop, Session, Value};
pub(super) use conditions::{Conditions, Way, way_out};

/// Attributes of functions that read nothing but what the program reads, or use no vectors.
const EXACT: [&str; 10] = [
    "sanitize_address",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_thread",
    "sanitize_type",
    "noimplicitfloat",
    "strictfp",
    "optsize",
    "minsize",
];

/// Features of processors that watch smaller pieces of memory than pages.
const WATCHED: &str = "+mte";

/// By these the source forbids vectors, or asks for its own.
const HINTS: [&str; 3] = ["llvm.loop.vectorize.enable", "llvm.loop.vectorize.width", "llvm.loop.isvectorized"];

/// A loop of which nobody sees where it was left goes: it would no longer be one that LLVM removes.
const WITHOUT_IDLE: &str = "simplifycfg,loop(loop-deletion),loop-simplify,lcssa";

/// So often it is read what loops ask: what is counted the first time only, or never the first time, is not counted on.
const MOST_READINGS: usize = 2;

/// A loop that does nothing but search.
#[derive(Clone, Copy, Debug)]
pub struct Search<'ir> {
    pub header: Block<'ir>,
    /// How many elements are asked at once.
    pub lanes: u32,
}

/// The loops of a function that do nothing but search, and that can ask many elements at once.
pub fn searches<'ir>(analyses: &Analyses<'_, 'ir>) -> Vec<Search<'ir>> {
    let of = |this: &Loop<'ir>| {
        let conditions = conditions_of(analyses, this)?;
        Some(Search { header: this.header, lanes: conditions.lanes })
    };
    analyses.loops().iter().filter_map(of).collect()
}

/// Has those loops with these headers ask many elements at once, as far as they still do nothing but search. Handles into the function must be taken afterwards.
pub fn ask_many<'ir>(session: &mut Session<'ir>, function: Function<'ir>, headers: &[Block<'ir>]) {
    session.invalidate(function);
    session.run_function_passes(function, WITHOUT_IDLE).expect("law: the clean-up is a pipeline");
    let mut headers = headers.to_vec();
    for _ in 0..MOST_READINGS {
        headers = ask_those_that_stay(session, function, &headers);
        if headers.is_empty() {
            break;
        }
    }
}

/// The same of those loops whose counted ways out are so also when it is computed how many steps are left. Gives back the headers of the others.
fn ask_those_that_stay<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    headers: &[Block<'ir>],
) -> Vec<Block<'ir>> {
    let analyses = session.analyses(function);
    let wanted = analyses.loops().iter().filter(|this| headers.contains(&this.header));
    let conditions = wanted.filter_map(|this| conditions_of(&analyses, this));
    let left =
        |conditions: Conditions<'ir>| (conditions.header, conditions.counted_from(), conditions.steps_left(&analyses));
    let left: Vec<(Block<'ir>, Vec<Block<'ir>>, Value<'ir>)> = conditions.map(left).collect();
    // How many steps are left of one may be computed from where another one ends, and have that one count them.
    session.invalidate(function);
    session.run_function_passes(function, super::NATURAL).expect("law: the clean-up is a pipeline");
    let analyses = session.analyses(function);
    let with_left = |this: &Loop<'ir>| {
        let (_, counted, left) = left.iter().find(|(header, ..)| *header == this.header)?;
        let conditions = conditions_of(&analyses, this)?;
        // Scalar evolution may count now what it did not count before: these steps are not among those that are left.
        Some((conditions.counted_from() == *counted).then_some((conditions, *left)).ok_or(this.header))
    };
    let all: Vec<Result<_, Block<'ir>>> = analyses.loops().iter().filter_map(with_left).collect();
    let mut others = Vec::new();
    for each in all {
        match each {
            Ok((conditions, left)) => write::ask_many(conditions, left),
            Err(header) => others.push(header),
        }
    }
    session.invalidate(function);
    session.run_function_passes(function, super::NATURAL).expect("law: the clean-up is a pipeline");
    others
}

/// Whether the function may read more than the program does, in vectors from any place, whose first lanes are the lowest bits.
fn may_read_ahead(analyses: &Analyses<'_, '_>) -> bool {
    let function = analyses.function();
    let is_watched = function.text_attribute("target-features").is_some_and(|features| features.contains(WATCHED));
    let is_exact = EXACT.iter().any(|name| function.has_attribute(name));
    !is_exact && !is_watched && function.layout().is_little_endian() && analyses.loads_from_any_place()
}

/// Whether the source says something of vectors in this loop.
fn is_hinted<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
    HINTS.iter().any(|hint| analyses.loop_attribute(this.id, hint).is_some())
}

/// What a loop asks that does nothing else.
pub(super) fn conditions_of<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Conditions<'ir>> {
    let latch = this.latch?;
    if latch.is_aside() && !latch.is_search() {
        return None;
    }
    let only_reads = |i: Instruction<'ir>| match i.memory() {
        Some(access) => access.simple && access.stored.is_none(),
        None => i.is_terminator() || i.is_marker() || !i.has_side_effects() && !i.may_read_memory(),
    };
    let mut blocks = this.blocks.clone();
    blocks.sort_by_key(|block| analyses.places().get(block));
    let conditions = || conditions_of_part(analyses, this, &blocks, |_| true);
    this.instructions()
        .all(only_reads)
        .then(conditions)
        .flatten()
        .filter(|conditions| !conditions.are_known(analyses, this))
}

/// What the part of a loop asks that finds its exit, if that part of it can ask many elements at once.
pub(super) fn conditions_of_part<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    blocks: &[Block<'ir>],
    is_wanted: impl Fn(Instruction<'ir>) -> bool,
) -> Option<Conditions<'ir>> {
    let is_left_alone = is_hinted(analyses, this) || !may_read_ahead(analyses);
    if is_left_alone { None } else { Conditions::of(analyses, this, blocks, is_wanted) }
}
