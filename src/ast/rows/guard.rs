//! Guards, placed as far outside as they can be decided.
//!
//! In the loops over `{ S[i, j] : 0 <= i, j < N and M >= 3 }` the condition `M >= 3` is found at the statement. It mentions neither
//! iterator, so it is lifted out of both loops; `i >= 3` would stop inside the loop over `i`. Loop generation works with
//! [`Graft`]s, nodes whose guard has not been written yet: a loop keeps the conditions that mention its own iterator inside and passes the rest
//! on, and grafts in sequence share the conditions that they have in common. A condition is pure, so evaluating it
//! earlier, or for iterations that run nothing, is harmless.

use crate::ast::tree::expr::{Comparison, Expr};
use crate::ast::tree::node::Node;
use crate::presburger::Set;

/// One condition of a conjunction. Two are equal if they read the same.
#[derive(Clone, Debug)]
pub(in crate::ast) struct Condition {
    pub expr: Expr,
    /// What holds where it does not, if that is one condition too.
    pub opposite: Option<Expr>,
    /// How many of the outermost schedule dimensions must be known to decide it.
    pub level: usize,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.expr == other.expr
    }
}

/// A node that runs only if all conditions hold.
#[derive(Clone, Debug)]
pub(in crate::ast) struct Graft {
    pub guard: Vec<Condition>,
    pub node: Node,
    /// For a statement: the place (by its number) where it is written, and the values of the outer dimensions with which it runs there.
    pub instances: Option<(usize, Set)>,
}

impl Graft {
    /// Inside the conditions of a level deeper than `level`, which remain with the node.
    ///
    /// What is the opposite of an equation depends on the loops that it is lifted out of.
    pub fn settled(self, level: usize) -> Graft {
        let (inner, mut outer): (Vec<Condition>, Vec<Condition>) =
            self.guard.into_iter().partition(|c| c.level > level);
        let equations = outer.iter_mut().filter(|c| matches!(c.expr, Expr::Compare(Comparison::Eq, ..)));
        equations.for_each(|c| c.opposite = None);
        Graft::of(outer, guarded(&inner, self.node))
    }

    /// A node that is not one statement.
    pub fn of(guard: Vec<Condition>, node: Node) -> Graft {
        Graft { guard, node, instances: None }
    }

    /// Whether never both of two statements run.
    fn excludes(&self, other: &Graft) -> bool {
        match (&self.instances, &other.instances) {
            (Some((place, own)), Some((elsewhere, others))) => place == elsewhere && own.is_disjoint(others),
            _ => false,
        }
    }

    /// Whether just one of the two runs where either does.
    fn is_opposite(&self, other: &Graft) -> bool {
        match (&self.guard[..], &other.guard[..]) {
            ([one], [another]) => {
                one.opposite.as_ref() == Some(&another.expr) || another.opposite.as_ref() == Some(&one.expr)
            }
            _ => false,
        }
    }

    /// Adds conditions on the outside.
    pub fn under(mut self, mut guard: Vec<Condition>) -> Graft {
        self.guard.retain(|condition| !guard.contains(condition));
        guard.append(&mut self.guard);
        Graft { guard, ..self }
    }
}

/// The grafts in order as one: what they have in common is its guard, the rest stays with each. Neighbours under equal guards share one
/// `if`, and a neighbour under the opposite condition becomes its `else`.
pub(in crate::ast) fn in_sequence(grafts: Vec<Graft>) -> Graft {
    let (shared, grafts) = shared(grafts);
    let mut parts = vec![];
    let mut waiting = grafts.into_iter().peekable();
    while let Some(graft) = waiting.next() {
        if graft.guard.is_empty() {
            parts.push(graft.node);
            continue;
        }
        let mut common = graft.guard.clone();
        let mut run = vec![graft];
        while let Some(next) = waiting.next_if(|next| common.iter().any(|c| next.guard.contains(c))) {
            common.retain(|c| next.guard.contains(c));
            run.push(next);
        }
        parts.push(sharing(run, &mut waiting));
    }
    Graft::of(shared, Node::block(parts))
}

/// The grafts, which may run in any order, as one: what they have in common is its guard.
pub(in crate::ast) fn in_any_order(grafts: Vec<Graft>) -> Graft {
    let (shared, mut grafts) = shared(grafts);
    match grafts.len() {
        0 | 1 => grafts.pop().unwrap_or_else(|| Graft::of(vec![], Node::Block(vec![]))).under(shared),
        _ => {
            let parts = grafts.into_iter().map(whole).collect();
            Graft::of(shared, Node::Sections { parts, parallel: false })
        }
    }
}

/// The conditions that grafts have in common, and without them those that run anything.
fn shared(grafts: Vec<Graft>) -> (Vec<Condition>, Vec<Graft>) {
    let mut grafts: Vec<Graft> = grafts.into_iter().filter(|graft| !graft.node.is_empty()).collect();
    let Some(first) = grafts.first() else { return (vec![], vec![]) };
    let shared: Vec<Condition> =
        first.guard.iter().filter(|c| grafts.iter().all(|graft| graft.guard.contains(c))).cloned().collect();
    grafts.iter_mut().for_each(|graft| graft.guard.retain(|c| !shared.contains(c)));
    (shared, grafts)
}

/// Two or more grafts that have a condition in common, or one that excludes those that come next.
fn sharing(mut run: Vec<Graft>, waiting: &mut std::iter::Peekable<std::vec::IntoIter<Graft>>) -> Node {
    if run.len() > 1 {
        let merged = in_sequence(run);
        return guarded(&merged.guard, merged.node);
    }
    alternatives(run.remove(0), &[], waiting)
}

/// A graft, and in its `else` the next one, if all that come before the `else` exclude it; without its guard if that is the opposite.
fn alternatives(graft: Graft, above: &[&Graft], waiting: &mut std::iter::Peekable<std::vec::IntoIter<Graft>>) -> Node {
    let excluded = |next: &Graft| above.iter().all(|before| before.excludes(next));
    let condition = Expr::and(graft.guard.iter().map(|c| c.expr.clone()).collect());
    let otherwise = match waiting.next_if(|next| excluded(next) && graft.is_opposite(next)) {
        Some(next) => Some(next.node),
        None => {
            let next = waiting.next_if(|next| excluded(next) && !next.guard.is_empty() && graft.excludes(next));
            let all: Vec<&Graft> = above.iter().copied().chain([&graft]).collect();
            next.map(|next| alternatives(next, &all, waiting))
        }
    };
    Node::If { condition, then: Box::new(graft.node), otherwise: otherwise.map(Box::new) }
}

/// The graft with its guard written.
pub(in crate::ast) fn whole(graft: Graft) -> Node {
    guarded(&graft.guard, graft.node)
}

fn guarded(guard: &[Condition], node: Node) -> Node {
    if guard.is_empty() || node.is_empty() {
        return node;
    }
    let condition = Expr::and(guard.iter().map(|c| c.expr.clone()).collect());
    Node::If { condition, then: Box::new(node), otherwise: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::Id;

    fn graft(conditions: &[(&str, usize)], statement: &str) -> Graft {
        let condition = |&(text, level): &(&str, usize)| {
            let expr: Expr = text.parse().unwrap();
            Condition { opposite: Some(Expr::not(expr.clone())), expr, level }
        };
        let node = Node::User { statement: Id::new(statement), arguments: vec![] };
        Graft::of(conditions.iter().map(condition).collect(), node)
    }

    #[test]
    fn common_conditions_are_lifted_and_neighbours_merged() {
        let merged = in_sequence(vec![
            graft(&[("N >= 3", 0), ("c0 >= 1", 1)], "A"),
            graft(&[("c0 >= 1", 1), ("N >= 3", 0)], "B"),
            graft(&[("N >= 3", 0)], "C"),
        ]);
        assert_eq!(merged.guard.len(), 1);
        assert_eq!(merged.node.to_string(), "if (c0 >= 1) {\n  A();\n  B();\n}\nC();\n");
        let settled = merged.settled(0);
        assert_eq!((settled.guard.len(), settled.node.n_users()), (1, 3));
    }

    #[test]
    fn an_else_holds_what_all_before_it_exclude() {
        let at = |conditions: &[(&str, usize)], statement: &str, values: &str| {
            let instances = Some((0, values.parse::<Set>().unwrap()));
            Graft { instances, ..graft(conditions, statement) }
        };
        let merged = in_sequence(vec![
            at(&[("c0 >= 5", 1)], "A", "{ [i] : i >= 5 }"),
            at(&[("c0 <= 1", 1)], "B", "{ [i] : i <= 1 }"),
            at(&[("c0 >= 4", 1)], "C", "{ [i] : i >= 4 }"),
        ]);
        let expected =
            "if (c0 >= 5) {\n  A();\n} else {\n  if (c0 <= 1) {\n    B();\n  }\n}\nif (c0 >= 4) {\n  C();\n}\n";
        assert_eq!(merged.node.to_string(), expected);
    }

    #[test]
    fn opposite_conditions_become_an_else() {
        let merged = in_sequence(vec![graft(&[("c0 >= 1", 1)], "A"), graft(&[("c0 < 1", 1)], "B")]);
        assert_eq!(merged.node.to_string(), "if (c0 >= 1) {\n  A();\n} else {\n  B();\n}\n");
    }
}
