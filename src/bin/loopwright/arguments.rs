//! What the command line of `loopwright` may say.
//!
//! `loopwright ast sum.scop --separation innermost --json` is [`Command::Ast`] with a [`Model`], a [`Choice`] of its schedule and [`Loops`].

use clap::{Args, Parser, Subcommand, ValueEnum};
use loopwright::ast::{self, Separation};
use std::path::PathBuf;

use crate::ways::{Way, options_help};

/// What the help and the manual say beside the commands.
const MORE: &str = "\
In the source of a program:
  __attribute__((annotate(\"loopwright:off\")))          the loops of a function stay as they are
  __attribute__((annotate(\"loopwright:parallel\")))     they run on all cores, also without -fopenmp; link with -lomp
  __attribute__((annotate(\"loopwright:tile=64\")))      options for a function
  #pragma clang loop vectorize(disable), unroll_count(N) and the like: the loop is kept as it is

Environment:
  LOOPWRIGHT_OPTIONS                              options of the plugin, between spaces, commas or semicolons; names with these in quotes
  LOOPWRIGHT_CC, LOOPWRIGHT_CXX, LOOPWRIGHT_FC    other compilers of LLVM 22
  LOOPWRIGHT_LLD                                  another ld.lld, for crates
  LOOPWRIGHT_PLUGIN                               another plugin
  LOOPWRIGHT_LOG                                  what is tried and decided: debug";

/// The same, and the options of the plugin.
fn more() -> String {
    format!("Options of the plugin (-floopwright=WORDS, -mllvm -loopwright-WORD):\n{}\n{MORE}", options_help())
}

#[derive(Parser)]
#[command(
    name = "loopwright",
    version,
    about = "A polyhedral loop optimizer: compilers with it, and its stages on text files",
    after_long_help = more()
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Print the dependences of a model
    Deps {
        #[command(flatten)]
        model: Model,
        /// Say on standard error how many seconds their analysis took
        #[arg(long)]
        time: bool,
    },
    /// Print a schedule for a model, as isl writes schedule trees
    Schedule {
        #[command(flatten)]
        model: Model,
        #[command(flatten)]
        choice: Choice,
        #[command(flatten)]
        form: Form,
        /// Say on standard error how long finding it takes, dependences excluded: nanoseconds, the best of N times
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        time: Option<u32>,
    },
    /// Print the loops of a schedule, as C
    Ast {
        #[command(flatten)]
        model: Model,
        #[command(flatten)]
        choice: Choice,
        #[command(flatten)]
        loops: Loops,
    },
    /// Print the exact dataflow of a model that may have conditions on data: from where each value comes (the S-graph) and where it
    /// goes to (the U-graph)
    Dataflow {
        #[command(flatten)]
        model: Model,
        #[command(flatten)]
        flow: Flow,
    },
    /// Check the laws of a model, and that a schedule keeps its dependences
    Check {
        #[command(flatten)]
        model: Model,
        #[command(flatten)]
        choice: Choice,
    },
    /// Print a model with other places for what it keeps in memory, if each read then still has its value
    Layout {
        #[command(flatten)]
        model: Model,
        #[command(flatten)]
        places: Places,
    },
    /// Find the loop nest that makes a command fail, which builds a program with the plugin and tests it
    Bisect {
        /// After so many seconds the command counts as failed
        #[arg(long, value_name = "SECONDS")]
        timeout: Option<u64>,
        /// Show what the command prints
        #[arg(long)]
        show: bool,
        /// The command and its arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// Make a page of what the plugin wrote with the option report=DIR
    Report(Report),
    /// Evaluate a program in the language of iscc
    Calc(Calc),
    #[command(flatten)]
    Way(Way),
    /// Print completions for a shell, or write the pages of the manual to a folder
    #[command(hide = true)]
    Pages {
        page: Page,
        /// Where the pages of the manual go; without it the first one is printed
        folder: Option<PathBuf>,
    },
}

/// What `scripts/install` asks for.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Page {
    Man,
    Bash,
}

#[derive(Args)]
pub struct Model {
    /// The model: its text form (of several models, as print<loopwright-scops> writes them), a JSCOP file, or one `key: isl text` per line
    pub file: PathBuf,
    /// Of several models only this one: its name, or its number from 1
    #[arg(long, value_name = "NAME|NUMBER")]
    pub region: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Draw the graph: in the language of Graphviz, or as a picture
    #[arg(long, conflicts_with = "json")]
    pub format: Option<Format>,
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Dot,
    Svg,
}

/// As what a schedule is printed.
#[derive(Args)]
pub struct Form {
    /// Print the schedule as a relation from instances to dates
    #[arg(long)]
    pub map: bool,
    /// Print the schedule tree in one line
    #[arg(long, conflicts_with_all = ["map", "json"])]
    pub flow: bool,
    /// Print the model with the schedule as a JSCOP file
    #[arg(long, conflicts_with_all = ["map", "json", "flow"])]
    pub jscop: bool,
}

/// Which schedule.
#[derive(Args)]
pub struct Choice {
    /// The order of the program itself
    #[arg(long, conflicts_with = "tree")]
    pub original: bool,
    /// The schedule tree in this file; with a comment `# NAME` before each, the trees of several models
    #[arg(long, value_name = "FILE")]
    pub tree: Option<PathBuf>,
    /// The transformations in this file, one per line, of the program's own order (or, after the line `start found`, of a found one); for several models,
    /// each after a line `function NAME`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tree", "original"])]
    pub script: Option<PathBuf>,
    /// Bands as they are found: no tiles, no loops for the vector unit
    #[arg(long)]
    pub bands: bool,
    /// Do not tile
    #[arg(long)]
    pub no_tile: bool,
    /// Side of all tiles; without it they are chosen by how much memory they touch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(2..))]
    pub tile_size: Option<i64>,
    /// Do not look for parallel loops
    #[arg(long)]
    pub no_parallel: bool,
    /// Keep the order within reductions
    #[arg(long)]
    pub strict: bool,
}

/// Where elements go.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Places {
    /// A place of its own for each value of this array that would overwrite another one
    #[arg(long, value_name = "ARRAY")]
    pub expand: Option<String>,
    /// These places, for elements or for the accesses of instances: `{ [S[i] -> t[]] -> t[i] }`
    #[arg(long, value_name = "RELATION")]
    pub with: Option<String>,
}

/// How loops are generated and written.
#[derive(Args)]
pub struct Loops {
    /// Add a driver, so that the result is a program that prints the instances it runs
    #[arg(long)]
    pub main: bool,
    /// Where statements that overlap get loops without guards: where that is no more code, where guards would be evaluated often for that, in innermost loops, everywhere, nowhere
    #[arg(long, value_name = "WHERE", default_value = "volume", value_parser = ["counted", "volume", "innermost", "everywhere", "nowhere"])]
    pub separation: String,
    /// Split loops so that no loop directly inside is run in vain
    #[arg(long)]
    pub second_separation: bool,
    /// Split loops so that bounds of the loops directly inside are no minima and maxima
    #[arg(long)]
    pub split_bounds: bool,
    /// Say on standard error how long loop generation takes: nanoseconds, the best of N times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub time: Option<u32>,
}

impl Loops {
    pub fn options(&self, parallel: bool) -> ast::Options {
        let separation = match self.separation.as_str() {
            "counted" => Separation::Counted,
            "innermost" => Separation::Innermost,
            "everywhere" => Separation::Everywhere,
            "nowhere" => Separation::Nowhere,
            _ => Separation::Volume,
        };
        let Loops { second_separation, split_bounds, .. } = *self;
        ast::Options { separation, second_separation, split_bounds, parallel }
    }
}

/// What of the exact dataflow.
#[derive(Args)]
pub struct Flow {
    /// Draw both graphs for Graphviz: --format dot
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub dot: bool,
    /// Print what each part of the program writes last, for each element
    #[arg(long, conflicts_with_all = ["dot", "json"])]
    pub effects: bool,
    /// Print what was written last before each part of the program, for each element
    #[arg(long, conflicts_with_all = ["dot", "json", "effects"])]
    pub states: bool,
    /// Print the S-graph as recurrence equations
    #[arg(long, conflicts_with_all = ["dot", "json", "effects", "states"])]
    pub recurrences: bool,
    /// With --recurrences: as a program in C, which reads parameters and elements and prints what the model leaves
    #[arg(long, requires = "recurrences")]
    pub c: bool,
    /// Print from where one read has its value, `S1.S1_0`, or all reads of a statement
    #[arg(long, value_name = "READ", conflicts_with_all = ["dot", "json", "effects", "states", "recurrences"])]
    pub source: Option<String>,
    /// Draw the graph of all instances for values of the parameters, `n=5`; several with commas
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment, value_delimiter = ',',
          conflicts_with_all = ["dot", "json", "effects", "states", "recurrences", "source"])]
    pub unfold: Vec<(String, i64)>,
    /// Check that each source exists and that the graphs are inverse to each other
    #[arg(long, conflicts_with_all = ["dot", "json", "effects"])]
    pub check: bool,
    /// Run the program, its S-graph and its U-graph, and compare what they leave
    #[arg(long, conflicts_with_all = ["dot", "effects", "check"])]
    pub run: bool,
    /// For --run: a file with values of parameters and arrays, as in `{ "n": 3, "x": [0, 5, 2, 7] }`; lists begin with element 0
    #[arg(long, value_name = "FILE", requires = "run")]
    pub input: Option<PathBuf>,
    /// For --run: the value of a parameter
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment, requires = "run")]
    pub param: Vec<(String, i64)>,
    /// For --run: give elements that the input leaves out some value that depends on this number
    #[arg(long, value_name = "SEED", requires = "run")]
    pub fill: Option<u64>,
}

fn assignment(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_string(), value.parse().map_err(|_| format!("{value} is not an integer"))?))
}

/// Which report, and what becomes of it.
#[derive(Args)]
pub struct Report {
    /// The folder that the plugin wrote to, one above it (folders below are looked into), or one file
    pub folder: PathBuf,
    /// Where the page goes; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// An older report to compare with: what got better and worse, appeared and vanished
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
}

#[derive(Args)]
pub struct Calc {
    /// The program; standard input if there is none (a session with line editing at a terminal)
    pub file: Option<PathBuf>,
    /// Print one JSON value per line
    #[arg(long)]
    pub json: bool,
    /// Print how long each result takes: the best of N times, without reading and printing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub time: Option<u32>,
    /// Read one operation per line, `op<TAB>argument<TAB>...`, and answer each in one line
    #[arg(long, conflicts_with = "json")]
    pub ops: bool,
}
