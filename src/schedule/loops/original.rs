//! The program's own loops, in the form of those that are found: so that one model of time judges both.
//!
//! `for i { S; for j: T; }` comes as a tree with the band `{ S[i] -> [i]; T[i, j] -> [i] }` above a sequence of `S` and of the band
//! `{ T[i, j] -> [j] }` above `T`; each member becomes the hyperplane of its coefficients.

use super::nest::{Loops, Member, Unit};
use crate::presburger::int::Number;
use crate::presburger::{DimKind, UnionPwAff};
use crate::schedule::model::problem::{Edge, Hyperplane, Problem, Row};
use crate::schedule::search::fuse::within;
use crate::scop::READ_AGAIN;
use crate::scop::marks::{LEFT_EARLY, READ_BEFORE};
use crate::scop::tree::{LoopKind, Node, Tree};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The loops of a tree over the problem's statements; none if it is not made of affine bands and sequences of whole statements.
pub(crate) fn loops(problem: &Problem, tree: &Tree) -> Option<Loops> {
    let nodes: Vec<usize> = (0..problem.statements.len()).collect();
    below(problem, &nodes, tree.root())
}

fn below(problem: &Problem, nodes: &[usize], node: &Node) -> Option<Loops> {
    match node {
        Node::Leaf => Some(Loops::Leaf),
        Node::Mark { id, child } if [LEFT_EARLY, READ_AGAIN, READ_BEFORE].contains(&id.as_str()) => {
            match below(problem, nodes, child)? {
                Loops::Band { members, permutable, kind, child, .. } => {
                    Some(Loops::Band { members, permutable, unit: Unit::Single, kind, child })
                }
                other => Some(other),
            }
        }
        Node::Domain { child, .. } | Node::Context { child, .. } | Node::Mark { child, .. } => {
            below(problem, nodes, child)
        }
        Node::Filter { filter, child } => {
            let runs = |s: &usize| filter.sets().any(|set| is_over(problem, *s, set.space().tuple_name(DimKind::Out)));
            below(problem, &nodes.iter().copied().filter(runs).collect::<Vec<_>>(), child)
        }
        Node::Sequence(children) | Node::Set(children) => {
            let part = |child: &Node| {
                let Node::Filter { filter, child } = child else { return None };
                let runs =
                    |s: &usize| filter.sets().any(|set| is_over(problem, *s, set.space().tuple_name(DimKind::Out)));
                let own: Vec<usize> = nodes.iter().copied().filter(runs).collect();
                let loops = below(problem, &own, child)?;
                Some((own, loops))
            };
            children.iter().map(part).collect::<Option<Vec<_>>>().map(Loops::Sequence)
        }
        Node::Band { band, child } => {
            let member = |aff: &UnionPwAff| {
                let hyperplane = nodes.iter().map(|s| Some((*s, row(problem, *s, aff)?))).collect::<Option<_>>()?;
                Some(Member { terms: vec![(hyperplane, 1)], coincident: false })
            };
            let members = band.partial.affs().iter().map(member).collect::<Option<Vec<_>>>()?;
            let child = Box::new(below(problem, nodes, child)?);
            // LLVM makes no vectors of loops around others.
            // Nor of such that ask in each iteration where they are.
            let is_single =
                |s: &usize| problem.statements[*s].work.side_by_side || problem.statements[*s].work.has_border;
            let unit = if nodes.iter().any(is_single) { Unit::Single } else { Unit::Scalar };
            Some(Loops::Band { members, permutable: false, unit, kind: LoopKind::Default, child })
        }
        Node::Extension { .. } => None,
    }
}

/// Statements that are next to each other in the same loops with no loop between them, where they are more than so many.
pub(crate) fn bodies(loops: &Loops, many: usize) -> Vec<Vec<usize>> {
    match loops {
        Loops::Leaf | Loops::Original(_) => Vec::new(),
        Loops::Mark(_, below) | Loops::Split { whole: below, .. } => bodies(below, many),
        Loops::Band { child, .. } => bodies(child, many),
        Loops::Sequence(parts) => {
            let is_statement = |(own, part): &(Vec<usize>, Loops)| own.len() == 1 && matches!(part, Loops::Leaf);
            let runs = parts.chunk_by(|a, b| is_statement(a) && is_statement(b));
            let of_run = |run: &[(Vec<usize>, Loops)]| match run {
                [(_, part)] => bodies(part, many),
                several => vec![several.iter().map(|(own, _)| own[0]).collect()],
            };
            runs.flat_map(of_run).filter(|body| body.len() > many).collect()
        }
    }
}

/// The statements of each innermost loop.
pub(crate) fn innermost(loops: &Loops) -> Vec<Vec<usize>> {
    match loops {
        Loops::Leaf | Loops::Original(_) => Vec::new(),
        Loops::Mark(_, below) | Loops::Split { whole: below, .. } => innermost(below),
        Loops::Sequence(parts) => parts.iter().flat_map(|(_, part)| innermost(part)).collect(),
        Loops::Band { members, child, .. } if has_no_loops(child) => {
            members.last().map(|last| last.terms[0].0.keys().copied().collect()).into_iter().collect()
        }
        Loops::Band { child, .. } => innermost(child),
    }
}

/// A loop around others, the statements in it, and what these have to respect there.
#[derive(Clone, Copy)]
pub(super) struct Outer<'a> {
    pub band: &'a Loops,
    pub child: &'a Loops,
    pub nodes: &'a [usize],
    pub edges: &'a [Rc<Edge>],
}

/// The loops with the outermost ones of those around others replaced for which `of` has something else; none if it has nothing for any. Only loops of these units are looked at.
pub(super) fn with_outer_ones(
    loops: &Loops,
    units: &[Unit],
    (nodes, edges): (&[usize], &[Rc<Edge>]),
    of: &mut dyn FnMut(&Hyperplane, &Outer<'_>) -> Option<Loops>,
) -> Option<Loops> {
    match loops {
        Loops::Sequence(parts) => {
            let mut found = false;
            let mut inside = |(own, part): &(Vec<usize>, Loops)| {
                let other = with_outer_ones(part, units, (own, &within(own, edges)), of);
                found |= other.is_some();
                (own.clone(), other.unwrap_or_else(|| part.clone()))
            };
            let parts = parts.iter().map(&mut inside).collect();
            found.then_some(Loops::Sequence(parts))
        }
        Loops::Band { members, unit, child, permutable, kind } if units.contains(unit) && !has_no_loops(child) => {
            let outer = Outer { band: loops, child, nodes, edges };
            if let [Member { terms, .. }] = members.as_slice()
                && let Some(other) = of(&terms[0].0, &outer)
            {
                return Some(other);
            }
            let rows = point_rows(members);
            let left: Vec<Rc<Edge>> = edges.iter().filter_map(|edge| edge.restricted(&rows)).collect();
            let child = Box::new(with_outer_ones(child, units, (nodes, &left), of)?);
            let (members, permutable, kind) = (members.clone(), *permutable, *kind);
            Some(Loops::Band { members, permutable, unit: *unit, kind, child })
        }
        _ => None,
    }
}

/// Whether there is no band.
pub(super) fn has_no_loops(loops: &Loops) -> bool {
    match loops {
        Loops::Leaf | Loops::Original(_) => true,
        Loops::Sequence(parts) => parts.iter().all(|(_, part)| has_no_loops(part)),
        Loops::Mark(_, below) => has_no_loops(below),
        Loops::Split { .. } | Loops::Band { .. } => false,
    }
}

/// Whether data ends all loops: what runs where the new ones do not is none of the program's loops, but what is known to run before an exit.
pub(crate) fn are_left_early(tree: &Tree) -> bool {
    fn inside(node: &Node) -> bool {
        match node {
            Node::Mark { id, .. } if id.as_str() == LEFT_EARLY => true,
            Node::Band { .. } => false,
            _ => node.children().into_iter().all(inside),
        }
    }
    inside(tree.root())
}

/// Whether loops read again what was read before them where the model holds, and there is nothing else in the way of LLVM.
pub(crate) fn read_before(tree: &Tree) -> bool {
    fn marks<'t>(node: &'t Node, found: &mut BTreeSet<&'t str>) {
        if let Node::Mark { id, .. } = node {
            found.insert(id.as_str());
        }
        node.children().into_iter().for_each(|child| marks(child, found));
    }
    let mut found = BTreeSet::new();
    marks(tree.root(), &mut found);
    found.contains(READ_BEFORE) && !found.contains(LEFT_EARLY) && !found.contains(READ_AGAIN)
}

/// The loops as they are once their exits were found first, or what they read again was read before them: counted, and as LLVM likes them.
pub(crate) fn counted(loops: &Loops) -> Loops {
    match loops {
        Loops::Sequence(parts) => {
            Loops::Sequence(parts.iter().map(|(own, part)| (own.clone(), counted(part))).collect())
        }
        Loops::Band { members, permutable, kind, child, .. } => {
            let (members, child) = (members.clone(), Box::new(counted(child)));
            Loops::Band { members, permutable: *permutable, unit: Unit::Scalar, kind: *kind, child }
        }
        other => other.clone(),
    }
}

/// The statements whose innermost loop LLVM leaves as it is, one iteration after the other.
pub(crate) fn in_single_steps(problem: &Problem, loops: Option<&Loops>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    if let Some(loops) = loops {
        let all: Vec<usize> = (0..problem.statements.len()).collect();
        collect_single(loops, &all, Unit::Scalar, &mut found);
    }
    found
}

fn collect_single(loops: &Loops, nodes: &[usize], innermost: Unit, found: &mut BTreeSet<usize>) {
    match loops {
        Loops::Leaf | Loops::Original(_) => found.extend(nodes.iter().filter(|_| innermost == Unit::Single)),
        Loops::Sequence(parts) => parts.iter().for_each(|(own, part)| collect_single(part, own, innermost, found)),
        Loops::Mark(_, below) | Loops::Split { whole: below, .. } => collect_single(below, nodes, innermost, found),
        Loops::Band { unit, child, .. } => collect_single(child, nodes, *unit, found),
    }
}

fn is_over(problem: &Problem, s: usize, name: Option<&crate::presburger::Id>) -> bool {
    name == Some(&problem.statements[s].name)
}

/// The function's coefficients over a statement's iterators; those of parameters say nothing about time.
fn row(problem: &Problem, s: usize, aff: &UnionPwAff) -> Option<Row> {
    let statement = &problem.statements[s];
    let own = |space: &crate::presburger::Space| {
        is_over(problem, s, space.tuple_name(DimKind::Out)) && space.dim(DimKind::Out) == statement.n
    };
    let function = aff.pw_affs().find(|function| own(function.domain_space()))?.as_aff()?;
    let iterators: Vec<i64> =
        (0..statement.n).map(|i| function.coefficient(DimKind::Out, i).as_i64()).collect::<Option<_>>()?;
    let is_linear = function.n_div() == 0 && function.denominator().is_one();
    is_linear.then(|| Row { iterators, ..Row::zero(problem.params.len(), statement.n) })
}

/// The rows of all members, for whoever restricts dependences to one iteration of them.
pub(crate) fn point_rows(members: &[Member]) -> Vec<&Hyperplane> {
    let point = |member: &'_ Member| matches!(member.terms.as_slice(), [(_, 1)]);
    members.iter().filter(|member| point(member)).map(|member| &member.terms[0].0).collect()
}
