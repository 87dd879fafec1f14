//! isl notation as trees.
//!
//! `[n] -> { S[i, i + 1] -> A[[x] -> B[j]] : 0 <= i, j < n; ... }` is a list of parameters and *disjuncts*: one or two tuples of elements and
//! a condition. Conditions and values share one kind of tree, since `(` may begin either; which one is wanted is asked when the tree gets its
//! meaning ([`super::meaning`]). Weakest first: `? :`, `implies`, `or`, `and`, `not`, chains of comparisons of lists, `+ -`, `* / mod`, unary
//! minus, and a number written before its factor (`2i`). `exists` reaches as far as it can.

mod formula;

use super::lexer::ParseError;
use super::lexer::{Lexeme, Token, tokens};
use crate::presburger::number::int::Int;

/// Deepest nesting that is read: far beyond what anyone writes, far below any stack.
const DEEPEST: usize = 150;

/// Largest exponent that is read: far beyond the degree of any count.
const LARGEST_EXPONENT: u32 = 30;

/// A condition or a value, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub at: usize,
    pub node: Node,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Number(Int),
    Name(String),
    Negative(Box<Tree>),
    /// `+`, `-`, `*`, `/` or `mod`.
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Floor(Box<Tree>),
    Ceil(Box<Tree>),
    Min(Vec<Tree>),
    Max(Vec<Tree>),
    Abs(Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `(value : condition; value : condition)`.
    Piecewise(Vec<(Tree, Option<Tree>)>),
    /// Lists and, between each and the next, the comparison.
    Compare(Vec<Vec<Tree>>, Vec<&'static str>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    /// Names, some with a value.
    Exists(Vec<(String, Option<Tree>)>, Box<Tree>),
    Truth(bool),
    /// `x^2`, in polynomials.
    Power(Box<Tree>, u32),
}

/// One dimension of a tuple.
#[derive(Clone, Debug)]
pub(super) enum Element {
    /// `*`: any value.
    Any,
    /// A value, or the name that this dimension gets.
    Value(Tree),
    /// `name = value`.
    Named(String, Tree),
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Flat(Vec<Element>),
    Nested(Box<TupleTree>, Box<TupleTree>),
}

#[derive(Clone, Debug)]
pub(super) struct TupleTree {
    pub name: Option<String>,
    pub at: usize,
    pub content: Content,
}

/// At most two tuples, or one and a number, and a condition.
#[derive(Clone, Debug)]
pub(super) struct Disjunct {
    pub at: usize,
    pub tuples: Vec<TupleTree>,
    pub value: Option<Tree>,
    pub condition: Option<Tree>,
}

/// `{ ... }`.
#[derive(Clone, Debug)]
pub(super) struct Braces {
    pub at: usize,
    pub disjuncts: Vec<Disjunct>,
}

/// What a text is.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    Union(Braces),
    /// `name[{ ... }, { ... }]`, with a domain in `(name[] : { ... })`.
    Tuple {
        name: Option<String>,
        members: Vec<Braces>,
        domain: Option<Braces>,
    },
}

/// A text: parameters and what they are for.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub params: Vec<String>,
    pub whole: Whole,
}

/// The tree of a text.
pub(super) fn read(text: &str) -> Result<Text, ParseError> {
    read_as(text, Last::Tuple)
}

/// The tree of a text whose disjuncts have a number: `{ [i] -> i^2 : i > 0 }`, `[n] -> { n : n > 0 }`.
pub(super) fn read_numbers(text: &str) -> Result<Text, ParseError> {
    read_as(text, Last::Number)
}

fn read_as(text: &str, last: Last) -> Result<Text, ParseError> {
    let mut parser = Parser { text, lexemes: tokens(text)?, next: 0, depth: 0, commas: Commas::List, last };
    let params = parser.parameters()?;
    let whole = parser.whole()?;
    parser.expect_end()?;
    Ok(Text { params, whole })
}

/// What a comma means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commas {
    /// It makes a list of values to compare: `i, j < n`.
    List,
    /// It separates members of a tuple, of arguments.
    Separate,
}

/// What comes last in a disjunct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Tuple,
    Number,
}

struct Parser<'a> {
    text: &'a str,
    lexemes: Vec<Lexeme>,
    next: usize,
    depth: usize,
    /// What a comma means here.
    commas: Commas,
    last: Last,
}

type Read<T> = Result<T, ParseError>;

fn boxed(tree: Tree) -> Box<Tree> {
    Box::new(tree)
}

impl Parser<'_> {
    fn at(&self) -> usize {
        self.lexemes[self.next].at
    }

    fn token(&self) -> &Token {
        &self.lexemes[self.next].token
    }

    fn ahead(&self, n: usize) -> &Token {
        &self.lexemes[(self.next + n).min(self.lexemes.len() - 1)].token
    }

    fn sees(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(s) if *s == sign)
    }

    fn eats(&mut self, sign: &str) -> bool {
        let seen = self.sees(sign);
        self.next += usize::from(seen);
        seen
    }

    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(ParseError::at(self.text, self.at(), message.into()))
    }

    fn found(&self) -> String {
        match self.token() {
            Token::Name(name) => format!("`{name}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end".to_string(),
        }
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.eats(sign) { Ok(()) } else { self.fail(format!("expected `{sign}`, found {}", self.found())) }
    }

    fn expect_end(&self) -> Read<()> {
        if *self.token() == Token::End {
            Ok(())
        } else {
            self.fail(format!("expected the end, found {}", self.found()))
        }
    }

    fn name(&mut self) -> Read<String> {
        if let Token::Name(name) = self.token() {
            let name = name.clone();
            self.next += 1;
            return Ok(name);
        }
        self.fail(format!("expected a name, found {}", self.found()))
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            return self.fail("nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn with_commas<T>(&mut self, commas: Commas, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let outer = std::mem::replace(&mut self.commas, commas);
        let result = read(self);
        self.commas = outer;
        result
    }

    /// `[n, m] ->`, if the text begins so.
    fn parameters(&mut self) -> Read<Vec<String>> {
        let mut params = Vec::new();
        if !self.sees("[") || !matches!(self.ahead(1), Token::Name(_) | Token::Sign("]")) {
            return Ok(params);
        }
        if matches!(self.ahead(1), Token::Sign("]")) && !matches!(self.ahead(2), Token::Sign("->")) {
            return Ok(params);
        }
        if matches!(self.ahead(2), Token::Sign("[" | "{")) {
            return Ok(params);
        }
        self.expect("[")?;
        while !self.sees("]") {
            let at = self.at();
            let name = self.name()?;
            if params.contains(&name) {
                return Err(ParseError::at(self.text, at, format!("parameter `{name}` is repeated")));
            }
            params.push(name);
            if !self.eats(",") {
                break;
            }
        }
        self.expect("]")?;
        self.expect("->")?;
        Ok(params)
    }

    fn whole(&mut self) -> Read<Whole> {
        if self.sees("{") {
            return Ok(Whole::Union(self.braces()?));
        }
        let parenthesis = self.eats("(");
        let name = if matches!(self.token(), Token::Name(_)) { Some(self.name()?) } else { None };
        self.expect("[")?;
        let mut members = Vec::new();
        while !self.sees("]") {
            members.push(self.braces()?);
            if !self.eats(",") {
                break;
            }
        }
        self.expect("]")?;
        let domain = if parenthesis && self.eats(":") { Some(self.braces()?) } else { None };
        if parenthesis {
            self.expect(")")?;
        }
        Ok(Whole::Tuple { name, members, domain })
    }

    fn braces(&mut self) -> Read<Braces> {
        let at = self.at();
        self.expect("{")?;
        let mut disjuncts = Vec::new();
        while !self.sees("}") {
            disjuncts.push(self.disjunct()?);
            if !self.eats(";") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Braces { at, disjuncts })
    }

    fn disjunct(&mut self) -> Read<Disjunct> {
        let at = self.at();
        let (mut tuples, mut value) = (Vec::new(), None);
        if !self.sees(":") {
            let mut more = true;
            while more && tuples.len() < 2 && value.is_none() {
                if self.last == Last::Number && !self.begins_tuple() {
                    value = Some(self.with_commas(Commas::Separate, Self::sum)?);
                } else {
                    tuples.push(self.tuple()?);
                    more = self.eats("->");
                }
            }
        }
        let empty = |p: &Self| p.sees("}") || p.sees(";");
        let condition = if self.eats(":") && !empty(self) { Some(self.condition()?) } else { None };
        Ok(Disjunct { at, tuples, value, condition })
    }

    fn begins_tuple(&self) -> bool {
        self.sees("[") || matches!((self.token(), self.ahead(1)), (Token::Name(_), Token::Sign("[")))
    }

    fn condition(&mut self) -> Read<Tree> {
        self.with_commas(Commas::List, Self::tree)
    }

    fn tuple(&mut self) -> Read<TupleTree> {
        self.deeper(|p| {
            let at = p.at();
            let name = if matches!(p.token(), Token::Name(_)) { Some(p.name()?) } else { None };
            p.expect("[")?;
            let content = if p.begins_nested() {
                let first = p.tuple()?;
                p.expect("->")?;
                Content::Nested(Box::new(first), Box::new(p.tuple()?))
            } else {
                Content::Flat(p.elements()?)
            };
            p.expect("]")?;
            Ok(TupleTree { name, at, content })
        })
    }

    /// Whether what follows `[` is a tuple and not a value in brackets: then its bracket is followed by `->`.
    fn begins_nested(&self) -> bool {
        let mut at = self.next + usize::from(matches!(self.token(), Token::Name(_)));
        if self.lexemes[at.min(self.lexemes.len() - 1)].token != Token::Sign("[") {
            return false;
        }
        let mut open = 0usize;
        while let Some(lexeme) = self.lexemes.get(at) {
            match lexeme.token {
                Token::Sign("[") => open += 1,
                Token::Sign("]") => open -= 1,
                _ => {}
            }
            at += 1;
            if open == 0 {
                return self.lexemes.get(at).is_some_and(|next| next.token == Token::Sign("->"));
            }
        }
        false
    }

    fn elements(&mut self) -> Read<Vec<Element>> {
        let mut elements = Vec::new();
        while !self.sees("]") {
            elements.push(self.with_commas(Commas::Separate, Self::element)?);
            if !self.eats(",") {
                break;
            }
        }
        Ok(elements)
    }

    fn element(&mut self) -> Read<Element> {
        if self.eats("*") {
            return Ok(Element::Any);
        }
        if matches!((self.token(), self.ahead(1)), (Token::Name(_), Token::Sign("="))) {
            let name = self.name()?;
            self.expect("=")?;
            return Ok(Element::Named(name, self.tree()?));
        }
        Ok(Element::Value(self.tree()?))
    }
}
