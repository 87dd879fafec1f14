//! The options: one table, told in three ways with the same words.
//!
//!     opt -passes='loopwright<parallel;tile=64>'
//!     clang -O3 -fpass-plugin=libloopwright.so -mllvm -loopwright-parallel -mllvm -loopwright-tile=64
//!     LOOPWRIGHT_OPTIONS='parallel tile=64' clang -O3 -fpass-plugin=libloopwright.so
//!
//! Angle brackets override the command line, which overrides the environment; within one, later words override earlier.
//! Words in the environment and in brackets are separated by `;`, `,` or white space; a value that has these is quoted: `report="a b"`.

use crate::machine::Machine;
use std::fmt;

/// The environment variable that holds options.
pub const VARIABLE: &str = "LOOPWRIGHT_OPTIONS";

/// With this environment variable ccache compiles anew, and keeps nothing.
pub const NO_CACHE: &str = "CCACHE_DISABLE";

/// What the user wants; parsed once, then passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `None`: if the module was compiled with `-fopenmp`.
    pub parallel: Option<bool>,
    pub tile: Tile,
    pub fusion: Fusion,
    /// Units of work (`presburger::budget`) on an outermost loop nest, all attempts together, if not by its size (`allowance`).
    pub budget: Option<u64>,
    /// Only functions whose name matches, `*` standing for any text.
    pub only: Option<String>,
    pub position: Position,
    /// Verify every changed function with LLVM's verifier.
    pub check: bool,
    /// Run both versions of what is changed, and end the program where they differ.
    pub validate: bool,
    /// Searches may read what is behind the element that they find, in its page.
    pub reads_ahead: bool,
    /// Operations below which a parallel loop runs on one thread, if not the machine's.
    pub minimal_work: Option<u64>,
    /// Bits of a vector, if not the machine's.
    pub vector_bits: Option<i64>,
    /// Bytes of the second-level cache, if not the machine's.
    pub cache_bytes: Option<i64>,
    /// Threads of a parallel loop, if not the machine's.
    pub cores: Option<i64>,
    /// Print counters at the end of each module.
    pub statistics: bool,
    /// Prints what each stage took, for each function.
    pub time: bool,
    /// Rewrite so many regions of each module, in the order in which they are found (`selection`).
    pub first: Option<u64>,
    /// A file with the names of the regions to rewrite.
    pub regions: Option<String>,
    /// A file with schedules for regions (`schedule::given`).
    pub schedules: Option<String>,
    /// A file to which the names of rewritten regions are appended.
    pub list_regions: Option<String>,
    /// Where what led to an internal error is written, if not in the folder for temporary files.
    pub reproducers: Option<String>,
    /// The folder of the report, if one is wanted.
    pub report: Option<String>,
    /// Panic somewhere, to test that nothing breaks.
    pub provoke_panic: Option<Provoked>,
    /// What to compile for: see [`Options::on`].
    pub machine: Machine,
}

/// Where an internal error is provoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provoked {
    /// One of [`STAGES`].
    pub stage: &'static str,
    /// In which region of a function, in the order in which they come to that stage, from 1.
    pub region: usize,
}

/// Places where something may go wrong, in the order of the work: the function has been made readable; a region is going to be read, and to be
/// scheduled; its parameters have become instructions; the test before the new loops is written, and what measures before them; a function
/// for a parallel loop is half made; a statement is written; all is written but the end, where both ways meet; all regions are written.
pub const STAGES: [&str; 10] =
    ["prepare", "extract", "schedule", "materialize", "guard", "measure", "outline", "write", "branch", "end"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// Sizes from the cache model.
    Model,
    Off,
    Fixed(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusion {
    Smart,
    Maximal,
    Minimal,
}

/// Where in the default pipeline the pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    Early,
    Late,
}

/// A word that is no option, or an option with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    complaint: String,
    /// Whether there is no such option: then it helps to see which there are.
    is_unknown: bool,
}

/// One row of the table.
pub struct OptionRow {
    pub name: &'static str,
    /// What follows `=`, empty for an option without a value.
    pub value: &'static str,
    pub help: &'static str,
    pub hidden: bool,
    /// False if the value is not acceptable.
    set: fn(&mut Options, &str) -> bool,
}

const fn row(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    set: fn(&mut Options, &str) -> bool,
) -> OptionRow {
    OptionRow { name, value, help, hidden: false, set }
}

/// Every option there is.
pub const TABLE: &[OptionRow] = &[
    row("parallel", "", "run loops on all cores through OpenMP (on by itself under -fopenmp)", |o, _| {
        put(&mut o.parallel, Some(Some(true)))
    }),
    row("no-parallel", "", "one core only", |o, _| put(&mut o.parallel, Some(Some(false)))),
    row("tile", "N", "side of a tile in iterations, 1 or more, instead of one from the cache sizes", |o, v| {
        put(&mut o.tile, positive(v).map(Tile::Fixed))
    }),
    row("no-tile", "", "do not tile", |o, _| put(&mut o.tile, Some(Tile::Off))),
    row("fuse", "smart|max|min", "which loops to fuse", |o, v| {
        let choice = match v {
            "smart" => Some(Fusion::Smart),
            "max" => Some(Fusion::Maximal),
            "min" => Some(Fusion::Minimal),
            _ => None,
        };
        put(&mut o.fusion, choice)
    }),
    row("budget", "N", "steps of work per loop nest before it is left alone, instead of some by its size", |o, v| {
        put(&mut o.budget, positive(v).map(Some))
    }),
    row("only", "NAME", "only functions of this name; * stands for any text", |o, v| {
        put(&mut o.only, (!v.is_empty()).then(|| Some(v.to_string())))
    }),
    row("position", "early|late", "where in the pipeline: before or after inlining and simplification", |o, v| {
        let choice = match v {
            "early" => Some(Position::Early),
            "late" => Some(Position::Late),
            _ => None,
        };
        put(&mut o.position, choice)
    }),
    row("check", "", "verify the IR of every changed function", |o, _| put(&mut o.check, Some(true))),
    row(
        "validate",
        "",
        "run new and original loops, compare all that they write, end the program where it differs",
        |o, _| put(&mut o.validate, Some(true)),
    ),
    row(
        "no-read-ahead",
        "",
        "read no element that the program does not read, so that searches ask one by one",
        |o, _| put(&mut o.reads_ahead, Some(false)),
    ),
    row(
        "min-work",
        "N",
        "operations below which a parallel loop runs on one thread; 0: new loops run however few there are",
        |o, v| put(&mut o.minimal_work, number(v).map(Some)),
    ),
    row("vector-bits", "N", "bits of a vector, a power of two from 64 on, instead of the target's", |o, v| {
        put(&mut o.vector_bits, size(v).filter(|bits| is_vector(*bits)).map(Some))
    }),
    row("cache", "BYTES", "size of the second-level cache, instead of the machine's", |o, v| {
        put(&mut o.cache_bytes, size(v).map(Some))
    }),
    row("cores", "N", "threads that parallel loops are planned for, instead of the machine's cores", |o, v| {
        put(&mut o.cores, size(v).map(Some))
    }),
    row("time", "", "print what each stage took, for each function", |o, _| put(&mut o.time, Some(true))),
    row("stats", "", "print counters", |o, _| put(&mut o.statistics, Some(true))),
    row("first", "N", "optimize only the first N loop nests of each module that can be", |o, v| {
        put(&mut o.first, number(v).map(Some))
    }),
    row("regions", "FILE", "optimize only the loop nests named in a file (see loopwright bisect)", |o, v| {
        put(&mut o.regions, path(v))
    }),
    row("schedules", "FILE", "run loop nests as the schedule trees, scripts or JSCOP in a file say", |o, v| {
        put(&mut o.schedules, path(v))
    }),
    row("list-regions", "FILE", "append the names of optimized loop nests to a file", |o, v| {
        put(&mut o.list_regions, path(v))
    }),
    row(
        "reproducers",
        "DIR",
        "where to write what led to an internal error, instead of the temporary folder",
        |o, v| put(&mut o.reproducers, path(v)),
    ),
    row("report", "DIR", "write what became of each loop nest to a file in a folder, for loopwright report", |o, v| {
        put(&mut o.report, path(v))
    }),
    OptionRow {
        name: "provoke-panic",
        value: "STAGE[:REGION]",
        help: "panic in the first region that comes to a stage, or another one",
        hidden: true,
        set: |o, v| put(&mut o.provoke_panic, provoked(v).map(Some)),
    },
];

impl Default for Options {
    fn default() -> Options {
        Options {
            parallel: None,
            tile: Tile::Model,
            fusion: Fusion::Smart,
            budget: None,
            only: None,
            position: Position::Early,
            check: false,
            validate: false,
            reads_ahead: true,
            minimal_work: None,
            vector_bits: None,
            cache_bytes: None,
            cores: None,
            machine: Machine::default(),
            statistics: false,
            time: false,
            first: None,
            regions: None,
            schedules: None,
            list_regions: None,
            reproducers: None,
            report: None,
            provoke_panic: None,
        }
    }
}

impl OptionError {
    fn wrong(complaint: String) -> OptionError {
        OptionError { complaint, is_unknown: false }
    }

    /// What is wrong, without the list of what would be right.
    pub fn complaint(&self) -> &str {
        &self.complaint
    }
}

impl Options {
    /// Whether they name files, which are written beside the object or say what is in it.
    pub fn name_files(&self) -> bool {
        [&self.regions, &self.schedules, &self.list_regions, &self.report].iter().any(|file| file.is_some())
    }

    /// These options with more words; an empty word says nothing.
    pub fn with<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Result<Options, OptionError> {
        let mut before: Option<&OptionRow> = None;
        for word in words.into_iter().filter(|word| !word.is_empty()) {
            if let Some(open) = unclosed(word) {
                return Err(OptionError::wrong(format!("a quote is not closed: {open}")));
            }
            let hint = || before.filter(|_| !word.contains('=')).map_or_else(String::new, quotes_for);
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            let Some(row) = TABLE.iter().find(|row| row.name == name) else {
                let complaint = format!("unknown option '{name}'{}", hint());
                return Err(OptionError { complaint, is_unknown: true });
            };
            if value.is_some() == row.value.is_empty() || !(row.set)(&mut self, value.unwrap_or_default()) {
                return Err(OptionError::wrong(wrong_value(row, value) + &hint()));
            }
            before = NAMES.contains(&row.value).then_some(row);
        }
        Ok(self)
    }

    /// These options for code that runs on `machine`, but for what they themselves say about it.
    pub fn on(&self, machine: Machine) -> Options {
        let machine = Machine {
            vector_bits: self.vector_bits.unwrap_or(machine.vector_bits),
            level2: self.cache_bytes.unwrap_or(machine.level2),
            cores: self.cores.unwrap_or(machine.cores),
            fork_operations: self.minimal_work.unwrap_or(machine.fork_operations),
            ..machine
        };
        Options { machine, ..self.clone() }
    }

    /// Panics if that is wanted where the region of this number, from 1, comes to a stage.
    pub fn provoke(&self, stage: &str, region: usize) {
        let is_here = |provoked: Provoked| provoked.stage == stage && provoked.region == region;
        assert!(!self.provoke_panic.is_some_and(is_here), "provoked");
    }

    /// Whether a function of this name is wanted.
    pub fn wants(&self, function: &str) -> bool {
        self.only.as_deref().is_none_or(|pattern| matches(pattern, function))
    }
}

/// The words of a text of options.
pub fn words(text: &str) -> Vec<String> {
    split(text, |c| c == ';' || c == ',' || c.is_whitespace())
}

/// The words of a text between separators. Quotes, `"` or `'`, at the beginning of a word or behind its `=` hold what is in them together: `report="a b"`.
/// One that is not closed before a separator stays in the word, with all that follows.
pub fn split(text: &str, is_separator: fn(char) -> bool) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = text.trim_start_matches(is_separator);
    while !rest.is_empty() {
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let name = match rest.starts_with(QUOTES) {
            true => 0,
            false => rest[..end].find('=').map_or(end, |at| at + 1),
        };
        let (word, behind) = match rest[name..].starts_with(QUOTES) && name < end {
            true => quoted(&rest[name..], is_separator)
                .map_or((rest.to_string(), ""), |(inner, behind)| (format!("{}{inner}", &rest[..name]), behind)),
            false => (rest[..end].to_string(), &rest[end..]),
        };
        all.push(word);
        rest = behind.trim_start_matches(is_separator);
    }
    all
}

/// What is in the quotes that a text begins with, and what is behind them.
fn quoted(text: &str, is_separator: fn(char) -> bool) -> Option<(&str, &str)> {
    let (quote, rest) = text.split_at(1);
    let (inner, behind) = rest.split_once(quote)?;
    (behind.is_empty() || behind.starts_with(is_separator)).then_some((inner, behind))
}

/// The text from a quote on that was not closed.
fn unclosed(word: &str) -> Option<&str> {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    [word, value].into_iter().find(|text| text.starts_with(QUOTES))
}

/// What may be wrong where a word stands alone behind a name: that it is the rest of it.
fn quotes_for(row: &OptionRow) -> String {
    format!(" (a name with spaces, commas or semicolons is quoted: {}=\"...\")", row.name)
}

/// What holds words together.
const QUOTES: [char; 2] = ['"', '\''];

/// Values that may be any text.
const NAMES: [&str; 3] = ["FILE", "DIR", "NAME"];

/// The smallest vector: two floats.
const FEWEST_BITS: i64 = 64;

fn is_vector(bits: i64) -> bool {
    bits >= FEWEST_BITS && bits & (bits - 1) == 0
}

fn put<T>(place: &mut T, value: Option<T>) -> bool {
    value.map(|value| *place = value).is_some()
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok()
}

fn path(text: &str) -> Option<Option<String>> {
    (!text.is_empty()).then(|| Some(text.to_string()))
}

fn provoked(text: &str) -> Option<Provoked> {
    let (stage, region) = text.split_once(':').unwrap_or((text, "1"));
    let stage = STAGES.into_iter().find(|known| *known == stage)?;
    Some(Provoked { stage, region: region.parse().ok()? })
}

fn positive(text: &str) -> Option<u64> {
    number(text).filter(|n| *n > 0)
}

fn size(text: &str) -> Option<i64> {
    positive(text)?.try_into().ok()
}

fn wrong_value(row: &OptionRow, value: Option<&str>) -> String {
    match value {
        _ if row.value.is_empty() => format!("option '{}' takes no value", row.name),
        None => format!("option '{}' needs a value: {}={}", row.name, row.name, row.value),
        Some(value) => {
            let OptionRow { name, value: wanted, help, .. } = row;
            format!("option '{name}' has the wrong value '{value}': {name}={wanted} ({help})")
        }
    }
}

/// Whether `*` in the pattern can stand for texts that make it the name.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| matches(rest, &tail[at..]))
        }),
    }
}

impl fmt::Display for OptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if self.value.is_empty() { Ok(()) } else { write!(f, "={}", self.value) }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loopwright: {}", self.complaint)?;
        if !self.is_unknown {
            return Ok(());
        }
        let valid: Vec<_> = TABLE.iter().filter(|row| !row.hidden).map(ToString::to_string).collect();
        write!(f, "; the options are {}", valid.join(", "))
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Options, String> {
        Options::default().with(words(text).iter().map(String::as_str)).map_err(|error| error.complaint)
    }

    #[test]
    fn words_are_separated_by_semicolon_comma_and_space() {
        let expected = Options { parallel: Some(true), tile: Tile::Fixed(64), budget: Some(5), ..Options::default() };
        assert_eq!(parsed("parallel;tile=64, budget=5"), Ok(expected));
    }

    #[test]
    fn what_is_said_of_the_machine_is_believed() {
        let on = |text: &str| parsed(text).map(|options| options.on(Machine::default()).machine);
        let expected = Machine { vector_bits: 128, level2: 65536, cores: 8, fork_operations: 0, ..Machine::default() };
        assert_eq!(on("vector-bits=128 cache=65536 cores=8 min-work=0"), Ok(expected));
        assert_eq!(on(""), Ok(Machine::default()));
        assert!(parsed("cache=0").is_err() && parsed("cache=9223372036854775808").is_err());
    }

    #[test]
    fn quotes_hold_a_value_together() {
        let report = |text: &str| parsed(text).map(|options| options.report);
        for text in ["report=\"/a b,c;d\"", "tile=4;report='/a b,c;d', check", "'report=/a b,c;d'"] {
            assert_eq!(report(text), Ok(Some("/a b,c;d".to_string())), "{text}");
        }
        assert_eq!(report("report=/o'neil/r"), Ok(Some("/o'neil/r".to_string())));
        assert_eq!(report("report=\"a b").unwrap_err(), "a quote is not closed: \"a b");
        assert_eq!(
            report("report=a 2").unwrap_err(),
            "unknown option '2' (a name with spaces, commas or semicolons is quoted: report=\"...\")"
        );
        assert!(report("report=/kiss report").unwrap_err().ends_with("is quoted: report=\"...\")"));
        assert_eq!(split("env X=\"1 2\" '/a b/clang'", char::is_whitespace), ["env", "X=1 2", "/a b/clang"]);
    }

    #[test]
    fn later_words_win() {
        assert_eq!(parsed("tile=3;no-tile").map(|o| o.tile), Ok(Tile::Off));
        assert_eq!(parsed("no-tile;tile=5").map(|o| o.tile), Ok(Tile::Fixed(5)));
        assert_eq!(parsed("parallel no-parallel").map(|o| o.parallel), Ok(Some(false)));
    }

    #[test]
    fn complaints_name_the_option_and_the_valid_ones() {
        assert_eq!(parsed("tile").unwrap_err(), "option 'tile' needs a value: tile=N");
        let wrong = |text: &str| parsed(text).unwrap_err();
        assert!(wrong("tile=many").starts_with("option 'tile' has the wrong value 'many': tile=N (side of a tile"));
        assert!(
            wrong("tile=0")
                .starts_with("option 'tile' has the wrong value '0': tile=N (side of a tile in iterations, 1 or more")
        );
        assert!(wrong("vector-bits=7").contains("'7': vector-bits=N (bits of a vector, a power of two from 64 on"));
        assert!(wrong("budget=0").starts_with("option 'budget' has the wrong value '0': budget=N ("));
        assert_eq!(parsed("no-tile=1").unwrap_err(), "option 'no-tile' takes no value");
        let text = Options::default().with(["frobnicate"]).unwrap_err().to_string();
        assert!(
            text.starts_with("loopwright: unknown option 'frobnicate'; the options are parallel, no-parallel, tile=N")
        );
        assert!(!text.contains("provoke-panic"));
        let text = Options::default().with(["no-tile=1"]).unwrap_err().to_string();
        assert_eq!(text, "loopwright: option 'no-tile' takes no value", "who knows the option need not see the others");
    }

    #[test]
    fn a_panic_is_provoked_at_a_stage_of_a_region() {
        let provoked = |text| parsed(text).map(|options| options.provoke_panic);
        assert_eq!(provoked("provoke-panic=guard:2"), Ok(Some(Provoked { stage: "guard", region: 2 })));
        assert_eq!(provoked("provoke-panic=extract"), Ok(Some(Provoked { stage: "extract", region: 1 })));
        assert!(provoked("provoke-panic").is_err() && provoked("provoke-panic=soon").is_err());
    }

    #[test]
    fn a_star_stands_for_any_text() {
        let options = parsed("only=kernel_*_2").expect("a pattern");
        assert!(options.wants("kernel_gemm_2") && options.wants("kernel__2"));
        assert!(!options.wants("kernel_gemm_3") && !options.wants("main"));
        assert!(Options::default().wants("main"));
    }
}
