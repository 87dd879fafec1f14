//! Instances of which nothing is left.
//!
//! ```c
//! double t;                                   // a global
//! for (int i = 0; i < n; i++)
//!   for (int j = 0; j < n; j++) {
//!     S: t = 1.0 / A[i][j];
//!     T: B[i][j] = t * x[j];
//!   }
//! ```
//!
//! Compilers keep `t` in a register, so that `T` does not read it, and still each instance of `S` writes it: all iterations depend on one another.
//! But nobody reads `t` before the loops end, and then only what `S[n - 1, n - 1]` wrote is there. The domain of `S` becomes that instance, and the
//! loops may run in any order. That is done where each instance writes the same element and nothing else, and no statement of the model reads
//! the array. (Elimination of dead instances, as in Feautrier 1991, section 6, for one element.)

use super::dataflow::{self, Reference};
use super::{Accesses, Order};
use crate::presburger::{DimKind, Set, UnionSet};
use crate::scop::tree::Node;
use crate::scop::{AccessKind, Scop, Statement, StatementId, Tree};

/// The model without instances that only write what is overwritten before anybody reads it. It does the same to memory.
pub fn without_dead_instances(mut scop: Scop) -> Scop {
    let candidates: Vec<StatementId> =
        scop.statements.ids().filter(|at| writes_one_element_unread(&scop, *at)).collect();
    if candidates.is_empty() {
        return scop;
    }
    let order = Order::of(&scop.schedule).expect("law: the original schedule is an order");
    let accesses = Accesses::of(&scop);
    let alive: Vec<(StatementId, Set)> = candidates.into_iter().map(|at| (at, alive(&accesses, &order, at))).collect();
    for (at, domain) in alive {
        restrict(&mut scop, at, &domain);
    }
    scop
}

/// Whether an instance does nothing but write an element, always the same, of an array that no statement reads.
fn writes_one_element_unread(scop: &Scop, at: StatementId) -> bool {
    let statement = &scop.statements[at];
    let mut writes = statement.accesses.iter().filter(|access| access.kind != AccessKind::Read);
    let (Some(write), None) = (writes.next(), writes.next()) else { return false };
    let relation = &write.relation;
    let is_one = || (0..relation.dim(DimKind::Out)).all(|dim| relation.fixed_value(DimKind::Out, dim).is_some());
    let accesses = || scop.statements.iter().flat_map(|statement| &statement.accesses);
    let is_read = || accesses().any(|access| access.array == write.array && access.kind == AccessKind::Read);
    statement.domain.dim(DimKind::Out) > 0
        && write.kind == AccessKind::MustWrite
        && statement.applied.is_none()
        && !is_conditional(statement)
        && is_one()
        && !is_read()
}

/// Whether data decides whether an instance does what it does.
fn is_conditional(statement: &Statement) -> bool {
    statement.accesses.iter().any(|access| access.condition.is_some())
}

/// The instances of a statement with one write whose value is not certainly overwritten.
fn alive(accesses: &Accesses, order: &Order, at: StatementId) -> Set {
    let is_own = |kind: AccessKind| kind == AccessKind::MustWrite;
    let write = accesses.all.iter().find(|entry| entry.at.statement == at && is_own(entry.kind));
    let write: &Reference = &write.expect("law: a candidate has a write").reference;
    let enders = accesses.all.iter().filter(|entry| is_own(entry.kind));
    let ended = enders.filter_map(|ender| dataflow::overwritten(order, write, &ender.reference));
    ended.fold(write.relation.clone(), |left, ended| left.subtract(&ended)).domain().coalesce()
}

fn restrict(scop: &mut Scop, at: StatementId, domain: &Set) {
    let whole = UnionSet::from_set(&scop.statements[at].domain);
    let statement = &mut scop.statements[at];
    statement.domain = domain.clone();
    for access in &mut statement.accesses {
        access.relation = access.relation.intersect_domain(domain);
    }
    let Node::Domain { domain: all, child } = scop.schedule.root() else {
        unreachable!("law: the root of a schedule tree is a domain")
    };
    let domain = all.subtract(&whole).union(&UnionSet::from_set(domain));
    scop.schedule = Tree::from_root(Node::Domain { domain, child: child.clone() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// A model of `for (i) for (j) { S: t[0] = A[i]; T: B[i] = A[j]; }` with what `more` says, and then the domains of its statements.
    fn check(accesses: [&str; 2], expected: Expect) {
        let statement = |name: &str, accesses: &str| {
            format!(
                "- name: \"{name}\"\n  domain: \"[n] -> {{ {name}[i, j] : 0 <= i, j < n }}\"\n  operations: 1\n  accesses:\n{accesses}"
            )
        };
        let array = |name: &str| {
            format!("- name: \"{name}\"\n  element: f64\n  size_bytes: 8\n  shape: [ \"\" ]\n  live_out: true\n")
        };
        let text = format!(
            "name: \"f\"\nparams: [ \"n\" ]\ncontext: \"[n] -> {{ : }}\"\nassumed: \"[n] -> {{ : }}\"\narrays:\n{}statements:\n{}schedule:\n  \
             domain: \"[n] -> {{ S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i, j < n }}\"\n  child:\n    \
             schedule: \"[{{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }}]\"\n    child:\n      \
             sequence:\n      - filter: \"{{ S[i, j] }}\"\n      - filter: \"{{ T[i, j] }}\"\n",
            ["t", "A", "B"].map(array).concat(),
            [statement("S", accesses[0]), statement("T", accesses[1])].concat(),
        );
        let scop = without_dead_instances(crate::scop::parse(&text).expect("law: the test's model is a model"));
        let domains = scop.statements.iter().map(|statement| statement.domain.to_string());
        let all = domains.chain([scop.schedule.domain().to_string()]).collect::<Vec<_>>().join("\n");
        expected.assert_eq(&all);
    }

    fn access(id: &str, kind: &str, relation: &str) -> String {
        format!("  - id: \"{id}\"\n    {kind}: \"[n] -> {{ {relation} : 0 <= i, j < n }}\"\n")
    }

    #[test]
    fn the_last_write_is_left() {
        let s = access("a", "read", "S[i, j] -> A[i]") + &access("b", "write", "S[i, j] -> t[0]");
        check(
            [&s, &access("c", "write", "T[i, j] -> B[i]")],
            expect![[r#"
            [n] -> { S[n - 1, n - 1] : n > 0 }
            [n] -> { T[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { S[n - 1, n - 1] : n > 0; T[i, j] : 0 <= j < n and 0 <= i < n }"#]],
        );
    }

    #[test]
    fn what_another_statement_overwrites_is_not_left() {
        let s = access("b", "write", "S[i, j] -> t[0]");
        check(
            [&s, &access("c", "write", "T[i, j] -> t[0]")],
            expect![[r#"
            [n] -> { S[i, j] : false }
            [n] -> { T[n - 1, n - 1] : n > 0 }
            [n] -> { T[n - 1, n - 1] : n > 0 }"#]],
        );
    }

    #[test]
    fn what_is_read_or_may_not_be_written_stays() {
        let s = access("b", "write", "S[i, j] -> t[0]");
        check(
            [&s, &access("c", "read", "T[i, j] -> t[0]")],
            expect![[r#"
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { T[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n; T[i, j] : 0 <= j < n and 0 <= i < n }"#]],
        );
        check(
            [&access("b", "may_write", "S[i, j] -> t[0]"), &access("c", "write", "T[i, j] -> B[i]")],
            expect![[r#"
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { T[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n; T[i, j] : 0 <= j < n and 0 <= i < n }"#]],
        );
        let two = s.clone() + &access("d", "write", "S[i, j] -> A[j]");
        check(
            [&two, &access("c", "write", "T[i, j] -> B[i]")],
            expect![[r#"
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { T[i, j] : 0 <= j < n and 0 <= i < n }
            [n] -> { S[i, j] : 0 <= j < n and 0 <= i < n; T[i, j] : 0 <= j < n and 0 <= i < n }"#]],
        );
    }
}
