//! Words of the calculator's language, each with its place.
//!
//! A set or relation in isl notation is one word: `[n] -> { S[i] : 0 <= i < n }` begins at the bracket (or brace) and ends at
//! the closing brace; what is inside is read by the engine's own parser, which knows the notation. All else are names,
//! integers, `"strings"` and operators. `#` begins a comment that ends with the line.

use super::Failure;

/// One word and where it begins (offset in characters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits and underscores, not beginning with a digit.
    Name(String),
    /// Digits.
    Integer(String),
    /// What stands between two quotes.
    Text(String),
    /// A set in isl notation.
    Set(String),
    /// A relation in isl notation.
    Relation(String),
    /// A piecewise quasi-polynomial in isl notation.
    Polynomial(String),
    /// A schedule tree in isl's flow form, `{ domain: "...", child: ... }`.
    Tree(String),
    /// Punctuation.
    Operator(&'static str),
    /// The end of the text.
    End,
}

/// Longest first, so that `->*` is not read as `->` and `*`.
const OPERATORS: [&str; 31] = [
    "<<=", ">>=", "->*", "->-", ":=", "<<", ">>", "<=", ">=", "!=", "==", "->", "^", "+", "-", "*", ".", "(", ")", "[",
    "]", ",", ";", "=", "<", ">", "%", "@", "/", "$", ":",
];

/// The words of `text`, ending with [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Failure> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let at = lexer.at;
        let kind = lexer.next()?;
        let done = kind == Kind::End;
        tokens.push(Token { kind, at });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                self.take_while(|c| c != '\n');
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }

    fn next(&mut self) -> Result<Kind, Failure> {
        let Some(c) = self.peek() else { return Ok(Kind::End) };
        if c.is_ascii_digit() {
            return Ok(Kind::Integer(self.take_while(|c| c.is_ascii_digit())));
        }
        if c.is_alphabetic() || c == '_' {
            return Ok(Kind::Name(self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '\'')));
        }
        if c == '"' {
            return self.quoted();
        }
        if c == '{' || (c == '[' && self.brace_after_parameters().is_some()) {
            return self.literal();
        }
        let operator =
            OPERATORS.into_iter().find(|o| o.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c)));
        let Some(operator) = operator else { return Err(Failure::at(self.at, format!("unexpected `{c}`"))) };
        self.at += operator.len();
        Ok(Kind::Operator(operator))
    }

    fn quoted(&mut self) -> Result<Kind, Failure> {
        let from = self.at;
        self.at += 1;
        let text = self.take_while(|c| c != '"' && c != '\n');
        if self.peek() != Some('"') {
            return Err(Failure::at(from, "no closing quote for this one"));
        }
        self.at += 1;
        Ok(Kind::Text(text))
    }

    /// The offset of `{` if the text goes on as `[..] -> {`.
    fn brace_after_parameters(&self) -> Option<usize> {
        let close = (self.at..self.chars.len()).find(|&i| matches!(self.chars[i], ']' | '{' | '}' | ';' | '('))?;
        let mut rest = (close + 1..self.chars.len()).filter(|&i| !self.chars[i].is_whitespace());
        let mut next = || rest.next().map(|i| (i, self.chars[i]));
        let arrow = self.chars[close] == ']' && next()?.1 == '-' && next()?.1 == '>';
        next().filter(|&(_, c)| arrow && c == '{').map(|(i, _)| i)
    }

    fn literal(&mut self) -> Result<Kind, Failure> {
        let from = self.at;
        let open = if self.peek() == Some('{') { from } else { self.brace_after_parameters().unwrap_or(from) };
        let mut depth = 0;
        for at in open..self.chars.len() {
            match self.chars[at] {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = at + 1;
                let text: String = self.chars[from..=at].iter().collect();
                return Ok(match shape(&self.chars[open..=at]) {
                    _ if is_tree(&text) => Kind::Tree(text),
                    Shape::Set => Kind::Set(text),
                    Shape::Relation => Kind::Relation(text),
                    Shape::Polynomial => Kind::Polynomial(text),
                });
            }
        }
        Err(Failure::at(open, "no closing `}` for this one"))
    }
}

/// Whether the braces are those of a schedule tree: begin with `domain:`.
fn is_tree(text: &str) -> bool {
    let inner = text.strip_prefix('{').map(str::trim_start);
    inner.and_then(|rest| rest.strip_prefix("domain")).is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// What a pair of braces holds, by its first disjunct that tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Set,
    Relation,
    Polynomial,
}

/// Whether the text in isl notation is that of a relation.
pub(super) fn is_relation(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.iter().position(|&c| c == '{').is_some_and(|open| shape(&chars[open..]) == Shape::Relation)
}

/// A relation has a pair of tuples, a polynomial a number in the place of the last tuple: an arrow outside of brackets tells, or
/// text before the formula that is no tuple.
fn shape(literal: &[char]) -> Shape {
    let (mut depth, mut formula, mut bare) = (0i64, false, true);
    for (i, c) in literal.iter().enumerate().skip(1) {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ';' => (depth, formula) = (0, false),
            ':' if depth == 0 => formula = true,
            '-' if depth == 0 && !formula && literal.get(i + 1) == Some(&'>') => {
                return if begins_tuple(&literal[i + 2..]) { Shape::Relation } else { Shape::Polynomial };
            }
            _ => {}
        }
        if bare && !c.is_whitespace() {
            bare = false;
            if !matches!(c, ':' | '}' | ';' | '[') && !begins_tuple(&literal[i..]) {
                return Shape::Polynomial;
            }
        }
    }
    Shape::Set
}

/// Whether the text goes on with a tuple, `A[` or `[`.
fn begins_tuple(text: &[char]) -> bool {
    let mut rest = text.iter().skip_while(|c| c.is_whitespace()).peekable();
    let in_name = |c: &&&char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’' | '$' | '.');
    let keyword = |name: &str| matches!(name, "floor" | "ceil" | "min" | "max" | "exists" | "not" | "true" | "false");
    if rest.peek() == Some(&&'"') {
        rest.next();
        rest.by_ref().find(|c| **c == '"');
    } else {
        let mut name = String::new();
        while let Some(c) = rest.next_if(|c| in_name(&c)) {
            name.push(*c);
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) || keyword(&name) {
            return false;
        }
    }
    rest.find(|c| !c.is_whitespace()) == Some(&'[')
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let shown = match tokens(text) {
            Ok(tokens) => tokens.iter().map(|t| format!("{}:{:?}", t.at, t.kind)).collect::<Vec<_>>().join(" "),
            Err(failure) => format!("{}: {}", failure.at, failure.message),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_set_is_one_word() {
        check(
            "A := [n] -> { S[i] : i < n }; # all\n A^-1",
            expect![[
                r#"0:Name("A") 2:Operator(":=") 5:Set("[n] -> { S[i] : i < n }") 28:Operator(";") 37:Name("A") 38:Operator("^") 39:Operator("-") 40:Integer("1") 41:End"#
            ]],
        );
        check("{ [A[i] -> B[j]] } ", expect![[r#"0:Set("{ [A[i] -> B[j]] }") 19:End"#]]);
        check("{ [A[i] -> B[j]] -> C[] }", expect![[r#"0:Relation("{ [A[i] -> B[j]] -> C[] }") 25:End"#]]);
        check(
            "L[0](S)",
            expect![[
                r#"0:Name("L") 1:Operator("[") 2:Integer("0") 3:Operator("]") 4:Operator("(") 5:Name("S") 6:Operator(")") 7:End"#
            ]],
        );
    }

    #[test]
    fn errors_tell_where() {
        check("A + { [i] : i > 0", expect!["4: no closing `}` for this one"]);
        check("print \"a", expect!["6: no closing quote for this one"]);
        check("A ? B", expect!["2: unexpected `?`"]);
    }
}
