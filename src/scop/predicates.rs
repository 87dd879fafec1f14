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
//! One that writes several elements, as an exchange does, becomes for each of them a statement that computes the value, one that computes whether it is written if that is not certain, and one that writes it: all of the former before
//! all of the latter, as a statement reads before it writes.
//!
//! So the exact dataflow (`dependence/dynamic`) is about programs that come from LLVM, too. A statement that applies symbols runs
//! under such a condition as well, as far as its accesses do not depend on the values.
//!
//! Implements: 001 conditions; 004 3.3

use super::tree::{Node, Tree};
use super::{Access, AccessKind, Array, ArrayKind, ElementType, Expression, Scop, Statement};
use crate::presburger::{DimKind, Id, Map, Set, UnionMap, UnionPwMultiAff, UnionSet};

impl Scop {
    /// The same model with a test before each statement that may write or not. Statements that may write any of several elements stay as they are.
    pub fn with_predicates(&self) -> Scop {
        let mut split = Split { scop: self.clone(), parts: Vec::new() };
        let all: Vec<Statement> = self.statements.iter().cloned().collect();
        let statements: Vec<Statement> = all.into_iter().flat_map(|statement| split.statement(statement)).collect();
        let Split { mut scop, parts } = split;
        scop.statements = statements.into();
        scop.schedule = with_parts(&scop.schedule, &parts);
        scop
    }
}

/// A model some of whose statements have become several.
struct Split {
    scop: Scop,
    parts: Vec<Part>,
}

/// A part of a statement that has a name of its own, and the statement.
struct Part {
    domain: Set,
    of: Set,
    /// Whether it comes before what has the statement's name, or behind it.
    when: When,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    Behind,
}

impl Split {
    /// The statement, after its tests if it needs any.
    fn statement(&mut self, statement: Statement) -> Vec<Statement> {
        let effects = statement.accesses.iter().filter_map(|a| Some((statement.effect(a)?, a)));
        let writes: Vec<(AccessKind, &Access)> = effects.filter(|(kind, _)| kind.writes()).collect();
        let is_uncertain = writes.iter().any(|(kind, _)| *kind == AccessKind::MayWrite);
        let is_of_one = writes.iter().all(|(_, access)| access.relation.is_single_valued());
        if !is_uncertain || !is_of_one || statement.is_conditional() {
            return vec![statement];
        }
        if let [_] = writes[..] {
            let (test, condition) = self.test(&statement, "");
            let mut guarded = certain(&statement);
            guarded.accesses.push(condition);
            return vec![test, guarded];
        }
        let writes = writes.into_iter().map(|(kind, access)| (kind, access.clone())).collect();
        self.of_several(&statement, writes)
    }

    /// A statement with several writes: each value and each test first.
    fn of_several(&mut self, statement: &Statement, writes: Vec<(AccessKind, Access)>) -> Vec<Statement> {
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        for (number, (kind, write)) in writes.into_iter().enumerate() {
            let end = if number == 0 { String::new() } else { format!("_{number}") };
            let element = self.scop.array(&write.array).map_or(ElementType::Opaque(64), |array| array.element);
            let (value, computed) = self.computing(statement, &format!("_value{end}"), element);
            before.push(value);
            let condition = (kind == AccessKind::MayWrite).then(|| {
                let (test, condition) = self.test(statement, &end);
                before.push(test);
                condition
            });
            let name =
                if number == 0 { statement.name.clone() } else { self.fresh(&format!("{}{end}", statement.name)) };
            let renamed = |map: &Map| map.set_tuple_name(DimKind::In, Some(name.as_str()));
            let domain = statement.domain.set_tuple_name(DimKind::Out, Some(name.as_str()));
            let mut writer =
                Statement { location: statement.location.clone(), ..Statement::bare(name.clone(), domain.clone()) };
            let relation = renamed(&write.relation);
            writer.accesses.push(Access {
                relation,
                applied: None,
                reduction: None,
                kind: AccessKind::MustWrite,
                ..write
            });
            for (place, read) in [Some(computed), condition].into_iter().flatten().enumerate() {
                let id = Id::new(&format!("{name}_of_{place}"));
                writer.accesses.push(Access { id, relation: renamed(&read.relation), ..read });
            }
            writer.compute = Some(Expression::Name(Id::new(&format!("{name}_of_0"))));
            if number > 0 {
                self.parts.push(Part { domain, of: statement.domain.clone(), when: When::Behind });
            }
            behind.push(writer);
        }
        before.extend(behind);
        before
    }

    /// What computes whether a statement writes, and how that is asked for.
    fn test(&mut self, statement: &Statement, end: &str) -> (Statement, Access) {
        let (test, condition) = self.computing(statement, &format!("_test{end}"), ElementType::Int(1));
        (test, Access { condition: Some(true), ..condition })
    }

    /// A statement that computes something from all that this one reads, and the read of that.
    fn computing(&mut self, statement: &Statement, end: &str, element: ElementType) -> (Statement, Access) {
        let name = self.fresh(&format!("{}{end}", statement.name));
        let kept = if end.starts_with("_test") { end.replacen("_test", "_taken", 1) } else { format!("{end}_kept") };
        let kept = self.fresh(&format!("{}{kept}", statement.name));
        let renamed = |map: &Map| map.set_tuple_name(DimKind::In, Some(name.as_str()));
        let domain = statement.domain.set_tuple_name(DimKind::Out, Some(name.as_str()));
        let own = statement.domain.identity().set_tuple_name(DimKind::Out, Some(kept.as_str()));
        let access = |at: usize, id: &Id, relation: Map, kind| Access {
            id: Id::new(&format!("{id}_{at}")),
            kind,
            array: kept.clone(),
            relation,
            applied: None,
            reduction: None,
            condition: None,
            location: None,
        };
        let reads = statement.accesses.iter().filter(|a| a.kind == AccessKind::Read);
        let mut computing =
            Statement { location: statement.location.clone(), ..Statement::bare(name.clone(), domain.clone()) };
        for (at, read) in reads.enumerate() {
            let relation = renamed(&read.relation);
            computing
                .accesses
                .push(Access { array: read.array.clone(), ..access(at, &name, relation, AccessKind::Read) });
        }
        let n = computing.accesses.len();
        computing.accesses.push(access(n, &name, renamed(&own), AccessKind::MustWrite));
        self.scop.arrays.push(Array {
            name: kept.clone(),
            element,
            size_bytes: element.bytes(),
            shape: vec![None; domain.dim(DimKind::Out)],
            kind: ArrayKind::Scalar,
            live_out: false,
            source_name: None,
            own: 0,
        });
        self.parts.push(Part { domain, of: statement.domain.clone(), when: When::Before });
        (computing, access(statement.accesses.len(), &statement.name, own, AccessKind::Read))
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

/// The statement without what it applies, and with writes that happen.
fn certain(statement: &Statement) -> Statement {
    let mut certain = Statement { applied: None, ..statement.clone() };
    for each in &mut certain.accesses {
        each.applied = None;
        each.reduction = None;
        each.kind = if each.kind == AccessKind::MayWrite { AccessKind::MustWrite } else { each.kind };
    }
    certain
}

/// The order with the parts of a statement around what has its name.
fn with_parts(tree: &Tree, parts: &[Part]) -> Tree {
    if parts.is_empty() {
        return tree.clone();
    }
    let to_whole = |part: &Part| {
        let own = part.of.identity();
        let name = part.domain.space().tuple_name(DimKind::Out).expect("law: a part has a name").clone();
        UnionMap::from_map(&own.set_tuple_name(DimKind::In, Some(name.as_str())))
    };
    let domain = tree.domain();
    let same = domain.sets().fold(UnionMap::empty(&[]), |all, set| all.union(&UnionMap::from_map(&set.identity())));
    let all = parts.iter().fold(same, |all, part| all.union(&to_whole(part)));
    let origin = UnionPwMultiAff::from_union_map(&all).expect("law: a part is of one instance");
    let pulled = tree.pullback(&origin);
    Tree::from_root(ordered(pulled.root(), &pulled.domain(), parts))
}

/// A node of that order; `reach` are the instances that come to it.
fn ordered(node: &Node, reach: &UnionSet, parts: &[Part]) -> Node {
    let reach = match node {
        Node::Filter { filter, .. } => &reach.intersect(filter),
        _ => reach,
    };
    if !matches!(node, Node::Leaf) {
        let children = node.children().into_iter().map(|child| ordered(child, reach, parts)).collect();
        return node.with_children(children);
    }
    // One statement's parts in their order; those of several statements at one leaf are in no order, as these are.
    let own: Vec<&Part> =
        parts.iter().filter(|part| !reach.intersect(&UnionSet::from_set(&part.domain)).is_empty()).collect();
    if own.is_empty() {
        return Node::Leaf;
    }
    let of = |set: &Set| reach.intersect(&UnionSet::from_set(set));
    let wholes = own.iter().fold(reach.clone(), |rest, part| rest.subtract(&UnionSet::from_set(&part.domain)));
    let before = own.iter().filter(|part| part.when == When::Before).map(|part| of(&part.domain));
    let behind = own.iter().filter(|part| part.when == When::Behind).map(|part| of(&part.domain));
    let filter = |filter: UnionSet| Node::Filter { filter: filter.universe(), child: Box::new(Node::Leaf) };
    Node::Sequence(before.chain([wholes]).chain(behind).map(filter).collect())
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
    fn an_exchange_computes_both_values_before_it_writes_them() {
        let text = MAX
            .replace("id: here, read: \"{ S[i] -> x[i] }\"", "id: here, read: \"{ S[i] -> x[i + 1] }\"")
            .replace("id: best, read: \"{ S[i] -> r[] }\"", "id: best, read: \"{ S[i] -> x[i] }\"")
            .replace(
                "may_write: \"{ S[i] -> r[] }\"",
                "may_write: \"{ S[i] -> x[i] }\"\n  - may_write: \"{ S[i] -> x[i + 1] }\"",
            );
        let split = scop::read(&text).expect("a model").with_predicates();
        assert_eq!(scop::verify(&split), Ok(()), "{split}");
        expect![[r#"
            domain: "[n] -> { S[i] : 0 <= i < n; S_1[i] : 0 <= i < n; S_test[i] : 0 <= i < n; S_test_1[i] : 0 <= i < n; S_value[i] : 0 <= i < n; S_value_1[i] : 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)] : 0 <= i < n; S_1[i] -> [(i)] : 0 <= i < n; S_test[i] -> [(i)] : 0 <= i < n; S_test_1[i] -> [(i)] : 0 <= i < n; S_value[i] -> [(i)] : 0 <= i < n; S_value_1[i] -> [(i)] : 0 <= i < n }]"
              child:
                sequence:
                - filter: "[n] -> { S_value[i] }"
                - filter: "[n] -> { S_test[i] }"
                - filter: "[n] -> { S_value_1[i] }"
                - filter: "[n] -> { S_test_1[i] }"
                - filter: "[n] -> { S[i] }"
                - filter: "[n] -> { S_1[i] }"
        "#]].assert_eq(&split.schedule.to_string());
        let dataflow = Dataflow::of(&split).expect("an exact model");
        dataflow.verify().expect("lawful graphs");
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
