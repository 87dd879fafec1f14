//! How many operations loops run, about: whether they are worth what it takes to start them, or several threads.
//!
//! Of
//!
//! ```text
//! for (c0 = 0; c0 < n; c0 += 1)
//!   for (c1 = 0; c1 <= c0; c1 += 1)
//!     S(c0, c1);
//! ```
//!
//! it is `n * (n / 2 + 1)` times the operations of `S`: each loop runs as often as in the middle iteration of those around it, and what is in a loop that is marked
//! for the vector unit counts as it does there. The same estimate is
//! made of numbers that the compiler knows ([`known`]) and written as code where it does not (in the writer of parallel loops), by one walk over
//! whatever [`Numbers`] are.

use super::bounds::{Range, range_of};
use super::ranges::Ranges;
use crate::ast::{Expr, For, Node};
use crate::presburger::{DimKind, Id, Int};
use crate::schedule::loops::render::VECTOR;
use crate::scop::{Scop, Statement, VECTOR_TIME};
use std::collections::BTreeSet;

/// Iterations of one loop are estimated up to this many; more only make the product overflow.
pub const MOST_ITERATIONS: i128 = 1 << 30;

/// The same for the work of an iteration, so that the product fits 64 bits.
pub const MOST_WORK: i128 = 1 << 32;

/// So many operations on numbers take as long as one on vectors, where a loop does little with each element: loading and storing them takes longer than adding
/// them. What is done with elements that are there counts as it is, as the second of eight products that are added to one of them. (Measured on sums of 32,000 elements,
/// which two threads make slower, and on filters of 32 coefficients.)
const OPERATIONS_OF_A_VECTOR: i128 = 4;

/// In a tree of more loops than this, inner ones are estimated as one iteration each: the estimate is code, too.
pub const MOST_LOOPS_ESTIMATED: usize = 24;

/// What the estimate is made of.
pub trait Numbers {
    type Number: Copy;

    fn constant(&self, value: i128) -> Self::Number;
    /// Of names of parameters, or of iterators that were told by [`Numbers::name`].
    fn value(&mut self, expr: &Expr) -> Self::Number;
    /// The iterator has this value from here on.
    fn name(&mut self, iterator: &Id, value: Self::Number);
    fn statement(&self, name: &Id) -> &Statement;
    fn add(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sub(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn mul(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// Rounded towards minus infinity.
    fn floor_div(&self, a: Self::Number, by: &Int) -> Self::Number;
    fn least(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn greatest(&self, a: Self::Number, b: Self::Number) -> Self::Number;

    /// Of a loop between values of this distance.
    fn iterations(&self, each: &For, distance: Self::Number) -> Self::Number {
        let count = self.add(self.floor_div(distance, &each.step), self.constant(1));
        self.least(self.greatest(count, self.constant(0)), self.constant(MOST_ITERATIONS))
    }

    /// The iterator is halfway from here on.
    fn enter(&mut self, each: &For, lower: Self::Number, distance: Self::Number) {
        let middle = self.add(lower, self.floor_div(distance, &Int::from(2)));
        self.name(&each.iterator, middle);
    }

    /// Operations that run in a loop between these values; `left` loops below are estimated.
    fn work_of_loop(&mut self, each: &For, ends: (Self::Number, Self::Number), left: &mut usize) -> Self::Number {
        self.counted_loop(each, ends, left, None)
    }

    /// Operations that run, about.
    fn work(&mut self, node: &Node, left: &mut usize) -> Self::Number {
        self.counted(node, left, None)
    }

    /// What runs in a loop: operations, or, in a loop in vectors, of which `seen` are the statements that were counted, parts of one ([`VECTOR_TIME`]).
    fn counted_loop(
        &mut self,
        each: &For,
        (lower, upper): (Self::Number, Self::Number),
        left: &mut usize,
        seen: Option<&mut BTreeSet<Id>>,
    ) -> Self::Number {
        let distance = self.sub(upper, lower);
        self.enter(each, lower, distance);
        let count = self.iterations(each, distance);
        let begins_vectors = seen.is_none() && each.mark.as_ref().is_some_and(|mark| mark.as_str() == VECTOR);
        let mut own = BTreeSet::new();
        let body = self.counted(&each.body, left, if begins_vectors { Some(&mut own) } else { seen });
        let all = self.mul(count, self.least(body, self.constant(MOST_WORK)));
        match begins_vectors {
            true => self.floor_div(all, &Int::from(i64::from(VECTOR_TIME))),
            false => all,
        }
    }

    /// The same of any node.
    fn counted(&mut self, node: &Node, left: &mut usize, mut seen: Option<&mut BTreeSet<Id>>) -> Self::Number {
        match node {
            Node::For(each) => {
                let lower = self.value(&each.lower);
                if each.degenerate || *left == 0 {
                    self.name(&each.iterator, lower);
                    return self.counted(&each.body, left, seen);
                }
                *left -= 1;
                let upper = self.value(&each.upper);
                self.counted_loop(each, (lower, upper), left, seen)
            }
            Node::User { statement, .. } => {
                let known = self.statement(statement);
                self.constant(match seen {
                    None => known.operations.max(1).into(),
                    Some(seen) => in_vectors(known, seen).min(MOST_WORK),
                })
            }
            _ => {
                let of = |child| self.counted(child, left, seen.as_deref_mut());
                let parts: Vec<Self::Number> = that_count(node).into_iter().map(of).collect();
                let most = self.constant(MOST_WORK);
                parts.into_iter().fold(self.constant(0), |sum, part| self.add(sum, self.least(part, most)))
            }
        }
    }

    /// The most operations that one of these parallel loops or of the pipelines runs, of those that make more than one iteration, where the loops around it are in their
    /// middle iterations.
    fn shared_work(&mut self, node: &Node, parallel: &BTreeSet<Id>) -> Self::Number {
        let Node::For(each) = node else {
            let parts: Vec<Self::Number> =
                node.children().into_iter().map(|child| self.shared_work(child, parallel)).collect();
            return parts.into_iter().fold(self.constant(0), |most, part| self.greatest(most, part));
        };
        let (lower, upper) = (self.value(&each.lower), self.value(&each.upper));
        let distance = self.sub(upper, lower);
        if !parallel.contains(&each.iterator) && !each.pipelined {
            self.enter(each, lower, distance);
            return self.shared_work(&each.body, parallel);
        }
        let count = self.iterations(each, distance);
        let again = self.greatest(self.sub(count, self.constant(1)), self.constant(0));
        let is_several = self.least(again, self.constant(1));
        let work = self.work_of_loop(each, (lower, upper), &mut { MOST_LOOPS_ESTIMATED });
        self.mul(work, is_several)
    }
}

/// What an instance takes in a loop in vectors, in parts of an operation ([`VECTOR_TIME`]), behind those of the statements `seen` in an iteration.
fn in_vectors(statement: &Statement, seen: &mut BTreeSet<Id>) -> i128 {
    let Statement { name, operations, vector_time, accesses, domain, .. } = statement;
    let alone = i128::from((*operations).max(1)) * i128::from(VECTOR_TIME);
    let brings_its_own = accesses.iter().any(|a| a.relation.dim(DimKind::Out) >= domain.dim(DimKind::Out));
    let each = if seen.insert(name.clone()) || brings_its_own { OPERATIONS_OF_A_VECTOR } else { 1 };
    // Of parts that are run as they stand LLVM has not been asked: they run in vectors of four or more.
    vector_time.map_or(alone / OPERATIONS_OF_A_VECTOR, |time| alone.min(i128::from(time.max(1)) * each))
}

/// The children that run. Of whole blocks and what is left at their end, which are the same statements, the whole ones, which come first, stand for both; of one
/// iteration and loops of them the loops.
fn that_count(node: &Node) -> Vec<&Node> {
    match node {
        Node::If { then, otherwise: Some(otherwise), .. } if then.statements() == otherwise.statements() => {
            vec![if depth(then) < depth(otherwise) { otherwise } else { then }]
        }
        _ => node.children(),
    }
}

/// How many loops are around what is in the most of them.
fn depth(node: &Node) -> usize {
    usize::from(matches!(node, Node::For(each) if !each.degenerate))
        + node.children().into_iter().map(depth).max().unwrap_or(0)
}

/// How many loops there are.
pub fn loops(node: &Node) -> usize {
    usize::from(matches!(node, Node::For(_))) + node.children().into_iter().map(loops).sum::<usize>()
}

/// Numbers of which the compiler knows those that are constants.
struct Constants<'s> {
    scop: &'s Scop,
    /// Of parameters and iterators; one that is not a single number is not known.
    names: Ranges,
}

/// Operations of all loops, if they do not depend on what only running tells.
pub fn known(node: &Node, scop: &Scop, parameters: &Ranges) -> Option<i128> {
    Constants { scop, names: parameters.clone() }.work(node, &mut { MOST_LOOPS_ESTIMATED })
}

/// The same of the largest of the parallel loops.
pub fn known_shared(node: &Node, parallel: &BTreeSet<Id>, scop: &Scop, parameters: &Ranges) -> Option<i128> {
    Constants { scop, names: parameters.clone() }.shared_work(node, parallel)
}

impl Numbers for Constants<'_> {
    type Number = Option<i128>;

    fn constant(&self, value: i128) -> Option<i128> {
        Some(value)
    }

    fn value(&mut self, expr: &Expr) -> Option<i128> {
        let range = range_of(expr, &|name| self.names.get(name).copied())?;
        (range.low == range.high).then_some(range.low)
    }

    fn name(&mut self, iterator: &Id, value: Option<i128>) {
        let range = value.map_or(Range::WORD, |value| Range::new(value, value));
        self.names.insert(iterator.clone(), range);
    }

    fn statement(&self, name: &Id) -> &Statement {
        let found = self.scop.statements.iter().find(|s| s.name == *name);
        found.expect("law: the loops run statements of the model")
    }

    fn add(&self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        a?.checked_add(b?)
    }

    fn sub(&self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        a?.checked_sub(b?)
    }

    fn mul(&self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        a?.checked_mul(b?)
    }

    fn floor_div(&self, a: Option<i128>, by: &Int) -> Option<i128> {
        Some(a?.div_euclid(i128::from(by.as_i64()?)))
    }

    fn least(&self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        Some(a?.min(b?))
    }

    fn greatest(&self, a: Option<i128>, b: Option<i128>) -> Option<i128> {
        Some(a?.max(b?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations of loops over `n` iterations of `S`, for `n = 100`.
    fn operations(loops: &str) -> Option<i128> {
        let scop = crate::scop::pm::parse("domain: [n] -> { S[i] : 0 <= i < n }\nschedule: [n] -> { S[i] -> [i] }\n");
        let ast: crate::ast::Ast = format!("[n] -> {{ {loops} }}").parse().expect("loops");
        let ranges = Ranges::from([(Id::new("n"), Range { low: 100, high: 100 })]);
        known(&ast.root, &scop.expect("a model"), &ranges)
    }

    #[test]
    fn of_one_iteration_and_loops_of_them_the_loops_count() {
        let all = "for (c0 = 0; c0 <= n - 1; c0 += 1) depth(0) { S(c0); }";
        assert_eq!(operations(all), Some(100));
        assert_eq!(operations(&format!("if (n <= 1) {{ S(0); }} else {{ {all} }}")), Some(100));
        assert_eq!(operations(&format!("if (n >= 2) {{ {all} }} else {{ S(0); }}")), Some(100));
        let once = "let c0 = 0 depth(0) { S(c0); }";
        assert_eq!(operations(&format!("if (n <= 1) {{ {once} }} else {{ {all} }}")), Some(100));
    }
}
