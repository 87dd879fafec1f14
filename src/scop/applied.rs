//! Symbols in domains and accesses: what is computed from data, equal for equal arguments.
//!
//! ```text
//! symbols:
//! - { name: p, lower: 0, upper: 1 }
//! - { name: f }
//! statements:
//! - name: S
//!   domain: "[n] -> { S[i] : 0 <= i < n and p(i) = 1 }"
//!   accesses:
//!   - write: "[n] -> { S[i] -> A[f(i) + 1] }"
//! ```
//!
//! Each *application* of a symbol is a number that nobody knows before the program runs; a statement has one list of them, here `p(i)`
//! and `f(i)`. With their values `v0`, `v1` as further dimensions of the instances everything is affine again: the statement runs for
//! `{ S[i, v0, v1] : 0 <= i < n and v0 = 1 }` and writes `{ S[i, v0, v1] -> A[v1 + 1] }`. That is the text form that is printed, with a
//! line `applies: [ "{ S[i, v0, v1] -> p[i] }", ... ]`; an application may have values of earlier ones as arguments, as in `f(f(i))`.
//!
//! Whoever does not look at the values sees what holds for some values: the domain `{ S[i] : 0 <= i < n }`, the access `{ S[i] ->
//! A[a] }`, which is then no certain write ([`Statement::effect`](super::Statement::effect)). Bounds of a symbol are part of the domain.
//! (Pugh, Wonnacott, *Nonlinear Array Dependence Analysis*, 1995.)
//!
//! Implements: 001 representation

use super::Symbol;
use crate::presburger::{DimKind, Id, Int, Map, PwAff, Set};

/// How far apart the values of a symbol for neighbouring arguments are guessed to be: more than a line of any cache.
pub const FAR_APART: i64 = 4099;

/// What the instances of a statement apply symbols to.
#[derive(Clone, Debug)]
pub struct Applied {
    /// One for each value, in their order.
    pub applications: Vec<Application>,
    /// The instances with the values for which they run.
    pub domain: Set,
}

/// A symbol with its arguments.
#[derive(Clone, Debug)]
pub struct Application {
    /// The symbol.
    pub symbol: Id,
    /// From instances with values, of which those of earlier applications matter, to the arguments.
    pub arguments: Map,
}

impl Applied {
    /// The instances that run for some values.
    pub fn instances(&self) -> Set {
        let (n, name) = (self.applications.len(), self.name().to_string());
        let first = self.domain.dim(DimKind::Out) - n;
        self.domain.project_out(DimKind::Out, first, n).set_tuple_name(DimKind::Out, Some(&name))
    }

    /// What an access does for some values: `{ S[i, v] -> A[a] }` as `{ S[i] -> A[a] }`.
    pub fn without_values(&self, access: &Map) -> Map {
        let (n, name) = (self.applications.len(), self.name().to_string());
        let first = self.domain.dim(DimKind::Out) - n;
        access.project_out(DimKind::In, first, n).set_tuple_name(DimKind::In, Some(&name))
    }

    /// `{ S[i, v] -> S[i] }`
    pub fn to_instances(&self) -> Map {
        let (n, name) = (self.applications.len(), self.name().to_string());
        let first = self.domain.dim(DimKind::Out) - n;
        let same = Set::universe(self.domain.space()).identity();
        same.project_out(DimKind::Out, first, n).set_tuple_name(DimKind::Out, Some(&name))
    }

    /// `{ S[i] -> A[a] }` as it is if values are so far apart for neighbouring arguments, which is far if nothing is known of them: a guess for cost models, which asks that neighbours in a
    /// loop that no argument counts stay neighbours. `None` if the bounds of a symbol leave no room for that.
    pub fn typical(&self, access: &Map, distance: i64) -> Option<Map> {
        let first = self.domain.dim(DimKind::Out) - self.applications.len();
        let mut values = self.domain.clone();
        for (at, application) in self.applications.iter().enumerate() {
            let arguments = application.arguments.space().range();
            let n = arguments.dim(DimKind::Out);
            let sum = (0..n).fold(PwAff::constant_on_domain(&arguments, &Int::from(0)), |sum, d| {
                sum.add(&PwAff::var_on_domain(&arguments, DimKind::Out, d).scale(&Int::from(distance)))
            });
            let spread = application.arguments.apply_range(&sum.as_map());
            values = values.intersect(&spread.equate(DimKind::In, first + at, DimKind::Out, 0).domain());
        }
        let typical = self.without_values(&access.intersect_domain(&values));
        (!typical.is_empty()).then_some(typical)
    }

    /// The same instances as far as the values are within the bounds of their symbols.
    pub fn within_bounds(mut self, symbols: &[Symbol]) -> Self {
        let first = self.domain.dim(DimKind::Out) - self.applications.len();
        for (at, application) in self.applications.iter().enumerate() {
            let Some(symbol) = symbols.iter().find(|s| s.name == application.symbol) else { continue };
            if let Some(lower) = &symbol.lower {
                self.domain = self.domain.lower_bound(DimKind::Out, first + at, lower);
            }
            if let Some(upper) = &symbol.upper {
                self.domain = self.domain.upper_bound(DimKind::Out, first + at, upper);
            }
        }
        self
    }

    fn name(&self) -> Id {
        self.domain.space().tuple_name(DimKind::Out).expect("law: a statement's domain is named").clone()
    }
}

/// A text with its applications written as values `_0`, `_1`, ...: the text, and each symbol with the text of its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rewritten {
    pub text: String,
    pub applications: Vec<(Id, String)>,
}

/// Replaces the applications in the text of a set or relation whose instances are called `statement`; the values become dimensions.
pub(super) fn rewritten(text: &str, statement: &str, symbols: &[Symbol]) -> Result<Rewritten, String> {
    let mut applications = Vec::new();
    let inside = replaced(text, symbols, &mut applications)?;
    Ok(Rewritten { text: widened(&inside, statement, applications.len()), applications })
}

/// The text that says what an application is applied to: `{ S[i, _0] -> [arguments] }`.
pub(super) fn arguments_text(of: &Rewritten, statement: &str, at: usize) -> Option<String> {
    let open = of.text.find('{')?;
    let tuple = word_places(&of.text, statement).next()?;
    let end = tuple + of.text[tuple..].find(']')?;
    Some(format!("{}{{ {} -> [{}] }}", &of.text[..open], &of.text[tuple..=end], of.applications[at].1))
}

fn replaced(text: &str, symbols: &[Symbol], applications: &mut Vec<(Id, String)>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word_length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if word_length == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(word_length);
        let symbol = symbols.iter().find(|s| s.name.as_str() == word && after.trim_start().starts_with('('));
        let Some(symbol) = symbol else {
            out.push_str(word);
            rest = after;
            continue;
        };
        let after = after.trim_start();
        let close = closing(after).ok_or_else(|| format!("the arguments of {word} have no end"))?;
        let arguments = replaced(&after[1..close], symbols, applications)?;
        let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
        let given = arguments.split(',').count();
        if given != symbol.arity {
            return Err(format!("{word} has {given} arguments and takes {}", symbol.arity));
        }
        let known = applications.iter().position(|(name, text)| *name == symbol.name && *text == arguments);
        let at = known.unwrap_or_else(|| {
            applications.push((symbol.name.clone(), arguments));
            applications.len() - 1
        });
        out.push_str(&format!("_{at}"));
        rest = &after[close + 1..];
    }
    Ok(out)
}

/// The place of the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The places where `word[` begins.
fn word_places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let is_start = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        is_start && text[at + word.len()..].trim_start().starts_with('[')
    })
}

/// Adds values to each tuple of a statement's instances.
fn widened(text: &str, statement: &str, n: usize) -> String {
    if n == 0 {
        return text.to_string();
    }
    let mut out = String::new();
    let mut done = 0;
    for at in word_places(text, statement) {
        let Some(end) = text[at..].find(']').map(|end| at + end) else { continue };
        let is_empty = text[at + statement.len()..end].trim_start().trim_start_matches('[').trim().is_empty();
        let values: Vec<String> = (0..n).map(|k| format!("_{k}")).collect();
        out.push_str(&text[done..end]);
        out.push_str(if is_empty { "" } else { ", " });
        out.push_str(&values.join(", "));
        done = end;
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, arity: usize) -> Symbol {
        Symbol { name: Id::new(name), arity, lower: None, upper: None, injective: false, monotone: false }
    }

    #[test]
    fn applications_become_values() {
        let symbols = [symbol("f", 1), symbol("g", 2)];
        let found = rewritten("[n] -> { S[i] -> A[f(i), g(i, f( i )) + f(2i)] }", "S", &symbols).expect("a relation");
        assert_eq!(found.text, "[n] -> { S[i, _0, _1, _2] -> A[_0, _1 + _2] }");
        let shown: Vec<_> = found.applications.iter().map(|(name, text)| format!("{name}({text})")).collect();
        assert_eq!(shown, ["f(i)", "g(i, _0)", "f(2i)"]);
        assert_eq!(arguments_text(&found, "S", 1).as_deref(), Some("[n] -> { S[i, _0, _1, _2] -> [i, _0] }"));
        assert!(rewritten("{ S[i] -> A[g(i)] }", "S", &symbols).is_err());
        assert!(rewritten("{ S[i] -> A[f(i] }", "S", &symbols).is_err());
    }
}
