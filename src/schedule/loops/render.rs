//! From loops in rows to a schedule tree.
//!
//! A member `floor(i / 32)` of the statement `S` becomes the function `{ S[i] -> [(floor((i)/32))] }` of a band node; groups that run one after
//! the other become the filters of a sequence node. Statements that keep their own order get the part of the program's tree that
//! concerns them.

use super::block;
use super::nest::{First, Loops, Member, Unit};
use crate::presburger::{Id, Int, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionMap, UnionPwAff, UnionSet};
use crate::schedule::model::problem::{Hyperplane, Problem, affine};
use crate::scop::tree::{Band, Node, Tree};

/// The mark above a band that is meant for the vector unit.
pub const VECTOR: &str = "vector";

/// The tree of `loops` over the domains; `original` is the program's flat schedule.
pub(crate) fn tree(problem: &Problem, domains: &[Set], loops: &Loops, original: &dyn Fn() -> UnionMap) -> Tree {
    let all = domains.iter().fold(UnionSet::empty(&problem.params), |all, d| all.union(&UnionSet::from_set(d)));
    let nodes: Vec<usize> = (0..problem.statements.len()).collect();
    let child = Box::new(node(problem, &nodes, loops, original));
    Tree::from_root(Node::Domain { domain: all, child })
}

fn node(problem: &Problem, nodes: &[usize], loops: &Loops, original: &dyn Fn() -> UnionMap) -> Node {
    match loops {
        Loops::Leaf => Node::Leaf,
        Loops::Original(nodes) => as_before(problem, nodes, original),
        Loops::Sequence(parts) => {
            let filter = |(nodes, below): &(Vec<usize>, Loops)| {
                let child = Box::new(node(problem, nodes, below, original));
                Node::Filter { filter: instances(problem, nodes), child }
            };
            Node::Sequence(parts.iter().map(filter).collect())
        }
        Loops::Split { sides, whole, rest, first } => {
            let inside = block::instances(problem, nodes, sides);
            let part = |filter: UnionSet, below: &Loops| {
                let child = Box::new(node(problem, nodes, below, original));
                Node::Filter { filter, child }
            };
            let outside = instances(problem, nodes).subtract(&inside);
            let mut parts = vec![part(inside, whole), part(outside, rest)];
            if *first == First::Rest {
                parts.reverse();
            }
            Node::Sequence(parts)
        }
        Loops::Mark(text, below) => {
            Node::Mark { id: Id::new(text), child: Box::new(node(problem, nodes, below, original)) }
        }
        Loops::Band { members, permutable, unit, kind, child } => {
            let mut band = Band::new(partial(problem, nodes, members));
            band.permutable = *permutable;
            band.coincident = members.iter().map(|m| m.coincident).collect();
            band.options = vec![*kind; members.len()];
            let band = Node::Band { band, child: Box::new(node(problem, nodes, child, original)) };
            if matches!(unit, Unit::Vector | Unit::Strip) {
                Node::Mark { id: Id::new(VECTOR), child: Box::new(band) }
            } else {
                band
            }
        }
    }
}

fn instances(problem: &Problem, nodes: &[usize]) -> UnionSet {
    let universe = |s: &usize| UnionSet::from_set(&Set::universe(&problem.statements[*s].space));
    nodes.iter().map(universe).fold(UnionSet::empty(&problem.params), |all, set| all.union(&set))
}

fn as_before(problem: &Problem, nodes: &[usize], original: &dyn Fn() -> UnionMap) -> Node {
    let own = original().intersect_domain(&instances(problem, nodes));
    let tree = Tree::from_map(&own).expect("law: the original schedule gives each instance one date");
    match tree.root() {
        Node::Domain { child, .. } => (**child).clone(),
        _ => Node::Leaf,
    }
}

fn partial(problem: &Problem, nodes: &[usize], members: &[Member]) -> MultiUnionPwAff {
    let range = Space::set(&problem.params, &Tuple::anonymous(members.len()));
    let affs = members.iter().map(|member| {
        let mut union = UnionPwAff::empty(&problem.params);
        nodes.iter().for_each(|s| union.add_pw_aff(&value(problem, *s, member)));
        union
    });
    MultiUnionPwAff::new(&range, affs.collect())
}

fn value(problem: &Problem, s: usize, member: &Member) -> PwAff {
    let space = &problem.statements[s].space;
    let term = |(hyperplane, size): &(Hyperplane, i64)| {
        let row = affine(space, &hyperplane[&s]);
        if *size == 1 { row } else { row.scale_down(&Int::from(*size)).floor() }
    };
    let sum = member.terms.iter().map(term).reduce(|a, b| a.add(&b));
    PwAff::from_aff(&sum.expect("law: a member is a sum of at least one term"))
}
