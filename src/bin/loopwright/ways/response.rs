//! Response files: `clang @words` reads its words from the file `words`, which a build writes where there are many of them.
//!
//! They are clang's to read, but for those with words of this driver, which clang does not know: these are read here, by LLVM's rules
//! (`TokenizeGNUCommandLine`). Words end at white space; quotes, `"` or `'`, hold it; a backslash stands for what follows it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// What all words of this driver have in them.
const OWN: &[u8] = b"loopwright";

/// Files in files are read so deep; what is deeper stays with the compiler, and so does a file that is in itself.
const MOST_FILES: usize = 8;

/// The words of a call, those of response files with words of ours in their place.
pub fn expanded(given: Vec<OsString>) -> Vec<OsString> {
    within(given, &[])
}

/// The words of files that are in those that are open, or of the call.
fn within(given: Vec<OsString>, open: &[OsString]) -> Vec<OsString> {
    let of_word = |word: OsString| match own_words(&word, open) {
        Some(inner) => within(inner, &[open, &[word]].concat()),
        None => vec![word],
    };
    given.into_iter().flat_map(of_word).collect()
}

/// The words of the response file that a word names, if they or those of files in it are ours. (A pipe is not read: its words are gone then.)
fn own_words(word: &OsStr, open: &[OsString]) -> Option<Vec<OsString>> {
    let path = Path::new(OsStr::from_bytes(word.as_bytes().strip_prefix(b"@")?));
    if open.len() == MOST_FILES || open.iter().any(|outer| outer == word) || !path.is_file() {
        return None;
    }
    let words = words(&std::fs::read(path).ok()?);
    let inside = [open, &[word.to_owned()]].concat();
    let is_ours = |word: &OsString| word.as_bytes().windows(OWN.len()).any(|part| part == OWN);
    words.iter().any(|word| is_ours(word) || own_words(word, &inside).is_some()).then_some(words)
}

fn words(text: &[u8]) -> Vec<OsString> {
    let mut all = Vec::new();
    let (mut word, mut quote) = (Vec::new(), None);
    let mut letters = text.iter().copied().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (b'\\', _) if letters.peek().is_some() => word.extend(letters.next()),
            (_, Some(open)) if letter == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(letter),
            (b' ' | b'\t' | b'\r' | b'\n', None) => all.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    all.push(word);
    all.into_iter().filter(|word| !word.is_empty()).map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_in_itself_is_the_compilers() {
        let path = std::env::temp_dir().join(format!("words-in-themselves-{}", std::process::id()));
        let word = OsString::from(format!("@{}", path.display()));
        let given = || vec![OsString::from("-c"), word.clone()];
        std::fs::write(&path, format!("{0} {0} ", word.display()).repeat(100)).expect("a file");
        let alone = expanded(given());
        std::fs::write(&path, format!("-floopwright=tile=4 {}", word.display())).expect("a file");
        let with_ours = expanded(given());
        std::fs::remove_file(&path).expect("it is there");
        assert_eq!(alone, given());
        assert_eq!(with_ours, [OsString::from("-c"), "-floopwright=tile=4".into(), word]);
    }

    #[test]
    fn words_are_read_as_llvm_reads_them() {
        let read = |text: &str| words(text.as_bytes());
        assert_eq!(read("-O3  'a b.c'\r\n-DX=\\\"s\\ t\\\"\n"), ["-O3", "a b.c", "-DX=\"s t\""]);
        assert_eq!(read("-floopwright='report=\"x y\"' \"a\\\"b\" ''"), ["-floopwright=report=\"x y\"", "a\"b"]);
        assert_eq!(read("not 'closed here"), ["not", "closed here"]);
    }
}
