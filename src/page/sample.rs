//! A few iterations of a nest, for a picture: which there are, what depends on what, and when the new loops run each.
//!
//! ```text
//! for (k...) for (i...) for (j...)  S: p[i][j] = min(p[i][j], p[i][k] + p[k][j]);      n = 12, j = 6
//! ```
//!
//! gives the points `(k, i)` of a plane through the iterations, with arrows from each to those that need what it computes, the tile that each is in
//! and the step at which the tile runs if every core takes one at a time. All of it is found in the texts of a report by the Presburger
//! engine. Sizes are small so that there is something to see; tiles are smaller by one factor.

use super::dates::Order;
use super::points::{Arrow, Colours, Point, SIDE, Sample, instances};
use crate::presburger::{DimKind, Int, Map, Set};
use crate::report::{Dependence, Nest, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Values of parameters that are tried, the first with enough to see.
const SIZES: [i64; 5] = [SIDE, 32, 64, 128, 1024];

/// So long must both sides of a picture be to be enough.
const ENOUGH: i64 = 6;

/// So many statements are in one picture.
const MOST_STATEMENTS: usize = 4;

/// Loops of which pairs are shown, from the outermost.
const MOST_LOOPS: usize = 3;

/// So many iterations of the program may be looked at for one picture.
const MOST_POINTS: usize = 4096;

/// So many arrows are drawn.
const MOST_ARROWS: usize = 256;

/// An arrow to so near a place is easy to follow.
const NEAR: i64 = 3;

/// A statement's iterations.
struct Instances {
    name: String,
    domain: Set,
    /// The lines of its loops.
    lines: Vec<u32>,
    /// The first and the last iteration that is shown of each loop.
    shown: Vec<(i64, i64)>,
}

/// The samples of a nest: of each group of statements in the same loops, the plane through each pair of loops, the most telling first.
pub fn samples(nest: &Nest) -> Vec<Sample> {
    let Some(model) = &nest.model else { return Vec::new() };
    let order = Order::of(nest);
    let known = Known::of(nest);
    let mut all = Vec::new();
    for group in groups(&model.statements) {
        let depth = group[0].loops.len().min(MOST_LOOPS);
        let pairs: Vec<(usize, Option<usize>)> = match depth {
            1 => vec![(0, None)],
            _ => (0..depth).flat_map(|y| (y + 1..depth).map(move |x| (x, Some(y)))).collect(),
        };
        let sized = Sized::of(&group);
        let sample = |axes| Sample::of(&known, sized.as_ref()?, axes, order.as_ref());
        let mut planes: Vec<Sample> = pairs.into_iter().filter_map(sample).collect();
        planes
            .sort_by_key(|sample| std::cmp::Reverse((sample.has_fronts(), sample.n_between_steps(), sample.n_near())));
        all.extend(planes);
    }
    all
}

/// What all pictures of a nest ask of it, read once.
struct Known<'a> {
    dependences: Vec<(&'a Dependence, Map)>,
    /// The names of parameters.
    params: BTreeSet<String>,
}

impl<'a> Known<'a> {
    fn of(nest: &'a Nest) -> Known<'a> {
        let read = |dependence: &'a Dependence| Some((dependence, Map::parse(&dependence.relation).ok()?));
        let model = nest.model.as_ref();
        let domains = model.iter().flat_map(|model| &model.statements).filter_map(|each| Set::parse(&each.domain).ok());
        Known {
            dependences: nest.dependences.iter().filter_map(read).collect(),
            params: domains.flat_map(|set| set.used_params()).map(|name| name.as_str().to_string()).collect(),
        }
    }
}

/// Statements where parameters are of a size at which there is something to see.
struct Sized {
    size: i64,
    all: Vec<Instances>,
}

impl Sized {
    fn of(group: &[&Statement]) -> Option<Sized> {
        let at_size = |size: i64| {
            let all: Vec<Instances> = group.iter().filter_map(|statement| Instances::of(statement, size)).collect();
            let extent = all.iter().map(Instances::least_extent).max()?;
            Some((extent, Sized { size, all }))
        };
        let mut sizes = SIZES.into_iter().filter_map(at_size);
        let first = sizes.next()?;
        match first.0 >= ENOUGH {
            true => Some(first.1),
            false => Some(sizes.find(|(extent, _)| *extent >= ENOUGH).unwrap_or(first).1),
        }
    }
}

/// Statements in loops, those together that are in as many and share the outermost; the deepest first.
fn groups(statements: &[Statement]) -> Vec<Vec<&Statement>> {
    let mut groups: Vec<Vec<&Statement>> = Vec::new();
    for statement in statements.iter().filter(|statement| !statement.loops.is_empty()) {
        let fits = |group: &&mut Vec<&Statement>| {
            let first = group[0];
            let is_near = first.loops.len() == statement.loops.len() && first.loops[0] == statement.loops[0];
            is_near && (first.loops.len() > 1 || first.loops == statement.loops) && group.len() < MOST_STATEMENTS
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(statement),
            None => groups.push(vec![statement]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group[0].loops.len()));
    groups
}

impl Instances {
    /// Where parameters are of this size; none if there is nothing.
    fn of(statement: &Statement, size: i64) -> Option<Instances> {
        let mut domain = Set::parse(&statement.domain).ok()?;
        let is_of_loops = domain.dim(DimKind::Out) == statement.loops.len();
        for at in 0..domain.dim(DimKind::Param) {
            domain = domain.fix(DimKind::Param, at, &Int::from(size));
        }
        let range = |d: usize| {
            let low = domain.dim_min(d).ok()?.min_val().ok()??.as_i64()?;
            let high = domain.dim_max(d).ok()?.max_val().ok()??.as_i64()?;
            Some((low, high.min(low.saturating_add(SIDE - 1))))
        };
        let shown = (0..domain.dim(DimKind::Out)).map(range).collect::<Option<Vec<_>>>()?;
        let name = statement.name.clone();
        (is_of_loops && !domain.is_empty()).then_some(Instances { name, domain, lines: statement.loops.clone(), shown })
    }

    /// How much there is to see along the loops of pictures.
    fn least_extent(&self) -> i64 {
        self.shown.iter().take(MOST_LOOPS).map(|(low, high)| high - low + 1).min().unwrap_or(0)
    }

    /// Those that are shown where the loops that are no axes have these values.
    fn slice(&self, axes: (usize, Option<usize>), others: &[i64]) -> Set {
        let mut slice = self.domain.clone();
        for (d, (low, high)) in self.shown.iter().enumerate() {
            slice = match d == axes.0 || Some(d) == axes.1 {
                true => {
                    slice.lower_bound(DimKind::Out, d, &Int::from(*low)).upper_bound(DimKind::Out, d, &Int::from(*high))
                }
                false => slice.fix(DimKind::Out, d, &Int::from(others[d])),
            };
        }
        slice
    }
}

impl Sample {
    /// Arrows that are easy to follow: a plane with many of them tells most.
    fn n_near(&self) -> usize {
        self.arrows.iter().filter(|arrow| length(arrow) <= NEAR).count() * self.apart as usize
    }

    /// Whether several cores run something at the same step, and one step comes after another.
    fn has_fronts(&self) -> bool {
        let mut lanes: BTreeMap<usize, BTreeSet<Option<usize>>> = BTreeMap::new();
        self.points.iter().for_each(|point| {
            lanes.entry(point.step).or_default().insert(point.lane);
        });
        self.lanes > 1 && lanes.len() > 1 && lanes.values().any(|own| own.len() > 1)
    }

    /// Arrows for which one step has to come after another: these are what tiles and fronts are there for.
    fn n_between_steps(&self) -> usize {
        let steps: BTreeMap<(usize, i64, i64), usize> =
            self.points.iter().map(|point| ((point.statement, point.x, point.y), point.step)).collect();
        let differ = |arrow: &&Arrow| {
            let ends = (steps.get(&arrow.from), steps.get(&arrow.to));
            matches!(ends, (Some(first), Some(second)) if first != second)
        };
        self.arrows.iter().filter(differ).count() * self.apart as usize
    }

    fn of(known: &Known<'_>, sized: &Sized, axes: (usize, Option<usize>), order: Option<&Order>) -> Option<Sample> {
        let Sized { size, all } = sized;
        let others = telling(all, axes)?;
        let mut sample = Sample {
            statements: all.iter().map(|each| each.name.clone()).collect(),
            axes: (named(all, axes.0), axes.1.map(|y| named(all, y))),
            fixed: fixed(known, sized, axes, &others),
            points: Vec::new(),
            arrows: Vec::new(),
            has_hidden: false,
            apart: 1,
            colours: Colours::One,
            sides: order.map(|order| order.sides().clone()).unwrap_or_default(),
            steps: 0,
            lanes: 0,
        };
        let slices: Vec<Set> = all.iter().map(|each| each.slice(axes, &others)).collect();
        let place = |values: &[i64]| (values[axes.0], axes.1.map_or(0, |y| values[y]));
        let mut dates = Vec::new();
        for (statement, slice) in slices.iter().enumerate() {
            for values in instances(slice, MOST_POINTS)? {
                let (x, y) = place(&values);
                sample.points.push(Point { statement, x, y, tile: None, lane: None, step: 0 });
                dates.push(order.and_then(|order| order.date(&all[statement].name, &values, *size)));
            }
        }
        super::dates::dated(&mut sample, dates);
        let scene = Scene { all, slices: &slices, axes };
        (sample.arrows, sample.apart) = scene.arrows(&known.dependences, &mut sample.has_hidden);
        (sample.points.len() > 1).then_some(sample)
    }
}

/// Values of the loops that are no axes: those in the middle, or others at which there is more to see.
fn telling(all: &[Instances], axes: (usize, Option<usize>)) -> Option<Vec<i64>> {
    let first = all.first()?;
    let mut best: Option<(usize, Vec<i64>)> = None;
    for part in [2, 3, 4, 1, 0] {
        let middle = |(low, high): &(i64, i64)| low + (high - low) * part / 4;
        let others: Vec<i64> = first.shown.iter().map(middle).collect();
        let seen =
            |each: &Instances| instances(&each.slice(axes, &others), MOST_POINTS).map_or(0, |points| points.len());
        let seen: usize = all.iter().map(seen).sum();
        if best.as_ref().is_none_or(|(most, _)| seen > *most + *most / 2) {
            best = Some((seen, others));
        }
        let length = |d: usize| (first.shown[d].1 - first.shown[d].0 + 1) as usize;
        if best.as_ref().is_some_and(|(most, _)| *most >= all.len() * length(axes.0) * axes.1.map_or(1, length)) {
            break;
        }
    }
    best.filter(|(seen, _)| *seen > 0).map(|(_, others)| others)
}

/// What a loop is called: by all names that the statements have for it.
fn named(all: &[Instances], d: usize) -> String {
    let mut names: Vec<String> = Vec::new();
    for instances in all {
        let name = instances.domain.space().dim_name(DimKind::Out, d);
        let name = name.map_or_else(|| format!("loop {}", d + 1), |name| name.as_str().to_string());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" or ")
}

/// Values of parameters, and of the loops that are no axes, which statements may not have in common: each is named with its line.
fn fixed(known: &Known<'_>, sized: &Sized, axes: (usize, Option<usize>), others: &[i64]) -> Vec<String> {
    let Sized { size, all } = sized;
    let mut fixed: Vec<String> = known.params.iter().map(|name| format!("{name} = {size}")).collect();
    for d in (0..all[0].shown.len()).filter(|d| *d != axes.0 && Some(*d) != axes.1) {
        let lines: BTreeSet<u32> = all.iter().map(|each| each.lines[d]).filter(|line| *line > 0).collect();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let place = match lines.as_slice() {
            [] => String::new(),
            [line] => format!(" (line {line})"),
            lines => format!(" (lines {})", lines.join(" and ")),
        };
        fixed.push(format!("iteration {} of loop {}{place}", others[d], named(all, d)));
    }
    fixed
}

fn length(arrow: &Arrow) -> i64 {
    (arrow.from.1 - arrow.to.1).abs() + (arrow.from.2 - arrow.to.2).abs()
}

/// Where an arrow begins and where it ends.
type Ends = ((i64, i64), (i64, i64));

/// Where an arrow may end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// In the plane.
    Plane,
    /// Where other loops have any values.
    Anywhere,
}

/// Where arrows are drawn.
struct Scene<'a> {
    all: &'a [Instances],
    slices: &'a [Set],
    axes: (usize, Option<usize>),
}

impl Scene<'_> {
    /// The arrows, and of how many iterations one has its arrows drawn.
    fn arrows(&self, dependences: &[(&Dependence, Map)], has_hidden: &mut bool) -> (Vec<Arrow>, i64) {
        let mut found: BTreeSet<Arrow> = BTreeSet::new();
        let at = |name: &str| self.all.iter().position(|each| each.name == name);
        let all = [Reach::Plane, Reach::Anywhere].into_iter();
        for (reach, (dependence, relation)) in all.flat_map(|reach| dependences.iter().map(move |each| (reach, each))) {
            let is_aside = reach == Reach::Anywhere;
            let (Some(from), Some(to)) = (at(&dependence.from), at(&dependence.to)) else { continue };
            for (first, second) in self.ends(relation, (from, to), reach).unwrap_or_default() {
                let (first, second) = ((from, first.0, first.1), (to, second.0, second.1));
                if first == second {
                    *has_hidden |= is_aside;
                } else {
                    found.insert(Arrow { kind: dependence.kind.clone(), from: first, to: second, is_aside });
                }
            }
        }
        // What is no flow of values goes to all later accesses: the next one stands for them.
        let mut nearest: BTreeMap<(&str, (usize, i64, i64), usize), i64> = BTreeMap::new();
        for arrow in &found {
            let known = nearest.entry((&arrow.kind, arrow.from, arrow.to.0)).or_insert(i64::MAX);
            *known = length(arrow).min(*known);
        }
        // Long ones that leave the plane only cross the others.
        let is_seen = |a: &Arrow| !a.is_aside || length(a) <= NEAR;
        let is_next =
            |a: &&Arrow| is_seen(a) && (a.kind == "flow" || length(a) == nearest[&(a.kind.as_str(), a.from, a.to.0)]);
        let mut all: Vec<Arrow> = found.iter().filter(is_next).cloned().collect();
        *has_hidden |= all.len() < found.len();
        // Of several from one place to another the flow of values is drawn.
        all.sort_by_key(|arrow| (arrow.is_aside, arrow.kind != "flow"));
        let mut known = BTreeSet::new();
        all.retain(|arrow| known.insert((arrow.from, arrow.to)));
        // Of many, those that begin in some iterations stand for all.
        let begins = |a: &Arrow, apart: i64| (a.from.1 + 2 * a.from.2).rem_euclid(apart) == 0;
        let fits = |apart: &i64| all.iter().filter(|arrow| begins(arrow, *apart)).count() <= MOST_ARROWS;
        let apart = (1..=2 * SIDE).find(fits).unwrap_or(2 * SIDE);
        all.retain(|arrow| begins(arrow, apart));
        all.truncate(MOST_ARROWS);
        (all, apart)
    }

    /// Where arrows begin and end, in the picture: those that stay in the plane, or all of them.
    fn ends(&self, relation: &Map, (from, to): (usize, usize), reach: Reach) -> Option<Vec<Ends>> {
        let is_between = |end: DimKind, at: usize| {
            let name = relation.space().tuple_name(end);
            let is_named = name.is_some_and(|name| name.as_str() == self.all[at].name);
            is_named && relation.dim(end) == self.all[at].shown.len()
        };
        if !is_between(DimKind::In, from) || !is_between(DimKind::Out, to) {
            return None;
        }
        let mut near = match reach {
            Reach::Plane => self.slices[to].clone(),
            Reach::Anywhere => self.all[to].domain.clone(),
        };
        for (d, (low, high)) in self.all[to].shown.iter().enumerate() {
            near = near.lower_bound(DimKind::Out, d, &Int::from(*low)).upper_bound(DimKind::Out, d, &Int::from(*high));
        }
        let pairs = relation.intersect_domain(&self.slices[from]).intersect_range(&near);
        let n = self.all[from].shown.len();
        // Loops that are no axes do not matter at the end of an arrow.
        let mut seen = pairs;
        for d in (0..self.all[to].shown.len()).rev().filter(|d| *d != self.axes.0 && Some(*d) != self.axes.1) {
            seen = seen.project_out(DimKind::Out, d, 1);
        }
        let (x, y) = self.axes;
        let ends = instances(&seen.wrap(), MOST_POINTS)?.into_iter().map(|values| {
            let (first, second) = values.split_at(n);
            let end = match y {
                Some(_) => (second[1], second[0]),
                None => (second[0], 0),
            };
            ((first[x], y.map_or(0, |y| first[y])), end)
        });
        Some(ends.collect())
    }
}
