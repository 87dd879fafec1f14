//! Programs in C, as models: what iscc's `parse_file` is for.
//!
//! ```text
//! float inner(int n, float A[const restrict static n], float B[const restrict static n]) {
//!   float prod;
//! S: prod = 0;                            S[]                       writes prod[]
//! L: for (int i = 0; i < n; ++i)          L[{ T[i] -> [(i)] }]
//! T:   prod += A[i] * B[i];               T[i] : 0 <= i < n         reads prod[], A[i], B[i], writes prod[]
//!   return prod;
//! }
//! ```
//!
//! The front end of the tutorial's programs. It works on the source as it stands, where the plugin works on what the compiler made of it: statements have
//! their labels, arrays their names. A region is what stands between `#pragma scop` and `#pragma endscop`, or, where there is none in the file, the
//! longest run of statements of each function that can be read. What cannot be followed becomes one statement, as in pet: a condition or a loop that data decides about, with all
//! that it may touch. Such writes, and those to a place that is not affine, *may* happen. The text is C11 as the parser `lang-c` reads it, without directives but
//! `#pragma` (a preprocessor runs before: `cc -E`).
//!
//! What a loop leaves in its variable is no part of a model. Three things are believed of a program, as pet believes them: subscripts stay inside of their arrays, whose lengths do not wrap around (where no parameters
//! would let them, the region is refused); arrays do not overlap; and a function without a body touches
//! only what its arguments lead to (what they lead to by `const` it only reads). A function with a body is looked into; `__attribute__((pencil_access(summary)))` names another one to be looked into instead.
//! `__pencil_kill`, `__pencil_assume`, `__pencil_use`, `__pencil_def` and `__pencil_maybe` say what PENCIL says with them.
//!
//! `text` prepares the source, `depth` asks whether it is nested too deeply, `types` and `unit` know what is declared; `values` computes with affine expressions by C's rules, `places` names what is touched,
//! `touched` collects it for one statement, `exits` says what is left before its end, `loops` finds the iterations of
//! loops, `steps` those of loops that data ends, `exact` what conditions on data become for the exact dataflow, and `order` makes statements and their order, of the regions that `region` finds; `led` asks whether two names are one place; `builder` is what is known meanwhile.
//!
//! Implements: 002 5.2.2, 5.2.3, 5.3.1, 5.3.3, 5.7, 5.8, 6.5

mod builder;
mod depth;
mod exact;
mod exits;
mod led;
mod loops;
mod operators;
mod order;
mod places;
mod region;
mod steps;
mod text;
mod touched;
mod types;
mod unit;
mod values;

#[cfg(test)]
mod tests;

use crate::presburger::ParseError;
use crate::scop::{self, Scop};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use text::Source;
use unit::Unit;

/// Whether a file of this name holds a program in C.
pub fn is_program(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, end)| end == "c" || end == "i")
}

/// What is wrong with a program, and where.
#[derive(Clone, Debug)]
struct Wrong {
    at: usize,
    message: String,
}

impl Wrong {
    fn at(at: usize, message: impl Into<String>) -> Wrong {
        Wrong { at, message: message.into() }
    }
}

/// The models of a program's regions, in their order; `file` is the name of the file.
///
/// # Errors
/// What is no C, or no region, at its place in the text.
pub fn parse(text: &str, file: &str) -> Result<Vec<Scop>, ParseError> {
    parsed(text, file, Control::Encapsulated)
}

/// The same, where outer loops that data ends are loops, of steps with exit predicates ([`scop::steps`]), and not one statement each: what pet does without `--encapsulate-dynamic-control`.
///
/// # Errors
/// What is no C, or no region, at its place in the text.
pub fn parse_in_steps(text: &str, file: &str) -> Result<Vec<Scop>, ParseError> {
    parsed(text, file, Control::InSteps)
}

/// The same for the exact dataflow: whatever data decides is a condition of statements, loops that it ends have a last step, and statements say what they compute.
///
/// # Errors
/// What is no C, or no region, at its place in the text.
pub fn parse_exactly(text: &str, file: &str) -> Result<Vec<Scop>, ParseError> {
    parsed(text, file, Control::Exact)
}

/// What becomes of control that data decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    /// One statement.
    Encapsulated,
    /// An outer loop that data ends is a loop with exit predicates, if it is left directly in its body; all else is one statement.
    InSteps,
    /// Statements under conditions, in loops.
    Exact,
}

fn parsed(text: &str, file: &str, control: Control) -> Result<Vec<Scop>, ParseError> {
    let placed = |wrong: Wrong| text::error_at(text, wrong.at, wrong.message);
    let source = Source::of(text).map_err(placed)?;
    depth::check(&source.plain).map_err(placed)?;
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    let parsed = parse_preprocessed(&config, source.plain.clone());
    let parsed = parsed.map_err(|error| text::error_at(text, error.offset, "this is no C".to_string()))?;
    let unit = Unit::of(&parsed.unit).map_err(placed)?;
    let regions = region::regions(&unit, &source, (file, text), control).map_err(placed)?;
    for scop in &regions {
        let wrong = |message: String| text::error_at(text, 0, format!("{}: {message}", scop.name));
        scop::verify(scop).map_err(|violation| wrong(violation.message))?;
    }
    Ok(regions)
}
