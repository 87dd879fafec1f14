//! isl notation as tokens.
//!
//! `{ [i] : 2i <= n' }` is `{`, `[`, `i`, `]`, `:`, `2`, `i`, `<=`, `n'`, `}`; the mathematical signs `≤ ≥ ≠ ∧ ∨ ¬ ∃ →` are read
//! as their ASCII forms, as is the prime `’` of typeset texts, and `#` starts a comment up to the end of the line.

use crate::presburger::number::int::Int;
use std::fmt;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Number(Int),
    /// Punctuation, operators and keywords.
    Sign(&'static str),
    End,
}

/// A token and the offset of its first byte.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub token: Token,
    pub at: usize,
}

/// Longer signs before their prefixes.
const SIGNS: [&str; 35] = [
    "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "<>", "&&", "||", "≤", "≥", "≠", "∧", "∨", "¬", "∃", "→",
    "[", "]", "{", "}", "(", ")", ",", ";", ":", "<", ">", "=", "+", "-", "*",
];

const LATE_SIGNS: [&str; 5] = ["/", "%", "?", "!", "^"];

const KEYWORDS: [&str; 15] = [
    "and", "or", "not", "exists", "implies", "mod", "true", "false", "floor", "ceil", "floord", "ceild", "min", "max",
    "abs",
];

/// The one spelling of a sign.
fn canonical(sign: &'static str) -> &'static str {
    match sign {
        "≤" => "<=",
        "≥" => ">=",
        "≠" | "<>" => "!=",
        "==" => "=",
        "∧" | "&&" => "and",
        "∨" | "||" => "or",
        "¬" | "!" => "not",
        "∃" => "exists",
        "→" => "->",
        "%" => "mod",
        other => other,
    }
}

/// The tokens of a text, ended by [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Lexeme>, ParseError> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let (token, length) =
                token(rest).ok_or_else(|| ParseError::at(text, at, format!("unexpected character `{first}`")))?;
            all.push(Lexeme { token, at });
            length
        };
        at += length;
    }
    all.push(Lexeme { token: Token::End, at: text.len() });
    Ok(all)
}

/// The first token of a text and its length; `None` for a character that starts none.
fn token(rest: &str) -> Option<(Token, usize)> {
    let first = rest.chars().next()?;
    let up_to = |keep: fn(char) -> bool| rest.find(|c: char| !keep(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = up_to(|c| c.is_ascii_digit());
        return rest[..length].parse().ok().map(|number| (Token::Number(number), length));
    }
    if first.is_alphabetic() || first == '_' || first == '$' {
        let length = up_to(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’' | '$' | '.'));
        let word = &rest[..length];
        let keyword = KEYWORDS.iter().find(|k| **k == word).map(|k| Token::Sign(k));
        return Some((keyword.unwrap_or_else(|| Token::Name(word.replace('’', "'"))), length));
    }
    if first == '"' {
        let length = rest[1..].find('"')?;
        return Some((Token::Name(rest[1..=length].to_string()), length + 2));
    }
    let sign = SIGNS.iter().chain(&LATE_SIGNS).find(|sign| rest.starts_with(**sign))?;
    Some((Token::Sign(canonical(sign)), sign.len()))
}

/// Why a text is not a value in isl notation, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected or found.
    pub message: String,
    /// Line of the offence, from 1.
    pub line: usize,
    /// Column of the offence, from 1.
    pub column: usize,
    /// The text of that line.
    pub text: String,
}

impl ParseError {
    /// The error at a byte of the text.
    pub(super) fn at(text: &str, offset: usize, message: String) -> ParseError {
        let before = &text[..offset.min(text.len())];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        ParseError {
            message,
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            text: text[start..].lines().next().unwrap_or("").to_string(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blank = " ".repeat(self.column.saturating_sub(1));
        let line = format!("  {}", self.text);
        write!(f, "{} (line {}, column {})\n{}\n  {blank}^", self.message, self.line, self.column, line.trim_end())
    }
}

impl std::error::Error for ParseError {}
