//! From words to statements: assignments, prints and expressions.
//!
//! Grammar, loosest first; binary operators of one line bind from left to right, as in iscc:
//!
//! ```text
//! program    = { statement ";" }
//! statement  = NAME ":=" expression | "print" expression | "assert" expression | "source" TEXT | "write" TEXT expression | expression
//! expression = algebra { ("=" | "==" | "!=" | "<=" | "<" | ">=" | ">") algebra }
//! algebra    = unary { ("+" | "-" | "*" | "." | "->" | "->*" | "->-" | "%" | "@" | "<<" | "<<=" | ">>" | ">>="
//!                      | "cross" | "cross_range" | "before" | "after") unary }
//! unary      = FUNCTION unary | dataflow | "schedule" unary { ("respecting" | "minimizing") unary }
//!            | "codegen" unary [ "using" unary ] | postfix
//! dataflow   = [ "full" ] ( "last" unary [ "any" unary ] | "any" unary [ "last" unary ] ) "before" unary "under" unary
//! postfix    = primary { "(" [ expression { "," expression } ] ")" | "[" expression "]" | "^" power }
//! power      = "+" | [ "-" ] INTEGER
//! primary    = NAME | INTEGER | TEXT | SET | RELATION | POLYNOMIAL | TREE | "(" [ expression { "," expression } ] ")" | "-" primary
//! ```

use super::Failure;
use super::functions;
use super::lexer::{Kind, Token, tokens};
use crate::presburger::{ParseError, UnionMap, UnionPwQPolynomial, UnionSet};
use crate::scop::tree::Tree;

/// Deepest nesting of expressions that is read: far beyond what people write, far below any stack.
const DEEPEST: usize = 200;

/// A statement, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub action: Action,
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Assign(String, Expression),
    Print(Expression),
    Assert(Expression),
    Source(String),
    Write(String, Expression),
}

/// An expression, and where an error in its evaluation is shown.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub term: Term,
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Term {
    Name(String),
    Integer(String),
    Text(String),
    Set(UnionSet),
    Relation(UnionMap),
    Polynomial(UnionPwQPolynomial),
    Tree(Tree),
    List(Vec<Expression>),
    /// A function in prefix form.
    Function(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `f(x)`: a relation applied to a set, a function called.
    Call(Box<Expression>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    Power(Box<Expression>, i64),
    Closure(Box<Expression>),
    Negative(Box<Expression>),
    Dataflow(Box<Dataflow>),
    /// `codegen schedule using options`
    Codegen(Box<Expression>, Option<Box<Expression>>),
    /// `schedule domain respecting validity minimizing proximity`: these, if any, in order.
    Schedule(Box<Expression>, Vec<Expression>, Vec<Expression>),
}

/// `full last must any may before sink under schedule`
#[derive(Clone, Debug)]
pub(super) struct Dataflow {
    pub full: bool,
    pub last: Option<Expression>,
    pub any: Option<Expression>,
    pub before: Expression,
    pub under: Expression,
}

const COMPARISONS: [&str; 7] = ["=", "==", "!=", "<=", "<", ">=", ">"];
/// Operators that are words.
const NAMED: [&str; 4] = ["cross", "cross_range", "before", "after"];
const ALGEBRA: [&str; 14] = ["+", "-", "*", ".", "->", "->*", "->-", "%", "@", "/", "<<", "<<=", ">>", ">>="];

/// The statements of `text`.
pub(super) fn parse(text: &str) -> Result<Vec<Statement>, Failure> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
    let mut statements = Vec::new();
    loop {
        while parser.accept(";") {}
        if parser.peek() == &Kind::End {
            return Ok(statements);
        }
        statements.push(parser.statement()?);
        if parser.peek() != &Kind::End && !parser.accept(";") {
            return Err(parser.unexpected("expected `;`"));
        }
    }
}

/// An error inside a set that begins at `at`.
fn inside(at: usize, text: &str, error: &ParseError) -> Failure {
    let lines_before: usize = text.split('\n').take(error.line - 1).map(|l| l.chars().count() + 1).sum();
    Failure::at(at + lines_before + error.column - 1, error.message.clone())
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Kind {
        &self.tokens[self.next].kind
    }

    fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn accept(&mut self, operator: &str) -> bool {
        let found = matches!(self.peek(), Kind::Operator(o) if *o == operator);
        if found {
            self.advance();
        }
        found
    }

    fn accept_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Kind::Name(n) if n == name);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, operator: &'static str) -> Result<(), Failure> {
        if self.accept(operator) { Ok(()) } else { Err(self.unexpected(&format!("expected `{operator}`"))) }
    }

    fn unexpected(&self, message: &str) -> Failure {
        let found = match self.peek() {
            Kind::End => "the end".to_string(),
            Kind::Name(name) => format!("`{name}`"),
            Kind::Integer(digits) => format!("`{digits}`"),
            Kind::Text(_) => "a string".to_string(),
            Kind::Set(_) => "a set".to_string(),
            Kind::Relation(_) => "a relation".to_string(),
            Kind::Polynomial(_) => "a quasi-polynomial".to_string(),
            Kind::Tree(_) => "a schedule".to_string(),
            Kind::Operator(operator) => format!("`{operator}`"),
        };
        Failure::at(self.at(), format!("{message}, found {found}"))
    }

    fn statement(&mut self) -> Result<Statement, Failure> {
        let at = self.at();
        let assigned = match (self.peek(), self.tokens.get(self.next + 1).map(|t| &t.kind)) {
            (Kind::Name(name), Some(Kind::Operator(":="))) => Some(name.clone()),
            _ => None,
        };
        let action = if let Some(name) = assigned {
            if functions::is_reserved(&name) {
                return Err(Failure::at(at, format!("`{name}` is a word of the language, not a variable")));
            }
            self.next += 2;
            Action::Assign(name, self.expression()?)
        } else if self.accept_name("print") {
            Action::Print(self.expression()?)
        } else if self.accept_name("assert") {
            Action::Assert(self.expression()?)
        } else if self.accept_name("source") {
            Action::Source(self.text()?)
        } else if self.accept_name("write") {
            let file = self.text()?;
            Action::Write(file, self.expression()?)
        } else {
            Action::Print(self.expression()?)
        };
        Ok(Statement { action, at })
    }

    fn text(&mut self) -> Result<String, Failure> {
        let Kind::Text(text) = self.peek().clone() else { return Err(self.unexpected("expected a string")) };
        self.advance();
        Ok(text)
    }

    fn expression(&mut self) -> Result<Expression, Failure> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Failure::at(self.at(), format!("nested deeper than {DEEPEST}")));
        }
        let mut left = self.algebra()?;
        while let Some((operator, at)) = self.operator(&COMPARISONS) {
            let right = self.algebra()?;
            left = Expression { term: Term::Binary(operator, Box::new(left), Box::new(right)), at };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operator(&mut self, among: &[&'static str]) -> Option<(&'static str, usize)> {
        let at = self.at();
        let found = among.iter().copied().find(|o| self.peek() == &Kind::Operator(o))?;
        self.advance();
        Some((found, at))
    }

    fn algebra(&mut self) -> Result<Expression, Failure> {
        let mut left = self.unary()?;
        loop {
            let at = self.at();
            let operator = match self.operator(&ALGEBRA) {
                Some((operator, _)) => operator,
                None => match NAMED.into_iter().find(|name| self.accept_name(name)) {
                    Some(name) => name,
                    None => return Ok(left),
                },
            };
            let right = self.unary()?;
            left = Expression { term: Term::Binary(operator, Box::new(left), Box::new(right)), at };
        }
    }

    fn unary(&mut self) -> Result<Expression, Failure> {
        let at = self.at();
        let Kind::Name(name) = self.peek().clone() else { return self.postfix() };
        let next = self.tokens.get(self.next + 1).map(|token| &token.kind);
        let full = name == "full" && matches!(next, Some(Kind::Name(n)) if n == "last" || n == "any");
        match name.as_str() {
            _ if full => return self.deeper(Self::dataflow),
            "last" | "any" | "before" => return self.deeper(Self::dataflow),
            "schedule" => return self.deeper(Self::schedule),
            "codegen" => return self.deeper(Self::codegen),
            _ => {}
        }
        let found =
            ["read", "parse_file"].into_iter().find(|reader| *reader == name).or_else(|| functions::find(&name));
        let Some(function) = found else { return self.postfix() };
        self.advance();
        let argument = self.deeper(Self::unary)?;
        Ok(Expression { term: Term::Function(function, Box::new(argument)), at })
    }

    /// `read`, one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Failure::at(self.at(), format!("nested deeper than {DEEPEST}")));
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn codegen(&mut self) -> Result<Expression, Failure> {
        let at = self.at();
        self.advance();
        let schedule = Box::new(self.unary()?);
        let options = if self.accept_name("using") { Some(Box::new(self.unary()?)) } else { None };
        Ok(Expression { term: Term::Codegen(schedule, options), at })
    }

    fn schedule(&mut self) -> Result<Expression, Failure> {
        let at = self.at();
        self.advance();
        let domain = Box::new(self.unary()?);
        let (mut respecting, mut minimizing) = (Vec::new(), Vec::new());
        loop {
            if self.accept_name("respecting") {
                respecting.push(self.unary()?);
            } else if self.accept_name("minimizing") {
                minimizing.push(self.unary()?);
            } else {
                return Ok(Expression { term: Term::Schedule(domain, respecting, minimizing), at });
            }
        }
    }

    fn dataflow(&mut self) -> Result<Expression, Failure> {
        let at = self.at();
        let full = self.accept_name("full");
        let mut last = if self.accept_name("last") { Some(self.unary()?) } else { None };
        let any = if self.accept_name("any") { Some(self.unary()?) } else { None };
        if last.is_none() && any.is_some() && self.accept_name("last") {
            last = Some(self.unary()?);
        }
        if !self.accept_name("before") {
            return Err(self.unexpected("expected `before`"));
        }
        let before = self.unary()?;
        if !self.accept_name("under") {
            return Err(self.unexpected("expected `under`"));
        }
        let under = self.unary()?;
        if last.is_none() && any.is_none() {
            return Err(Failure::at(at, "expected `last` or `any`"));
        }
        Ok(Expression { term: Term::Dataflow(Box::new(Dataflow { full, last, any, before, under })), at })
    }

    fn postfix(&mut self) -> Result<Expression, Failure> {
        let mut term = self.primary()?;
        loop {
            let at = self.at();
            if self.accept("(") {
                let arguments = self.list(")")?;
                term = Expression { term: Term::Call(Box::new(term), arguments), at };
            } else if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                term = Expression { term: Term::Index(Box::new(term), Box::new(index)), at };
            } else if self.accept("^") {
                term = self.power(term, at)?;
            } else {
                return Ok(term);
            }
        }
    }

    fn power(&mut self, base: Expression, at: usize) -> Result<Expression, Failure> {
        if self.accept("+") {
            return Ok(Expression { term: Term::Closure(Box::new(base)), at });
        }
        let negative = self.accept("-");
        let Kind::Integer(digits) = self.peek().clone() else {
            return Err(self.unexpected("expected `+` or an integer"));
        };
        let exponent: i64 = digits.parse().map_err(|_| Failure::at(self.at(), "this exponent is too large"))?;
        self.advance();
        Ok(Expression { term: Term::Power(Box::new(base), if negative { -exponent } else { exponent }), at })
    }

    fn list(&mut self, close: &'static str) -> Result<Vec<Expression>, Failure> {
        let mut items = Vec::new();
        if self.accept(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if !self.accept(",") {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, Failure> {
        let at = self.at();
        if self.accept("(") {
            let mut items = self.list(")")?;
            let single = if items.len() == 1 { items.pop() } else { None };
            return Ok(single.unwrap_or(Expression { term: Term::List(items), at }));
        }
        if self.accept("-") {
            let negated = self.deeper(Self::primary)?;
            return Ok(Expression { term: Term::Negative(Box::new(negated)), at });
        }
        let term = match self.peek().clone() {
            Kind::Name(name) if functions::is_reserved(&name) => return Err(self.unexpected("expected an operand")),
            Kind::Name(name) => Term::Name(name),
            Kind::Integer(digits) => Term::Integer(digits),
            Kind::Text(text) => Term::Text(text),
            Kind::Set(text) => Term::Set(UnionSet::parse(&text).map_err(|e| inside(at, &text, &e))?),
            Kind::Relation(text) => Term::Relation(UnionMap::parse(&text).map_err(|e| inside(at, &text, &e))?),
            Kind::Polynomial(text) => {
                Term::Polynomial(UnionPwQPolynomial::parse(&text).map_err(|e| inside(at, &text, &e))?)
            }
            Kind::Tree(text) => Term::Tree(Tree::parse(&text).map_err(|e| inside(at, &text, &e))?),
            Kind::Operator(_) | Kind::End => return Err(self.unexpected("expected an operand")),
        };
        self.advance();
        Ok(Expression { term, at })
    }
}
