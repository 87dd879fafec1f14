//! Flat schedules: what a tree says in one relation, and the tree of such a relation.
//!
//! `{ S[i] -> [0, i, 0]; T[i, j] -> [1, i + j, 0] : j > 0; T[i, 0] -> [1, i, 1] }` is a sequence of two filters with a band below each: a dimension that has only
//! constants makes a sequence, if they differ, any other one a member of a band. Where one statement has several constants, as `T` in the last dimension, each
//! filter says which instances have which: as tiles at borders come, whose loops are others there. On the way back children get their number in a dimension of its own.
//!
//! Implements: 002 5.6.2

use super::{Band, Node, Tree};
use crate::presburger::{
    Aff, DimKind, Int, Map, MultiUnionPwAff, ParseError, PwAff, PwMultiAff, Set, Space, Tuple, UnionMap, UnionPwAff,
    UnionSet,
};
use std::collections::BTreeMap;

impl Tree {
    /// The tree of a flat schedule `{ S[i] -> [..] }`: a dimension that has only constants makes a sequence, if it tells instances
    /// apart, any other one a member of a band.
    pub fn from_map(schedule: &UnionMap) -> Result<Self, ParseError> {
        Self::from_map_on(&schedule.domain().coalesce(), schedule)
    }

    /// [`Tree::from_map`] for the instances in `domain`, as far as they have a time.
    pub fn from_map_on(domain: &UnionSet, schedule: &UnionMap) -> Result<Self, ParseError> {
        let timed = schedule.domain();
        let domain = if domain.is_subset(&timed) { domain.clone() } else { domain.intersect(&timed).coalesce() };
        let schedule = schedule.intersect_domain(&domain);
        let width = schedule.maps().map(|m| m.dim(DimKind::Out)).max().unwrap_or(0);
        let rows = schedule.maps().map(|map| Row::of(map, &domain, width)).collect::<Result<Vec<_>, _>>()?;
        let child = Box::new(flat(&rows, 0, width));
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

/// Instances of one statement of a flat schedule, and what is their time in each dimension.
struct Row {
    domain: Set,
    /// Functions on the domain, with nothing said about it.
    times: Vec<PwAff>,
}

impl Row {
    fn of(map: &Map, whole: &UnionSet, width: usize) -> Result<Self, ParseError> {
        let wrong = |message: String| ParseError { message, line: 1, column: 1, text: String::new() };
        let timed = map.domain();
        let whole = whole.extract_set(timed.space());
        let domain = if whole.is_subset(&timed) { whole } else { timed.coalesce() };
        let name = domain.space().tuple_name(DimKind::Out).cloned();
        let name = name.ok_or_else(|| wrong("the schedule runs instances without a name".to_string()))?;
        let missing = width - map.dim(DimKind::Out);
        let n = map.dim(DimKind::Out);
        let wider = map.add_dims(DimKind::Out, missing);
        let padded = (n..width).fold(wider, |m, d| m.fix(DimKind::Out, d, &Int::from(0)));
        let times = PwMultiAff::from_map(&padded);
        let times = times.ok_or_else(|| wrong(format!("the schedule gives an instance of {name} several times")))?;
        let times = (0..width).map(|d| simplest(&times.pw_aff(d), &domain)).collect();
        Ok(Self { domain, times })
    }

    fn is_of_same_statement(&self, other: &Row) -> bool {
        self.domain.space().has_equal_tuples(other.domain.space())
    }

    /// No other of these rows has instances of its statement.
    fn is_alone_among(&self, rows: &[Row]) -> bool {
        rows.iter().filter(|row| row.is_of_same_statement(self)).count() == 1
    }

    /// The instances in `part`.
    fn restricted(&self, part: &Set) -> Row {
        let domain = self.domain.intersect(part);
        Row {
            times: self.times.iter().map(|time| simplest(&time.intersect_domain(&domain), &domain)).collect(),
            domain,
        }
    }

    /// The values of dimension `d`, if it has only constants: each with what the instances that have it satisfy, and these.
    fn constants(&self, d: usize) -> Option<Vec<(Int, Set, Row)>> {
        let pieces = self.times[d].pieces().iter();
        let part = |(set, aff): &(Set, Aff)| Some((aff.as_integer()?, set.clone(), self.restricted(set)));
        pieces.map(part).collect()
    }

    /// Dimension `d` is one constant.
    fn is_constant(&self, d: usize) -> bool {
        matches!(self.times[d].pieces(), [(_, aff)] if aff.as_integer().is_some())
    }
}

/// A function that has a value on each element of `domain`, and nothing said about that.
fn simplest(function: &PwAff, domain: &Set) -> PwAff {
    let merged = function.coalesce();
    match merged.pieces() {
        [(_, aff)] => PwAff::from_aff(&aff.gist(domain)),
        _ => merged.gist(domain),
    }
}

/// The tree of the dimensions from `depth` on.
fn flat(rows: &[Row], depth: usize, width: usize) -> Node {
    let Some((end, parts)) = (depth..width).find_map(|d| Some((d, told_apart(rows, d)?))) else {
        return band(rows, depth..width, Node::Leaf);
    };
    let child = |(filter, part): (UnionSet, Vec<Row>)| {
        let child = Box::new(flat(&part, end + 1, width));
        Node::Filter { filter, child }
    };
    band(rows, depth..end, Node::Sequence(parts.into_values().map(child).collect()))
}

/// The instances by the constants that they have in dimension `d`, if there are only constants and they differ, with a filter for each.
fn told_apart(rows: &[Row], d: usize) -> Option<BTreeMap<Int, (UnionSet, Vec<Row>)>> {
    let mut parts: BTreeMap<Int, (UnionSet, Vec<Row>)> = BTreeMap::new();
    for row in rows {
        let alone = row.is_alone_among(rows);
        for (value, condition, part) in row.constants(d)? {
            let instances = UnionSet::from_set(if alone { &condition } else { &part.domain });
            let (filter, parts) = parts.entry(value).or_insert_with(|| (UnionSet::empty(&[]), Vec::new()));
            *filter = filter.union(&instances);
            parts.push(part);
        }
    }
    (parts.len() > 1).then_some(parts)
}

/// A band of the dimensions that are not constant in all rows; `child` itself if there are none.
fn band(rows: &[Row], dims: std::ops::Range<usize>, child: Node) -> Node {
    let members = dims.rev().filter(|&d| !rows.iter().all(|row| row.is_constant(d)));
    members.fold(child, |below, d| Node::Band { band: Band::new(member(rows, d)), child: Box::new(below) })
}

fn member(rows: &[Row], d: usize) -> MultiUnionPwAff {
    let mut aff = UnionPwAff::empty(&[]);
    for row in rows {
        let time = &row.times[d];
        aff.add_pw_aff(&if row.is_alone_among(rows) { time.clone() } else { time.intersect_domain(&row.domain) });
    }
    MultiUnionPwAff::from_union_pw_aff(&aff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::property;

    fn tree(schedule: &str) -> Tree {
        Tree::from_map(&UnionMap::parse(schedule).expect("a relation")).expect("a schedule")
    }

    /// Which instance is before which.
    fn before(schedule: &UnionMap) -> UnionMap {
        schedule.lex_lt_union_map(schedule)
    }

    #[test]
    fn constants_of_parts_of_a_statement_are_a_sequence() {
        let tree = tree(
            "[n] -> { S[i, j] -> [o, 0, j, i] : 4 o <= i <= 4 o + 3 and 0 <= i, j < n and 4 o + 4 <= n;
                      S[i, j] -> [o, 1, i, j] : 4 o <= i <= 4 o + 3 and 0 <= i, j < n and 4 o + 3 >= n }",
        );
        let expected = r#"
  schedule: "[n] -> [{ S[i, j] -> [(floor((i)/4))] }]"
  child:
    sequence:
    - filter: "[n] -> { S[i, j] : n >= 4*floor((i)/4) + 4 }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
    - filter: "[n] -> { S[i, j] : n <= 4*floor((i)/4) + 3 }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
"#;
        let text = tree.to_string();
        assert_eq!(text.split_once("child:").map(|(_, below)| below), Some(expected));
    }

    /// Whatever dimensions are for parts of the instances: functions, quotients, constants of their own or the same ones.
    #[test]
    fn trees_have_the_order_of_their_flat_schedules() {
        property(200, |u| {
            let mut parts = Vec::new();
            for name in ["S", "T"] {
                let cut = u.int_in_range(-1..=4)?;
                for side in [format!("i < {cut}"), format!("i >= {cut}")] {
                    let mut times = Vec::new();
                    for _ in 0..3 {
                        times.push(match u.int_in_range(0..=4)? {
                            0 => "i".to_string(),
                            1 => "-j".to_string(),
                            2 => "i + j".to_string(),
                            3 => format!("floor(i / {})", u.int_in_range(2..=3)?),
                            _ => u.int_in_range(0..=2)?.to_string(),
                        });
                    }
                    let times = times.join(", ");
                    parts.push(format!("{name}[i, j] -> [{times}] : 0 <= i < n and 0 <= j <= i and {side}"));
                }
            }
            let text = format!("[n] -> {{ {} }}", parts.join("; "));
            let schedule = UnionMap::parse(&text)
                .expect("a relation")
                .intersect_params(&Set::parse("[n] -> { : 0 <= n <= 4 }").expect("a set"));
            let tree = Tree::from_map(&schedule).expect("a schedule");
            assert!(before(&tree.to_map()).is_equal(&before(&schedule)), "{text} became\n{tree}");
            assert!(tree.domain().is_equal(&schedule.domain()), "{text} became\n{tree}");
            Ok(())
        });
    }
}
