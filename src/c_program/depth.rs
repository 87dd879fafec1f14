//! How deeply a program is nested, asked before the parser descends into it: stacks end somewhere, its own and those of all that walk over what it makes.
//!
//! `for (..) if (c) a[b[i]] = x;` is four deep at `i`: two heads of statements and two brackets. A head (`if`, `for`, a label, a half of `? :`) is open until its
//! statement ends. Operators make chains, `x + y + z` is a tree as deep as it is long: what stands between two commas or ends of statements has a bound of its own.

use super::Wrong;

/// Brackets and heads of statements in each other.
const DEEPEST: usize = 200;

/// Words of one expression and those around it.
const LONGEST: usize = 5000;

/// Words after which a statement follows that is a part of this one.
const HEADS: [&str; 7] = ["if", "for", "while", "do", "switch", "?", ":"];

/// What is open between two brackets.
#[derive(Default)]
struct Level {
    heads: usize,
    words: usize,
    /// A statement has ended, unless `else` follows.
    is_ended: bool,
}

/// All that is open at a place.
#[derive(Default)]
struct Open {
    around: Vec<Level>,
    inner: Level,
    depth: usize,
    words: usize,
}

/// That a text without comments is not nested too deeply.
///
/// # Errors
/// At the first place that is.
pub fn check(text: &str) -> Result<(), Wrong> {
    let (mut open, mut at) = (Open::default(), 0);
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()).map(|blanks| at + blanks) {
        let word = &text[start..start + length(&text[start..])];
        open.heed(word);
        if open.depth > DEEPEST {
            return Err(Wrong::at(start, format!("nested more than {DEEPEST} deep")));
        }
        if open.words > LONGEST {
            return Err(Wrong::at(start, format!("more than {LONGEST} words without a comma or an end")));
        }
        at = start + word.len();
    }
    Ok(())
}

/// How long the first word of a text is.
fn length(text: &str) -> usize {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let mut is_escaped = false;
            let ends = |c: char| {
                let ends = c == '\n' || (c == quote && !is_escaped);
                is_escaped = c == '\\' && !is_escaped;
                ends
            };
            text[1..].find(ends).map_or(text.len(), |end| end + 2)
        }
        Some(first) if is_of_name(first) => text.find(|c| !is_of_name(c)).unwrap_or(text.len()),
        first => first.map_or(0, char::len_utf8),
    }
}

impl Open {
    fn heed(&mut self, word: &str) {
        if std::mem::take(&mut self.inner.is_ended) && word != "else" {
            self.forget(std::mem::take);
        }
        match word {
            "(" | "[" | "{" => {
                self.more(0, 1);
                self.around.push(std::mem::take(&mut self.inner));
                self.depth += 1;
            }
            ")" | "]" | "}" => {
                if let Some(around) = self.around.pop() {
                    self.forget(|level| std::mem::replace(level, around));
                    self.depth -= 1;
                }
                self.inner.is_ended = word == "}";
            }
            ";" => self.inner.is_ended = true,
            "," => self.forget(|level| Level { words: std::mem::take(&mut level.words), ..Level::default() }),
            _ => self.more(usize::from(HEADS.contains(&word)), 1),
        }
    }

    fn more(&mut self, heads: usize, words: usize) {
        (self.inner.heads, self.depth) = (self.inner.heads + heads, self.depth + heads);
        (self.inner.words, self.words) = (self.inner.words + words, self.words + words);
    }

    /// Takes something from the innermost level, which is no longer open.
    fn forget(&mut self, take: impl FnOnce(&mut Level) -> Level) {
        let taken = take(&mut self.inner);
        (self.depth, self.words) = (self.depth - taken.heads, self.words - taken.words);
    }
}
