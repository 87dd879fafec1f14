//! When the new loops run an iteration: the way of its values down the schedule tree.
//!
//! For `floor(i/32)` on all cores, `floor(j/256)`, then `i` and `j`, the iteration `(40, 7)` has the date `1 | 0 | 40, 7`: the core that takes
//! tiles with `1` runs it in its first tile. Divisors are smaller than they are, all in one ratio, so that a small picture has several tiles.

use super::function::Function;
use super::points::{Colours, Sample, Sizes, point_of};
use crate::presburger::{DimKind, UnionPwAff, UnionSet};
use crate::report::Nest;
use crate::scop::marks::PIPELINE;
use crate::scop::tree::{Band, Node, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The shortest side of a tile in a picture, for each unit that an iteration moves; and of one whose tiles run in waves.
const SHORTEST: i64 = 3;
const SHORTEST_OF_WAVE: i64 = 4;

/// The longest side, in shortest ones.
const LONGEST: i64 = 2;

/// Divisors up to this are blocks of iterations in registers, not tiles.
const MOST_OF_BLOCK: i64 = 8;

/// The order of the new loops.
pub struct Order {
    steps: Step,
    params: Vec<String>,
    /// For each divisor that makes tiles the one that pictures have.
    sides: BTreeMap<i64, i64>,
    is_shared: bool,
}

/// A schedule tree, read once: pictures ask it for each of their points.
enum Step {
    Leaf,
    Band {
        members: Vec<Member>,
        below: Box<Step>,
    },
    /// One after the other.
    Choice(Vec<(UnionSet, Step)>),
}

/// A loop: what it counts, for each statement.
struct Member {
    is_coincident: bool,
    functions: BTreeMap<String, Counted>,
}

struct Counted {
    function: Function,
    iterators: Vec<Option<String>>,
    is_tiled: bool,
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
        let tree = Tree::parse(nest.schedule.as_ref()?).ok()?;
        let is_shared = nest
            .loops
            .as_ref()
            .is_some_and(|loops| [" coincident parallel", " pipelined"].iter().any(|word| loops.contains(word)));
        let params = tree.domain().params_space();
        let params = params.params().iter().map(|name| name.as_str().to_string()).collect();
        Some(Order { steps: Step::of(tree.root()), params, sides: small_sides(&tree), is_shared })
    }

    /// For each side of a tile the one that pictures have.
    pub fn sides(&self) -> &BTreeMap<i64, i64> {
        &self.sides
    }

    /// When an instance runs, where all parameters are of this size.
    pub fn date(&self, statement: &str, values: &[i64], size: i64) -> Option<Date> {
        let sizes: Sizes = self.params.iter().map(|name| (name.clone(), size)).collect();
        let instance = Instance { statement, values, sizes, sides: &self.sides };
        let mut date = Date::default();
        instance.walk(&self.steps, &mut date)?;
        if !self.is_shared {
            date.lane = None;
        }
        Some(date)
    }
}

impl Step {
    fn of(node: &Node) -> Step {
        match node {
            Node::Leaf => Step::Leaf,
            Node::Band { band, child } => Step::of_band(band, child, |at| band.coincident.get(at) == Some(&true)),
            Node::Mark { id, child } if id.as_str() == PIPELINE => match &**child {
                Node::Band { band, child } => Step::of_band(band, child, |at| at == 1),
                other => Step::of(other),
            },
            Node::Sequence(children) | Node::Set(children) => {
                let own = children.iter().filter_map(|child| match child {
                    Node::Filter { filter, .. } => Some((filter.clone(), Step::of(child))),
                    _ => None,
                });
                Step::Choice(own.collect())
            }
            other => other.children().first().map_or(Step::Leaf, |child| Step::of(child)),
        }
    }

    /// A band of which some members, by their places, are shared among cores.
    fn of_band(band: &Band, child: &Node, is_shared: impl Fn(usize) -> bool) -> Step {
        let member = |at: usize| Member { is_coincident: is_shared(at), functions: counted(band.partial.aff(at)) };
        let members = (0..band.partial.n()).map(member).collect();
        Step::Band { members, below: Box::new(Step::of(child)) }
    }
}

/// What a loop counts, for each statement of whose function the form is known.
fn counted(union: &UnionPwAff) -> BTreeMap<String, Counted> {
    let one = |aff: &crate::presburger::PwAff| {
        let space = aff.domain_space();
        let name = space.tuple_name(DimKind::Out)?.as_str().to_string();
        let function = Function::of_map(&aff.to_string())?;
        let iterator = |d: usize| space.dim_name(DimKind::Out, d).map(|name| name.as_str().to_string());
        let iterators = (0..space.dim(DimKind::Out)).map(iterator).collect();
        let is_tiled = function.divisors().keys().any(|divisor| *divisor > MOST_OF_BLOCK);
        Some((name, Counted { function, iterators, is_tiled }))
    };
    union.pw_affs().filter_map(one).collect()
}

/// An instance on its way down.
struct Instance<'a> {
    statement: &'a str,
    values: &'a [i64],
    sizes: Sizes,
    sides: &'a BTreeMap<i64, i64>,
}

impl Instance<'_> {
    fn walk(&self, step: &Step, date: &mut Date) -> Option<()> {
        match step {
            Step::Leaf => Some(()),
            Step::Band { members, below } => {
                let mut is_tiled = false;
                for member in members {
                    let counted = member.functions.get(self.statement)?;
                    is_tiled |= counted.is_tiled;
                    if member.is_coincident && date.lane.is_none() {
                        date.lane = Some(date.values.len());
                    }
                    date.values.push(self.value(counted));
                }
                if is_tiled {
                    date.tile = Some(date.values.len());
                }
                self.walk(below, date)
            }
            Step::Choice(parts) => {
                let at = parts.iter().position(|(filter, _)| self.is_in(filter))?;
                date.values.push(at as i64);
                self.walk(&parts[at].1, date)
            }
        }
    }

    fn value(&self, counted: &Counted) -> i64 {
        let value = |name: &str| match counted.iterators.iter().position(|iterator| iterator.as_deref() == Some(name)) {
            Some(d) => self.values[d],
            None => self.sizes.get(name).copied().unwrap_or(0),
        };
        let divisor = |own: i64| if own > MOST_OF_BLOCK { self.sides.get(&own).copied().unwrap_or(own) } else { 1 };
        counted.function.value(&value, &divisor)
    }

    fn is_in(&self, filter: &UnionSet) -> bool {
        filter.sets().any(|set| {
            let is_own = set.space().tuple_name(DimKind::Out).is_some_and(|name| name.as_str() == self.statement);
            is_own && set.contains(&point_of(set.space(), &self.sizes, self.values))
        })
    }
}

/// Divisors that make tiles, each with the one it has in pictures: all in one ratio, as far as they are neither too short to be seen nor too long.
fn small_sides(tree: &Tree) -> BTreeMap<i64, i64> {
    let mut large: BTreeMap<i64, i64> = BTreeMap::new();
    let mut has_waves = false;
    let mut pending = vec![tree.root()];
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        let Node::Band { band, .. } = node else { continue };
        let functions = band.partial.affs().iter().flat_map(UnionPwAff::pw_affs);
        for function in functions.filter_map(|aff| Function::of_map(&aff.to_string())) {
            let tiles = function.divisors().into_iter().filter(|(divisor, _)| *divisor > MOST_OF_BLOCK);
            has_waves |= function.is_wave();
            for (divisor, coefficient) in tiles {
                let known = large.entry(divisor).or_insert(1);
                *known = coefficient.max(*known);
            }
        }
    }
    let Some(least) = large.keys().next().copied() else { return BTreeMap::new() };
    let shortest = if has_waves { SHORTEST_OF_WAVE } else { SHORTEST } * large.values().max().copied().unwrap_or(1);
    let small = |divisor: i64| (divisor * shortest / least).clamp(shortest, LONGEST * shortest);
    large.into_keys().map(|divisor| (divisor, small(divisor))).collect()
}

/// Gives the points of a sample their tiles, who runs them, and when: in one step every core runs a tile, or a few iterations if there are none.
pub fn dated(sample: &mut Sample, dates: Vec<Option<Date>>) {
    let Some(dates) = dates.into_iter().collect::<Option<Vec<Date>>>() else { return };
    let unit = |date: &Date| date.values[..date.tile.unwrap_or(date.values.len())].to_vec();
    let tiles: BTreeSet<Vec<i64>> = dates.iter().filter(|date| date.tile.is_some()).map(unit).collect();
    // What no loop shares runs alone.
    let before = |date: &Date| date.lane.map_or_else(|| unit(date), |lane| date.values[..lane].to_vec());
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
    sample.colours = match (tiles.is_empty(), runs.len()) {
        (false, _) => Colours::Tiles,
        (true, n) if n > 1 && !lanes.is_empty() => {
            let places: Vec<&Vec<i64>> = runs.keys().collect();
            for (point, date) in sample.points.iter_mut().zip(&dates) {
                point.tile = places.iter().position(|run| **run == before(date));
            }
            Colours::Runs
        }
        _ => Colours::One,
    };
    sample.steps = steps;
    sample.lanes = lanes.len();
}
