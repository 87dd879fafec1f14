//! Scalars of strips of iterations: a few elements of the model's array in a row, in a few places on the stack.
//!
//!     for (c0) {                                       // strips of 32 iterations
//!       for (i = 32 * c0; i <= 32 * c0 + 31; i++) s[i] = 0;
//!       for (k) for (i = 32 * c0; ...) s[i] += A[k][i];
//!       for (i = 32 * c0; ...) y[i] = s[i];
//!     }
//!
//! Of the array `s` only the elements `32 * c0 ... 32 * c0 + 31` are in use in an iteration of `c0`, and what is written there is read nowhere else. So 32 places do, the
//! element `i` in place `i - 32 * c0`: LLVM turns them into registers where it writes the inner loops out, and no memory has to be reserved for all of `s`.

use super::times::{Schedule, Uses, stays_inside};
use crate::ast::{Ast, For, Node as AstNode};
use crate::presburger::{Constraint, ConstraintKind, DimKind, Id, Int, Map};
use crate::scop::tree::{Node, Tree};
use std::collections::BTreeSet;

/// Places are on the stack: no more bytes than this for one array.
const MOST_BYTES: u64 = 4096;

/// Which elements are in use at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The loop around that goes from one window to the next.
    pub iterator: Id,
    /// How many elements are in one: those from `size * iterator` on.
    pub size: i64,
    /// Which subscript counts them; the others are the same in each iteration of the loop.
    pub subscript: usize,
}

/// The windows of an array that is used so, with elements of so many bytes; none if there are no such.
pub(super) fn window(tree: &Tree, ast: &Ast, schedule: &Schedule, uses: &Uses, bytes: u64) -> Option<Window> {
    let all: Vec<&(Id, Map)> = uses.writes.iter().chain(&uses.reads).collect();
    let users: BTreeSet<&Id> = all.iter().map(|(statement, _)| statement).collect();
    let subscripts = all.first()?.1.dim(DimKind::Out);
    let mut sizes = BTreeSet::new();
    collect_sizes(tree.root(), &mut sizes);
    sizes.retain(|size| u64::try_from(*size).is_ok_and(|size| size > 1 && size * bytes <= MOST_BYTES));
    if sizes.is_empty() {
        return None;
    }
    let mut loops = Vec::new();
    collect_around(&ast.root, &users, &mut loops);
    loops.into_iter().find_map(|each| {
        let at = schedule.time_of(each, &users)?;
        if !schedule.is_shared_outside(&users, at + 1) || !stays_inside(schedule, uses, at + 1) {
            return None;
        }
        let fits = |size: i64, subscript: usize| {
            all.iter().all(|(_, used)| is_inside(used, at, size, subscript))
                && (subscripts == 1 || tells_apart(schedule, &all, at + 1, subscript))
        };
        let choices = sizes.iter().flat_map(|size| (0..subscripts).rev().map(move |subscript| (*size, subscript)));
        let (size, subscript) = choices.into_iter().find(|(size, subscript)| fits(*size, *subscript))?;
        Some(Window { iterator: each.iterator.clone(), size, subscript })
    })
}

/// Whether at each time the elements have a subscript in the window that this dimension of time counts.
fn is_inside(used: &Map, at: usize, size: i64, subscript: usize) -> bool {
    let space = used.space();
    let bound = |sign: i64, constant: i64| {
        let mut coefficients = vec![Int::from(0); space.n_dim()];
        coefficients[space.offset(DimKind::In) + at] = Int::from(-sign * size);
        coefficients[space.offset(DimKind::Out) + subscript] = Int::from(sign);
        let constraint = Constraint { kind: ConstraintKind::Inequality, constant: Int::from(constant), coefficients };
        Map::universe(space).add_constraint(&constraint)
    };
    used.is_subset(&bound(1, 0).intersect(&bound(-1, size - 1)))
}

/// Whether elements that are used in one iteration of the first `prefix` dimensions of time are the same if this subscript is.
fn tells_apart(schedule: &Schedule, all: &[&(Id, Map)], prefix: usize, subscript: usize) -> bool {
    let same = schedule.same(prefix);
    all.iter().all(|(_, first)| {
        all.iter().all(|(_, second)| {
            let together = first.reverse().apply_range(&same).apply_range(second);
            let alike = together.equate(DimKind::In, subscript, DimKind::Out, subscript);
            alike.is_subset(&Map::identity(alike.space()))
        })
    })
}

/// By how many members of bands are divided.
fn collect_sizes(node: &Node, found: &mut BTreeSet<i64>) {
    if let Node::Band { band, .. } = node {
        for aff in
            band.partial.affs().iter().flat_map(|member| member.pw_affs()).filter_map(|function| function.as_aff())
        {
            found.extend(aff.divs().iter().filter_map(|div| div.denominator.as_i64()));
        }
    }
    node.children().into_iter().for_each(|child| collect_sizes(child, found));
}

/// The loops around all instances of these statements, the innermost first.
fn collect_around<'t>(node: &'t AstNode, users: &BTreeSet<&Id>, found: &mut Vec<&'t For>) {
    let inside = |node: &AstNode| {
        let statements = node.statements();
        users.iter().filter(|user| statements.contains(**user)).count()
    };
    let mut with_some = node.children().into_iter().filter(|child| inside(child) > 0);
    if let (Some(only), None) = (with_some.next(), with_some.next()) {
        collect_around(only, users, found);
    }
    if let AstNode::For(each) = node
        && !each.degenerate
        && inside(node) == users.len()
    {
        found.push(each);
    }
}
