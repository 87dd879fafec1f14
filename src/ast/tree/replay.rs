//! Running generated loops for given parameters, to see which statement instances run and in which order.
//!
//! `for (c0 = 0; c0 <= N - 1; c0 += 1) S(c0);` replayed with `N = 2` yields `S(0), S(1)`. This is the meaning of the tree, against
//! which the generator is tested: each instance exactly once, in the lexicographic order of the schedule. Control decisions are
//! counted as well, so that the control overhead of two ways to scan the same sets can be compared.

use super::expr::Expr;
use super::node::{Ast, Node};
use crate::presburger::Id;
use crate::presburger::Int;
use crate::presburger::int::Number;

/// What happened when loops ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Each statement instance in the order of execution.
    pub instances: Vec<(Id, Vec<i64>)>,
    /// Loop conditions and guards that were evaluated. (A loop of `n` iterations evaluates `n + 1`.)
    pub branches: usize,
}

/// The statement instances that `ast` runs for the given parameters (in the order of `ast.params`), in order.
pub fn replay(ast: &Ast, params: &[i64]) -> Vec<(Id, Vec<i64>)> {
    trace(ast, params).instances
}

/// What `ast` does for the given parameters (in the order of `ast.params`). Its tests, if it has any, never end a loop.
pub fn trace(ast: &Ast, params: &[i64]) -> Trace {
    trace_in_steps(ast, params, &|_, _| true)
}

/// The same where `goes_on` says of each test's instance whether the loop goes on.
pub fn trace_in_steps(ast: &Ast, params: &[i64], goes_on: &dyn Fn(&Id, &[i64]) -> bool) -> Trace {
    assert_eq!(ast.params.len(), params.len(), "one value per parameter");
    let values = ast.params.iter().cloned().zip(params.iter().map(|&value| Int::from(value))).collect();
    let mut run = Run { values, trace: Trace::default(), goes_on, is_left: false };
    run.node(&ast.root);
    run.trace
}

struct Run<'r> {
    values: Vec<(Id, Int)>,
    trace: Trace,
    goes_on: &'r dyn Fn(&Id, &[i64]) -> bool,
    /// Whether a test has ended the loop of steps around it.
    is_left: bool,
}

impl Run<'_> {
    fn eval(&self, expr: &Expr) -> Int {
        let value = |name: &Id| self.values.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        expr.eval(&value).unwrap_or_else(|| panic!("law: every name in {expr} is a parameter or an enclosing iterator"))
    }

    fn instance(&mut self, statement: &Id, arguments: &[Expr]) -> Vec<i64> {
        let word = |e: &Expr| self.eval(e).as_i64().expect("law: instances fit machine words");
        let point: Vec<i64> = arguments.iter().map(word).collect();
        self.trace.instances.push((statement.clone(), point.clone()));
        point
    }

    fn node(&mut self, node: &Node) {
        if self.is_left {
            return;
        }
        match node {
            Node::Test { statement, arguments, otherwise, .. } => {
                let point = self.instance(statement, arguments);
                self.trace.branches += 1;
                if !(self.goes_on)(statement, &point) {
                    self.node(otherwise);
                    self.is_left = true;
                }
            }
            Node::Steps(each) => {
                let (mut value, upper) = (self.eval(&each.lower), each.upper.as_ref().map(|upper| self.eval(upper)));
                while upper.as_ref().is_none_or(|upper| value <= *upper) && !self.is_left {
                    self.trace.branches += usize::from(upper.is_some());
                    self.values.push((each.iterator.clone(), value.clone()));
                    self.node(&each.body);
                    self.values.pop();
                    value = value.add(&each.step);
                }
                self.is_left = false;
            }
            Node::Block(parts) | Node::Sections { parts, .. } => parts.iter().for_each(|part| self.node(part)),
            Node::Mark { body, .. } => self.node(body),
            Node::User { statement, arguments } => drop(self.instance(statement, arguments)),
            Node::If { condition, then, otherwise } => {
                self.trace.branches += 1;
                if !self.eval(condition).is_zero() {
                    self.node(then);
                } else if let Some(otherwise) = otherwise {
                    self.node(otherwise);
                }
            }
            Node::For(each) => {
                let (mut value, upper) = (self.eval(&each.lower), self.eval(&each.upper));
                assert!(!each.degenerate || value == upper, "law: a degenerate loop runs once: {node}");
                self.trace.branches += usize::from(!each.degenerate);
                while value <= upper {
                    self.values.push((each.iterator.clone(), value.clone()));
                    self.node(&each.body);
                    self.values.pop();
                    value = value.add(&each.step);
                    self.trace.branches += usize::from(!each.degenerate);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_run_as_written() {
        let ast: Ast = "[N] -> { for (c0 = 1; c0 <= N; c0 += 2) depth(0) {
            if (c0 >= 3) { S(floord(-c0, 2)); } else { let c1 = 7 { T(c0, c1); } } } }"
            .parse()
            .unwrap();
        let trace = trace(&ast, &[5]);
        let shown: Vec<String> = trace.instances.iter().map(|(id, point)| format!("{id}{point:?}")).collect();
        assert_eq!(shown.join(" "), "T[1, 7] S[-2] S[-3]");
        assert_eq!(trace.branches, 7);
    }
}
