//! The report: what became of every loop nest of a module, as data in a file that other programs read.
//!
//! The option `report=DIR` has the plugin write one file per module there; `loopwright report DIR` makes a page of them. The files are JSON:
//!
//! ```json
//! { "version": 1, "producer": "loopwright 0.1.0", "source": "gemm.c", "directory": "/home/me/solver", "options": ["parallel"],
//!   "machine": { "cores": 4, "line_bytes": 64, "level1_bytes": 32768, "level2_bytes": 524288, "vector_bits": 256, "threads": true },
//!   "nests": [ { "function": "gemm", "file": "gemm.c", "line": 16, "column": 3, "last_line": 22, "outcome": "done",
//!                "summary": "S18: loops i, j; ...", "transformations": [ ... ], "tests": [ "'C' and 'A' do not overlap" ], ... } ],
//!   "functions": [ { "name": "gemm", "stages": [ { "name": "schedule", "milliseconds": 4.02, "runs": 1, "work_units": 512433 } ] } ] }
//! ```
//!
//! The fields are those of the types below, in their order. Statements are called by their lines (`S18`), as in everything that is shown, and
//! sets, relations, schedule trees and loops are text in the notation of the `loopwright` command, which reads them again. Lines and columns
//! count from 1; 0 stands for an unknown one. Times of stages are measured, all others are predicted.
//!
//! *Versions.* [`VERSION`] grows when a field changes its meaning or goes; readers refuse other versions. New fields may come without a new version:
//! readers pass over what they do not know, and what a file lacks is empty.

pub mod file;

use serde::{Deserialize, Serialize};

/// Of the meaning of the fields.
pub const VERSION: u32 = 1;

/// What became of the loop nests of a module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Module {
    pub version: u32,
    /// Who wrote the file.
    #[serde(default)]
    pub producer: String,
    /// The source file, as the compiler was given it.
    pub source: String,
    /// Where the compiler ran: relative names of files start there.
    pub directory: String,
    /// The options as words, as they were given.
    #[serde(default)]
    pub options: Vec<String>,
    #[serde(default)]
    pub machine: Machine,
    /// The source files of the nests as they were when they were compiled.
    #[serde(default)]
    pub files: Vec<SourceFile>,
    pub nests: Vec<Nest>,
    /// What planning each function took.
    #[serde(default)]
    pub functions: Vec<Function>,
}

/// A source file as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceFile {
    pub directory: String,
    pub file: String,
    /// Of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// What the loops were planned for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    pub cores: i64,
    pub line_bytes: i64,
    pub level1_bytes: i64,
    pub level2_bytes: i64,
    pub vector_bits: i64,
    /// Whether loops may run on several cores.
    pub threads: bool,
    /// Bytes that come from memory in the time of a scalar operation.
    pub bytes_per_operation: f64,
}

/// What became of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is rewritten.
    Done,
    /// It is left as it was.
    Missed,
    /// It is left as it was, and loops inside of it are rewritten, as other nests of the report say.
    Analysis,
}

/// A loop nest, or several that are one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nest {
    pub function: String,
    pub file: String,
    /// Where the file's name starts, if that is not where the compiler ran.
    #[serde(default)]
    pub directory: String,
    pub line: u32,
    pub column: u32,
    /// The last line of the file that belongs to it.
    pub last_line: u32,
    /// Lines where its outermost loops start.
    #[serde(default)]
    pub lines: Vec<u32>,
    pub outcome: Outcome,
    /// What was done, or why nothing was, in a sentence.
    pub summary: String,
    #[serde(default)]
    pub transformations: Vec<Transformation>,
    /// What is tested before the new loops; if it does not hold, the program's own run.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Why the nest is as it was.
    #[serde(default)]
    pub refusal: Option<Refusal>,
    /// Loops that have to run in order, and why.
    #[serde(default)]
    pub in_order: Vec<InOrder>,
    /// None if the nest cannot be modelled.
    #[serde(default)]
    pub model: Option<Model>,
    #[serde(default)]
    pub dependences: Vec<Dependence>,
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// The schedule tree of the new loops.
    #[serde(default)]
    pub schedule: Option<String>,
    /// The new loops.
    #[serde(default)]
    pub loops: Option<String>,
    /// Arrays of which each thread has a copy.
    #[serde(default)]
    pub copies: Vec<String>,
    #[serde(default)]
    pub prediction: Option<Prediction>,
}

/// Something that was done to loops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Transformation {
    /// In a sentence.
    pub text: String,
    pub statements: Vec<String>,
    pub loops: Vec<String>,
    /// `tiles`, `wavefront`, `diamonds`, `strips`, `written out`, or empty.
    pub shape: String,
    /// Sides of a tile.
    pub sides: Vec<i64>,
    /// Bytes that a tile touches.
    pub tile_bytes: Option<u64>,
    /// Iterations in registers along each blocked loop.
    pub registers: Vec<i64>,
    pub parallel: Option<String>,
    pub vector: Option<String>,
}

/// Why a nest is as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refusal {
    /// In one word.
    pub name: String,
    pub reason: String,
    /// What the user could do.
    pub cure: Option<String>,
    pub file: String,
    pub line: u32,
}

/// A loop that has to run in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InOrder {
    pub line: u32,
    pub why: String,
    /// What the user could do.
    pub cure: Option<String>,
}

/// The model of a nest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Model {
    /// All of it, as the `loopwright` command reads it.
    pub text: String,
    pub statements: Vec<Statement>,
    /// What it rests on and is tested where the nest is rewritten: obligations in words.
    pub obligations: Vec<String>,
}

/// A statement of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statement {
    pub name: String,
    pub line: u32,
    pub column: u32,
    /// What it writes and reads: `C[i][j] += f(A[i][k], B[k][j])`.
    pub outline: String,
    pub domain: String,
    pub operations: u32,
    /// Lines of the loops around it, outermost first.
    pub loops: Vec<u32>,
    pub accesses: Vec<Access>,
}

/// What an instance of a statement touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Access {
    /// `read`, `write` or `may write`.
    pub kind: String,
    pub array: String,
    pub relation: String,
}

/// The dependences of one kind between two statements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dependence {
    /// `flow`, `anti`, `output`, `reduction` or `reduction use`.
    pub kind: String,
    pub from: String,
    pub to: String,
    pub array: String,
    pub relation: String,
}

/// A way to run the nest that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Candidate {
    /// What is taken for granted or tested: `plain`, `shared`, ...
    pub model: String,
    pub strategy: String,
    pub cost: Option<String>,
    /// How many times as fast as the program it is predicted to be, where the model of time can tell; 1 for the program itself.
    pub gain: Option<f64>,
    /// Why it was not taken.
    pub rejected: Option<String>,
    pub is_chosen: bool,
}

/// What the program's own loops and the best that were found take, at the sizes that the model takes for usual, on one core. An access whose subscripts
/// data gives counts a line of memory each time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prediction {
    pub operations: f64,
    pub before: Costs,
    pub after: Costs,
    /// How many times as fast the new loops are, on all cores that share them: these divide what is computed, and not what comes from memory.
    pub speedup: f64,
    /// Cores that share the new loops.
    pub cores: i64,
    /// Numbers in a vector.
    pub lanes: i64,
}

/// What loops take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// In times of a scalar operation.
    pub time: f64,
    /// The part of it for operations and for starting loops.
    pub work: f64,
    /// Bytes from memory.
    pub far_bytes: f64,
    /// Bytes that come into the first-level cache.
    pub near_bytes: f64,
}

/// What planning a function took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Function {
    pub name: String,
    pub stages: Vec<Stage>,
}

/// What a stage of the compiler took, without the stages inside of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stage {
    pub name: String,
    pub milliseconds: f64,
    pub runs: u32,
    pub work_units: u64,
}
