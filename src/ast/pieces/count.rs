//! Guards or copies: the choice that is less code, and no more branches than need be.
//!
//! `S` for `1 <= c <= N` and `T` for `1 <= c <= M` are, separated, three loops with four statements. Their union cut into pieces is one loop up to
//! `N` with `S` and a guarded `T`, and one from `N + 1` to `M` with `T`: two loops, three statements, one guard. No iteration of either is empty; what the
//! guard costs while running, the separated loops cost in code. Here code decides, and of two that are equal the one without guards is taken.
//!
//! By *volume*, what guards cost while running decides as well, as Quilleré, Rajopadhye and Wilde propose for the future (section 6.1): how often guards are evaluated is counted, at some
//! values of the parameters, and a way that has one guard for each instance counts as twice its code. Where counting takes too long, code decides. On the 26 cases of `scripts/bench-ast`, the
//! loops are a sixth larger than those chosen by size (separated everywhere: a quarter) and evaluate a fifth fewer conditions (everywhere: hardly fewer, 23 %).
//!
//! Regions that differ in what they say of outer dimensions, as `N >= 1, 0 <= c < M` and `K >= 1, 0 <= c < M`, are also tried without that: one loop with
//! two guards instead of three loops.
//!
//! Implements: 003 6.1

use super::piece::{PIECES_PER_SHADOW, Piece, USUAL, add, is_fixed, separated};
use crate::ast::rows::region::{Relation, constrained, implies, minus, rows};
use crate::presburger::int::Number;
use crate::presburger::{BasicSet, DimKind, Id, Int, Set, within};

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ast) enum Price {
    /// How much code there is.
    Size,
    /// That, and how often guards are evaluated.
    Volume,
}

/// Steps that counting may take.
const MOST_STEPS: u64 = 200_000;

/// Values of the parameters at which it is counted: the first one's, and how much more each further one is.
const FIRST: i64 = 64;
const FURTHER: i64 = 16;

/// The pieces, which meet, separated or with their union cut; `None` if neither can be.
pub(in crate::ast) fn cheaper(
    pieces: &[Piece],
    (weight, price): (&dyn Fn(usize) -> usize, Price),
    context: &BasicSet,
    params: &[Id],
) -> Option<Vec<Piece>> {
    let code = Code { pieces, weight, context, params };
    let loose = loosened(pieces, context, params).and_then(|loose| {
        let cut = cut_union(&loose, params)?;
        fills(&loose, &cut, params).then_some(cut)
    });
    let ways = [separated(pieces, params, USUAL), cut_union(pieces, params), loose];
    let ways: Vec<Vec<Piece>> = ways.into_iter().flatten().collect();
    let by_volume = match price {
        Price::Size => None,
        Price::Volume => within(MOST_STEPS, || code.prices(&ways)).ok().flatten(),
    };
    let prices = by_volume.unwrap_or_else(|| ways.iter().map(|way| code.size(way) as u128).collect());
    ways.into_iter().zip(prices).min_by_key(|(_, price)| *price).map(|(way, _)| way)
}

/// Whether each of the pieces that occurs in a part of the cut is all of that part: then only outer dimensions decide about it.
fn fills(pieces: &[Piece], cut: &[Piece], params: &[Id]) -> bool {
    let regions = || pieces.iter().flat_map(|piece| &piece.parts);
    let all =
        |region: &BasicSet, part: &BasicSet| rows(region, params).relations.iter().all(|r| implies(part, r, params));
    cut.iter()
        .all(|part| regions().all(|region| all(region, &part.region) || region.intersect(&part.region).is_empty()))
}

/// The pieces without what they say of outer dimensions alone, if they say anything.
fn loosened(pieces: &[Piece], context: &BasicSet, params: &[Id]) -> Option<Vec<Piece>> {
    let mut says = false;
    let mut loose = |region: &BasicSet| {
        let last = params.len() + region.dim(DimKind::Out) - 1;
        let mut relations = rows(&region.gist(context), params).relations;
        let all = relations.len();
        relations.retain(|relation| !relation.row.coefficients[last].is_zero());
        says |= relations.len() < all;
        constrained(context, params, &relations)
    };
    let mut piece = |piece: &Piece| {
        let parts: Vec<BasicSet> = piece.parts.iter().map(&mut loose).collect();
        Piece { region: loose(&piece.region), parts, statements: piece.statements.clone() }
    };
    let all = pieces.iter().map(&mut piece).collect();
    says.then_some(all)
}

/// Disjoint pieces of the union, each with all statements that occur in it.
fn cut_union(pieces: &[Piece], params: &[Id]) -> Option<Vec<Piece>> {
    let regions = pieces.iter().flat_map(|piece| &piece.parts).map(BasicSet::to_set);
    let union: Set = regions.reduce(|all, next| all.union(&next))?.coalesce();
    let mut cut: Vec<BasicSet> = vec![];
    for region in joined(union.pieces()) {
        if region.n_local() > 0 {
            return None;
        }
        let mut rest = vec![region];
        for known in &cut {
            let parts: Option<Vec<Vec<BasicSet>>> = rest.iter().map(|part| minus(part, known, params)).collect();
            rest = parts?.into_iter().flatten().collect();
        }
        cut.extend(rest);
        if cut.len() > PIECES_PER_SHADOW * pieces.len() {
            return None;
        }
    }
    let piece = |region: BasicSet| {
        let mut statements = vec![];
        let meeting = pieces.iter().filter(|piece| piece.parts.iter().any(|part| !part.intersect(&region).is_empty()));
        meeting.flat_map(|piece| &piece.statements).for_each(|&s| add(&mut statements, s));
        Piece { parts: vec![region.clone()], region, statements }
    };
    Some(cut.into_iter().map(piece).collect())
}

/// The regions with those made one whose hull is no more than both.
fn joined(mut regions: Vec<BasicSet>) -> Vec<BasicSet> {
    let mut at = 0;
    while at < regions.len() {
        let one = |other: usize| {
            let both = regions[at].to_set().union(&regions[other].to_set());
            let hull = both.simple_hull();
            hull.to_set().is_subset(&both).then_some((other, hull))
        };
        match (at + 1..regions.len()).find_map(one) {
            Some((other, hull)) => {
                regions[at] = hull;
                regions.remove(other);
                at = 0;
            }
            None => at += 1,
        }
    }
    regions
}

/// How much code pieces become.
struct Code<'c> {
    /// What was to be separated.
    pieces: &'c [Piece],
    weight: &'c dyn Fn(usize) -> usize,
    context: &'c BasicSet,
    params: &'c [Id],
}

impl Code<'_> {
    /// Statements, loops and guards. The loops inside of this one take up the guards of a statement that has some.
    fn size(&self, pieces: &[Piece]) -> usize {
        pieces.iter().map(|piece| self.size_of(piece)).sum()
    }

    /// What each way costs: its code, more by what its guards take while running.
    fn prices(&self, ways: &[Vec<Piece>]) -> Option<Vec<u128>> {
        let point = self.point()?;
        let all = self.pieces.iter().map(|piece| Some(self.volume(piece, &point)? * piece.statements.len() as u128));
        let instances: u128 = all.sum::<Option<u128>>()?.max(1);
        let price = |way: &Vec<Piece>| {
            let guards = |piece: &Piece| {
                let guarded = piece.statements.iter().filter(|&&s| !self.is_everywhere(s, &piece.region)).count();
                if guarded == 0 { Some(0) } else { Some(self.volume(piece, &point)? * guarded as u128) }
            };
            let evaluated: u128 = way.iter().map(guards).sum::<Option<u128>>()?;
            Some(self.size(way) as u128 * (instances + evaluated))
        };
        ways.iter().map(price).collect()
    }

    /// Some values of the parameters for which the pieces are of a good size.
    fn point(&self) -> Option<Vec<Int>> {
        let known = self.context.to_set().params();
        let wish: Vec<Int> = (0..self.params.len()).map(|p| Int::from(FIRST + FURTHER * p as i64)).collect();
        if known.contains(&wish) { Some(wish) } else { known.sample() }
    }

    /// How many values the dimensions take in the region of a piece.
    fn volume(&self, piece: &Piece, point: &[Int]) -> Option<u128> {
        let region = piece.region.intersect(self.context).to_set();
        let values = point.iter().enumerate();
        let here = values.fold(region, |region, (p, value)| region.fix(DimKind::Param, p, value));
        here.count()?.as_i64().and_then(|count| u128::try_from(count).ok())
    }

    fn size_of(&self, piece: &Piece) -> usize {
        let statement = |&s: &usize| match (self.weight)(s) {
            1 => 1 + usize::from(!self.is_everywhere(s, &piece.region)),
            nest => nest,
        };
        let statements: usize = piece.statements.iter().map(statement).sum();
        let fixed = is_fixed(&piece.region, self.params);
        statements + usize::from(!fixed) + usize::from(self.is_guarded(piece, fixed))
    }

    /// The regions in which the statement occurs.
    fn regions(&self, statement: usize) -> impl Iterator<Item = &BasicSet> {
        let with = move |piece: &&Piece| piece.statements.binary_search(&statement).is_ok();
        self.pieces.iter().filter(with).flat_map(|piece| &piece.parts)
    }

    fn is_everywhere(&self, statement: usize, region: &BasicSet) -> bool {
        let own = self.regions(statement).map(BasicSet::to_set);
        own.reduce(|all, next| all.union(&next)).is_some_and(|own| region.to_set().is_subset(&own))
    }

    /// Whether a condition on the outer dimensions stands before the piece. A loop that is empty where it does not hold needs none.
    fn is_guarded(&self, piece: &Piece, fixed: bool) -> bool {
        let last = self.params.len() + piece.region.dim(DimKind::Out) - 1;
        let simple = rows(&piece.region.gist(self.context), self.params);
        let outer = |relation: &&Relation| relation.row.coefficients[last].is_zero();
        let holds_anyway = |relation: &Relation| {
            let mut regions = piece.statements.iter().flat_map(|&s| self.regions(s));
            !fixed && regions.all(|region| implies(region, relation, self.params))
        };
        simple.relations.iter().filter(outer).any(|relation| !holds_anyway(relation))
    }
}
