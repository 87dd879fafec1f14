//! A compiler that loads the plugin by itself: clang or flang of the plugin's LLVM, with one word more.
//!
//! `loopwright cc -O3 -c gemm.c` becomes `clang-22 --start-no-unused-arguments -fpass-plugin=.../libloopwright.so --end-no-unused-arguments
//! -O3 -c gemm.c`, in the place of this process: exit codes, signals, standard input and response files are the compiler's own. The brackets keep
//! it silent where nothing is optimized (`-E`, objects that are only linked, assembler). At which levels something is done is the plugin's business.
//!
//! Words of this driver:
//!
//! | word | does |
//! |---|---|
//! | `-floopwright=WORDS` | options of the plugin, in every step, also where `-mllvm` would be wrong: `-floopwright=parallel;tile=64` |
//! | `-fno-loopwright` | the compiler alone |
//! | `-floopwright` | takes back `-fno-loopwright`; without that it is refused, as it would say nothing |
//! | `--help`, alone | says so, before the compiler says the rest |
//!
//! Where there is a cache before the compiler (`LOOPWRIGHT_CC='ccache clang-22'`), it sees the words, but neither the options nor what is in the plugin's file:
//! both are told to ccache in the name of its part of the cache, and where options name files that are written or read, it keeps nothing.
//!
//! Where the options say `parallel`, links find OpenMP's runtime, without `-fopenmp`, which would turn on the program's own pragmas.

use loopwright::options::{NO_CACHE, OptionRow, Options, TABLE, VARIABLE, words};
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::UNIX_EPOCH;

use super::places::{self, Tool};
use super::response;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
    Fortran,
}

/// Words after which a link takes no libraries by itself.
const WITHOUT_LIBRARIES: [&str; 3] = ["-r", "-nostdlib", "-nodefaultlibs"];

/// The name of a part of ccache's cache, of which other parts know nothing.
const CACHE_PART: &str = "CCACHE_NAMESPACE";

/// What is said of a word that says nothing.
const BARE: &str = "-floopwright alone takes back -fno-loopwright, which does not come before it here; options follow an equals sign: \
                    -floopwright=parallel;tile=64 (loopwright cc --help)";

/// What the driver adds to the compiler's own help.
pub const HELP: &str = "\
loopwright cc, c++, fc (also loopwright-cc, loopwright-c++, loopwright-fc): clang, clang++ and flang of LLVM 22 with Loopwright's plugin,
which optimizes loop nests at -O2 and -O3; on all cores with -fopenmp. All words are the compiler's, but for these:

  -floopwright=WORDS       options of the plugin, such as -floopwright='parallel;tile=64;report=\"my report\"'
  -fno-loopwright          the compiler alone (-floopwright takes it back)

Environment:
  LOOPWRIGHT_OPTIONS       options, as in -floopwright=
  LOOPWRIGHT_CC, LOOPWRIGHT_CXX, LOOPWRIGHT_FC
                           other compilers of LLVM 22, with words before them: 'ccache clang-22'
  LOOPWRIGHT_PLUGIN        another plugin
  LOOPWRIGHT_LOG           what is tried and decided is written to standard error: debug
";

/// The options of the plugin, a line each.
pub fn options_help() -> String {
    let line = |row: &OptionRow| format!("  {:<24} {}\n", row.to_string(), row.help);
    TABLE.iter().filter(|row| !row.hidden).map(line).collect()
}

/// What a call of the driver says to the compiler, and to the plugin.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// The compiler's words.
    words: Vec<OsString>,
    /// The plugin's options.
    options: String,
    /// Whether these name files.
    name_files: bool,
    loads: bool,
}

impl Language {
    fn tool(self) -> Tool {
        match self {
            Language::C => Tool { name: "clang", variable: "LOOPWRIGHT_CC" },
            Language::Cxx => Tool { name: "clang++", variable: "LOOPWRIGHT_CXX" },
            Language::Fortran => Tool { name: "flang", variable: "LOOPWRIGHT_FC" },
        }
    }

    /// Words that are of no use in some steps, which the compiler need not mention then.
    fn unnoticed(self, words: Vec<OsString>) -> Vec<OsString> {
        match self {
            _ if words.is_empty() => words,
            // flang never mentions them.
            Language::Fortran => words,
            Language::C | Language::Cxx => {
                let (start, end) = ("--start-no-unused-arguments".into(), "--end-no-unused-arguments".into());
                [vec![start], words, vec![end]].concat()
            }
        }
    }
}

/// Becomes the compiler.
///
/// # Errors
/// There is no compiler or no plugin, or an option of the plugin is wrong; as a sentence.
pub fn run(language: Language, words: Vec<OsString>) -> Result<ExitCode, String> {
    let compiler = language.tool().find()?;
    let told = env::var(VARIABLE).unwrap_or_default();
    if words.len() == 1 && words[0] == "--help" {
        crate::write(&format!("{HELP}\nOptions of the plugin:\n{}\nThe compiler says:\n\n", options_help()));
    }
    let call = Call::of(language, response::expanded(words), &told, &places::plugin)?;
    let mut command = Command::new(&compiler[0]);
    call.tell_cache(&mut command);
    command.args(&compiler[1..]).args(call.words);
    if call.options != told {
        command.env(VARIABLE, call.options);
    }
    let error = command.exec();
    Err(format!("{} does not start: {error}", Path::new(&compiler[0]).display()))
}

impl Call {
    /// What `given` means, where the environment has told the options `told`.
    fn of(
        language: Language,
        given: Vec<OsString>,
        told: &str,
        plugin: &dyn Fn() -> Result<std::path::PathBuf, String>,
    ) -> Result<Call, String> {
        // Such a call is of one step of a compiler, whose driver has added what is needed; it must come first.
        if given
            .first()
            .and_then(|first| first.to_str())
            .is_some_and(|first| first.starts_with("-cc1") || first == "-fc1")
        {
            return Ok(Call { words: given, options: told.to_string(), name_files: false, loads: false });
        }
        let mut call = Call { words: Vec::new(), options: told.to_string(), name_files: false, loads: true };
        for word in given {
            match word.to_str().unwrap_or_default() {
                "-floopwright" if call.loads => return Err(BARE.to_string()),
                "-floopwright" => call.loads = true,
                "-fno-loopwright" => call.loads = false,
                text => match text.strip_prefix("-floopwright=") {
                    Some(options) => {
                        call.options = format!("{};{options}", call.options).trim_start_matches(';').to_string()
                    }
                    None => call.words.push(word),
                },
            }
        }
        let options = Options::default().with(words(&call.options).iter().map(String::as_str)).map_err(|error| {
            let text = error.to_string();
            text.strip_prefix("loopwright: ").unwrap_or(&text).to_string()
        })?;
        call.name_files = options.name_files();
        if !call.loads {
            return Ok(call);
        }
        let plugin = plugin()?;
        let mut before = Vec::new();
        if !call.words.iter().any(|word| loads(word, &plugin)) {
            before.push(concat(["-fpass-plugin=".as_ref(), plugin.as_os_str()]));
        }
        let behind = match options.parallel == Some(true) && call.needs_runtime() {
            true => vec!["-lomp".into()],
            false => Vec::new(),
        };
        call.words = [language.unnoticed(before), call.words, language.unnoticed(behind)].concat();
        Ok(call)
    }

    /// Tells ccache, if it is before the compiler or under its name, what it does not see.
    fn tell_cache(&self, command: &mut Command) {
        if !self.loads {
            return;
        }
        let given = env::var(CACHE_PART).unwrap_or_default();
        let plugin = places::plugin().ok().and_then(|path| path.metadata().ok());
        let changed =
            plugin.as_ref().and_then(|file| file.modified().ok()).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let size = plugin.map_or(0, |file| file.len());
        let part = format!("{given} {} {size} {}", self.options, changed.unwrap_or_default().as_nanos());
        command.env(CACHE_PART, part);
        if self.name_files {
            command.env(NO_CACHE, "1");
        }
    }

    /// Whether a link by this call would not find OpenMP's runtime by itself. (A compiler without a file only says something about itself.)
    fn needs_runtime(&self) -> bool {
        let is_file = |word: &OsString| !word.as_encoded_bytes().starts_with(b"-");
        let has_runtime = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("-fopenmp"));
        let has_none = |word: &OsString| WITHOUT_LIBRARIES.iter().any(|known| word == known);
        self.words.iter().any(is_file) && !self.words.iter().any(|word| has_runtime(word) || has_none(word))
    }
}

/// Whether a word of the compiler loads the plugin, perhaps under another name of the file.
fn loads(word: &OsStr, plugin: &Path) -> bool {
    let path = word.to_str().and_then(|word| word.strip_prefix("-fpass-plugin=")).map(Path::new);
    path.is_some_and(|path| path.canonicalize().is_ok_and(|path| path == plugin))
}

fn concat(parts: [&OsStr; 2]) -> OsString {
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(language: Language, told: &str, given: &str) -> Result<(String, String), String> {
        let given = given.split_whitespace().map(OsString::from).collect();
        let call = Call::of(language, given, told, &|| Ok("/lib/p.so".into()))?;
        Ok((call.words.join(OsStr::new(" ")).to_string_lossy().to_string(), call.options))
    }

    fn words_of(language: Language, told: &str, given: &str) -> String {
        call(language, told, given).expect("nothing is wrong").0
    }

    const LOADED: &str = "--start-no-unused-arguments -fpass-plugin=/lib/p.so --end-no-unused-arguments";
    const RUNTIME: &str = "--start-no-unused-arguments -lomp --end-no-unused-arguments";

    #[test]
    fn the_plugin_comes_first_and_the_rest_stays() {
        let given = "-O3 @more -x c - -o a";
        assert_eq!(words_of(Language::C, "", given), format!("{LOADED} {given}"));
        assert_eq!(words_of(Language::Fortran, "", "-c a.f90"), "-fpass-plugin=/lib/p.so -c a.f90");
    }

    #[test]
    fn steps_of_a_compiler_stay_as_they_are() {
        assert_eq!(words_of(Language::C, "parallel", "-cc1 -O3 a.c"), "-cc1 -O3 a.c");
        assert_eq!(words_of(Language::Fortran, "", "-fc1 a.f90"), "-fc1 a.f90");
    }

    #[test]
    fn own_words_are_not_handed_on() {
        assert_eq!(words_of(Language::Cxx, "", "-fno-loopwright a.cpp"), "a.cpp");
        assert_eq!(words_of(Language::Cxx, "", "-fno-loopwright a.cpp -floopwright"), format!("{LOADED} a.cpp"));
        let (words, options) = call(Language::C, "check", "-floopwright=tile=64;no-parallel -c a.c").expect("right");
        assert_eq!((words, options), (format!("{LOADED} -c a.c"), "check;tile=64;no-parallel".into()));
    }

    #[test]
    fn parallel_loops_find_their_runtime() {
        assert_eq!(words_of(Language::C, "", "a.o -floopwright=parallel"), format!("{LOADED} a.o {RUNTIME}"));
        assert_eq!(words_of(Language::C, "parallel", "a.o"), format!("{LOADED} a.o {RUNTIME}"));
        for given in ["a.o -fopenmp", "-r a.o", "-nostdlib a.o", "-v", "--version"] {
            assert_eq!(words_of(Language::C, "parallel", given), format!("{LOADED} {given}"));
        }
        assert_eq!(words_of(Language::C, "parallel", "a.o -floopwright=no-parallel"), format!("{LOADED} a.o"));
    }

    #[test]
    fn what_says_nothing_is_refused() {
        assert_eq!(call(Language::C, "", "-floopwright a.c").unwrap_err(), BARE);
    }

    #[test]
    fn a_wrong_option_is_said_once() {
        let complaint = call(Language::C, "", "-floopwright=tiles=3 a.c").unwrap_err();
        assert!(complaint.starts_with("unknown option 'tiles'; the options are"), "{complaint}");
    }
}
