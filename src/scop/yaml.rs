//! The part of YAML in which schedule trees (and the models around them) are written.
//!
//! Block and flow form may be mixed; scalars are plain, `'single'` or `"double"` quoted; `#` starts a comment. Anchors, tags,
//! block scalars and several documents in one text are not part of it. The tree that isl prints as
//!
//! ```text
//! domain: "{ S[i] : 0 <= i < 9 }"
//! child:
//!   sequence:
//!   - filter: "{ S[0] }"
//!   - filter: "{ S[i] : i > 0 }"
//! ```
//!
//! is a mapping of two keys whose second value is a mapping of one key to a sequence of two mappings. Each value remembers where
//! it stands, so that an error inside the set `{ S[0] }` can be shown in the document. A nesting deeper than [`DEEPEST`] is an
//! error and not a stack overflow.

use std::fmt;

/// Deepest nesting that is read: far beyond any schedule tree, far below any stack.
const DEEPEST: usize = 200;

/// What a scalar stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Block,
    /// `{ .. }` or `[ .. ]`, whose signs end it.
    Flow,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Text; the empty text where a key has no value.
    Scalar(String),
    /// Values in order.
    Sequence(Vec<Value>),
    /// Keys (scalars) with their values, in the order in which they are written.
    Mapping(Vec<(String, Value)>),
}

/// A value and the place (from 1) of its first character, inside the quotes if it is quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub shape: Shape,
    /// Line of its first character.
    pub line: usize,
    /// Column of its first character.
    pub column: usize,
}

/// Why a text is not a document: the message and its place (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What was expected or found.
    pub message: String,
    /// Line of the offence.
    pub line: usize,
    /// Column of the offence.
    pub column: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// Reads the one document in `text`.
pub fn parse(text: &str) -> Result<Value, Malformed> {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, line: 1, column: 1 };
    reader.skip_blank();
    while reader.looking_at("---") {
        reader.skip_line();
        reader.skip_blank();
    }
    let value = reader.block(0)?;
    reader.skip_blank();
    if reader.peek().is_some() && !reader.looking_at("...") {
        return Err(reader.error("unexpected text after the document"));
    }
    Ok(value)
}

/// The value in flow form, on one line: `{ domain: "{ S[i] }", child: { sequence: [ { filter: "{ S[i] }" } ] } }`.
pub fn flow(value: &Value) -> String {
    match &value.shape {
        Shape::Scalar(text) if !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            text.clone()
        }
        Shape::Scalar(text) => quote(text),
        Shape::Sequence(items) => format!("[ {} ]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Shape::Mapping(entries) => {
            let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// `text` as a double quoted scalar.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

impl Value {
    /// The text of a scalar.
    pub fn scalar(&self) -> Result<&str, Malformed> {
        match &self.shape {
            Shape::Scalar(text) => Ok(text),
            _ => Err(self.error("expected a scalar")),
        }
    }

    /// The values of a sequence.
    pub fn sequence(&self) -> Result<&[Value], Malformed> {
        match &self.shape {
            Shape::Sequence(values) => Ok(values),
            _ => Err(self.error("expected a sequence")),
        }
    }

    /// The entries of a mapping.
    pub fn mapping(&self) -> Result<&[(String, Value)], Malformed> {
        match &self.shape {
            Shape::Mapping(entries) => Ok(entries),
            _ => Err(self.error("expected a mapping")),
        }
    }

    /// The value of `key`, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match &self.shape {
            Shape::Mapping(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// An error at this value's place.
    pub fn error(&self, message: impl Into<String>) -> Malformed {
        Malformed { message: message.into(), line: self.line, column: self.column }
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    column: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_after(&self, n: usize) -> Option<char> {
        self.chars.get(self.at + n).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        if c == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn looking_at(&self, text: &str) -> bool {
        self.column == 1 && text.chars().enumerate().all(|(i, c)| self.peek_after(i) == Some(c))
    }

    fn error(&self, message: impl Into<String>) -> Malformed {
        Malformed { message: message.into(), line: self.line, column: self.column }
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.next();
        }
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\t' || c == '\r') {
            self.next();
        }
        if self.peek() == Some('#') {
            self.skip_line();
        }
    }

    fn skip_blank(&mut self) {
        loop {
            self.skip_spaces();
            if self.peek() != Some('\n') {
                return;
            }
            self.next();
        }
    }

    fn at_dash(&self) -> bool {
        self.peek() == Some('-') && self.peek_after(1).is_none_or(char::is_whitespace)
    }

    fn at_line_end(&self) -> bool {
        self.peek().is_none_or(|c| c == '\n')
    }

    fn nested(&self, depth: usize) -> Result<usize, Malformed> {
        if depth < DEEPEST { Ok(depth + 1) } else { Err(self.error(format!("nested deeper than {DEEPEST}"))) }
    }

    fn block(&mut self, depth: usize) -> Result<Value, Malformed> {
        let depth = self.nested(depth)?;
        self.skip_blank();
        let (line, column) = (self.line, self.column);
        if self.at_dash() {
            let items = self.block_sequence(column, depth)?;
            return Ok(Value { shape: Shape::Sequence(items), line, column });
        }
        if matches!(self.peek(), Some('{' | '[')) {
            return self.flow(depth);
        }
        let first = self.scalar(Around::Block)?;
        if !self.at_colon() {
            return Ok(first);
        }
        let entries = self.block_mapping(first, column, depth)?;
        Ok(Value { shape: Shape::Mapping(entries), line, column })
    }

    fn block_sequence(&mut self, indent: usize, depth: usize) -> Result<Vec<Value>, Malformed> {
        let mut items = Vec::new();
        while self.at_dash() && self.column == indent {
            self.next();
            self.skip_spaces();
            let (line, column) = (self.line, self.column);
            if self.at_line_end() {
                self.skip_blank();
                if self.column <= indent || self.peek().is_none() {
                    items.push(Value { shape: Shape::Scalar(String::new()), line, column });
                    continue;
                }
            }
            items.push(self.block(depth)?);
            self.skip_blank();
        }
        if self.peek().is_some() && self.column > indent {
            return Err(self.error("unexpected indentation"));
        }
        Ok(items)
    }

    fn block_mapping(&mut self, first: Value, indent: usize, depth: usize) -> Result<Vec<(String, Value)>, Malformed> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut key = first;
        loop {
            let value = self.block_entry(indent, depth)?;
            let name = key.scalar()?.to_string();
            if entries.iter().any(|(k, _)| *k == name) {
                return Err(key.error(format!("`{name}` is given twice")));
            }
            entries.push((name, value));
            self.skip_blank();
            if self.peek().is_none() || self.column < indent || self.looking_at("...") {
                return Ok(entries);
            }
            if self.column > indent || self.at_dash() {
                return Err(self.error("unexpected indentation"));
            }
            key = self.scalar(Around::Block)?;
            if !self.at_colon() {
                return Err(self.error("expected `:` after a key"));
            }
        }
    }

    fn block_entry(&mut self, indent: usize, depth: usize) -> Result<Value, Malformed> {
        self.next();
        self.skip_spaces();
        let (line, column) = (self.line, self.column);
        if !self.at_line_end() {
            if matches!(self.peek(), Some('{' | '[')) {
                return self.flow(depth);
            }
            let value = self.scalar(Around::Block)?;
            self.skip_spaces();
            return if self.at_line_end() { Ok(value) } else { Err(self.error("unexpected text after a value")) };
        }
        self.skip_blank();
        let has_value = self.peek().is_some() && (self.column > indent || (self.column == indent && self.at_dash()));
        if has_value { self.block(depth) } else { Ok(Value { shape: Shape::Scalar(String::new()), line, column }) }
    }

    fn at_colon(&mut self) -> bool {
        while self.peek() == Some(' ') {
            self.next();
        }
        self.peek() == Some(':') && self.peek_after(1).is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '{' | '['))
    }

    fn flow(&mut self, depth: usize) -> Result<Value, Malformed> {
        let depth = self.nested(depth)?;
        self.skip_blank();
        let (line, column) = (self.line, self.column);
        let shape = match self.peek() {
            Some('[') => Shape::Sequence(self.flow_sequence(depth)?),
            Some('{') => Shape::Mapping(self.flow_mapping(depth)?),
            _ => return self.scalar(Around::Flow),
        };
        Ok(Value { shape, line, column })
    }

    fn flow_sequence(&mut self, depth: usize) -> Result<Vec<Value>, Malformed> {
        self.next();
        let mut items = Vec::new();
        while !self.closes(']')? {
            items.push(self.flow(depth)?);
            self.separator(']')?;
        }
        Ok(items)
    }

    fn flow_mapping(&mut self, depth: usize) -> Result<Vec<(String, Value)>, Malformed> {
        self.next();
        let mut entries: Vec<(String, Value)> = Vec::new();
        while !self.closes('}')? {
            let key = self.scalar(Around::Flow)?;
            self.skip_blank();
            if self.peek() != Some(':') {
                return Err(self.error("expected `:` after a key"));
            }
            self.next();
            let value = self.flow(depth)?;
            let name = key.scalar()?.to_string();
            if entries.iter().any(|(k, _)| *k == name) {
                return Err(key.error(format!("`{name}` is given twice")));
            }
            entries.push((name, value));
            self.separator('}')?;
        }
        Ok(entries)
    }

    fn closes(&mut self, bracket: char) -> Result<bool, Malformed> {
        self.skip_blank();
        match self.peek() {
            None => Err(self.error(format!("expected `{bracket}`"))),
            Some(c) if c == bracket => {
                self.next();
                Ok(true)
            }
            Some(_) => Ok(false),
        }
    }

    fn separator(&mut self, bracket: char) -> Result<(), Malformed> {
        self.skip_blank();
        match self.peek() {
            Some(',') => {
                self.next();
                Ok(())
            }
            Some(c) if c == bracket => Ok(()),
            _ => Err(self.error(format!("expected `,` or `{bracket}`"))),
        }
    }

    fn scalar(&mut self, around: Around) -> Result<Value, Malformed> {
        match self.peek() {
            Some(q @ ('"' | '\'')) => self.quoted(q),
            _ => self.plain(around),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Value, Malformed> {
        let open = self.error(format!("no closing {quote} for this one"));
        self.next();
        let (line, column) = (self.line, self.column);
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(open),
                Some('\\') if quote == '"' => text.push(self.escape()?),
                Some('\'') if quote == '\'' && self.peek() == Some('\'') => {
                    self.next();
                    text.push('\'');
                }
                Some(c) if c == quote => return Ok(Value { shape: Shape::Scalar(text), line, column }),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        match self.next() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some(c @ ('"' | '\\' | '/' | ' ')) => Ok(c),
            _ => Err(self.error("unknown escape")),
        }
    }

    fn plain(&mut self, around: Around) -> Result<Value, Malformed> {
        let (line, column) = (self.line, self.column);
        let mut text = String::new();
        while let Some(c) = self.peek() {
            let ends = c == '\n'
                || (c == '#' && text.ends_with([' ', '\t']))
                || (c == ':' && self.peek_after(1).is_none_or(char::is_whitespace))
                || (around == Around::Flow && matches!(c, ',' | ']' | '}' | '[' | '{'));
            if ends {
                break;
            }
            text.push(c);
            self.next();
        }
        let text = text.trim_end().to_string();
        if text.is_empty() {
            return Err(self.error("expected a value"));
        }
        if text.starts_with(['&', '*', '|', '>', '!', '%', '@', '`']) {
            let message = format!("`{}` at the start of a scalar is not supported: quote it", &text[..1]);
            return Err(Malformed { message, line, column });
        }
        Ok(Value { shape: Shape::Scalar(text), line, column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn outline(value: &Value) -> String {
        match &value.shape {
            Shape::Scalar(text) => format!("{text}@{}:{}", value.line, value.column),
            Shape::Sequence(items) => format!("[{}]", items.iter().map(outline).collect::<Vec<_>>().join(", ")),
            Shape::Mapping(entries) => {
                let entries: Vec<String> = entries.iter().map(|(k, v)| format!("{k} = {}", outline(v))).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&match parse(text) {
            Ok(value) => outline(&value),
            Err(error) => format!("error: {error}"),
        });
    }

    #[test]
    fn block_and_flow_form_are_one_language() {
        let text = "domain: \"{ S[i] }\"\nchild:\n  sequence:\n  - filter: \"{ S[0] }\"\n    child: { mark: x }\n  - filter: b # rest\n";
        check(
            text,
            expect![
                "{domain = { S[i] }@1:10, child = {sequence = [{filter = { S[0] }@4:14, child = {mark = x@5:20}}, {filter = b@6:13}]}}"
            ],
        );
        check("{ a: [ 1, 2 ], \"b\": { c: 'it''s' } }", expect!["{a = [1@1:8, 2@1:11], b = {c = it's@1:27}}"]);
        check("# c\n---\n- - 1\n  - 2\n-\n  k: v\n  l:\n", expect!["[[1@3:5, 2@4:5], {k = v@6:6, l = @7:5}]"]);
    }

    #[test]
    fn errors_tell_where() {
        check("a: 1\n  b: 2", expect!["error: line 2, column 3: unexpected indentation"]);
        check("a: 1\na: 2", expect!["error: line 2, column 1: `a` is given twice"]);
        check("a: \"x", expect![[r#"error: line 1, column 4: no closing " for this one"#]]);
        check("[ 1, 2", expect!["error: line 1, column 7: expected `,` or `]`"]);
        check("{ a 1 }", expect!["error: line 1, column 7: expected `:` after a key"]);
        check("a: *x", expect!["error: line 1, column 4: `*` at the start of a scalar is not supported: quote it"]);
        check("", expect!["error: line 1, column 1: expected a value"]);
        check(&"[".repeat(100_000), expect!["error: line 1, column 200: nested deeper than 200"]);
    }
}
