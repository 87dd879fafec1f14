//! What the nodes above a node of a schedule tree say of its instances, and trees over other instances.
//!
//! ```text
//! domain: "{ S[i, j] : 0 <= i, j < 9 }"
//! child:
//!   schedule: "[{ S[i, j] -> [(i)] }]"
//!   child:
//!     schedule: "[{ S[i, j] -> [(j)] }]"        # prefix schedule here: { S[i, j] -> [i] : 0 <= i, j < 9 }
//! ```
//!
//! A node is named by the numbers of the children on the way to it: `[0, 0]` is the inner band. The prefix schedule is made of the partial
//! schedules of the outer bands; the places in sequences and sets do not enter. Pulling a tree back along a function `f` gives the tree that
//! runs `x` where the first one runs `f(x)`: so a schedule of statement instances becomes one of tagged accesses, along the function that drops the tags.
//!
//! Implements: 002 5.3.4

use super::tree::{Band, Node, Tree};
use crate::presburger::{MultiUnionPwAff, UnionMap, UnionPwMultiAff, UnionSet};

/// The prefix schedule at a node.
#[derive(Clone, Debug)]
pub struct Prefix {
    domain: UnionSet,
    partial: MultiUnionPwAff,
}

impl Prefix {
    /// The instances that reach the node. isl: `schedule_node_get_domain`.
    pub fn domain(&self) -> &UnionSet {
        &self.domain
    }

    /// The outer members, also of instances that do not reach the node.
    pub fn members(&self) -> &MultiUnionPwAff {
        &self.partial
    }

    /// isl: `schedule_node_get_prefix_schedule_multi_union_pw_aff`.
    pub fn multi_union_pw_aff(&self) -> MultiUnionPwAff {
        self.partial.intersect_domain(&self.domain)
    }

    /// isl: `schedule_node_get_prefix_schedule_union_map`.
    pub fn union_map(&self) -> UnionMap {
        self.partial.as_union_map().intersect_domain(&self.domain)
    }

    /// isl: `schedule_node_get_prefix_schedule_union_pw_multi_aff`.
    pub fn union_pw_multi_aff(&self) -> UnionPwMultiAff {
        UnionPwMultiAff::from_union_map(&self.union_map()).expect("law: a tuple of functions is a function")
    }
}

impl Tree {
    /// The prefix schedule at the node that `path` leads to; `None` if there is no such node.
    pub fn prefix(&self, path: &[usize]) -> Option<Prefix> {
        let domain = self.domain();
        let mut prefix = Prefix { partial: MultiUnionPwAff::zero_dimensional(&domain), domain };
        let mut node = self.root();
        for &child in path {
            prefix.pass(node);
            node = node.children().get(child).copied()?;
        }
        Some(prefix)
    }

    /// The tree that runs `x` where this one runs `f(x)`. isl: `schedule_pullback_union_pw_multi_aff`.
    pub fn pullback(&self, f: &UnionPwMultiAff) -> Tree {
        Tree::from_root(pulled_back(self.root(), f))
    }
}

impl Prefix {
    /// With what a node says of the instances below it.
    fn pass(&mut self, node: &Node) {
        match node {
            Node::Filter { filter, .. } => self.domain = self.domain.intersect(filter),
            Node::Band { band, .. } => self.partial = self.partial.flat_range_product(&band.partial),
            Node::Extension { extension, .. } => self.domain = self.domain.union(&extension.range()),
            Node::Domain { .. } | Node::Context { .. } | Node::Mark { .. } => {}
            Node::Sequence(_) | Node::Set(_) | Node::Leaf => {}
        }
    }
}

fn pulled_back(node: &Node, f: &UnionPwMultiAff) -> Node {
    let below = |child: &Node| Box::new(pulled_back(child, f));
    let all = |children: &[Node]| children.iter().map(|child| pulled_back(child, f)).collect();
    match node {
        Node::Domain { domain, child } => {
            Node::Domain { domain: domain.preimage_union_pw_multi_aff(f), child: below(child) }
        }
        Node::Context { context, child } => Node::Context { context: context.clone(), child: below(child) },
        Node::Filter { filter, child } => {
            Node::Filter { filter: filter.preimage_union_pw_multi_aff(f), child: below(child) }
        }
        Node::Band { band, child } => {
            Node::Band { band: Band { partial: band.partial.pullback(f), ..band.clone() }, child: below(child) }
        }
        Node::Mark { id, child } => Node::Mark { id: id.clone(), child: below(child) },
        Node::Extension { extension, child } => {
            let extension = extension.apply_range(&f.as_union_map().reverse());
            Node::Extension { extension, child: below(child) }
        }
        Node::Sequence(children) => Node::Sequence(all(children)),
        Node::Set(children) => Node::Set(all(children)),
        Node::Leaf => Node::Leaf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const TREE: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i, k] : 0 <= i, k < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i, k] -> [(i)] }]"
  child:
    sequence:
    - filter: "[n] -> { S[i] }"
    - filter: "[n] -> { T[i, k] }"
      child:
        schedule: "[n] -> [{ T[i, k] -> [(k)] }]"
"#;

    fn prefix(path: &[usize]) -> Prefix {
        Tree::parse(TREE).expect("a tree").prefix(path).expect("a node")
    }

    fn check(path: &[usize], expected: Expect) {
        let prefix = prefix(path);
        let (map, function) = (prefix.union_map(), prefix.union_pw_multi_aff());
        assert!(map.is_equal(&function.as_union_map()));
        assert!(map.is_equal(&prefix.multi_union_pw_aff().as_union_map().intersect_domain(prefix.domain())));
        expected.assert_eq(&map.to_string());
    }

    #[test]
    fn the_bands_above_make_the_prefix() {
        check(&[], expect!["[n] -> { S[i] -> [] : 0 <= i < n; T[i, k] -> [] : 0 <= k < n and 0 <= i < n }"]);
        check(&[0, 0], expect!["[n] -> { S[i] -> [i] : 0 <= i < n; T[i, k] -> [i] : 0 <= k < n and 0 <= i < n }"]);
        check(&[0, 0, 1, 0], expect!["[n] -> { T[i, k] -> [i] : 0 <= k < n and 0 <= i < n }"]);
        check(&[0, 0, 1, 0, 0], expect!["[n] -> { T[i, k] -> [i, k] : 0 <= k < n and 0 <= i < n }"]);
        assert!(Tree::parse(TREE).expect("a tree").prefix(&[0, 0, 2]).is_none());
    }

    #[test]
    fn a_schedule_of_instances_becomes_one_of_tagged_accesses() {
        let pairs = "[n] -> { [S[i] -> a[]] -> S[i]; [T[i, k] -> b[]] -> T[i, k] : k > 0 }";
        let f = UnionPwMultiAff::from_union_map(&UnionMap::parse(pairs).expect("a relation")).expect("a function");
        let tree = Tree::parse(TREE).expect("a tree");
        expect![[r#"
            domain: "[n] -> { [S[i] -> a[]] : 0 <= i < n; [T[i, k] -> b[]] : 0 < k < n and 0 <= i < n }"
            child:
              schedule: "[n] -> [{ [S[i] -> a[]] -> [(i)]; [T[i, k] -> b[]] -> [(i)] : k > 0 }]"
              child:
                sequence:
                - filter: "[n] -> { [S[i] -> a[]] }"
                - filter: "[n] -> { [T[i, k] -> b[]] : k > 0 }"
                  child:
                    schedule: "[n] -> [{ [T[i, k] -> b[]] -> [(k)] : k > 0 }]"
        "#]]
        .assert_eq(&tree.pullback(&f).to_string());
        let expected = f.as_union_map().apply_range(&tree.to_map());
        assert!(tree.pullback(&f).to_map().is_equal(&expected));
    }
}
