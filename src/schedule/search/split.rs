//! Index-set splitting: statements taken apart where their dependences change.
//!
//! In
//!
//! ```text
//! for k  for i  for j: S: p[i][j] = min(p[i][j], p[i][k] + p[k][j])
//! ```
//!
//! the loop over `i` cannot be parallel, since all of its iterations read the row `p[k]` and one, `i = k`, writes it. Those before `i = k` depend on nothing but
//! earlier `k`, and so do those after it once `i = k` has run: with `S` split into `i < k`, `i = k` and `i > k`, and these in the same way along `j`,
//! the nine parts run one after the other and the large ones in parallel. Where to split is read off the dependences: at equalities (`i = k`) that
//! hold for all sources, or all sinks, of one of them and not for all of the statement (after Griebl, Feautrier and Lengauer, "Index Set
//! Splitting", IJPP 28(6), 2000, who search for splits that shorten schedules). So it is where a statement touches another element than elsewhere:
//! `e[i] = x[i] - x[i == 0 ? n - 1 : i - 1]` runs in vectors but for `i = 0`.
//!
//! The parts are scheduled as statements of their own, with names of their own; then the tree is put back on the original ones, where each part
//! is a piece of the domain. Splitting is tried only where nothing else has paid: it multiplies code.

use crate::presburger::int::Number;
use crate::presburger::{Aff, Constraint, ConstraintKind, DimKind, Int, Map, Set, UnionMap, UnionPwMultiAff, UnionSet};
use crate::schedule::model::problem::{Constraints, Demand};
use crate::schedule::model::reference::Touch;
use crate::scop::tree::{Band, Node, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// So many times at most is a statement split: nine parts.
const MOST_SPLITS: usize = 2;
/// More parts than this, those of one statement and two equalities, are code that takes longer to compile than it saves: each part has tiles, blocks and
/// bounds of its own (measured: thirteen parts were 46 times the instructions, at half the speed).
const MOST_PARTS: usize = 9;

/// Where a statement is cut: a row over `[constant, parameters, iterators]` whose first coefficient of an iterator is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cut {
    /// Into what is before the row's zeros, they, and what is behind.
    At(Vec<i64>),
    /// Into what is before them, and the rest.
    From(Vec<i64>),
}

/// A problem whose statements are parts of another's.
pub(crate) struct Split {
    /// The problem of the parts.
    pub constraints: Constraints,
    /// For each part, the statement that it is of.
    pub whole: Vec<usize>,
    /// Instances of statements to instances of their parts.
    pub parts: UnionMap,
    /// What was done, for whoever asks.
    pub description: String,
}

impl Split {
    /// The parts of the statements, if any has to be split.
    pub fn of(constraints: &Constraints) -> Option<Split> {
        if constraints.domains.len() >= MOST_PARTS {
            return None;
        }
        let with_all_params = |domain: &Set| {
            let related = constraints.relations.iter().map(|(map, _)| map);
            let touched = constraints.touched.iter().map(|touch| &touch.relation);
            related.chain(touched).fold(domain.clone(), |set, map| set.align_params(map.space()))
        };
        let whole: Vec<Set> = constraints.domains.iter().map(with_all_params).collect();
        let cuts: Vec<Vec<Cut>> = whole.iter().enumerate().map(|(s, domain)| cuts(s, domain, constraints)).collect();
        let mut split = Split {
            constraints: Constraints {
                domains: vec![],
                relations: vec![],
                touched: vec![],
                work: vec![],
                scalars: constraints.scalars.clone(),
                machine: constraints.machine,
            },
            whole: vec![],
            parts: UnionMap::empty(&[]),
            description: String::new(),
        };
        let mut domains: Vec<Set> = Vec::new();
        for (s, (domain, cuts)) in whole.iter().zip(&cuts).enumerate() {
            for part in parts(domain, cuts) {
                let name = part_name(domain, domains.len());
                let renamed = part.set_tuple_name(DimKind::Out, Some(&name));
                split.parts = split.parts.union(&UnionMap::from_map(&renaming(&part, &renamed)));
                split.whole.push(s);
                split.constraints.domains.push(renamed);
                split.constraints.work.push(constraints.work[s]);
                domains.push(part);
            }
        }
        if domains.len() == constraints.domains.len() || domains.len() > MOST_PARTS {
            return None;
        }
        split.relate(constraints, &domains)?;
        for (part, s) in split.whole.iter().enumerate() {
            let name = named(&split.constraints.domains[part])?;
            let own = constraints.touched.iter().filter(|touch| touch.statement == *s);
            let renamed = own.map(|touch| {
                let relation = touch.relation.intersect_domain(&domains[part]);
                let relation = relation.set_tuple_name(DimKind::In, Some(&name));
                Touch { statement: part, relation, ..touch.clone() }
            });
            split.constraints.touched.extend(renamed);
        }
        let split_ones = cuts.iter().zip(&whole).filter(|(cuts, _)| !cuts.is_empty());
        let text = |(cuts, domain): (&Vec<Cut>, &Set)| {
            let cuts: Vec<String> = cuts.iter().map(|cut| cut.text(domain)).collect();
            format!("{} split at {}", named(domain).unwrap_or_default(), cuts.join(", "))
        };
        split.description = split_ones.map(text).collect::<Vec<_>>().join(", ");
        Some(split)
    }

    /// Adds the relations between parts, which have these domains.
    fn relate(&mut self, constraints: &Constraints, domains: &[Set]) -> Option<()> {
        let at = |map: &Map, end: DimKind, part: usize| {
            map.space().tuple_name(end).map(|n| n.as_str().to_string()) == named(&domains[part])
        };
        for (map, role) in &constraints.relations {
            for source in (0..domains.len()).filter(|p| at(map, DimKind::In, *p)) {
                let from = map.intersect_domain(&domains[source]);
                for sink in (0..domains.len()).filter(|p| at(map, DimKind::Out, *p)) {
                    let between = from.intersect_range(&domains[sink]);
                    if between.is_empty() {
                        continue;
                    }
                    let parts = &self.constraints.domains;
                    let (first, second) = (named(&parts[source])?, named(&parts[sink])?);
                    let between =
                        between.set_tuple_name(DimKind::In, Some(&first)).set_tuple_name(DimKind::Out, Some(&second));
                    self.constraints.relations.push((between, *role));
                }
            }
        }
        Some(())
    }

    /// A tree over the parts as one over the statements.
    pub fn put_together(&self, tree: &Tree, domain: &UnionSet) -> Option<Tree> {
        let to_parts = UnionPwMultiAff::from_union_map(&self.parts)?;
        let Node::Domain { child, .. } = tree.root() else { return None };
        let child = Box::new(together(child, &self.parts.reverse(), &to_parts));
        Some(Tree::from_root(Node::Domain { domain: domain.clone(), child }))
    }
}

/// The name of a statement or part with this domain.
fn named(domain: &Set) -> Option<String> {
    Some(domain.space().tuple_name(DimKind::Out)?.as_str().to_string())
}

fn together(node: &Node, back: &UnionMap, to_parts: &UnionPwMultiAff) -> Node {
    let below = |child: &Node| Box::new(together(child, back, to_parts));
    let each = |children: &[Node]| children.iter().map(|child| together(child, back, to_parts)).collect();
    match node {
        Node::Filter { filter, child } => Node::Filter { filter: filter.apply(back), child: below(child) },
        Node::Band { band, child } => {
            let band = Band { partial: band.partial.pullback(to_parts), ..band.clone() };
            Node::Band { band, child: below(child) }
        }
        Node::Mark { id, child } => Node::Mark { id: id.clone(), child: below(child) },
        Node::Sequence(children) => Node::Sequence(each(children)),
        Node::Set(children) => Node::Set(each(children)),
        other => other.clone(),
    }
}

/// The name of a part: that of its statement and a number, as no name in a model is written.
fn part_name(domain: &Set, number: usize) -> String {
    let name = domain.space().tuple_name(DimKind::Out).map_or("", |n| n.as_str());
    format!("{name}/{number}")
}

fn renaming(part: &Set, renamed: &Set) -> Map {
    let all = Map::from_domain_and_range(part, renamed);
    (0..part.dim(DimKind::Out)).fold(all, |map, d| map.equate(DimKind::In, d, DimKind::Out, d))
}

/// Where the `s`-th statement is split, whose domain has all parameters of the dependences and of what is touched.
fn cuts(s: usize, domain: &Set, constraints: &Constraints) -> Vec<Cut> {
    let mut rows: Vec<Cut> = cuts_of_dependences(domain, constraints).into_iter().map(Cut::At).collect();
    for cut in cuts_of_references(s, domain, constraints) {
        if !rows.contains(&cut) {
            rows.push(cut);
        }
    }
    rows.truncate(MOST_SPLITS);
    rows
}

/// Equalities between iterators that hold at one end of a dependence and not everywhere, the most frequent ones first.
fn cuts_of_dependences(domain: &Set, constraints: &Constraints) -> Vec<Vec<i64>> {
    let everywhere = equalities(domain);
    let mut found: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
    for (map, _) in constraints.relations.iter().filter(|(_, role)| role.asks(Demand::Order)) {
        for piece in map.pieces() {
            let piece = piece.to_map();
            for end in [piece.domain(), piece.range()] {
                if end.space().has_equal_tuples(domain.space()) {
                    let rows = equalities(&end.align_params(domain.space()));
                    rows.into_iter().for_each(|row| *found.entry(row).or_default() += 1);
                }
            }
        }
    }
    let n_param = domain.dim(DimKind::Param);
    let iterators = |row: &[i64]| row[1 + n_param..].iter().filter(|c| **c != 0).count();
    found.retain(|row, _| iterators(row) > 1 && !everywhere.contains(row));
    let mut rows: Vec<(Vec<i64>, usize)> = found.into_iter().collect();
    rows.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    rows.into_iter().map(|(row, _)| row).collect()
}

/// Where the statement touches another element than elsewhere, by inner iterators first: in one iteration, or from one on.
fn cuts_of_references(s: usize, domain: &Set, constraints: &Constraints) -> Vec<Cut> {
    let everywhere = equalities(domain);
    let n_param = domain.dim(DimKind::Param);
    let innermost = |row: &[i64]| row[1 + n_param..].iter().rposition(|c| *c != 0);
    let (mut at, mut from) = (BTreeSet::new(), BTreeSet::new());
    for touch in constraints.touched.iter().filter(|touch| touch.statement == s) {
        let pieces = touch.relation.pieces();
        for piece in pieces.iter().filter(|_| pieces.len() > 1) {
            let part = piece.to_map().domain().align_params(domain.space());
            at.extend(equalities(&part));
            from.extend(beginnings(&part, domain));
        }
    }
    at.retain(|row| innermost(row).is_some() && !everywhere.contains(row));
    let is_beside = |row: &Vec<i64>| [0, 1].iter().any(|by| at.contains(&[&[row[0] + by], &row[1..]].concat()));
    from.retain(|row| !is_beside(row));
    let mut cuts: Vec<Cut> = at.into_iter().map(Cut::At).chain(from.into_iter().map(Cut::From)).collect();
    cuts.sort_by_key(|cut| std::cmp::Reverse(innermost(cut.row())));
    cuts
}

/// Rows that are not negative on one side of what bounds a part within the domain.
fn beginnings(part: &Set, domain: &Set) -> Vec<Vec<i64>> {
    let up = |row: Vec<i64>| match sign(domain, &row)? {
        1 => Some(row),
        _ => Some(row.iter().enumerate().map(|(at, c)| if at == 0 { -c - 1 } else { -c }).collect()),
    };
    let inside = part.gist(domain).pieces();
    let constraints = inside.iter().flat_map(|piece| piece.constraints());
    constraints.filter_map(|c| row(domain, ConstraintKind::Inequality, &c)).filter_map(up).collect()
}

/// The equalities of a set's affine hull without locals, as `[constant, parameters, iterators]` whose first coefficient of an iterator is positive.
fn equalities(set: &Set) -> Vec<Vec<i64>> {
    let up = |row: Vec<i64>| {
        let sign = sign(set, &row)?;
        Some(row.iter().map(|c| c * sign).collect())
    };
    let constraints = set.affine_hull().constraints();
    constraints.iter().filter_map(|c| row(set, ConstraintKind::Equality, c)).filter_map(up).collect()
}

/// `[constant, parameters, iterators]` of a constraint of this kind without locals on elements of the set.
fn row(set: &Set, kind: ConstraintKind, constraint: &Constraint) -> Option<Vec<i64>> {
    let (own, locals) = constraint.coefficients.split_at(set.dim(DimKind::Param) + set.dim(DimKind::Out));
    if constraint.kind != kind || !locals.iter().all(Number::is_zero) {
        return None;
    }
    [&constraint.constant].into_iter().chain(own).map(Int::as_i64).collect()
}

/// The sign of the first coefficient of an iterator in a row; none if there is none.
fn sign(set: &Set, row: &[i64]) -> Option<i64> {
    Some(row[1 + set.dim(DimKind::Param)..].iter().find(|c| **c != 0)?.signum())
}

/// The domain on each side of each cut.
fn parts(domain: &Set, cuts: &[Cut]) -> Vec<Set> {
    cuts.iter().fold(vec![domain.clone()], |parts, cut| {
        let row = cut.row();
        let cells: Vec<Int> = row[1..].iter().map(|c| Int::from(*c)).collect();
        let aff = Aff::from_parts(domain.space(), &[], &Int::from(row[0]), &cells, &Int::from(1));
        let before = aff.neg().add_constant(&Int::from(-1)).nonneg_set();
        let sides = match cut {
            Cut::At(_) => vec![before, aff.zero_set(), aff.add_constant(&Int::from(-1)).nonneg_set()],
            Cut::From(_) => vec![before, aff.nonneg_set()],
        };
        let cut_up = parts.iter().flat_map(|part| sides.iter().map(move |side| part.intersect(side)));
        cut_up.filter(|part| !part.is_empty()).collect()
    })
}

impl Cut {
    fn row(&self) -> &[i64] {
        match self {
            Cut::At(row) | Cut::From(row) => row,
        }
    }

    /// `i = k` or `i >= k`, for the row `i - k`.
    fn text(&self, domain: &Set) -> String {
        let [positive, negative] = sides(domain, self.row());
        let relation = if matches!(self, Cut::At(_)) { "=" } else { ">=" };
        format!("{positive} {relation} {negative}")
    }
}

/// `i` and `k` for the row `i - k`.
fn sides(domain: &Set, row: &[i64]) -> [String; 2] {
    let space = domain.space();
    let n_param = domain.dim(DimKind::Param);
    let name = |at: usize| match at {
        0 => None,
        p if p <= n_param => Some(space.params()[p - 1].to_string()),
        i => Some(space.shown_name(i - n_param - 1)),
    };
    let side = |sign: i64| {
        let own = row.iter().enumerate().rev().filter(|(_, c)| c.signum() == sign);
        let terms: Vec<String> = own
            .map(|(at, c)| match (c.abs(), name(at)) {
                (c, None) => c.to_string(),
                (1, Some(name)) => name,
                (c, Some(name)) => format!("{c}*{name}"),
            })
            .collect();
        if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
    };
    [side(1), side(-1)]
}
