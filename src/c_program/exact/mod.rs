//! Control that data decides, exactly: conditions and ways out of loops as statements that run under conditions.
//!
//! ```text
//! for (int j = 0; j < m; j++) {          S_0:    goes_on = 1              in each iteration:
//!   P: if (b[j] < 0) break;              S_1[j]: runs[j] = goes_on
//!   if (b[j] == 0) continue;             P[j]:   taken[j] = b[j] < 0      when runs[j]
//!   A: s += b[j];                        S_2[j]: goes_on = 0              when runs[j] and taken[j]
//! }                                      ...
//! ```
//!
//! A condition on data is a statement of its own that writes a *truth* of its iteration; what is in its branches runs when that is true, or unless it is. A loop that is left in its middle, or ends when data says so, keeps the
//! iterations that its bounds allow (where there are none, those up to a *last step*, a parameter, as in [`crate::scop::turns`]) and has a scalar that says whether it goes on. `break` writes it; what comes next runs when a copy of it
//! says so, one for each iteration: a truth that is written once. `continue` does the same to a second scalar, which is about the rest of the iteration alone; `return`, and `goto` behind a loop around, leave all loops
//! on the way. So each structured program becomes a tree of loops with conditions (Erosa and Hendren, ICCL 1994, do the same to programs), which is what exact dataflow is made for.
//!
//! Where something is in the way (a jump elsewhere, a `switch` that leaves a loop), the smallest statement around is one statement, as without this.
//!
//! Implements: 001 conditions, control-flow, while; 004 3.3

mod computed;
#[cfg(test)]
mod tests;

use crate::c_program::builder::{Builder, Guard, Way};
use crate::c_program::exits::{continues, labelled, leaves, returns_from_inside};
use crate::c_program::order::Scheduled;
use crate::c_program::steps::Shape;
use crate::c_program::unit::name_of;
use crate::c_program::values::{Affine, Number, Term};
use crate::c_program::{Control, Wrong};
use crate::presburger::{DimKind, Id, Map};
use crate::scop::{AccessKind, Array, ArrayKind, ElementType, Expression};
use lang_c::ast::{BlockItem, IfStatement, Statement};
use lang_c::span::Node;
use std::collections::{BTreeMap, BTreeSet};

/// A variable that each iteration of a loop moves on by the same number, once: its type's bits and its value before the first one, and the number.
struct Counter {
    variable: usize,
    first: (u32, String),
    by: i64,
}

/// What a scalar says from now on: whether a loop, or an iteration, goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Yes,
    No,
}

impl Builder<'_> {
    /// A statement that data decides about, in parts; `None` if it is no such statement, or something is in the way.
    pub fn exactly(&mut self, statement: &Node<Statement>, label: Option<&str>) -> Option<Vec<Scheduled>> {
        if self.control != Control::Exact || matches!(statement.node, Statement::Expression(_)) {
            return None;
        }
        let (n, before) = (self.statements.len(), self.but_for_statements());
        let done = match &statement.node {
            Statement::If(choice) if !self.is_static(choice) => {
                self.condition_on_data(&choice.node, label, statement.span.start)
            }
            Statement::For(_) if self.is_counted(&statement.node) => return None,
            Statement::While(each) => {
                let is_left = leaves(&each.node.statement.node, &each.node.statement.span);
                let mut inside = self.but_for_statements();
                inside.forget(statement);
                match is_left || !inside.always(&each.node.expression) {
                    true => self.loop_that_data_ends(statement, label),
                    false => return None,
                }
            }
            Statement::For(_) | Statement::DoWhile(_) => self.loop_that_data_ends(statement, label),
            Statement::Break => self.leave_loops(self.ways.len().checked_sub(1), statement.span.start),
            Statement::Continue => self.next_iteration(statement.span.start),
            Statement::Goto(target) => {
                let to = |way: &Way| way.behind.contains(&target.node.name);
                self.leave_loops(self.ways.iter().rposition(to), statement.span.start)
            }
            Statement::Return(value) => self.leave_region(value.as_deref(), statement.span.start),
            _ => return None,
        };
        match done {
            Ok(found) => Some(found),
            Err(_) => {
                let mut statements = std::mem::take(&mut self.statements);
                statements.truncate(n);
                *self = before;
                self.statements = statements;
                None
            }
        }
    }

    /// What is known so far, without the statements that were found.
    pub fn but_for_statements(&mut self) -> Self {
        let statements = std::mem::take(&mut self.statements);
        let known = self.clone();
        self.statements = statements;
        known
    }

    fn is_static(&self, choice: &Node<IfStatement>) -> bool {
        self.condition(&choice.node.condition.node).is_some_and(|text| self.here(&text).is_some())
    }

    /// Behind a statement that may leave what is around: what comes now, under so many conditions, runs if it has not.
    pub fn rest(&mut self, statement: &Node<Statement>, depth: usize) -> Result<Vec<Scheduled>, Wrong> {
        let (true, Some(way)) = (leaves(&statement.node, &statement.span), self.ways.last()) else {
            return Ok(Vec::new());
        };
        let rest = way.rest.clone();
        self.ask(&rest, depth, statement.span.end)
    }

    /// `S: if (x[i] > 0) { .. } else { .. }`
    fn condition_on_data(
        &mut self,
        choice: &IfStatement,
        label: Option<&str>,
        at: usize,
    ) -> Result<Vec<Scheduled>, Wrong> {
        let guard = self.own_truth("taken");
        let mut children = Vec::from_iter(self.decided(&[&choice.condition], &guard, (label, at))?);
        let (before, depth) = (self.values().clone(), self.guards.len());
        let branches = [(Some(&choice.then_statement), true), (choice.else_statement.as_ref(), false)];
        for (branch, holds) in branches {
            let Some(branch) = branch else { continue };
            self.guards.push(Guard { holds, ..guard.clone() });
            let found = self.statement(branch, None);
            self.guards.truncate(depth);
            children.extend(found?);
            self.agree(&before);
        }
        Ok(children)
    }

    fn loop_that_data_ends(
        &mut self,
        statement: &Node<Statement>,
        label: Option<&str>,
    ) -> Result<Vec<Scheduled>, Wrong> {
        let shape = Shape::of(&statement.node).ok_or_else(|| Wrong::at(statement.span.start, "this is no loop"))?;
        let counters = self.counters(&shape);
        self.forget(statement);
        self.scopes.push(BTreeMap::new());
        let done = self.iterations(statement, label, &shape, &counters);
        self.scopes.pop();
        self.forget(statement);
        done
    }

    fn iterations(
        &mut self,
        statement: &Node<Statement>,
        label: Option<&str>,
        shape: &Shape<'_>,
        counters: &[Counter],
    ) -> Result<Vec<Scheduled>, Wrong> {
        let at = statement.span.start;
        let counted = shape.counted.and_then(|each| self.counted(each));
        let first = self.asked_before(counted.as_ref(), shape);
        let mut children = Vec::new();
        if let (Some(each), None) = (shape.counted, &counted) {
            children.extend(self.before_steps(&each.initializer)?);
            self.forget(statement);
        }
        let way = self.way(shape.body, at);
        children.extend(self.begin(&way.on, at)?);
        let (around, depth) = (self.around.clone(), self.guards.len());
        let (_, _, entered) = self.open_steps(counted.as_ref(), shape)?;
        if counted.is_none() {
            self.up_to_last_step(at)?;
        }
        let way = (way, &first[..], counted.is_none());
        let parts = self.iteration((label, at), shape, way, counters);
        self.guards.truncate(depth);
        children.push(self.close_steps(counted.as_ref(), entered, parts)?);
        self.around = around;
        Ok(children)
    }

    /// The variables that count the iterations of a loop although they are not declared by it: `i` in `while (x[i] > 0) { ..; i++; }`.
    fn counters(&self, shape: &Shape<'_>) -> Vec<Counter> {
        let Statement::Compound(items) = &shape.body.node else { return Vec::new() };
        if continues(&shape.body.node, &shape.body.span) {
            return Vec::new();
        }
        let asked = [shape.first, shape.last, shape.counted.and_then(|each| each.step.as_deref())];
        let asked = asked.into_iter().flatten().map(|term| {
            let alone = Statement::Expression(Some(Box::new(term.clone())));
            self.unit.changed(&alone, &term.span)
        });
        let asked: BTreeSet<String> = asked.flatten().collect();
        let changed = |item: &Node<BlockItem>| match &item.node {
            BlockItem::Statement(statement) => self.unit.changed(&statement.node, &statement.span),
            BlockItem::Declaration(declaration) => {
                declaration.node.declarators.iter().map(|d| name_of(&d.node.declarator.node).to_string()).collect()
            }
            BlockItem::StaticAssert(_) => BTreeSet::new(),
        };
        let changed: Vec<(BTreeSet<String>, &Node<BlockItem>)> =
            items.iter().map(|item| (changed(item), item)).collect();
        let mut found = Vec::new();
        for (names, item) in &changed {
            let BlockItem::Statement(statement) = &item.node else { continue };
            let Statement::Expression(Some(step)) = &labelled(statement).1.node else { continue };
            for name in names {
                let is_only =
                    !asked.contains(name) && changed.iter().filter(|(names, _)| names.contains(name)).count() == 1;
                let by = self.without_value(name).grows_by(&step.node, name).filter(|_| is_only);
                let value = self.find(name).zip(self.value_of(name));
                if let (Some(by), Some((variable, Number { value, bits: bits @ 32.., signed: true }))) = (by, value)
                    && let [(None, text)] = &value.pieces[..]
                {
                    found.push(Counter { variable, first: (bits, text.clone()), by });
                }
            }
        }
        found
    }

    /// One iteration: what is asked before it, its body, and what is done and asked behind it.
    fn iteration(
        &mut self,
        (label, at): (Option<&str>, usize),
        shape: &Shape<'_>,
        (way, first, is_stepped): (Way, &[&Term], bool),
        counters: &[Counter],
    ) -> Result<Vec<Scheduled>, Wrong> {
        let depth = self.guards.len();
        let Way { on, rest, .. } = way.clone();
        let dim = self.around.dims.last().cloned().unwrap_or_default();
        let counted = |builder: &mut Self| {
            for Counter { variable, first, by } in counters.iter().filter(|_| is_stepped) {
                let value = Affine { pieces: vec![(None, format!("({} + {by} * {dim})", first.1))] };
                builder.becomes(*variable, Some(Number { value, bits: first.0, signed: true }));
            }
        };
        counted(self);
        let mut parts = if rest == on { Vec::new() } else { self.begin(&rest, at)? };
        parts.extend(self.ask(&on, depth, at)?);
        if !first.is_empty() {
            let says = self.scalar(&on);
            parts.extend(self.decided(first, &says, (label, at))?);
            parts.extend(self.ask(&on, depth, at)?);
        }
        self.ways.push(way);
        self.forget(shape.body);
        counted(self);
        let body = self.statement(shape.body, None);
        self.forget(shape.body);
        self.ways.pop();
        parts.extend(body?);
        let step = shape.counted.filter(|_| is_stepped).and_then(|each| each.step.as_deref());
        if leaves(&shape.body.node, &shape.body.span) && (step.is_some() || shape.last.is_some()) {
            parts.extend(self.ask(&on, depth, shape.body.span.end)?);
        }
        if let Some(step) = step {
            parts.extend(self.expression_alone(step, None)?);
        }
        if let Some(last) = shape.last {
            let says = self.scalar(&on);
            let label = label.filter(|_| first.is_empty());
            parts.extend(self.decided(&[last], &says, (label, last.span.start))?);
        }
        Ok(parts)
    }

    /// The scalars of a loop.
    fn way(&mut self, body: &Node<Statement>, at: usize) -> Way {
        let on = self.declare_truth("goes_on", 0);
        let rest = if continues(&body.node, &body.span) { self.declare_truth("rest", 0) } else { on.clone() };
        Way { on, rest, behind: self.behind.get(&at).cloned().unwrap_or_default() }
    }

    /// Steps that nothing else bounds end with a last one, a parameter.
    fn up_to_last_step(&mut self, at: usize) -> Result<(), Wrong> {
        let last = self.reserved("last_step");
        self.params.push(last.clone());
        let dim = self.around.dims.last().cloned().unwrap_or_default();
        let bounded = self.here(&format!("{dim} <= {last}"));
        self.around.domain = bounded.ok_or_else(|| Wrong::at(at, "these steps are not counted"))?;
        Ok(())
    }

    /// The region as one that may be left, if `return` is in a loop of it.
    pub fn region_that_is_left(&mut self, items: &[Node<BlockItem>]) -> Result<Vec<Scheduled>, Wrong> {
        let is_return = |item: &&Node<BlockItem>| match &item.node {
            BlockItem::Statement(statement) => returns_from_inside(statement),
            _ => false,
        };
        match items.iter().find(is_return) {
            Some(item) if self.control == Control::Exact => {
                let on = self.declare_truth("not_left", 0);
                let begins = self.begin(&on, item.span.start)?;
                self.ways.push(Way { rest: on.clone(), on, behind: Vec::new() });
                Ok(begins)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Leaves the loops from the one at this place on inwards.
    fn leave_loops(&mut self, outermost: Option<usize>, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        let outermost = outermost.ok_or_else(|| Wrong::at(at, "the region is left in its middle"))?;
        let (mut children, ways) = (Vec::new(), self.ways[outermost..].to_vec());
        for Way { on, rest, .. } in ways {
            children.extend(self.say(&on, Said::No, at)?);
            if rest != on {
                children.extend(self.say(&rest, Said::No, at)?);
            }
        }
        Ok(children)
    }

    fn next_iteration(&mut self, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        let way = self.ways.last().ok_or_else(|| Wrong::at(at, "the region is left in its middle"))?;
        let rest = way.rest.clone();
        self.say(&rest, Said::No, at)
    }

    fn leave_region(&mut self, value: Option<&Term>, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        if self.around.dims.is_empty() {
            return Err(Wrong::at(at, "the region is left in its middle"));
        }
        let mut children = Vec::new();
        if let Some(value) = value {
            children.extend(self.modelled(None, at, &mut |builder| builder.expression(value))?);
        }
        children.extend(self.leave_loops(Some(0), at)?);
        Ok(children)
    }

    /// A statement that writes into a truth whether all these conditions hold.
    fn decided(
        &mut self,
        conditions: &[&Term],
        truth: &Guard,
        (label, at): (Option<&str>, usize),
    ) -> Result<Option<Scheduled>, Wrong> {
        let earlier = self.but_for_statements();
        let found = self.modelled(label, at, &mut |builder| {
            for (place, condition) in conditions.iter().enumerate() {
                match place {
                    0 => builder.expression(condition)?,
                    _ => builder.perhaps(&mut |builder| builder.expression(condition))?,
                }
            }
            builder.touched.accesses.push((AccessKind::MustWrite, truth.array.clone(), truth.element.clone()));
            Ok(())
        })?;
        self.computing(&found, &|accesses| earlier.whether(accesses, conditions));
        Ok(found)
    }

    /// `scalar = 1` in any case: it is asked for under the conditions around only, so that it has a value wherever these are asked for it.
    fn begin(&mut self, scalar: &str, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        let guards = std::mem::take(&mut self.guards);
        let found = self.say(scalar, Said::Yes, at);
        self.guards = guards;
        found
    }

    /// `scalar = 1` or `scalar = 0`
    fn say(&mut self, scalar: &str, said: Said, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        let element = self.scalar(scalar).element;
        let found = self.modelled(None, at, &mut |builder| {
            builder.touched.accesses.push((AccessKind::MustWrite, scalar.to_string(), element.clone()));
            Ok(())
        })?;
        self.computing(&found, &|_| Some(Expression::Integer(i64::from(said == Said::Yes))));
        Ok(Vec::from_iter(found))
    }

    /// `runs[i] = scalar`, under so many conditions; from here on, what comes runs if that is true.
    fn ask(&mut self, scalar: &str, depth: usize, at: usize) -> Result<Vec<Scheduled>, Wrong> {
        self.guards.truncate(depth);
        let (scalar, truth) = (self.scalar(scalar), self.own_truth("runs"));
        let found = self.modelled(None, at, &mut |builder| {
            builder.touched.accesses.push((AccessKind::Read, scalar.array.clone(), scalar.element.clone()));
            builder.touched.accesses.push((AccessKind::MustWrite, truth.array.clone(), truth.element.clone()));
            Ok(())
        })?;
        self.computing(&found, &|accesses| Some(Expression::Name(accesses.first()?.id.clone())));
        self.guards.push(truth);
        Ok(Vec::from_iter(found))
    }

    /// A scalar that all iterations around share.
    fn scalar(&self, name: &str) -> Guard {
        let element = Map::from_domain(&self.around.domain).set_tuple_name(DimKind::Out, Some(name));
        Guard { array: name.to_string(), holds: true, element }
    }

    /// A new truth of each iteration around.
    fn own_truth(&mut self, wish: &str) -> Guard {
        let array = self.declare_truth(wish, self.around.dims.len());
        let element = self.around.domain.identity().set_tuple_name(DimKind::Out, Some(&array));
        Guard { array, holds: true, element }
    }

    fn declare_truth(&mut self, wish: &str, dims: usize) -> String {
        let name = self.reserved(wish);
        self.arrays.push(Array {
            name: Id::new(&name),
            element: ElementType::Int(1),
            size_bytes: 1,
            shape: vec![None; dims],
            kind: ArrayKind::Scalar,
            live_out: false,
            source_name: None,
            own: 0,
        });
        name
    }
}
