//! One loop to be: what it scans, and for which statements.

use crate::ast::rows::region::{minus, rows};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Id};

/// Most pieces that separation may make of one dimension, for each shadow that goes in. Two overlapping intervals make five
/// loops when their ends are unordered; beyond about twice that, code grows faster than guards cost.
pub(in crate::ast) const PIECES_PER_SHADOW: usize = 6;

/// Most copies of statements that separation may make, for each shadow that goes in: a dozen statements, each one iteration later than the one before, are
/// one loop with all of them and more and more short ones before and after it.
const COPIES_PER_SHADOW: usize = 12;

/// How much code separation may be.
#[derive(Clone, Copy)]
pub(in crate::ast) struct Most {
    /// So many times as many pieces and copies.
    times: usize,
}

/// Where separation is our choice.
pub(in crate::ast) const USUAL: Most = Most { times: 1 };

/// Where it was asked for.
pub(in crate::ast) const DEMANDED: Most = Most { times: 8 };

/// One loop to be.
#[derive(Clone)]
pub(in crate::ast) struct Piece {
    /// What the loop scans, at least.
    pub region: BasicSet,
    /// What of it is not certainly empty: the region itself, or what the region is the hull of.
    pub parts: Vec<BasicSet>,
    /// The statements that occur in it, ascending.
    pub statements: Vec<usize>,
}

/// The statement among those that are there, ascending, once.
pub(in crate::ast) fn add(statements: &mut Vec<usize>, statement: usize) {
    if let Err(at) = statements.binary_search(&statement) {
        statements.insert(at, statement);
    }
}

/// Whether an equality ties the last dimension to the others.
pub(in crate::ast) fn is_fixed(region: &BasicSet, params: &[Id]) -> bool {
    let last = params.len() + region.dim(DimKind::Out) - 1;
    rows(region, params).relations.iter().any(|r| r.equality && !r.row.coefficients[last].is_zero())
}

/// The parts of the pieces that have the same statements, each as a piece; `None` if that is too much code.
pub(in crate::ast) fn separated(pieces: &[Piece], params: &[Id], most: Most) -> Option<Vec<Piece>> {
    let times = most.times;
    let most = times * PIECES_PER_SHADOW * pieces.len();
    let copies = |found: &[Piece]| found.iter().map(|piece| piece.statements.len()).sum::<usize>();
    let most_copies = times * COPIES_PER_SHADOW * copies(pieces);
    let whole = |region: BasicSet, statements: &[usize]| Piece {
        parts: vec![region.clone()],
        region,
        statements: statements.to_vec(),
    };
    let mut found: Vec<Piece> = vec![];
    for piece in pieces {
        let mut next = vec![];
        let mut alone = vec![piece.region.clone()];
        for known in &found {
            let both = known.region.intersect(&piece.region);
            if both.is_empty() {
                next.push(known.clone());
                continue;
            }
            next.extend(minus(&known.region, &piece.region, params)?.into_iter().map(|r| whole(r, &known.statements)));
            let mut shared = whole(both, &known.statements);
            piece.statements.iter().for_each(|&s| add(&mut shared.statements, s));
            next.push(shared);
            let mut rest = vec![];
            for region in &alone {
                rest.extend(minus(region, &known.region, params)?);
            }
            alone = rest;
            if next.len() + alone.len() > most {
                return None;
            }
        }
        next.extend(alone.into_iter().map(|region| whole(region, &piece.statements)));
        found = next;
        if copies(&found) > most_copies {
            return None;
        }
    }
    (found.len() <= most).then_some(found)
}
