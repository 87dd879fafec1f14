//! Writes that may happen or not, as writes under a condition.
//!
//! ```text
//! for (int i = 0; i < n; i++)
//!   S: if (x[i] > r) r = x[i];
//! ```
//!
//! may be one statement `S` that reads `x[i]` and `r` and may write `r`: so the plugin models a condition on data. [`Scop::with_predicates`] makes it
//! two, if the write is of one element: `S_test` reads the same and computes whether there is a write, `S` writes under that condition, right after it:
//!
//! ```text
//! S_test[i]:  reads x[i], r[]   writes S_taken[i]
//! S[i]:       reads x[i], r[]   writes r[]          when S_taken[i]
//! ```
//!
//! So the exact dataflow (`dependence/dynamic`) is about programs that come from LLVM, too. A statement that applies symbols runs
//! under such a condition as well, as far as its accesses do not depend on the values.
//!
//! Implements: 001 conditions; 004 3.3

use super::tree::{Node, Tree};
use super::{Access, AccessKind, Array, ArrayKind, ElementType, Scop, Statement};
use crate::presburger::{DimKind, Id, Map, Set, UnionMap, UnionPwMultiAff, UnionSet};

impl Scop {
    /// The same model with a test before each statement that may write or not, and has no other write. Others stay as they are.
    pub fn with_predicates(&self) -> Scop {
        let mut split = Split { scop: self.clone(), tests: Vec::new() };
        let all: Vec<Statement> = self.statements.iter().cloned().collect();
        let statements: Vec<Statement> = all.into_iter().flat_map(|statement| split.statement(statement)).collect();
        let Split { mut scop, tests } = split;
        scop.statements = statements.into();
        scop.schedule = with_tests(&scop.schedule, &tests);
        scop
    }
}

/// A model some of whose statements have tests.
struct Split {
    scop: Scop,
    tests: Vec<Test>,
}

/// A test and what it is for.
struct Test {
    domain: Set,
    guarded: Set,
}

impl Split {
    /// The statement, after its test if it needs one.
    fn statement(&mut self, statement: Statement) -> Vec<Statement> {
        let effects = statement.accesses.iter().filter_map(|a| Some((statement.effect(a)?, &a.relation)));
        let writes: Vec<_> = effects.filter(|(kind, _)| kind.writes()).collect();
        let is_uncertain = matches!(writes[..], [(AccessKind::MayWrite, element)] if element.is_single_valued());
        if !is_uncertain || statement.is_conditional() {
            return vec![statement];
        }
        let name = self.fresh(&format!("{}_test", statement.name));
        let truth = self.fresh(&format!("{}_taken", statement.name));
        let renamed = |map: &Map| map.set_tuple_name(DimKind::In, Some(name.as_str()));
        let domain = statement.domain.set_tuple_name(DimKind::Out, Some(name.as_str()));
        let taken = statement.domain.identity().set_tuple_name(DimKind::Out, Some(truth.as_str()));
        let access = |at: usize, id: &Id, relation: Map, kind| Access {
            id: Id::new(&format!("{id}_{at}")),
            kind,
            array: truth.clone(),
            relation,
            applied: None,
            reduction: None,
            condition: None,
            location: None,
        };
        let reads = statement.accesses.iter().filter(|a| a.kind == AccessKind::Read);
        let mut test =
            Statement { location: statement.location.clone(), ..Statement::bare(name.clone(), domain.clone()) };
        for (at, read) in reads.enumerate() {
            let relation = renamed(&read.relation);
            test.accesses.push(Access { array: read.array.clone(), ..access(at, &name, relation, AccessKind::Read) });
        }
        let n = test.accesses.len();
        test.accesses.push(access(n, &name, renamed(&taken), AccessKind::MustWrite));
        let mut guarded = Statement { applied: None, ..statement };
        for each in &mut guarded.accesses {
            each.applied = None;
            each.reduction = None;
            each.kind = if each.kind == AccessKind::MayWrite { AccessKind::MustWrite } else { each.kind };
        }
        let at = guarded.accesses.len();
        let condition = access(at, &guarded.name, taken, AccessKind::Read);
        guarded.accesses.push(Access { condition: Some(true), ..condition });
        self.scop.arrays.push(Array {
            name: truth,
            element: ElementType::Int(1),
            size_bytes: 1,
            shape: vec![None; domain.dim(DimKind::Out)],
            kind: ArrayKind::Scalar,
            live_out: false,
            source_name: None,
            own: 0,
        });
        self.tests.push(Test { domain, guarded: guarded.domain.clone() });
        vec![test, guarded]
    }

    /// A name that no statement and no array has: the wished one, or it with more lines below.
    fn fresh(&self, wish: &str) -> Id {
        let is_taken = |name: &Id| self.scop.array(name).is_some() || self.scop.statement(name).is_some();
        let mut name = Id::new(wish);
        while is_taken(&name) {
            name = Id::new(&format!("{name}_"));
        }
        name
    }
}

/// The order with each test right before what it is for.
fn with_tests(tree: &Tree, tests: &[Test]) -> Tree {
    if tests.is_empty() {
        return tree.clone();
    }
    let to_guarded = |test: &Test| {
        let own = test.guarded.identity();
        let name = test.domain.space().tuple_name(DimKind::Out).expect("law: a test has a name").clone();
        UnionMap::from_map(&own.set_tuple_name(DimKind::In, Some(name.as_str())))
    };
    let domain = tree.domain();
    let same = domain.sets().fold(UnionMap::empty(&[]), |all, set| all.union(&UnionMap::from_map(&set.identity())));
    let all = tests.iter().fold(same, |all, test| all.union(&to_guarded(test)));
    let origin = UnionPwMultiAff::from_union_map(&all).expect("law: a test is for one instance");
    let pulled = tree.pullback(&origin);
    Tree::from_root(ordered(pulled.root(), &pulled.domain(), tests))
}

/// A node of that order; `reach` are the instances that come to it.
fn ordered(node: &Node, reach: &UnionSet, tests: &[Test]) -> Node {
    let reach = match node {
        Node::Filter { filter, .. } => &reach.intersect(filter),
        _ => reach,
    };
    if !matches!(node, Node::Leaf) {
        let children = node.children().into_iter().map(|child| ordered(child, reach, tests)).collect();
        return node.with_children(children);
    }
    let own = tests.iter().fold(UnionSet::empty(&[]), |all, test| all.union(&UnionSet::from_set(&test.domain)));
    let (before, after) = (reach.intersect(&own), reach.subtract(&own));
    if before.is_empty() {
        return Node::Leaf;
    }
    let filter = |filter: UnionSet| Node::Filter { filter: filter.universe(), child: Box::new(Node::Leaf) };
    Node::Sequence(vec![filter(before), filter(after)])
}

#[cfg(test)]
mod tests {
    use crate::dependence::dynamic::Dataflow;
    use crate::scop;
    use expect_test::expect;

    const MAX: &str = r#"name: max
context: "[n] -> { : n >= 0 }"
statements:
- name: S
  domain: "[n] -> { S[i] : 0 <= i < n }"
  accesses:
  - { id: best, read: "{ S[i] -> r[] }" }
  - { id: here, read: "{ S[i] -> x[i] }" }
  - may_write: "{ S[i] -> r[] }"
schedule:
  domain: "[n] -> { S[i] : 0 <= i < n }"
  child:
    schedule: "[n] -> [{ S[i] -> [(i)] }]"
"#;

    #[test]
    fn a_write_that_may_happen_becomes_a_write_under_a_condition() {
        let split = scop::read(MAX).expect("a model").with_predicates();
        assert_eq!(scop::verify(&split), Ok(()));
        expect![[r#"
            domain: "[n] -> { S[i] : 0 <= i < n; S_test[i] : 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)] : 0 <= i < n; S_test[i] -> [(i)] : 0 <= i < n }]"
              child:
                sequence:
                - filter: "[n] -> { S_test[i] }"
                - filter: "[n] -> { S[i] }"
        "#]]
        .assert_eq(&split.schedule.to_string());
        let dataflow = Dataflow::of(&split).expect("an exact model");
        dataflow.verify().expect("lawful graphs");
        assert!(dataflow.s_graph().contains("(best f64 (i = 0 -> r_in{} : B1{i - 1}))"), "{}", dataflow.s_graph());
    }

    #[test]
    fn which_of_several_elements_is_written_is_no_condition() {
        let text = MAX.replace("may_write: \"{ S[i] -> r[] }\"", "may_write: \"{ S[i] -> h[k] : 0 <= k < 9 }\"");
        let scop = scop::read(&text).expect("a model");
        assert_eq!(scop.with_predicates().to_string(), scop.to_string());
    }

    #[test]
    fn what_is_certain_stays_as_it_is() {
        let scop = scop::read(&MAX.replace("may_write", "write")).expect("a model");
        assert_eq!(scop.with_predicates().to_string(), scop.to_string());
    }
}
