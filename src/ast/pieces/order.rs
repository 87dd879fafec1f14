//! Order between statements: which of them need a loop together.
//!
//! With the dates `S[] -> [0]` and `T[k] -> [k]` for `0 <= k < n`, and `S` before `T` where the dates are equal, all of `S` runs before all of `T`: one
//! loop over both would test for `S` in each iteration, a loop for each needs no test. At `S[i] -> [i]` and `T[i] -> [i]` instead, `S[1]` runs
//! after `T[0]` and `T[1]` after `S[0]`: they take turns in one loop. So the statements are parted into the strong components of "some instance of
//! the one runs after some instance of the other, with the outer dimensions equal", and these follow each other.
//!
//! The relation is computed on shadows and may hold too often; then statements share a loop that would not need to.
//!
//! Implements: 003 5.3

use super::piece::is_fixed;
use super::separate::{classes, close, may_precede};
use crate::ast::rows::region::lifted;
use crate::ast::rows::statement::Statement;
use crate::presburger::{BasicSet, Constraint, Id};
use crate::scop::tree::Node;
use std::rc::Rc;

/// What tells statements apart whose values of a dimension are the same.
pub(in crate::ast) struct Order<'t> {
    pub params: &'t [Id],
    /// What holds of the outer dimensions.
    pub shell: &'t BasicSet,
    /// One more than the last dimension of the current band.
    pub end: usize,
    /// What is below that band; nothing orders what is equal on it, if it is not there.
    pub below: Option<&'t Node>,
}

impl Order<'_> {
    /// The statements (by position) that need a loop together at `depth`, first those that run first.
    pub fn components(&self, statements: &[Rc<Statement>], depth: usize) -> Vec<Vec<usize>> {
        let groups = groups(statements, depth, self.params);
        if groups.len() <= 1 {
            return vec![(0..statements.len()).collect()];
        }
        let n = groups.len();
        let mut before = vec![vec![false; n]; n];
        for (first, row) in before.iter_mut().enumerate() {
            for (second, entry) in row.iter_mut().enumerate().filter(|(second, _)| *second != first) {
                *entry = groups[first]
                    .iter()
                    .any(|&a| groups[second].iter().any(|&b| self.follows(&statements[b], &statements[a], depth)));
            }
        }
        close(&mut before);
        let components = classes(n, |a, b| before[a][b] && before[b][a]);
        let mut placed: Vec<usize> = vec![];
        while placed.len() < components.len() {
            let free = |c: &usize| {
                let waits = |d: usize| d != *c && !placed.contains(&d) && before[components[d][0]][components[*c][0]];
                !placed.contains(c) && !(0..components.len()).any(waits)
            };
            let next = (0..components.len()).find(free).expect("law: components are not in a circle");
            placed.push(next);
        }
        let statements_of = |c: usize| {
            let mut all: Vec<usize> = components[c].iter().flat_map(|&g| groups[g].iter().copied()).collect();
            all.sort_unstable();
            all
        };
        placed.into_iter().map(statements_of).collect()
    }

    /// Whether some instance of `late` may run after one of `early` that has the same dates outside of `depth`.
    fn follows(&self, late: &Statement, early: &Statement, depth: usize) -> bool {
        match self.on_dimensions(late, early, depth, self.end) {
            Some(known) => known,
            None => self.below.is_some_and(|node| self.below(node, late, early)),
        }
    }

    /// As far as the dimensions from `depth` to `end` tell; `None` if all of them may be equal.
    fn on_dimensions(&self, late: &Statement, early: &Statement, depth: usize, end: usize) -> Option<bool> {
        for d in depth..end {
            let context = lifted(self.shell, d + 1 - self.shell.dim(crate::presburger::DimKind::Out));
            let known = |s: &Statement| -> Vec<BasicSet> {
                s.shadow(d).regions.iter().map(|region| region.intersect(&context)).collect()
            };
            let (late, early) = (known(late), known(early));
            let pair =
                |test: &dyn Fn(&BasicSet, &BasicSet) -> bool| early.iter().any(|e| late.iter().any(|l| test(e, l)));
            if pair(&|e, l| may_precede(e, l, self.params)) {
                return Some(true);
            }
            if !pair(&|e, l| !e.intersect(l).is_empty()) {
                return Some(false);
            }
        }
        None
    }

    /// The same for instances whose dates are equal so far.
    fn below(&self, node: &Node, late: &Statement, early: &Statement) -> bool {
        match node {
            Node::Leaf => false,
            Node::Mark { child, .. } | Node::Context { child, .. } | Node::Filter { child, .. } => {
                self.below(child, late, early)
            }
            Node::Sequence(children) | Node::Set(children) => {
                let ordered = matches!(node, Node::Sequence(_));
                let (l, e) = (having(children, late), having(children, early));
                l.iter()
                    .any(|a| e.iter().any(|b| (ordered && a > b) || (a == b && self.below(&children[*a], late, early))))
            }
            Node::Band { band, child } => {
                let extended = |s: &Statement| {
                    let own = band.partial.extract_multi_pw_aff(&s.dates.space().domain()).as_map();
                    s.extended(&own, self.params)
                };
                let (late, early) = (extended(late), extended(early));
                let n = late.n_dates();
                match self.on_dimensions(&late, &early, n - band.n_member(), n) {
                    Some(known) => known,
                    None => self.below(child, &late, &early),
                }
            }
            Node::Extension { .. } | Node::Domain { .. } => true,
        }
    }
}

/// The children that may run instances of the statement.
fn having(children: &[Node], statement: &Statement) -> Vec<usize> {
    let domain = statement.dates.space().domain();
    let runs = |child: &Node| match child {
        Node::Filter { filter, .. } => filter.sets().any(|set| set.space().has_equal_tuples(&domain)),
        _ => true,
    };
    (0..children.len()).filter(|&at| runs(&children[at])).collect()
}

/// Statements that take turns for certain: those with the same shadow, if it has several values.
fn groups(statements: &[Rc<Statement>], depth: usize, params: &[Id]) -> Vec<Vec<usize>> {
    let key = |statement: &Statement| -> Option<Vec<Vec<Constraint>>> {
        let regions = &statement.shadow(depth).regions;
        let loops = regions.iter().any(|region| !is_fixed(region, params));
        let rows = |region: &BasicSet| {
            let mut rows = region.constraints();
            rows.sort();
            rows
        };
        loops.then(|| regions.iter().map(rows).collect())
    };
    let mut groups: Vec<(Option<Vec<Vec<Constraint>>>, Vec<usize>)> = vec![];
    for (at, statement) in statements.iter().enumerate() {
        let key = key(statement);
        match groups.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
            Some((_, group)) => group.push(at),
            None => groups.push((key, vec![at])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
