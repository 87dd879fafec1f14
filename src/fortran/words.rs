//! The words of a program: names, numbers and signs with their places; the end of a line is a word.
//!
//! `r = 0 ! smallest` is the name `r`, the sign `=`, the number `0` and an end.

use crate::presburger::ParseError;

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    Name(String),
    Integer(i64),
    Real(f64),
    Sign(&'static str),
    End,
}

/// Signs, a longer one before its beginning; those of the old style have their dots.
const SIGNS: [(&str, &str); 26] = [
    (".lt.", "<"),
    (".le.", "<="),
    (".gt.", ">"),
    (".ge.", ">="),
    (".eq.", "=="),
    (".ne.", "/="),
    (".and.", ".and."),
    (".or.", ".or."),
    (".not.", ".not."),
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("/=", "/="),
    ("::", "::"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (":", ":"),
    (";", ";"),
];

/// All words of a text; the last one is the sign ``.
///
/// # Errors
/// At a sign that the language does not have.
pub fn words(text: &str) -> Result<Vec<(Word, Place)>, ParseError> {
    let mut found = Vec::new();
    let mut goes_on = false;
    for (number, whole) in text.lines().enumerate() {
        let line = whole.split('!').next().unwrap_or(whole);
        let mut rest = line.trim_start();
        let columns = |from: &str, to: &str| from[..from.len() - to.len()].chars().count();
        let mut place = Place { line: number + 1, column: 1 + columns(line, rest) };
        while !rest.is_empty() {
            if rest.trim_end() == "&" {
                break;
            }
            let Some((word, length)) = word(rest) else {
                let message = format!("`{}` is no sign of the language", rest.chars().next().unwrap_or(' '));
                return Err(error_at(text, place, message));
            };
            found.push((if word == Word::Sign(";") { Word::End } else { word }, place));
            let behind = rest[length..].trim_start();
            place.column += columns(rest, behind);
            rest = behind;
        }
        goes_on = line.trim_end().ends_with('&') || (goes_on && line.trim().is_empty());
        if !goes_on {
            found.push((Word::End, Place { line: number + 1, column: line.trim_end().chars().count() + 1 }));
        }
    }
    let last = Place { line: text.lines().count().max(1), column: 1 };
    found.push((Word::Sign(""), last));
    Ok(found)
}

/// The first word of a text and its length.
fn word(text: &str) -> Option<(Word, usize)> {
    let length = |is_part: &dyn Fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let whole = length(&|c| c.is_ascii_digit());
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let fraction = text[whole..].strip_prefix('.').filter(|rest| {
            let is_operator = rest.starts_with(|c: char| c.is_ascii_alphabetic());
            !is_operator || exponent(rest).is_some()
        });
        let end = whole + fraction.map_or(0, |fraction| 1 + digits(fraction));
        return match (fraction, exponent(&text[end..])) {
            (None, None) => Some((Word::Integer(text[..whole].parse().ok()?), whole)),
            (_, None) => Some((Word::Real(text[..end].parse().ok()?), end)),
            (_, Some(length)) => {
                let written = text[..end + length].to_ascii_lowercase().replace('d', "e");
                Some((Word::Real(written.parse().ok()?), end + length))
            }
        };
    }
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let length = length(&|c| c.is_ascii_alphanumeric() || c == '_');
        return Some((Word::Name(text[..length].to_string()), length));
    }
    let begins_with = |written: &str| text.get(..written.len()).is_some_and(|own| own.eq_ignore_ascii_case(written));
    let sign = SIGNS.iter().find(|(written, _)| begins_with(written))?;
    Some((Word::Sign(sign.1), sign.0.len()))
}

/// The length of the exponent that a text begins with: `e-3`, or `d0` as doubles have it.
fn exponent(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['e', 'E', 'd', 'D'])?;
    let number = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    (digits > 0).then(|| text.len() - number.len() + digits)
}

/// An error at a place of the text.
pub fn error_at(text: &str, place: Place, message: impl Into<String>) -> ParseError {
    let line = text.lines().nth(place.line - 1).unwrap_or_default().to_string();
    ParseError { message: message.into(), line: place.line, column: place.column, text: line }
}
