//! Separation: which loops, in which textual order, scan the values of one dimension.
//!
//! Two statements whose shadows are `{ [c] : 1 <= c <= 10 }` and `{ [c] : 4 <= c <= 12 }` can be scanned by one loop from 1 to 12 with a
//! guard on each, or *separated* into three loops without guards: 1 to 3 with the first, 4 to 10 with both, 11 and 12 with the second.
//! Separation is the algorithm of Section 5.2 of Quilleré, Rajopadhye and Wilde: the shadows are taken one after the other, and each
//! region found so far is split into what is inside and what is outside of the new one. The loops are then sorted (their Section 5.3): one
//! must come before another if, for some values of parameters and outer iterators, it has a smaller value than the other has.
//!
//! Without separation, shadows that meet share a loop over their hull, or over their union cut into pieces ([`super::count`] decides). Hulls may be larger than what they cover, and regions whose order
//! differs from one outer iteration to the next cannot be two loops at all: such pieces are merged until no statement has two overlapping
//! pieces and the order is a partial one. Guards at the statements are exact, so a piece may be too large but never run an instance twice.
//!
//! Implements: 003 5.2

use super::count::Price;
use super::piece::{DEMANDED, Piece, USUAL, add, separated};
use crate::ast::rows::affine::Row;
use crate::ast::rows::region::{Relation, constrained, hull, lifted, minus, rows, single};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Id, Int};

/// Most shadows that are counted all at once, also those that do not meet: the work is quadratic.
const MOST_COUNTED: usize = 12;

/// A shadow of a statement.
pub(in crate::ast) struct Entry {
    pub region: BasicSet,
    pub statement: usize,
}

/// How shadows become pieces.
pub(in crate::ast) enum Mode<'m> {
    /// Those that meet are separated where this holds of all their statements (and there are not too many pieces), else
    /// they are one piece.
    Separate(&'m dyn Fn(usize) -> bool),
    /// Those that meet are separated, unless that makes more loops than anybody reads.
    Demanded,
    /// Those that meet are separated where that is no more code than guards are, else their union is cut into pieces.
    Counted {
        /// How much code a statement is.
        weight: &'m dyn Fn(usize) -> usize,
        /// What decides.
        price: Price,
        /// What is known of the outer dimensions.
        context: &'m BasicSet,
    },
    /// One piece.
    Atomic,
}

/// The pieces in order. All regions have the same dimensions, the last of which is to be scanned; none is empty. What is
/// inside of the `apart` region does not share a piece with what is outside.
pub(in crate::ast) fn pieces(
    entries: Vec<Entry>,
    mode: Mode<'_>,
    apart: Option<&BasicSet>,
    params: &[Id],
) -> Vec<Piece> {
    let Some(apart) = apart else {
        let found = unsorted(grouped(entries), &mode, params);
        return sorted(found, params);
    };
    let (mut inside, mut outside) = (vec![], vec![]);
    for Entry { region, statement } in entries {
        let both = region.intersect(apart);
        match minus(&region, apart, params) {
            Some(rest) if !both.is_empty() => {
                inside.push(Entry { region: both, statement });
                outside.extend(rest.into_iter().map(|region| Entry { region, statement }));
            }
            _ => outside.push(Entry { region, statement }),
        }
    }
    let mut found = unsorted(grouped(inside), &mode, params);
    found.extend(unsorted(grouped(outside), &mode, params));
    sorted(found, params)
}

fn unsorted(grouped: Vec<Piece>, mode: &Mode<'_>, params: &[Id]) -> Vec<Piece> {
    if grouped.len() <= 1 {
        return grouped;
    }
    if matches!(mode, Mode::Atomic) {
        return vec![merged(&grouped.iter().collect::<Vec<_>>())];
    }
    if let Some(pieces) = by_value(&grouped, params) {
        return pieces;
    }
    if let (Mode::Counted { weight, price, context }, true) = (mode, grouped.len() <= MOST_COUNTED)
        && let Some(pieces) = super::count::cheaper(&grouped, (*weight, *price), context, params)
    {
        return pieces;
    }
    let mut found = vec![];
    for class in classes(grouped.len(), |a, b| meet(&grouped[a], &grouped[b])) {
        let members: Vec<Piece> = class.iter().map(|&p| grouped[p].clone()).collect();
        let pieces = match mode {
            _ if members.len() == 1 => None,
            Mode::Separate(wanted) if members.iter().flat_map(|piece| &piece.statements).all(|&s| wanted(s)) => {
                separated(&members, params, USUAL)
            }
            Mode::Demanded => separated(&members, params, DEMANDED),
            Mode::Counted { weight, price, context } => {
                super::count::cheaper(&members, (*weight, *price), context, params)
            }
            _ => None,
        };
        found.extend(pieces.unwrap_or_else(|| vec![chosen(&grouped, &class)]));
    }
    found
}

fn grouped(entries: Vec<Entry>) -> Vec<Piece> {
    let mut keys = vec![];
    let mut pieces: Vec<Piece> = vec![];
    for Entry { region, statement } in entries {
        let mut key = region.constraints();
        key.sort();
        match keys.iter().position(|known| *known == key) {
            Some(at) if region.n_local() == 0 => add(&mut pieces[at].statements, statement),
            _ => {
                keys.push(key);
                pieces.push(Piece { parts: vec![region.clone()], region, statements: vec![statement] });
            }
        }
    }
    pieces
}

fn merged(pieces: &[&Piece]) -> Piece {
    let parts: Vec<BasicSet> = pieces.iter().flat_map(|piece| piece.parts.iter().cloned()).collect();
    let mut statements = vec![];
    pieces.iter().flat_map(|piece| &piece.statements).for_each(|&s| add(&mut statements, s));
    Piece { region: hull(&parts), parts, statements }
}

/// If each piece has one constant value of the scanned dimension: those of equal value together, by value.
fn by_value(pieces: &[Piece], params: &[Id]) -> Option<Vec<Piece>> {
    let mut valued = vec![];
    for piece in pieces {
        valued.push((fixed_value(&piece.region, params)?, piece));
    }
    valued.sort_by(|a, b| a.0.cmp(&b.0));
    let runs = valued.chunk_by(|a, b| a.0 == b.0);
    Some(runs.map(|run| merged(&run.iter().map(|(_, piece)| *piece).collect::<Vec<_>>())).collect())
}

/// Whether each piece has one constant value of the scanned dimension, in ascending order.
fn are_by_value(pieces: &[Piece], params: &[Id]) -> bool {
    let values: Option<Vec<Int>> = pieces.iter().map(|piece| fixed_value(&piece.region, params)).collect();
    values.is_some_and(|values| values.is_sorted_by(|a, b| a < b))
}

/// The value of the last dimension, if an equality fixes it.
fn fixed_value(region: &BasicSet, params: &[Id]) -> Option<Int> {
    let last = params.len() + region.dim(DimKind::Out) - 1;
    let fixes = |relation: &&Relation| {
        let others = relation.row.coefficients.iter().enumerate().filter(|(v, c)| *v != last && !c.is_zero());
        relation.equality && !relation.row.coefficients[last].is_zero() && others.count() == 0
    };
    let rows = rows(region, params);
    let row = &rows.relations.iter().find(fixes)?.row;
    let (constant, factor) = (Number::neg(&row.constant), &row.coefficients[last]);
    constant.is_divisible_by(&factor.abs()).then(|| Number::div_floor(&constant, factor))
}

fn chosen(pieces: &[Piece], class: &[usize]) -> Piece {
    match class {
        [one] => pieces[*one].clone(),
        several => merged(&several.iter().map(|&p| &pieces[p]).collect::<Vec<_>>()),
    }
}

fn meet(a: &Piece, b: &Piece) -> bool {
    !a.region.intersect(&b.region).is_empty()
}

/// The classes of the equivalence that `related` (symmetric) generates, each ascending, by first member.
pub(in crate::ast) fn classes(n: usize, related: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut class: Vec<usize> = (0..n).collect();
    for b in 1..n {
        for a in 0..b {
            if class[a] != class[b] && related(a, b) {
                let (keep, lose) = (class[a].min(class[b]), class[a].max(class[b]));
                class.iter_mut().filter(|c| **c == lose).for_each(|c| *c = keep);
            }
        }
    }
    let members = |c: usize| (0..n).filter(|&p| class[p] == c).collect::<Vec<_>>();
    (0..n).filter(|&c| class[c] == c).map(members).collect()
}

/// The pieces in an order in which they can be run one after the other, merged as far as that is necessary.
fn sorted(mut pieces: Vec<Piece>, params: &[Id]) -> Vec<Piece> {
    if pieces.len() <= 1 || are_by_value(&pieces, params) {
        return pieces;
    }
    loop {
        let n = pieces.len();
        let shares = |a: usize, b: usize| {
            let common = pieces[a].statements.iter().any(|s| pieces[b].statements.binary_search(s).is_ok());
            let hulls = pieces[a].parts.len() > 1 || pieces[b].parts.len() > 1;
            common && hulls && meet(&pieces[a], &pieces[b])
        };
        let overlapping = classes(n, shares);
        if overlapping.len() < n {
            pieces = overlapping.iter().map(|class| chosen(&pieces, class)).collect();
            continue;
        }
        let mut before = vec![vec![false; n]; n];
        for (a, row) in before.iter_mut().enumerate() {
            for (b, entry) in row.iter_mut().enumerate() {
                *entry = a != b && must_precede(&pieces[a], &pieces[b], params);
            }
        }
        close(&mut before);
        let circular = classes(n, |a, b| before[a][b] && before[b][a]);
        if circular.len() == n {
            let mut order: Vec<usize> = vec![];
            while order.len() < n {
                let free = |&p: &usize| !order.contains(&p) && (0..n).all(|q| !before[q][p] || order.contains(&q));
                let next = (0..n).find(free).expect("law: a relation without circles has a first element");
                order.push(next);
            }
            return order.into_iter().map(|p| pieces[p].clone()).collect();
        }
        pieces = circular.iter().map(|class| chosen(&pieces, class)).collect();
    }
}

pub(in crate::ast) fn close(before: &mut [Vec<bool>]) {
    for via in 0..before.len() {
        let onward = before[via].clone();
        for row in before.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&onward).for_each(|(entry, &more)| *entry |= more);
        }
    }
}

/// Whether for some values of the outer dimensions the first has a value less than one of the second.
fn must_precede(a: &Piece, b: &Piece, params: &[Id]) -> bool {
    a.parts.iter().any(|a| b.parts.iter().any(|b| may_precede(a, b, params)))
}

pub(in crate::ast) fn may_precede(a: &BasicSet, b: &BasicSet, params: &[Id]) -> bool {
    let last = a.dim(DimKind::Out) - 1;
    let mut later = Row::zero(params.len() + last + 2);
    later.constant = Int::from(-1);
    later.coefficients[params.len() + last] = Int::from(-1);
    later.coefficients[params.len() + last + 1] = Int::from(1);
    let shifted = single(&b.to_set().insert_dims(DimKind::Out, last, 1));
    let both = lifted(a, 1).intersect(&shifted);
    !constrained(&both, params, &[Relation { equality: false, row: later }]).is_empty()
}
