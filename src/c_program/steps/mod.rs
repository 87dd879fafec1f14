//! Loops that data ends, as loops of steps with exit predicates.
//!
//! ```text
//! while (err > tol) {              S_0[t] : t >= 0       reads err, tol, writes goes_on[t]     when goes_on[t - 1], for t >= 1
//!   A: x[0] = f(x[0]);             A[t] : t >= 0         when goes_on[t]
//!   if (bad(x[0])) break;          S_1[t] : t >= 0       reads x[0], writes goes_on_1[t]       when goes_on[t]
//!   B: err = g(x[0]);              B[t] : t >= 0         when goes_on_1[t]
//! }
//! ```
//!
//! The condition of a loop, and each `if` directly in its body that leaves it, is a *test*: a statement that says whether the loop goes on. (Above, `S_0` would ask the last test of the step before, `goes_on_1[t - 1]`.)
//! A branch that ends in `break` runs if its test says that the loop ends. Steps are counted by an artificial iterator, or by the one that the loop declares, as far as that is affine: for `for (int k = 0; k < n && err > tol; k++)` the
//! first part of the condition bounds the iterations, the second one is a test. A counter that the loop does not declare stays memory that statements touch, for its value may be asked for behind the loop.
//!
//! So it is for outer loops that have no other way out; anything else stays one statement.
//!
//! Implements: 001 while, control-flow; 002 5.2.2

#[cfg(test)]
mod tests;

use crate::c_program::builder::{Builder, Guard, Role};
use crate::c_program::exits::{leaves, returns};
use crate::c_program::loops::Loop;
use crate::c_program::order::Scheduled;
use crate::c_program::values::{Affine, Number, Term};
use crate::c_program::{Control, Wrong};
use crate::presburger::{DimKind, Id, Map, Set};
use crate::scop::{AccessKind, Array, ArrayKind, ElementType};
use lang_c::ast::{
    BinaryOperator, BlockItem, Declaration, Expression, ForInitializer, ForStatement, IfStatement, Label, Statement,
};
use lang_c::span::Node;
use std::collections::BTreeMap;

/// A loop, whatever C calls it.
pub struct Shape<'s> {
    /// One with a beginning and a step.
    pub counted: Option<&'s ForStatement>,
    /// What is asked before each step.
    pub first: Option<&'s Term>,
    /// What it does.
    pub body: &'s Node<Statement>,
    /// What is asked behind each step.
    pub last: Option<&'s Term>,
}

/// A part of a step.
enum Part<'s> {
    Statement(&'s Node<Statement>),
    Declaration(&'s Declaration),
    Test(Exit<'s>),
}

/// `if (condition) { ending; break; } else going`
struct Exit<'s> {
    at: usize,
    label: Option<&'s str>,
    condition: &'s Term,
    ending: Vec<&'s Node<Statement>>,
    going: Option<&'s Node<Statement>>,
}

/// What counts the steps.
pub struct Counted<'s> {
    /// The loop without the rest.
    pub found: Loop,
    /// By how much.
    by: i64,
    /// What the condition asks besides.
    pub rest: Vec<&'s Term>,
}

/// The steps of a loop in the making.
struct Making {
    /// The scalars of its tests.
    arrays: Vec<String>,
    /// Which is next.
    next: usize,
    /// Who counts.
    dim: String,
    /// How far apart steps are.
    by: i64,
}

impl<'s> Shape<'s> {
    /// The loop that a statement is.
    pub fn of(statement: &'s Statement) -> Option<Shape<'s>> {
        Some(match statement {
            Statement::While(each) => {
                let (first, body) = (Some(&*each.node.expression), &*each.node.statement);
                Shape { counted: None, first, body, last: None }
            }
            Statement::DoWhile(each) => {
                let (last, body) = (Some(&*each.node.expression), &*each.node.statement);
                Shape { counted: None, first: None, body, last }
            }
            Statement::For(each) => {
                let (first, body) = (each.node.condition.as_deref(), &*each.node.statement);
                Shape { counted: Some(&each.node), first, body, last: None }
            }
            _ => return None,
        })
    }

    /// The parts of a step, if the loop is left directly in its body only.
    fn parts(&self) -> Option<Vec<Part<'s>>> {
        let Statement::Compound(items) = &self.body.node else { return Some(vec![part(self.body)?]) };
        let parts = items.iter().filter_map(|item| match &item.node {
            BlockItem::Statement(statement) => Some(part(statement)),
            BlockItem::Declaration(declaration) => Some(Some(Part::Declaration(&declaration.node))),
            BlockItem::StaticAssert(_) => None,
        });
        parts.collect()
    }
}

fn part(statement: &Node<Statement>) -> Option<Part<'_>> {
    let (mut label, mut inner) = (None, statement);
    while let Statement::Labeled(labeled) = &inner.node {
        let Label::Identifier(name) = &labeled.node.label.node else { return None };
        (label, inner) = (Some(name.node.name.as_str()), &*labeled.node.statement);
    }
    match &inner.node {
        _ if !leaves(&inner.node, &inner.span) => Some(Part::Statement(statement)),
        Statement::If(choice) => exit(&choice.node, label, inner.span.start).map(Part::Test),
        _ => None,
    }
}

fn exit<'s>(choice: &'s IfStatement, label: Option<&'s str>, at: usize) -> Option<Exit<'s>> {
    let stays = |branch: &Node<Statement>| !leaves(&branch.node, &branch.span);
    let (then, other) = (&*choice.then_statement, choice.else_statement.as_deref());
    let (ending, going) = match (ending(then), other) {
        (Some(ending), other) if other.is_none_or(stays) => (ending, other),
        (None, Some(other)) if stays(then) => (ending(other)?, Some(then)),
        _ => return None,
    };
    Some(Exit { at, label, condition: &choice.condition, ending, going })
}

/// What a branch does before it leaves the loop at its end.
fn ending(branch: &Node<Statement>) -> Option<Vec<&Node<Statement>>> {
    let items = match &branch.node {
        Statement::Break => return Some(Vec::new()),
        Statement::Compound(items) => items,
        _ => return None,
    };
    let statements = items.iter().map(|item| match &item.node {
        BlockItem::Statement(statement) => Some(statement),
        _ => None,
    });
    let mut statements: Vec<&Node<Statement>> = statements.collect::<Option<_>>()?;
    let last = statements.pop()?;
    let stays = statements.iter().all(|statement| !leaves(&statement.node, &statement.span));
    (matches!(last.node, Statement::Break) && stays).then_some(statements)
}

impl Builder<'_> {
    /// A loop in steps, if this is one that data ends and nothing is in the way.
    pub fn loop_in_steps(&mut self, statement: &Node<Statement>, label: Option<&str>) -> Option<Vec<Scheduled>> {
        if self.control != Control::InSteps || !self.around.dims.is_empty() || self.is_counted(&statement.node) {
            return None;
        }
        let shape = Shape::of(&statement.node).filter(|_| !returns(&statement.node, &statement.span))?;
        let parts = shape.parts()?;
        let before = self.clone();
        self.forget(statement);
        self.scopes.push(BTreeMap::new());
        let done = self.in_steps(statement, label, (&shape, &parts));
        self.scopes.pop();
        self.forget(statement);
        match done {
            Ok(Some(found)) => Some(found),
            _ => {
                *self = before;
                None
            }
        }
    }

    /// Whether a loop has the iterations that its bounds say, whoever declares its variable.
    pub fn is_counted(&self, statement: &Statement) -> bool {
        let Statement::For(each) = statement else { return false };
        !leaves(&each.node.statement.node, &each.node.statement.span) && self.for_loop(&each.node).is_some()
    }

    fn in_steps(
        &mut self,
        statement: &Node<Statement>,
        label: Option<&str>,
        (shape, parts): (&Shape<'_>, &[Part<'_>]),
    ) -> Result<Option<Vec<Scheduled>>, Wrong> {
        let (mut children, n) = (Vec::new(), self.variables.len());
        let counted = shape.counted.and_then(|each| self.counted(each));
        let first = self.asked_before(counted.as_ref(), shape);
        let last = shape.last.filter(|condition| !self.always(condition));
        let is_test = |part: &&Part<'_>| matches!(part, Part::Test(_));
        let n_tests =
            usize::from(!first.is_empty()) + usize::from(last.is_some()) + parts.iter().filter(is_test).count();
        if n_tests == 0 {
            return Ok(None);
        }
        if let (Some(each), None) = (shape.counted, &counted) {
            children.extend(self.before_steps(&each.initializer)?);
            self.forget(statement);
        }
        let arrays: Vec<String> = (0..n_tests).map(|_| self.reserved("goes_on")).collect();
        let around = self.around.clone();
        let (dim, by, entered) = self.open_steps(counted.as_ref(), shape)?;
        let mut making = Making { arrays, next: 0, dim, by };
        self.guards = vec![self.last_step(&making)?];
        let step = match (&counted, shape.counted) {
            (None, Some(each)) => each.step.as_deref(),
            _ => None,
        };
        let body = self.step(statement, label, (&first, parts, last, step), &mut making);
        self.guards.clear();
        children.push(self.close_steps(counted.as_ref(), entered, body)?);
        self.around = around;
        let own: Vec<usize> = self.scopes.last().into_iter().flat_map(|scope| scope.values().copied()).collect();
        for variable in own.into_iter().filter(|variable| *variable >= n && counted.is_none()) {
            if !matches!(self.variables[variable].role, Role::Silent) {
                children.push(self.kill(variable, statement.span.end)?);
            }
        }
        Ok(Some(children))
    }

    /// What is asked before each step.
    pub fn asked_before<'s>(&self, counted: Option<&Counted<'s>>, shape: &Shape<'s>) -> Vec<&'s Term> {
        match counted {
            Some(counted) => counted.rest.clone(),
            None => shape.first.into_iter().filter(|condition| !self.always(condition)).collect(),
        }
    }

    /// The loop over what is in its steps; behind it, the variable that counts them is what it was.
    pub fn close_steps(
        &mut self,
        counted: Option<&Counted<'_>>,
        entered: Option<(usize, Option<Role>)>,
        parts: Result<Vec<Scheduled>, Wrong>,
    ) -> Result<Scheduled, Wrong> {
        if let Some(entered) = entered {
            self.leave(entered);
        }
        let number = self.n_loops;
        self.n_loops += 1;
        let below = self.sequence(parts?);
        let sign = if counted.is_some_and(|counted| counted.found.is_falling) { "-" } else { "" };
        Ok(self.band(below, Some(&format!("L_{number}")), sign))
    }

    /// One step: its parts and tests.
    fn step(
        &mut self,
        statement: &Node<Statement>,
        label: Option<&str>,
        (first, parts, last, step): (&[&Term], &[Part<'_>], Option<&Term>, Option<&Term>),
        making: &mut Making,
    ) -> Result<Vec<Scheduled>, Wrong> {
        let (mut children, at, n) = (Vec::new(), statement.span.start, self.variables.len());
        if !first.is_empty() {
            children.extend(self.test((label, at), first, making)?);
        }
        self.scopes.push(BTreeMap::new());
        for part in parts {
            match part {
                Part::Statement(inner) => children.extend(self.statement(inner, None)?),
                Part::Declaration(declaration) => children.extend(self.declaration(declaration)?),
                Part::Test(exit) => children.extend(self.exit(exit, making)?),
            }
        }
        for variable in self.scopes.pop().unwrap_or_default().into_values().filter(|variable| *variable >= n) {
            children.push(self.kill(variable, statement.span.end)?);
        }
        if let Some(step) = step {
            children.extend(self.modelled(None, step.span.start, &mut |builder| builder.expression(step))?);
        }
        if let Some(last) = last {
            children.extend(self.test((label.filter(|_| first.is_empty()), at), &[last], making)?);
        }
        Ok(children)
    }

    /// A test in the middle of a step.
    fn exit(&mut self, exit: &Exit<'_>, making: &mut Making) -> Result<Vec<Scheduled>, Wrong> {
        let mut children = Vec::from_iter(self.test((exit.label, exit.at), &[exit.condition], making)?);
        let going = self.guards.clone();
        let before = self.values().clone();
        self.guards.iter_mut().for_each(|guard| guard.holds = false);
        for statement in &exit.ending {
            children.extend(self.statement(statement, None)?);
        }
        self.agree(&before);
        self.guards = going;
        if let Some(other) = exit.going {
            children.extend(self.statement(other, None)?);
        }
        Ok(children)
    }

    /// A statement that says whether the loop goes on; from here on, what comes runs if it does.
    fn test(
        &mut self,
        (label, at): (Option<&str>, usize),
        conditions: &[&Term],
        making: &mut Making,
    ) -> Result<Option<Scheduled>, Wrong> {
        let array = making.arrays[making.next].clone();
        making.next += 1;
        let own = self.element_of(&array, &making.dim, &making.dim)?;
        let found = self.modelled(label, at, &mut |builder| {
            for (place, condition) in conditions.iter().enumerate() {
                match place {
                    0 => builder.expression(condition)?,
                    _ => builder.perhaps(&mut |builder| builder.expression(condition))?,
                }
            }
            builder.touched.accesses.push((AccessKind::MustWrite, array.clone(), own.clone()));
            Ok(())
        })?;
        self.arrays.push(Array {
            name: Id::new(&array),
            element: ElementType::Int(1),
            size_bytes: 1,
            shape: vec![None],
            kind: ArrayKind::Scalar,
            live_out: false,
            source_name: None,
            own: 0,
        });
        self.guards = vec![Guard { array, holds: true, element: own }];
        Ok(found)
    }

    /// What the last test of the step before has said.
    fn last_step(&self, making: &Making) -> Result<Guard, Wrong> {
        let array = making.arrays.last().cloned().unwrap_or_default();
        let before = self.element_of(&array, &making.dim, &format!("{} - ({})", making.dim, making.by))?;
        let steps = self.around.domain.set_tuple_name(DimKind::Out, Some(&array));
        Ok(Guard { array, holds: true, element: before.intersect_range(&steps) })
    }

    /// `{ [t] -> array[value] }`
    fn element_of(&self, array: &str, dim: &str, value: &str) -> Result<Map, Wrong> {
        let text = format!("{} {{ [{dim}] -> {array}[{value}] }}", self.list());
        let map = Map::parse(&text).map_err(|_| Wrong::at(0, "these steps are not counted"))?;
        Ok(map.intersect_domain(&self.around.domain))
    }

    /// Whether a condition holds in any case.
    pub fn always(&self, condition: &Term) -> bool {
        let never = self.condition(&condition.node).and_then(|text| self.here(&format!("not {text}")));
        never.is_some_and(|never: Set| never.is_empty())
    }

    /// What a loop does before its first step.
    pub fn before_steps(&mut self, initializer: &Node<ForInitializer>) -> Result<Vec<Scheduled>, Wrong> {
        match &initializer.node {
            ForInitializer::Expression(first) => {
                let found = self.modelled(None, initializer.span.start, &mut |builder| builder.expression(first))?;
                Ok(Vec::from_iter(found))
            }
            ForInitializer::Declaration(declaration) => self.declaration(&declaration.node),
            ForInitializer::Empty => Ok(Vec::new()),
            ForInitializer::StaticAssert(_) => Err(Wrong::at(initializer.span.start, "this is no beginning of a loop")),
        }
    }

    /// The loop without what its condition asks of data, if it declares the variable that counts its steps.
    pub fn counted<'s>(&self, each: &'s ForStatement) -> Option<Counted<'s>> {
        if !matches!(each.initializer.node, ForInitializer::Declaration(_)) {
            return None;
        }
        let (mut known, mut rest) = (each.condition.as_deref(), Vec::new());
        loop {
            let own = ForStatement { condition: known.map(|known| Box::new(known.clone())), ..each.clone() };
            if let Some(found) = self.for_loop(&own) {
                rest.reverse();
                return found.by.map(|by| Counted { found, by, rest });
            }
            match known.map(|known| &known.node) {
                Some(Expression::BinaryOperator(both)) if both.node.operator.node == BinaryOperator::LogicalAnd => {
                    rest.push(&*both.node.rhs);
                    known = Some(&*both.node.lhs);
                }
                Some(_) => {
                    rest.extend(known);
                    known = None;
                }
                None => return None,
            }
        }
    }

    /// Inside of the steps: who counts them, by how much, and what is to be restored behind them.
    pub fn open_steps(
        &mut self,
        counted: Option<&Counted<'_>>,
        shape: &Shape<'_>,
    ) -> Result<(String, i64, Option<(usize, Option<Role>)>), Wrong> {
        if let Some(counted) = counted {
            self.around = counted.found.around.clone();
            let entered = self.enter(&counted.found);
            let dim = self.around.dims.last().cloned().unwrap_or_default();
            return Ok((dim, counted.by, Some(entered)));
        }
        let value = shape.counted.and_then(|each| self.counter(each));
        let dim = self.open_steps_of_its_own();
        self.around.domain =
            self.here(&format!("{dim} >= 0")).ok_or_else(|| Wrong::at(0, "these steps are not counted"))?;
        if let Some((variable, first, by)) = value {
            let text = format!("(({first}) + {by} * {dim})");
            self.becomes(variable, Some(Number { value: Affine::of(text), bits: 64, signed: true }));
        }
        Ok((dim, 1, None))
    }

    /// A counter that is memory: its number, its first value, and by how much it grows in each step.
    fn counter(&self, each: &ForStatement) -> Option<(usize, String, i64)> {
        let (name, first, _) = self.first(&each.initializer.node)?;
        let variable = self.find(&name)?;
        let (bits, signed) = self.variables[variable].kind.integer()?;
        let changed = self.unit.changed(&each.statement.node, &each.statement.span);
        if bits < 32 || !signed || changed.contains(&name) {
            return None;
        }
        let by = self.without_value(&name).grows_by(&each.step.as_ref()?.node, &name)?;
        match &self.number(&first.node)?.value.pieces[..] {
            [(None, text)] => Some((variable, text.clone(), by)),
            _ => None,
        }
    }
}
