//! What the source says of how a loop is to be transformed.
//!
//! ```c
//! #pragma clang loop vectorize(disable)
//! for (i = 0; i < n; i++) a[i] = b[i] + c[i];
//! ```
//!
//! reaches us as metadata of the loop, `!{!"llvm.loop.vectorize.width", i32 1}`, from clang's and flang's pragmas alike. A loop of which the source says what it
//! is to become, or what not, is kept, and so are the loops around it, which have it inside; loops beside it are not. `unroll(disable)`, which
//! `-fno-unroll-loops` says of every loop, is no more than that: no iterations are written out, by us or by LLVM after us. A wish that leaves the way open
//! (`vectorize(enable)`, `unroll(enable)`, `#pragma omp simd`) is a wish for fast loops. (LLVM's reference, "Transformation Metadata".)

use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::{Analyses, LoopId};

/// Whether iterations may be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrolling {
    Free,
    Forbidden,
}

/// Metadata that fixes a loop, with how the pragma is written: `Some` for one number, with any other as its argument in the last column.
const FIXING: &[(&str, Option<u64>, &str)] = &[
    ("llvm.loop.disable_nonforced", None, "disable_nonforced"),
    ("llvm.loop.vectorize.enable", Some(0), "vectorize(disable)"),
    ("llvm.loop.vectorize.width", Some(1), "vectorize(disable)"),
    ("llvm.loop.vectorize.width", None, "vectorize_width"),
    ("llvm.loop.interleave.count", Some(1), "interleave(disable)"),
    ("llvm.loop.interleave.count", None, "interleave_count"),
    ("llvm.loop.unroll.full", None, "unroll(full)"),
    ("llvm.loop.unroll.count", None, "unroll_count"),
    ("llvm.loop.unroll_and_jam.count", None, "unroll_and_jam"),
    ("llvm.loop.unroll_and_jam.enable", None, "unroll_and_jam"),
    ("llvm.loop.distribute.enable", Some(0), "distribute(disable)"),
    ("llvm.loop.distribute.enable", None, "distribute(enable)"),
];

/// Metadata that forbids to write iterations out.
const NOT_UNROLLED: [&str; 2] = ["llvm.loop.unroll.disable", "llvm.loop.unroll_and_jam.disable"];

/// `Err` with the first loop of a nest that the source fixes.
pub fn check<'ir>(analyses: &Analyses<'_, 'ir>, nest: LoopId) -> Result<(), Refusal<'ir>> {
    let inside = analyses.loops().iter().filter(|this| analyses.is_within(this.id, nest));
    for this in inside {
        if let Some(what) = fixed(analyses, this.id) {
            return Err(Refusal::at(this.location, Reason::FixedBySource { what }));
        }
    }
    Ok(())
}

/// What the source says of a loop, if that fixes it.
fn fixed(analyses: &Analyses<'_, '_>, id: LoopId) -> Option<String> {
    FIXING.iter().find_map(|(name, wanted, pragma)| {
        let number =
            analyses.loop_attribute(id, name).filter(|number| wanted.is_none_or(|wanted| wanted == *number))?;
        let has_argument = wanted.is_none() && (pragma.ends_with("_width") || pragma.ends_with("_count"));
        // What the source takes back is as if it were not there.
        let is_said = wanted.is_some() || number > 0;
        is_said.then(|| if has_argument { format!("{pragma}({number})") } else { pragma.to_string() })
    })
}

/// Whether iterations of these nests may be written out.
pub fn unrolling(analyses: &Analyses<'_, '_>, nests: &[LoopId]) -> Unrolling {
    let is_inside = |id: LoopId| nests.iter().any(|nest| analyses.is_within(id, *nest));
    let is_barred = |id: LoopId| NOT_UNROLLED.iter().any(|name| analyses.loop_attribute(id, name).is_some());
    let mut loops = analyses.loops().iter().map(|this| this.id);
    if loops.any(|id| is_inside(id) && is_barred(id)) { Unrolling::Forbidden } else { Unrolling::Free }
}
