//! Conditions and values, weakest operator first.
//!
//! `not i < j or i = 2j + 1` is `or` of `not (i < j)` and `i = (2 * j) + 1`.
//!
//! Implements: 002 3.2

use super::super::lexer::Token;
use super::{Commas, LARGEST_EXPONENT, Last, Node, Parser, Read, Tree, boxed};

impl Parser<'_> {
    pub(super) fn tree(&mut self) -> Read<Tree> {
        self.deeper(|p| {
            let at = p.at();
            let condition = p.implication()?;
            if !p.eats("?") {
                return Ok(condition);
            }
            let yes = p.tree()?;
            p.expect(":")?;
            let no = p.tree()?;
            Ok(Tree { at, node: Node::Select(boxed(condition), boxed(yes), boxed(no)) })
        })
    }

    fn implication(&mut self) -> Read<Tree> {
        let at = self.at();
        let left = self.disjunction()?;
        if !self.eats("implies") {
            return Ok(left);
        }
        let right = self.deeper(Self::implication)?;
        Ok(Tree { at, node: Node::Implies(boxed(left), boxed(right)) })
    }

    fn disjunction(&mut self) -> Read<Tree> {
        self.joined("or", Self::conjunction, Node::Or)
    }

    fn conjunction(&mut self) -> Read<Tree> {
        self.joined("and", Self::negation, Node::And)
    }

    fn joined(&mut self, sign: &str, part: fn(&mut Self) -> Read<Tree>, node: fn(Vec<Tree>) -> Node) -> Read<Tree> {
        let at = self.at();
        let first = part(self)?;
        if !self.sees(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eats(sign) {
            parts.push(part(self)?);
        }
        Ok(Tree { at, node: node(parts) })
    }

    fn negation(&mut self) -> Read<Tree> {
        let at = self.at();
        if self.eats("not") {
            let tree = self.deeper(Self::negation)?;
            return Ok(Tree { at, node: Node::Not(boxed(tree)) });
        }
        if self.eats("exists") {
            return self.quantified(at);
        }
        self.comparison()
    }

    fn quantified(&mut self, at: usize) -> Read<Tree> {
        let parenthesis = self.eats("(");
        let bracket = self.eats("[");
        let mut names = Vec::new();
        while matches!(self.token(), Token::Name(_)) {
            let name = self.name()?;
            let value = if self.eats("=") { Some(self.with_commas(Commas::Separate, Self::sum)?) } else { None };
            names.push((name, value));
            if !self.eats(",") {
                break;
            }
        }
        if bracket {
            self.expect("]")?;
        }
        self.expect(":")?;
        let body = self.condition()?;
        if parenthesis {
            self.expect(")")?;
        }
        Ok(Tree { at, node: Node::Exists(names, boxed(body)) })
    }

    fn comparison(&mut self) -> Read<Tree> {
        const COMPARISONS: [&str; 10] = ["<=", "<", ">=", ">", "=", "!=", "<<", "<<=", ">>", ">>="];
        let at = self.at();
        let mut lists = vec![self.list()?];
        let mut signs = Vec::new();
        while let Some(sign) = COMPARISONS.into_iter().find(|sign| self.sees(sign)) {
            self.next += 1;
            signs.push(sign);
            lists.push(self.list()?);
        }
        match (lists.len(), lists[0].len()) {
            (1, 1) => Ok(lists.remove(0).remove(0)),
            (1, _) => self.fail(format!("expected a comparison of the list, found {}", self.found())),
            _ => Ok(Tree { at, node: Node::Compare(lists, signs) }),
        }
    }

    fn list(&mut self) -> Read<Vec<Tree>> {
        let mut list = vec![self.sum()?];
        while self.commas == Commas::List && self.eats(",") {
            list.push(self.sum()?);
        }
        Ok(list)
    }

    pub(super) fn sum(&mut self) -> Read<Tree> {
        self.binary(&["+", "-"], Self::signed)
    }

    /// `-a * b` is `-(a * b)`.
    fn signed(&mut self) -> Read<Tree> {
        let at = self.at();
        if self.eats("-") {
            let tree = self.deeper(Self::signed)?;
            return Ok(Tree { at, node: Node::Negative(boxed(tree)) });
        }
        if self.eats("+") {
            return self.deeper(Self::signed);
        }
        self.binary(&["*", "/", "mod"], Self::factor)
    }

    fn binary(&mut self, signs: &[&'static str], part: fn(&mut Self) -> Read<Tree>) -> Read<Tree> {
        let at = self.at();
        let mut left = part(self)?;
        while let Some(sign) = signs.iter().find(|sign| self.sees(sign)) {
            self.next += 1;
            let right = part(self)?;
            left = Tree { at, node: Node::Binary(sign, boxed(left), boxed(right)) };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Read<Tree> {
        let at = self.at();
        let Token::Number(number) = self.token() else { return self.powered() };
        let number = Tree { at, node: Node::Number(number.clone()) };
        self.next += 1;
        let factor_follows = matches!(
            self.token(),
            Token::Name(_) | Token::Sign("(" | "[" | "floor" | "ceil" | "floord" | "ceild" | "min" | "max" | "abs")
        );
        if !factor_follows {
            return Ok(number);
        }
        let factor = self.powered()?;
        Ok(Tree { at, node: Node::Binary("*", boxed(number), boxed(factor)) })
    }

    fn powered(&mut self) -> Read<Tree> {
        let base = self.primary()?;
        if self.last == Last::Tuple || !self.eats("^") {
            return Ok(base);
        }
        let Token::Number(exponent) = self.token() else { return self.fail("expected an exponent") };
        let exponent = exponent.as_i64().and_then(|e| u32::try_from(e).ok()).filter(|e| *e <= LARGEST_EXPONENT);
        let Some(exponent) = exponent else {
            return self.fail(format!("an exponent over {LARGEST_EXPONENT} is not supported"));
        };
        self.next += 1;
        Ok(Tree { at: base.at, node: Node::Power(boxed(base), exponent) })
    }

    fn primary(&mut self) -> Read<Tree> {
        let at = self.at();
        if let Token::Name(name) = self.token() {
            let node = Node::Name(name.clone());
            self.next += 1;
            return Ok(Tree { at, node });
        }
        let node = match self.token() {
            Token::Sign("(") => return self.parenthesized(),
            Token::Sign("[") => {
                self.next += 1;
                let value = self.with_commas(Commas::Separate, Self::tree)?;
                self.expect("]")?;
                Node::Floor(boxed(value))
            }
            Token::Sign(word @ ("true" | "false")) => {
                let node = Node::Truth(*word == "true");
                self.next += 1;
                node
            }
            Token::Sign(word @ ("floor" | "ceil" | "floord" | "ceild" | "min" | "max" | "abs")) => {
                let word = *word;
                self.next += 1;
                return self.call(word, at);
            }
            Token::Sign("exists" | "not") => return self.deeper(Self::negation),
            _ => return self.fail(format!("expected a value or a condition, found {}", self.found())),
        };
        Ok(Tree { at, node })
    }

    /// `( tree )` or `( tree : condition; ... )`.
    fn parenthesized(&mut self) -> Read<Tree> {
        let at = self.at();
        self.expect("(")?;
        let first = self.with_commas(Commas::List, Self::tree)?;
        if !self.sees(":") && !self.sees(";") {
            self.expect(")")?;
            return Ok(first);
        }
        let mut pieces = Vec::new();
        let mut value = first;
        loop {
            let condition = if self.eats(":") { Some(self.condition()?) } else { None };
            pieces.push((value, condition));
            if !self.eats(";") {
                break;
            }
            value = self.with_commas(Commas::Separate, Self::tree)?;
        }
        self.expect(")")?;
        Ok(Tree { at, node: Node::Piecewise(pieces) })
    }

    fn call(&mut self, word: &str, at: usize) -> Read<Tree> {
        self.expect("(")?;
        let mut arguments = vec![self.with_commas(Commas::Separate, Self::tree)?];
        while self.eats(",") {
            arguments.push(self.with_commas(Commas::Separate, Self::tree)?);
        }
        self.expect(")")?;
        let count = arguments.len();
        let mut one = arguments.clone().into_iter();
        let node = match (word, count, one.next(), one.next()) {
            ("min", ..) => Node::Min(arguments),
            ("max", ..) => Node::Max(arguments),
            ("abs", 1, Some(value), _) => Node::Abs(boxed(value)),
            ("floor", 1, Some(value), _) => Node::Floor(boxed(value)),
            ("ceil", 1, Some(value), _) => Node::Ceil(boxed(value)),
            ("floord" | "ceild", 2, Some(value), Some(divisor)) => {
                let quotient = Tree { at, node: Node::Binary("/", boxed(value), boxed(divisor)) };
                if word == "floord" { Node::Floor(boxed(quotient)) } else { Node::Ceil(boxed(quotient)) }
            }
            _ => return self.fail(format!("`{word}` does not take {count} arguments")),
        };
        Ok(Tree { at, node })
    }
}
