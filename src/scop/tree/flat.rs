//! Flat schedules: what a tree says in one relation, and the tree of such a relation.
//!
//! `{ S[i] -> [0, i]; T[i, j] -> [1, i + j] }` is a sequence of two filters with a band below each: a dimension that is constant in each statement makes a sequence,
//! if it tells statements apart, any other one a member of a band. On the way back children get their number in a dimension of its own.
//!
//! Implements: 002 5.6.2

use super::{Band, Node, Tree};
use crate::presburger::{
    DimKind, Int, Map, MultiUnionPwAff, ParseError, PwAff, PwMultiAff, Set, Space, Tuple, UnionMap, UnionPwAff,
    UnionSet,
};

impl Tree {
    /// The tree of a flat schedule `{ S[i] -> [..] }`: a dimension that is constant in each statement makes a sequence, if it
    /// tells statements apart, any other one a member of a band.
    pub fn from_map(schedule: &UnionMap) -> Result<Self, ParseError> {
        let domain = schedule.domain();
        let width = schedule.maps().map(|m| m.dim(DimKind::Out)).max().unwrap_or(0);
        let rows = schedule.maps().map(|map| Row::of(map, width)).collect::<Result<Vec<_>, _>>()?;
        let child = Box::new(flat(&rows.iter().collect::<Vec<_>>(), 0, width));
        Ok(Self::from_root(Node::Domain { domain, child }))
    }

    /// The flat schedule `{ S[i] -> [..] }` with the order of this tree: children of a sequence get their number in a dimension
    /// of its own, and what is shorter is padded by zeros.
    ///
    /// Instances of a set's children are ordered as well, by the order in which they are written.
    pub fn to_map(&self) -> UnionMap {
        let domain = self.domain();
        let mut flat = Vec::new();
        for set in domain.sets() {
            let none = Space::set(set.space().params(), &Tuple::anonymous(0));
            self.root.flatten(&Map::from_domain_and_range(&set, &Set::universe(&none)), &mut flat);
        }
        let width = flat.iter().map(|m| m.dim(DimKind::Out)).max().unwrap_or(0);
        let mut all = UnionMap::empty(domain.params_space().params());
        for map in flat {
            let n = map.dim(DimKind::Out);
            let wider = map.add_dims(DimKind::Out, width - n);
            let padded = (n..width).fold(wider, |m, d| m.fix(DimKind::Out, d, &Int::from(0)));
            all = all.union(&UnionMap::from_map(&padded));
        }
        all
    }
}

impl Node {
    /// Adds the flat schedules of the instances of one statement below, `prefix` being what the nodes above say of them.
    fn flatten(&self, prefix: &Map, flat: &mut Vec<Map>) {
        match self {
            Self::Leaf => flat.push(prefix.clone()),
            Self::Filter { filter, child } => {
                let inside = prefix.intersect_domain(&filter.extract_set(&prefix.space().domain()));
                if !inside.is_empty() {
                    child.flatten(&inside, flat);
                }
            }
            Self::Band { band, child } => {
                let partial = band.partial.extract_multi_pw_aff(&prefix.space().domain()).as_map();
                child.flatten(&prefix.flat_range_product(&partial), flat);
            }
            Self::Sequence(children) | Self::Set(children) => {
                let n = prefix.dim(DimKind::Out);
                for (number, child) in children.iter().enumerate() {
                    let numbered = prefix.add_dims(DimKind::Out, 1).fix(DimKind::Out, n, &Int::from(number as i64));
                    child.flatten(&numbered, flat);
                }
            }
            other => other.children().into_iter().for_each(|child| child.flatten(prefix, flat)),
        }
    }
}

/// A statement of a flat schedule: its instances and its dimensions.
struct Row {
    domain: Set,
    times: PwMultiAff,
}

impl Row {
    fn of(map: &Map, width: usize) -> Result<Self, ParseError> {
        let wrong = |message: String| ParseError { message, line: 1, column: 1, text: String::new() };
        let domain = map.domain();
        let name = domain.space().tuple_name(DimKind::Out).cloned();
        let name = name.ok_or_else(|| wrong("the schedule runs instances without a name".to_string()))?;
        let missing = width - map.dim(DimKind::Out);
        let n = map.dim(DimKind::Out);
        let wider = map.add_dims(DimKind::Out, missing);
        let padded = (n..width).fold(wider, |m, d| m.fix(DimKind::Out, d, &Int::from(0)));
        let times = PwMultiAff::from_map(&padded);
        let times = times.ok_or_else(|| wrong(format!("the schedule gives an instance of {name} several times")))?;
        Ok(Self { domain, times })
    }

    /// Dimension `d` as a function on the domain, with nothing said about the domain.
    fn time(&self, d: usize) -> PwAff {
        self.times.pw_aff(d).gist(&self.domain)
    }

    /// The value of dimension `d`, if it is the same for all instances.
    fn constant(&self, d: usize) -> Option<Int> {
        let time = self.time(d);
        let mut values = time.pieces().iter().map(|(_, aff)| aff.as_integer());
        let first = values.next()??;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    }
}

/// The tree of the dimensions from `depth` on.
fn flat(rows: &[&Row], depth: usize, width: usize) -> Node {
    let Some(end) = (depth..width).find(|&d| tells_apart(rows, d)) else {
        return band(rows, depth..width, Node::Leaf);
    };
    let mut values: Vec<Int> = rows.iter().filter_map(|row| row.constant(end)).collect();
    values.sort();
    values.dedup();
    let child = |value: &Int| {
        let part: Vec<&Row> = rows.iter().copied().filter(|row| row.constant(end).as_ref() == Some(value)).collect();
        Node::Filter { filter: filter(&part, rows), child: Box::new(flat(&part, end + 1, width)) }
    };
    band(rows, depth..end, Node::Sequence(values.iter().map(child).collect()))
}

fn tells_apart(rows: &[&Row], d: usize) -> bool {
    let values: Vec<Option<Int>> = rows.iter().map(|row| row.constant(d)).collect();
    values.iter().all(Option::is_some) && values.iter().any(|v| *v != values[0])
}

/// The instances of `part` among those of `rows`: whole statements by their names alone.
fn filter(part: &[&Row], rows: &[&Row]) -> UnionSet {
    let whole = |row: &Row| rows.iter().filter(|r| r.domain.space().has_equal_tuples(row.domain.space())).count() == 1;
    let own = |row: &Row| if whole(row) { Set::universe(row.domain.space()) } else { row.domain.clone() };
    part.iter().fold(UnionSet::empty(&[]), |all, row| all.union(&UnionSet::from_set(&own(row))))
}

/// A band of the dimensions that are not constant in all rows; `child` itself if there are none.
fn band(rows: &[&Row], dims: std::ops::Range<usize>, child: Node) -> Node {
    let varies = |d: &usize| rows.iter().any(|row| row.constant(*d).is_none());
    let mut members: Vec<usize> = dims.filter(varies).collect();
    let Some(last) = members.pop() else { return child };
    let inner = Node::Band { band: Band::new(member(rows, last)), child: Box::new(child) };
    members
        .into_iter()
        .rev()
        .fold(inner, |below, d| Node::Band { band: Band::new(member(rows, d)), child: Box::new(below) })
}

fn member(rows: &[&Row], d: usize) -> MultiUnionPwAff {
    let mut aff = UnionPwAff::empty(&[]);
    rows.iter().for_each(|row| aff.add_pw_aff(&row.time(d)));
    MultiUnionPwAff::from_union_pw_aff(&aff)
}
