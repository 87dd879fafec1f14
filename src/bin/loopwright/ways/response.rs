//! Response files: `clang @words` reads its words from the file `words`, which a build writes where there are many of them.
//!
//! They are clang's to read, but for those with words of this driver, which clang does not know: these are read here, by LLVM's rules
//! (`TokenizeGNUCommandLine`). Words end at white space; quotes, `"` or `'`, hold it; a backslash stands for what follows it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What all words of this driver have in them.
const OWN: &[u8] = b"loopwright";

/// Files in files are read so deep; what is deeper stays with the compiler.
const MOST_FILES: usize = 8;

/// The words of a call, those of response files with words of ours in their place.
pub fn expanded(given: Vec<OsString>) -> Vec<OsString> {
    within(given, MOST_FILES)
}

fn within(given: Vec<OsString>, depth: usize) -> Vec<OsString> {
    let of_word = |word: OsString| match own_words(&word) {
        Some(inner) if depth > 0 => within(inner, depth - 1),
        _ => vec![word],
    };
    given.into_iter().flat_map(of_word).collect()
}

/// The words of the response file that a word names, if they or those of files in it are ours.
fn own_words(word: &OsStr) -> Option<Vec<OsString>> {
    let name = word.as_bytes().strip_prefix(b"@")?;
    let text = std::fs::read(OsStr::from_bytes(name)).ok()?;
    let words = words(&text);
    let is_ours = |word: &OsString| word.as_bytes().windows(OWN.len()).any(|part| part == OWN);
    words.iter().any(|word| is_ours(word) || own_words(word).is_some()).then_some(words)
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
    fn words_are_read_as_llvm_reads_them() {
        let read = |text: &str| words(text.as_bytes());
        assert_eq!(read("-O3  'a b.c'\r\n-DX=\\\"s\\ t\\\"\n"), ["-O3", "a b.c", "-DX=\"s t\""]);
        assert_eq!(read("-floopwright='report=\"x y\"' \"a\\\"b\" ''"), ["-floopwright=report=\"x y\"", "a\"b"]);
        assert_eq!(read("not 'closed here"), ["not", "closed here"]);
    }
}
