//! Which iterations loops have.
//!
//! `for (i = e; i < n; i += 3)` runs for `i >= e` with `(i - e) mod 3 = 0` as long as the condition has held for each such value before. An unsigned `i` that can pass its greatest value
//! does not identify its iterations: then these are counted on, and `i` is the count modulo `2^bits`, as in pet.
//!
//! `for (i = 1; i <= n; i += i)` runs for powers of two. A signed `i` cannot pass its greatest value, so these are so few that the set of iterations lists them: exact, without
//! the constant `N` that stands for the logarithm in the tutorial (its example 5.10).
//!
//! Implements: 002 5.2.2

use super::builder::{Around, Builder};
use super::operators::{assigns, steps};
use super::types::{Type, specifiers};
use super::unit;
use super::values::{Affine, Number, Term, range};
use crate::presburger::{DimKind, Map, Set};
use lang_c::ast::{BinaryOperator, Expression, ForInitializer, ForStatement};

/// What a loop is, where data does not decide about it.
pub struct Loop {
    /// The name of its variable.
    pub variable: String,
    /// Its type, if the loop declares it.
    pub declared: Option<Type>,
    /// The iterations, with those around.
    pub around: Around,
    /// The value of the variable in them.
    pub value: Number,
    /// Whether the variable runs down.
    pub is_falling: bool,
    /// By how much it changes in each iteration, if that is a number.
    pub by: Option<i64>,
}

/// How the variable of a loop changes.
#[derive(Clone, Copy)]
enum Change {
    By(i64),
    Times(i64),
}

impl Builder<'_> {
    /// What a loop is; `None` if data decides about that.
    pub fn for_loop(&self, each: &ForStatement) -> Option<Loop> {
        let (variable, first, declared) = self.first(&each.initializer.node)?;
        let kind = match &declared {
            Some(kind) => kind.clone(),
            None => self.variables[self.find(&variable)?].kind.clone(),
        };
        let (bits, signed) = kind.integer()?;
        let first = self.converted(self.number(&first.node)?, (bits, signed))?;
        if self.unit.changed(&each.statement.node, &each.statement.span).contains(&variable) {
            return None;
        }
        let mut inner = self.clone();
        inner.forget(&each.statement);
        let change = inner.without_value(&variable).change(&each.step.as_ref()?.node, &variable)?;
        let dim = inner.open(&variable, kind.clone());
        let started = inner.started(&first, change, &dim, &kind)?;
        inner.around.domain = started.clone();
        let own = |text: String| Number { value: Affine::of(text), bits, signed };
        let (plain, wrapped) = (own(dim.clone()), own(format!("(({dim}) mod {})", 1u128 << bits)));
        let condition = each.condition.as_deref();
        let (least, most) = range(&kind);
        inner.around.limits.push(format!("{least} <= {dim} <= {most}"));
        let domain = inner.lasting(&started, condition, &plain, change)?;
        let reached = inner.reached(&domain, &dim, change);
        let (domain, value) = match inner.is_within(&domain.union(&reached?), &dim, &kind) {
            true => (domain, plain),
            false if signed && bits >= 32 => (domain, plain),
            false if !signed => {
                inner.around.limits.pop();
                (inner.lasting(&started, condition, &wrapped, change)?, wrapped)
            }
            false => return None,
        };
        let around = Around { domain, ..inner.around };
        let is_falling = matches!(change, Change::By(by) if by < 0);
        let by = if let Change::By(by) = change { Some(by) } else { None };
        Some(Loop { variable, declared, around, value, is_falling, by })
    }

    /// The variable of a loop, its first value, and its type if it is declared here.
    pub fn first<'e>(&self, initializer: &'e ForInitializer) -> Option<(String, &'e Term, Option<Type>)> {
        match initializer {
            ForInitializer::Expression(expression) => {
                let Expression::BinaryOperator(operation) = &expression.node else { return None };
                let Expression::Identifier(name) = &operation.node.lhs.node else { return None };
                let is_plain = operation.node.operator.node == BinaryOperator::Assign;
                is_plain.then(|| (name.node.name.clone(), &*operation.node.rhs, None))
            }
            ForInitializer::Declaration(declaration) => {
                let [declarator] = &declaration.node.declarators[..] else { return None };
                let base = self.unit.types.base(specifiers(&declaration.node.specifiers), &|_| None);
                let name = unit::name_of(&declarator.node.declarator.node).to_string();
                let is_plain = declarator.node.declarator.node.derived.is_empty();
                match &declarator.node.initializer.as_ref()?.node {
                    lang_c::ast::Initializer::Expression(first) if is_plain => Some((name, first, Some(base))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// By how much a step adds to a variable, if it does nothing else.
    pub fn grows_by(&self, step: &Expression, variable: &str) -> Option<i64> {
        if let Change::By(by) = self.change(step, variable)? { Some(by) } else { None }
    }

    fn change(&self, step: &Expression, variable: &str) -> Option<Change> {
        let is_it = |e: &Expression| matches!(e, Expression::Identifier(name) if name.node.name == variable);
        let constant = |e: &Expression| self.number(e).and_then(|number| number.value.number());
        match step {
            Expression::UnaryOperator(operation) if is_it(&operation.node.operand.node) => {
                steps(&operation.node.operator.node).map(Change::By)
            }
            Expression::BinaryOperator(operation) if is_it(&operation.node.lhs.node) => {
                let (with, right) = (assigns(&operation.node.operator.node)?, &operation.node.rhs.node);
                match (with, right) {
                    (Some(BinaryOperator::Plus), right) if is_it(right) => Some(Change::Times(2)),
                    (Some(BinaryOperator::Plus), right) => constant(right).filter(|by| *by != 0).map(Change::By),
                    (Some(BinaryOperator::Minus), right) => {
                        constant(right).filter(|by| *by != 0).map(|by| Change::By(-by))
                    }
                    (Some(BinaryOperator::Multiply), right) => constant(right).filter(|by| *by > 1).map(Change::Times),
                    (Some(BinaryOperator::ShiftLeft), right) => {
                        constant(right).filter(|by| (1..31).contains(by)).map(|by| Change::Times(1 << by))
                    }
                    (None, Expression::BinaryOperator(sum)) => {
                        let (a, b) = (&sum.node.lhs.node, &sum.node.rhs.node);
                        match sum.node.operator.node {
                            BinaryOperator::Plus if is_it(a) && is_it(b) => Some(Change::Times(2)),
                            BinaryOperator::Plus if is_it(a) => constant(b).filter(|by| *by != 0).map(Change::By),
                            BinaryOperator::Plus if is_it(b) => constant(a).filter(|by| *by != 0).map(Change::By),
                            BinaryOperator::Minus if is_it(a) => {
                                constant(b).filter(|by| *by != 0).map(|by| Change::By(-by))
                            }
                            BinaryOperator::Multiply if is_it(a) => constant(b).filter(|by| *by > 1).map(Change::Times),
                            BinaryOperator::Multiply if is_it(b) => constant(a).filter(|by| *by > 1).map(Change::Times),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// One more dimension for the iterations of a loop over this variable: its name.
    pub fn open(&mut self, variable: &str, kind: Type) -> String {
        let dim = self.unused(variable);
        self.opened(&dim);
        let (bits, signed) = kind.integer().unwrap_or((32, true));
        self.iterate(variable, kind, Number { value: Affine::of(dim.clone()), bits, signed });
        dim
    }

    /// One more dimension for steps that no variable counts: its name.
    pub fn open_steps_of_its_own(&mut self) -> String {
        let dim = self.unused("t");
        self.opened(&dim);
        dim
    }

    fn opened(&mut self, dim: &str) {
        self.around.domain = self.around.domain.insert_dims(DimKind::Out, self.around.dims.len(), 1);
        self.around.dims.push(dim.to_string());
    }

    /// All values from the first one on.
    fn started(&self, first: &Number, change: Change, dim: &str, kind: &Type) -> Option<Set> {
        match change {
            Change::By(by) => {
                let size = by.unsigned_abs();
                let sign = if by > 0 { ">=" } else { "<=" };
                self.here(&first.value.holds(|e| match size {
                    1 => format!("{dim} {sign} {e}"),
                    _ => format!("({dim} {sign} {e} and ({dim} - ({e})) mod {size} = 0)"),
                }))
            }
            Change::Times(by) => {
                let (bits, signed) = kind.integer()?;
                let mut value = first.value.number().filter(|first| *first > 0 && signed)?;
                let mut all = Vec::new();
                while i128::from(value) < 1i128 << (bits - 1) {
                    all.push(format!("{dim} = {value}"));
                    let Some(next) = value.checked_mul(by) else { break };
                    value = next;
                }
                self.here(&format!("({})", all.join(" or ")))
            }
        }
    }

    /// Those of `started` up to which the condition has held, where the variable is `value`.
    fn lasting(&self, started: &Set, condition: Option<&Term>, value: &Number, change: Change) -> Option<Set> {
        let Some(condition) = condition else { return Some(started.clone()) };
        let mut inner = self.clone();
        inner.set_iterator(value.clone());
        let good = inner.here(&inner.condition(&condition.node)?)?.intersect(started);
        let outer = &self.around.dims[..self.around.dims.len() - 1];
        let order = if matches!(change, Change::By(by) if by < 0) { "<" } else { ">" };
        let joined = |last: &str| outer.iter().map(String::as_str).chain([last]).collect::<Vec<_>>().join(", ");
        let (then, now) = (self.unused("then"), self.unused("now"));
        let later = format!("{} {{ [{}] -> [{}] : {now} {order} {then} }}", self.list(), joined(&then), joined(&now));
        let later = Map::parse(&later).ok()?;
        let ended = started.subtract(&good).apply(&later);
        let lasting = good.subtract(&ended);
        Some(if lasting.is_equal(&good) { good.coalesce() } else { lasting.coalesce() })
    }

    /// The values that the variable comes to behind these iterations.
    fn reached(&self, domain: &Set, dim: &str, change: Change) -> Option<Set> {
        let Change::By(by) = change else { return Some(domain.clone()) };
        let outer = &self.around.dims[..self.around.dims.len() - 1];
        let joined = |last: &str| outer.iter().map(String::as_str).chain([last]).collect::<Vec<_>>().join(", ");
        let next = format!("{} {{ [{}] -> [{}] }}", self.list(), joined(dim), joined(&format!("{dim} + ({by})")));
        Some(domain.apply(&Map::parse(&next).ok()?))
    }

    fn is_within(&self, domain: &Set, dim: &str, kind: &Type) -> bool {
        let (least, most) = range(kind);
        let text =
            format!("{} {{ [{}] : {dim} < {least} or {dim} > {most} }}", self.list(), self.around.dims.join(", "));
        let outside = Set::parse(&text).map(|set| set.intersect(domain).intersect_params(&self.known).is_empty());
        outside.unwrap_or_default()
    }
}
