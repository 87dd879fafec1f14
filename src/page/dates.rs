//! When the new loops run an iteration: the way of its values down the schedule tree.
//!
//! For `floor(i/32)` on all cores, `floor(j/256)`, then `i` and `j`, the iteration `(40, 7)` has the date `1 | 0 | 40, 7`: the core that takes
//! tiles with `1` runs it in its first tile. Divisors are made smaller before, all in one ratio, so that a small picture has several tiles.

use super::sample::{Sample, Sizes, point_of};
use crate::presburger::{DimKind, PwAff, UnionPwAff, UnionSet};
use crate::report::Nest;
use crate::scop::tree::{Node, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The shortest side of a tile in a picture, and the longest.
const SHORTEST: i64 = 3;
const LONGEST: i64 = 6;

/// Divisors up to this are blocks of iterations in registers, not tiles.
pub const MOST_OF_BLOCK: i64 = 8;

/// The order of the new loops.
pub struct Order {
    /// As it is, which tells tiles from other loops.
    tree: Tree,
    /// With smaller tiles.
    small: Tree,
    has_threads: bool,
}

/// When an iteration runs.
#[derive(Clone, Debug, Default)]
pub struct Date {
    values: Vec<i64>,
    /// So many of them say which tile it is.
    tile: Option<usize>,
    /// The one that is shared among cores.
    lane: Option<usize>,
}

impl Order {
    /// The order of a nest that is rewritten.
    pub fn of(nest: &Nest) -> Option<Order> {
        let text = nest.schedule.as_ref()?;
        let has_threads = nest.transformations.iter().any(|each| each.parallel.is_some() || each.shape.is_empty());
        let is_shared = has_threads && nest.loops.as_ref().is_some_and(|loops| loops.contains(" parallel {"));
        Some(Order {
            tree: Tree::parse(text).ok()?,
            small: Tree::parse(&with_small_tiles(text)).ok()?,
            has_threads: is_shared,
        })
    }

    /// When an instance runs, where all parameters are of this size.
    pub fn date(&self, statement: &str, values: &[i64], size: i64) -> Option<Date> {
        let params: BTreeSet<String> =
            self.tree.domain().params_space().params().iter().map(|id| id.as_str().to_string()).collect();
        let sizes: Sizes = params.into_iter().map(|name| (name, size)).collect();
        let instance = Instance { statement, values, sizes };
        let mut date = Date::default();
        instance.walk(self.tree.root(), self.small.root(), &mut date)?;
        if !self.has_threads {
            date.lane = None;
        }
        Some(date)
    }
}

/// An instance on its way down.
struct Instance<'a> {
    statement: &'a str,
    values: &'a [i64],
    sizes: Sizes,
}

impl Instance<'_> {
    fn walk(&self, node: &Node, small: &Node, date: &mut Date) -> Option<()> {
        match (node, small) {
            (Node::Leaf, _) => Some(()),
            (Node::Band { band, child }, Node::Band { band: small, child: below }) => {
                let mut is_tiled = false;
                for member in 0..band.partial.n() {
                    is_tiled |= self.own(band.partial.aff(member)).is_some_and(|aff| divisor(&aff) > MOST_OF_BLOCK);
                    let (value, denominator) = self.value(small.partial.aff(member))?;
                    if band.coincident.get(member) == Some(&true) && date.lane.is_none() {
                        date.lane = Some(date.values.len());
                    }
                    date.values.push(value.div_euclid(denominator));
                }
                if is_tiled {
                    date.tile = Some(date.values.len());
                }
                self.walk(child, below, date)
            }
            (Node::Sequence(children) | Node::Set(children), Node::Sequence(smaller) | Node::Set(smaller)) => {
                let holds = |child: &Node| matches!(child, Node::Filter { filter, .. } if self.is_in(filter));
                // The filters of the small tree may mean other blocks; where none holds, those of the tree itself say it.
                let at = smaller.iter().position(holds).or_else(|| children.iter().position(holds))?;
                date.values.push(at as i64);
                self.walk(&children[at], &smaller[at], date)
            }
            (one, other) => self.walk(one.children().first()?, other.children().first()?, date),
        }
    }

    fn own(&self, union: &UnionPwAff) -> Option<PwAff> {
        let is_own = |aff: &&PwAff| {
            let space = aff.domain_space();
            space.tuple_name(DimKind::Out).is_some_and(|name| name.as_str() == self.statement)
        };
        union.pw_affs().find(is_own).cloned()
    }

    fn value(&self, union: &UnionPwAff) -> Option<(i64, i64)> {
        let aff = self.own(union)?;
        let (value, denominator) = aff.eval(&point_of(aff.domain_space(), &self.sizes, self.values))?;
        Some((value.as_i64()?, denominator.as_i64()?))
    }

    fn is_in(&self, filter: &UnionSet) -> bool {
        filter.sets().any(|set| {
            let is_own = set.space().tuple_name(DimKind::Out).is_some_and(|name| name.as_str() == self.statement);
            is_own && set.contains(&point_of(set.space(), &self.sizes, self.values))
        })
    }
}

/// The largest number that something is divided by.
fn divisor(aff: &PwAff) -> i64 {
    divisors(&aff.to_string()).into_iter().max().unwrap_or(1)
}

/// The numbers that follow `)/` in a text.
fn divisors(text: &str) -> Vec<i64> {
    text.split(")/").skip(1).filter_map(|rest| number(rest).parse().ok()).collect()
}

fn number(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// Divisors that make tiles, each with the one it has in pictures.
pub fn small_sides(text: &str) -> BTreeMap<i64, i64> {
    let large: BTreeSet<i64> = divisors(text).into_iter().filter(|divisor| *divisor > MOST_OF_BLOCK).collect();
    let Some(least) = large.first().copied() else { return BTreeMap::new() };
    let small = |divisor: i64| (divisor * SHORTEST / least).clamp(SHORTEST, LONGEST);
    large.into_iter().map(|divisor| (divisor, small(divisor))).collect()
}

/// The text of a tree with smaller tiles; blocks become single iterations.
fn with_small_tiles(text: &str) -> String {
    let sides = small_sides(text);
    let mut parts = text.split(")/");
    let mut small = parts.next().unwrap_or_default().to_string();
    for rest in parts {
        let own = number(rest);
        let side = own.parse().ok().map_or(1, |own: i64| sides.get(&own).copied().unwrap_or(1));
        small.push_str(&format!(")/{side}{}", &rest[own.len()..]));
    }
    small
}

/// Gives the points of a sample their tiles, who runs them, and when: in one step every core runs a tile, or a few iterations if there are none.
pub fn dated(sample: &mut Sample, dates: Vec<Option<Date>>) {
    let Some(dates) = dates.into_iter().collect::<Option<Vec<Date>>>() else { return };
    let unit = |date: &Date| date.values[..date.tile.unwrap_or(date.values.len())].to_vec();
    let tiles: BTreeSet<Vec<i64>> = dates.iter().filter(|date| date.tile.is_some()).map(unit).collect();
    let before = |date: &Date| date.values[..date.lane.unwrap_or(0)].to_vec();
    let lane = |date: &Date| date.lane.map(|at| date.values[..=at].to_vec());
    // What runs before a shared loop is over when the loop starts: the steps of each of its runs come after those of the one before.
    let mut runs: BTreeMap<Vec<i64>, BTreeMap<Option<Vec<i64>>, BTreeSet<Vec<i64>>>> = BTreeMap::new();
    for date in &dates {
        runs.entry(before(date)).or_default().entry(lane(date)).or_default().insert(unit(date));
    }
    let mut starts: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
    let mut steps = 0;
    for (run, lanes) in &runs {
        starts.insert(run.clone(), steps);
        steps += lanes.values().map(BTreeSet::len).max().unwrap_or(0);
    }
    let lanes: BTreeSet<Vec<i64>> = dates.iter().filter_map(lane).collect();
    for (point, date) in sample.points.iter_mut().zip(&dates) {
        let own = unit(date);
        let run = before(date);
        let place = runs[&run][&lane(date)].iter().position(|other| *other == own).unwrap_or(0);
        point.step = starts[&run] + place;
        point.tile = date.tile.and_then(|_| tiles.iter().position(|tile| *tile == own));
        point.lane = lane(date).and_then(|own| lanes.iter().position(|other| *other == own));
    }
    sample.steps = steps;
    sample.lanes = lanes.len();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_made_small_in_one_ratio() {
        let text = "[{ S[i, j] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((2i + j)/64))] }] floor((i)/4)";
        let expected = "[{ S[i, j] -> [(floor((i)/3))] }, { S[i, j] -> [(floor((2i + j)/6))] }] floor((i)/1)";
        assert_eq!(with_small_tiles(text), expected);
        assert_eq!(small_sides("[{ S[i] -> [(i)] }]"), BTreeMap::new());
    }
}
