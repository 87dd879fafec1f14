//! A finite union of conjunctions at rest, in the narrowest precision that holds it, and the way algorithms are run on it.
//!
//! `exact!(a = &map.pieces, b = &other.pieces => intersect(a, b))` runs the generic function on machine integers, and once more on big
//! ones if an operand needs them or a machine integer overflows on the way. The result is stored with [`Precision::store`]:
//! simplified, without empty or repeated conjunctions, and narrowed back to machine integers where it fits.

use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};
use std::borrow::Cow;
use std::rc::Rc;

/// A union of conjunctions over the same variables.
#[derive(Clone, Debug)]
pub(crate) enum Pieces {
    Machine(Vec<Conjunction<i64>>),
    Wide(Vec<Conjunction<Int>>),
}

impl Pieces {
    pub fn none() -> Rc<Pieces> {
        Rc::new(Pieces::Machine(Vec::new()))
    }

    pub fn len(&self) -> usize {
        match self {
            Pieces::Machine(all) => all.len(),
            Pieces::Wide(all) => all.len(),
        }
    }

    pub fn wide(&self) -> Cow<'_, [Conjunction<Int>]> {
        match self {
            Pieces::Machine(all) => Cow::Owned(all.iter().map(Conjunction::convert).collect()),
            Pieces::Wide(all) => Cow::Borrowed(all),
        }
    }
}

/// The body, with the named pieces as slices of conjunctions in one precision: machine integers if all are and none overflows, else big.
macro_rules! exact {
    ($($name:ident = $pieces:expr),+ => $body:expr) => {{
        $(let $name: &$crate::presburger::algebra::pieces::Pieces = $pieces;)+
        'done: {
            #[allow(irrefutable_let_patterns)]
            if let ($($crate::presburger::algebra::pieces::Pieces::Machine($name),)+) = ($($name,)+) {
                $(let $name: &[$crate::presburger::conjunction::Conjunction<i64>] = $name;)+
                if let Some(result) = $crate::presburger::number::int::unless_overflow(|| $body) {
                    break 'done result;
                }
            }
            $(let $name = $name.wide();)+
            $(let $name: &[$crate::presburger::conjunction::Conjunction<$crate::presburger::number::int::Int>] = &$name;)+
            $body
        }
    }};
}
pub(crate) use exact;

/// A precision in which unions are stored.
pub(crate) trait Precision: Number {
    /// Stores the conjunctions as they are.
    fn keep(pieces: Vec<Conjunction<Self>>) -> Pieces;

    /// Simplifies the conjunctions, drops empty and repeated ones, and stores the rest.
    fn store(mut pieces: Vec<Conjunction<Self>>) -> Rc<Pieces> {
        pieces.iter_mut().filter(|c| !c.simplified).for_each(Conjunction::simplify);
        pieces.retain(|c| !c.is_proved_empty());
        if pieces.len() > 1 {
            drop_repeated(&mut pieces);
        }
        Rc::new(Self::keep(pieces))
    }
}

impl Precision for i64 {
    fn keep(pieces: Vec<Conjunction<i64>>) -> Pieces {
        Pieces::Machine(pieces)
    }
}

impl Precision for Int {
    fn keep(pieces: Vec<Conjunction<Int>>) -> Pieces {
        if pieces.iter().all(fits_machine) {
            Pieces::Machine(pieces.iter().map(Conjunction::convert).collect())
        } else {
            Pieces::Wide(pieces)
        }
    }
}

fn fits_machine(conj: &Conjunction<Int>) -> bool {
    let small = |x: &Int| x.as_i64().is_some();
    let rows = conj.eq.rows().chain(conj.ineq.rows()).chain(conj.divs.rows());
    rows.flatten().all(small)
}

/// Equal rows, whatever is known about them.
pub(crate) fn same_constraints<T: Number>(a: &Conjunction<T>, b: &Conjunction<T>) -> bool {
    a.eq == b.eq && a.ineq == b.ineq && a.divs == b.divs && a.known_empty == b.known_empty
}

fn drop_repeated<T: Number>(pieces: &mut Vec<Conjunction<T>>) {
    if pieces.iter().any(Conjunction::is_universe) {
        pieces.retain(Conjunction::is_universe);
        pieces.truncate(1);
        return;
    }
    let mut kept: Vec<Conjunction<T>> = Vec::with_capacity(pieces.len());
    for piece in pieces.drain(..) {
        crate::presburger::number::budget::spend(1 + kept.len() as u64);
        if !kept.iter().any(|k| same_constraints(k, &piece)) {
            kept.push(piece);
        }
    }
    *pieces = kept;
}

/// The pieces of both, without repetition.
pub(crate) fn unite<T: Number>(a: &[Conjunction<T>], b: &[Conjunction<T>]) -> Vec<Conjunction<T>> {
    a.iter().chain(b).cloned().collect()
}

/// Each piece of one with each of the other. Simplified.
pub(crate) fn intersect<T: Number>(a: &[Conjunction<T>], b: &[Conjunction<T>]) -> Vec<Conjunction<T>> {
    let many = a.len() * b.len() > 1;
    let mut result = Vec::with_capacity(a.len().max(b.len()));
    for x in a {
        for y in b {
            if x.is_universe() || y.is_universe() {
                result.push(if x.is_universe() { y.clone() } else { x.clone() });
                continue;
            }
            if many && super::subtract::plainly_disjoint(x, y) {
                continue;
            }
            let mut both = x.conjoin(y);
            both.simplify();
            if !both.known_empty && !(many && crate::presburger::solve::sample::is_empty(&both)) {
                result.push(both);
            }
        }
    }
    result
}

/// The pieces with rows `[1 | variables]` added: equalities, then inequalities.
pub(crate) fn restrict<T: Number>(
    pieces: &[Conjunction<T>],
    eq: &[Vec<Int>],
    ineq: &[Vec<Int>],
) -> Vec<Conjunction<T>> {
    let mut result = pieces.to_vec();
    for conj in &mut result {
        eq.iter().for_each(|row| conj.add_eq(&widened(row, conj.width())));
        ineq.iter().for_each(|row| conj.add_ineq(&widened(row, conj.width())));
    }
    result
}

/// The row in another precision, with zeros for further columns.
pub(crate) fn widened<T: Number>(row: &[Int], width: usize) -> Vec<T> {
    let mut wide: Vec<T> = row.iter().map(T::from_int).collect();
    wide.resize(width, T::zero());
    wide
}

/// Each piece with its variables placed as [`Conjunction::rearrange`] does.
pub(crate) fn rearrange<T: Number>(pieces: &[Conjunction<T>], sources: &[Option<usize>]) -> Vec<Conjunction<T>> {
    pieces.iter().map(|conj| conj.rearrange(sources)).collect()
}

/// Which constraints are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// Those that mention one of the variables.
    Involving,
    /// Those that mention none of them.
    NotInvolving,
}

/// Without the constraints that mention one, or none, of the variables `first..first + n`, directly or through a local.
pub(crate) fn drop_constraints<T: Number>(
    pieces: &[Conjunction<T>],
    first: usize,
    n: usize,
    dropped: Dropped,
) -> Vec<Conjunction<T>> {
    let one = |conj: &Conjunction<T>| {
        if conj.known_empty {
            return conj.clone();
        }
        let mut marked = vec![false; conj.width()];
        marked[1 + first..1 + first + n].fill(true);
        for l in 0..conj.n_local() {
            let div = conj.divs.row(l);
            marked[1 + conj.n_var + l] =
                !div[0].is_zero() && div[1..].iter().zip(&marked).any(|(x, m)| *m && !x.is_zero());
        }
        let is_involving = |row: &[T]| row.iter().zip(&marked).any(|(x, m)| *m && !x.is_zero());
        let keep = |row: &[T]| is_involving(row) != (dropped == Dropped::Involving);
        let mut result = conj.clone();
        result.eq.retain(keep);
        result.ineq.retain(keep);
        result.touched();
        result
    };
    pieces.iter().map(one).collect()
}
