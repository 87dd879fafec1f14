//! Solution trees, as they are printed and executed.
//!
//! ```text
//! tree   = ⊥ | name{e, ..} | name.port{e, ..} | (condition -> tree : tree) | (e =: m q + r -> tree)
//!        | (& tree ..) | (@v (lower upper) tree) | (@v (max(e, ..) min(e, ..)) tree)
//! ```
//!
//! The first line is the single-valued S-tree: `(i > 0 -> B1{i - 1} : r_in{})` evaluates to `B1{4}` at `i = 5`; a division binds the
//! quotient and the remainder of `e` by `m`. The second line makes it the multi-valued M-tree: a finite union, and the union over all
//! values of a variable from `lower` to `upper`. Expressions are linear, and all that is not linear is a division. (Klimov, figures
//! 2 and 3.)
//!
//! Implements: 004 2

use std::fmt;

use crate::presburger::int::Number;
use crate::presburger::{Id, Int};

/// `constant + sum of coefficient * variable`, in the order of the variables' introduction, no coefficient 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    /// The constant term.
    pub constant: Int,
    /// The variables with their coefficients.
    pub terms: Vec<(Id, Int)>,
}

/// What a branching asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `e = 0`
    Zero(Linear),
    /// `e > 0`
    Positive(Linear),
    /// A value computed by a node.
    Truth { node: Id, args: Vec<Linear> },
}

/// A solution tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// No instance.
    Nothing,
    /// An instance of a node, at a port if it is sent to.
    Term { node: Id, port: Option<Id>, args: Vec<Linear> },
    /// One of two.
    Branch { condition: Condition, yes: Box<Tree>, no: Box<Tree> },
    /// `dividend = divisor * quotient + remainder` with `0 <= remainder < divisor`.
    Divide { dividend: Linear, divisor: Int, quotient: Id, remainder: Id, rest: Box<Tree> },
    /// All of them.
    Union(Vec<Tree>),
    /// For all values of a variable from the largest of some bounds to the smallest of others.
    Each { variable: Id, lowers: Vec<Linear>, uppers: Vec<Linear>, rest: Box<Tree> },
}

/// Values of variables, the latest last.
pub type Values = Vec<(Id, Int)>;

impl Linear {
    /// A constant.
    pub fn constant(value: &Int) -> Linear {
        Linear { constant: value.clone(), terms: Vec::new() }
    }

    /// Its value.
    pub fn value(&self, values: &Values) -> Int {
        self.terms.iter().fold(self.constant.clone(), |sum, (name, coefficient)| {
            let known = values.iter().rev().find(|(known, _)| known == name);
            let (_, value) = known.expect("law: a tree binds its variables");
            sum.add(&coefficient.mul(value))
        })
    }

    fn positive_part(&self) -> Linear {
        self.part(|x| x.is_positive().then(|| x.clone()))
    }

    fn negative_part(&self) -> Linear {
        self.part(|x| x.is_negative().then(|| x.neg()))
    }

    fn part(&self, size: impl Fn(&Int) -> Option<Int>) -> Linear {
        let terms = self.terms.iter().filter_map(|(name, c)| Some((name.clone(), size(c)?))).collect();
        Linear { constant: size(&self.constant).unwrap_or_else(Int::zero), terms }
    }
}

impl Tree {
    /// The instance that a single-valued tree evaluates to. `truth` gives the value of an instance; if it has none yet, the
    /// evaluation stops there.
    pub fn source<E>(
        &self,
        values: &mut Values,
        truth: &mut impl FnMut(&Id, Vec<Int>) -> Result<bool, E>,
    ) -> Result<Option<(Id, Vec<Int>)>, E> {
        let mut found = None;
        self.walk(values, truth, &mut |node, _, args| found = Some((node.clone(), args)))?;
        Ok(found)
    }

    /// Whether no leaf of it is nothing.
    pub fn is_total(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Term { .. } => true,
            Self::Branch { yes, no, .. } => yes.is_total() && no.is_total(),
            Self::Divide { rest, .. } | Self::Each { rest, .. } => rest.is_total(),
            Self::Union(all) => all.iter().all(Tree::is_total),
        }
    }

    /// What is left of the tree where all that it asks is affine has been decided, down to a term or a condition on data; divisions add their variables to the
    /// values.
    pub fn decided(&self, values: &mut Values) -> &Tree {
        match self {
            Self::Branch { condition: Condition::Zero(e), yes, no } => {
                if e.value(values).is_zero() {
                    yes.decided(values)
                } else {
                    no.decided(values)
                }
            }
            Self::Branch { condition: Condition::Positive(e), yes, no } => {
                if e.value(values).is_positive() {
                    yes.decided(values)
                } else {
                    no.decided(values)
                }
            }
            Self::Divide { dividend, divisor, quotient, remainder, rest } => {
                let value = dividend.value(values);
                let q = value.div_floor(divisor);
                values.push((remainder.clone(), value.sub(&q.mul(divisor))));
                values.push((quotient.clone(), q));
                rest.decided(values)
            }
            other => other,
        }
    }

    /// Calls `visit` with each instance that the tree evaluates to.
    pub fn walk<E>(
        &self,
        values: &mut Values,
        truth: &mut impl FnMut(&Id, Vec<Int>) -> Result<bool, E>,
        visit: &mut impl FnMut(&Id, Option<&Id>, Vec<Int>),
    ) -> Result<(), E> {
        crate::presburger::budget::spend(10);
        let at = |args: &[Linear], values: &Values| args.iter().map(|arg| arg.value(values)).collect::<Vec<_>>();
        match self {
            Self::Nothing => Ok(()),
            Self::Term { node, port, args } => {
                visit(node, port.as_ref(), at(args, values));
                Ok(())
            }
            Self::Branch { condition, yes, no } => {
                let holds = match condition {
                    Condition::Zero(e) => e.value(values).is_zero(),
                    Condition::Positive(e) => e.value(values).is_positive(),
                    Condition::Truth { node, args } => truth(node, at(args, values))?,
                };
                if holds { yes.walk(values, truth, visit) } else { no.walk(values, truth, visit) }
            }
            Self::Divide { dividend, divisor, quotient, remainder, rest } => {
                let value = dividend.value(values);
                let q = value.div_floor(divisor);
                let r = value.sub(&q.mul(divisor));
                values.push((quotient.clone(), q));
                values.push((remainder.clone(), r));
                let outcome = rest.walk(values, truth, visit);
                values.truncate(values.len() - 2);
                outcome
            }
            Self::Union(trees) => trees.iter().try_for_each(|tree| tree.walk(values, truth, visit)),
            Self::Each { variable, lowers, uppers, rest } => {
                let first = lowers.iter().map(|bound| bound.value(values)).max();
                let last = uppers.iter().map(|bound| bound.value(values)).min();
                let mut value = first.expect("law: a variable has bounds");
                let last = last.expect("law: a variable has bounds");
                while value <= last {
                    values.push((variable.clone(), value.clone()));
                    let outcome = rest.walk(values, truth, visit);
                    values.pop();
                    outcome?;
                    value = value.add(&Int::one());
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (name, coefficient) in &self.terms {
            let magnitude = if coefficient.is_negative() { coefficient.neg() } else { coefficient.clone() };
            match (first, coefficient.is_negative()) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, negative) => f.write_str(if negative { " - " } else { " + " })?,
            }
            if magnitude != Int::one() {
                write!(f, "{magnitude} ")?;
            }
            write!(f, "{name}")?;
            first = false;
        }
        match (first, self.constant.is_negative()) {
            (true, _) => write!(f, "{}", self.constant),
            (false, _) if self.constant.is_zero() => Ok(()),
            (false, true) => write!(f, " - {}", self.constant.neg()),
            (false, false) => write!(f, " + {}", self.constant),
        }
    }
}

impl fmt::Display for Condition {
    /// An affine condition with its positive part on the left and the rest on the right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero(e) => write!(f, "{} = {}", e.positive_part(), e.negative_part()),
            Self::Positive(e) => write!(f, "{} > {}", e.positive_part(), e.negative_part()),
            Self::Truth { node, args } => write!(f, "{node}{{{}}}", list(args)),
        }
    }
}

/// Expressions with commas between them.
pub fn list(args: &[Linear]) -> String {
    args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The largest or the smallest of some expressions.
pub fn extreme(word: &str, bounds: &[Linear]) -> String {
    match bounds {
        [one] => one.to_string(),
        _ => format!("{word}({})", list(bounds)),
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("⊥"),
            Self::Term { node, port: None, args } => write!(f, "{node}{{{}}}", list(args)),
            Self::Term { node, port: Some(port), args } => write!(f, "{node}.{port}{{{}}}", list(args)),
            Self::Branch { condition, yes, no } => write!(f, "({condition} -> {yes} : {no})"),
            Self::Divide { dividend, divisor, quotient, remainder, rest } => {
                write!(f, "({dividend} =: {divisor} {quotient} + {remainder} -> {rest})")
            }
            Self::Union(trees) => {
                f.write_str("(&")?;
                trees.iter().try_for_each(|tree| write!(f, " {tree}"))?;
                f.write_str(")")
            }
            Self::Each { variable, lowers, uppers, rest } => {
                write!(f, "(@{variable} ({} {}) {rest})", extreme("max", lowers), extreme("min", uppers))
            }
        }
    }
}
