//! What functions ask for in the source.
//!
//! ```c
//! __attribute__((annotate("loopwright:off"))) void exact(...) { ... }                  its loops stay as they are
//! __attribute__((annotate("loopwright:parallel"))) void product(...) { ... }           on all cores, also without -fopenmp (link with -lomp)
//! [[clang::annotate("loopwright:no-parallel;tile=64")]] void small(...) { ... }        options, for this function
//! ```
//!
//! Words are those of [`options`](crate::options) that concern a function alone, and override all that is said elsewhere, but for one: where the options say
//! `no-parallel`, as a program must that is linked without OpenMP's runtime, nothing is parallel. `off` is the attribute `"no-loopwright"` in
//! LLVM's IR, where other front ends may put it. Annotations are about the body that the function has when the pass runs: what is inlined into it is
//! its own, and a function that is `off` is not inlined by us.

use crate::llvm::{Function, Module};
use crate::options::{Options, words};
use crate::prepare::OFF;

/// What an annotation for us begins with.
const PREFIX: &str = "loopwright:";

/// The options that one function may have other than the rest of its file.
const OF_FUNCTIONS: [&str; 11] = [
    "parallel",
    "no-parallel",
    "tile",
    "no-tile",
    "fuse",
    "budget",
    "validate",
    "min-work",
    "vector-bits",
    "cache",
    "cores",
];

/// What the functions of a module ask for.
pub struct Annotations<'ir> {
    asked: Vec<(Function<'ir>, Vec<String>)>,
}

impl<'ir> Annotations<'ir> {
    /// Reads the annotations, and marks functions that are to stay as they are.
    ///
    /// # Errors
    /// A word that is none, or not for one function; as a sentence that names the function.
    pub fn of(module: Module<'ir>) -> Result<Annotations<'ir>, String> {
        let mut asked = Vec::new();
        for (function, text) in module.annotations() {
            let Some(text) = text.strip_prefix(PREFIX) else { continue };
            let (off, rest): (Vec<String>, Vec<String>) = words(text).into_iter().partition(|word| word == "off");
            let told = |complaint: &str| format!("loopwright: annotation of '{}': {complaint}", function.name());
            if let Some(other) = rest.iter().find(|word| !OF_FUNCTIONS.contains(&name_of(word))) {
                let complaint =
                    format!("'{other}' is not for one function; there are off, {}", OF_FUNCTIONS.join(", "));
                return Err(told(&complaint));
            }
            Options::default().with(rest.iter().map(String::as_str)).map_err(|error| told(error.complaint()))?;
            if !off.is_empty() {
                function.add_attribute(OFF);
            }
            asked.push((function, rest));
        }
        Ok(Annotations { asked })
    }

    /// The options of a function, where those of its file are `options`.
    pub fn options_of(&self, function: Function<'ir>, options: &Options) -> Options {
        let own = self.asked.iter().filter(|(asking, _)| *asking == function);
        let words = own.flat_map(|(_, words)| words.iter().map(String::as_str));
        let mut chosen = options.clone().with(words).expect("law: the words were read before");
        if options.parallel == Some(false) {
            chosen.parallel = Some(false);
        }
        chosen
    }
}

/// Whether a function is to stay as it is.
pub fn is_off(function: Function<'_>) -> bool {
    function.has_attribute(OFF)
}

fn name_of(word: &str) -> &str {
    word.split('=').next().unwrap_or(word)
}
