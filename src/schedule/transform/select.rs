//! Names of places in a schedule tree, for a person to write.
//!
//! ```text
//! S.0        the outermost loop around S, however the members are spread over bands; S.1 the next one
//! S.0..2     the loops 0, 1 and 2 around S, which must be directly nested
//! @tiles     the node below the mark "tiles"; @tiles.0 its first loop
//! /0/1       the node that child 1 of child 0 of the root is; /0/1.0 its first loop
//! S          the place where S runs: the leaf
//! ```
//!
//! A loop is a member of a band. Loops are counted on the way from the named place down, as long as the way is the only one: after peeling,
//! `S` runs in two places, and what is not above both of them is named by a mark or by numbers.

use super::{Inapplicable, no};
use crate::presburger::DimKind;
use crate::scop::tree::{Node, Tree};

/// A member of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The band.
    pub path: Vec<usize>,
    /// The member.
    pub member: usize,
}

/// Consecutive loops, each directly inside of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loops {
    /// The outermost.
    pub first: Loop,
    /// The innermost.
    pub last: Loop,
}

impl Loops {
    /// One loop.
    pub fn one(each: &Loop) -> Loops {
        Loops { first: each.clone(), last: each.clone() }
    }
}

/// A name: what is before the dot, and after it.
struct Name<'n> {
    place: &'n str,
    loops: Option<(usize, usize)>,
}

fn name(text: &str) -> Result<Name<'_>, Inapplicable> {
    let numbers = |after: &str| match after.split_once("..") {
        None => after.parse().ok().map(|k: usize| (k, k)),
        Some((from, to)) => {
            Some((from.parse().ok()?, to.parse().ok()?)).filter(|(from, to): &(usize, usize)| from <= to)
        }
    };
    match text.split_once('.') {
        None => Ok(Name { place: text, loops: None }),
        Some((place, after)) => match numbers(after) {
            Some(loops) => Ok(Name { place, loops: Some(loops) }),
            None => no(format!("`.{after}` does not number loops: .0 is the outermost, .0..1 are two")),
        },
    }
}

/// The loops that `text` names.
pub fn loops(tree: &Tree, text: &str) -> Result<Loops, Inapplicable> {
    let Name { place, loops: Some((from, to)) } = name(text)? else {
        return no(format!("`{text}` names a node, not a loop: `{text}.0` is its outermost loop"));
    };
    let found = loops_from(tree, place)?;
    match (found.get(from), found.get(to)) {
        (Some(first), Some(last)) => Ok(Loops { first: first.clone(), last: last.clone() }),
        _ => {
            let end = way_from(tree, place)?.last().and_then(|path| tree.node(path));
            let several = if matches!(end, Some(Node::Leaf)) { "" } else { " before it parts" };
            no(match found.len() {
                0 => format!("`{place}` has no loop{several}"),
                1 => format!("`{place}` has only the loop 0{several}"),
                n => format!("`{place}` has only the loops 0 to {}{several}", n - 1),
            })
        }
    }
}

/// The one loop that `text` names.
pub fn one_loop(tree: &Tree, text: &str) -> Result<Loop, Inapplicable> {
    let named = loops(tree, text)?;
    if named.first == named.last { Ok(named.first) } else { no(format!("`{text}` names several loops")) }
}

/// The statement before the dot, if it is one.
pub fn statement(text: &str) -> &str {
    text.split_once('.').map_or(text, |(place, _)| place)
}

/// The node that `text` names: for loops, the band of the first one.
pub fn node(tree: &Tree, text: &str) -> Result<Vec<usize>, Inapplicable> {
    if name(text)?.loops.is_some() {
        return loops(tree, text).map(|loops| loops.first.path);
    }
    match start(tree, text)? {
        Start::At(path) => Ok(path),
        Start::Statement => {
            let way = way(tree, &[], Some(text));
            let path = way.last().cloned().unwrap_or_default();
            match tree.node(&path) {
                Some(Node::Leaf) => Ok(path),
                _ => no(format!("`{text}` runs in several places")),
            }
        }
    }
}

enum Start {
    At(Vec<usize>),
    Statement,
}

fn start(tree: &Tree, place: &str) -> Result<Start, Inapplicable> {
    if let Some(mark) = place.strip_prefix('@') {
        let marked =
            nodes(tree).into_iter().filter(|(_, node)| matches!(node, Node::Mark { id, .. } if id.as_str() == mark));
        let mut marked: Vec<Vec<usize>> = marked.map(|(path, _)| path).collect();
        return match (marked.pop(), marked.is_empty()) {
            (None, _) => no(format!("there is no mark `{mark}`")),
            (Some(_), false) => no(format!("there are several marks `{mark}`")),
            (Some(mut path), true) => {
                path.push(0);
                Ok(Start::At(path))
            }
        };
    }
    if let Some(numbers) = place.strip_prefix('/') {
        let path: Option<Vec<usize>> = numbers.split('/').filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect();
        return match path.filter(|path| tree.node(path).is_some()) {
            Some(path) => Ok(Start::At(path)),
            None => no(format!("there is no node `{place}`")),
        };
    }
    match is_below(tree.root(), place) {
        true => Ok(Start::Statement),
        false => no(format!("there is no statement `{place}`")),
    }
}

/// The loops on the way down from a place.
fn loops_from(tree: &Tree, place: &str) -> Result<Vec<Loop>, Inapplicable> {
    let members = |path: &Vec<usize>| match tree.node(path) {
        Some(Node::Band { band, .. }) => {
            (0..band.n_member()).map(|member| Loop { path: path.clone(), member }).collect()
        }
        _ => Vec::new(),
    };
    Ok(way_from(tree, place)?.iter().flat_map(members).collect())
}

fn way_from(tree: &Tree, place: &str) -> Result<Vec<Vec<usize>>, Inapplicable> {
    Ok(match start(tree, place)? {
        Start::At(path) => way(tree, &path, None),
        Start::Statement => way(tree, &[], Some(place)),
    })
}

/// The nodes from `path` down while there is one way: one child, or one child that runs the statement.
fn way(tree: &Tree, path: &[usize], statement: Option<&str>) -> Vec<Vec<usize>> {
    let mut way = vec![path.to_vec()];
    let mut here = path.to_vec();
    while let Some(node) = tree.node(&here) {
        let below = node.children();
        let mut onward = (0..below.len()).filter(|&at| match (statement, below[at]) {
            (Some(name), Node::Filter { .. }) => is_below(below[at], name),
            _ => true,
        });
        let (Some(next), None) = (onward.next(), onward.next()) else { break };
        here.push(next);
        way.push(here.clone());
    }
    way
}

/// Whether the node runs instances of the statement.
pub(super) fn is_below(node: &Node, statement: &str) -> bool {
    let set = match node {
        Node::Domain { domain: set, .. } | Node::Filter { filter: set, .. } => set,
        _ => return false,
    };
    set.sets()
        .any(|set| set.space().tuple_name(DimKind::Out).is_some_and(|id| id.as_str() == statement) && !set.is_empty())
}

/// All nodes, outer ones first.
pub(super) fn nodes(tree: &Tree) -> Vec<(Vec<usize>, &Node)> {
    let mut found = vec![(Vec::new(), tree.root())];
    let mut next = 0;
    while let Some((path, node)) = found.get(next).cloned() {
        for (at, child) in node.children().into_iter().enumerate() {
            found.push((path.iter().copied().chain([at]).collect(), child));
        }
        next += 1;
    }
    found
}
