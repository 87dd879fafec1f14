//! Footprints: how much memory the iterations of a tile touch, and what its lines cost.
//!
//! A tile of `s_i x s_j x s_k` iterations of `C[i][j] += A[i][k] * B[k][j]` touches `s_i * s_j` elements of `C`, `s_i * s_k` of `A` and `s_k * s_j` of `B`:
//! the larger the tile, the less often a line is fetched for an iteration, as long as all three stay in the cache. References to one array that
//! move alike (`A[i - 1]`, `A[i]`) form one *class* (Wolf and Lam, "A Data Locality Optimizing Algorithm", PLDI 1991); a subscript that moves by `c_m` for
//! each step of member `m` takes `1 + sum |c_m| (s_m - 1)` values in a tile. For subscripts that are single iterators this is the number of elements
//! (a test holds it to the engine's count of the image); where several iterators move several subscripts it is the box around them.

use super::linear::direction;
use super::problem::{Done, Hyperplane, Problem};
use super::reference::Reference;
use super::vector::others;
use crate::machine::Machine;
use std::collections::BTreeMap;

/// Sides of tiles that are tried: along the vector member, and along others.
const VECTOR_SIDES: [i64; 3] = [128, 256, 512];
const SIDES: [i64; 3] = [16, 32, 64];
/// Beyond so many members all but the one of the vector unit get the same side.
const MOST_FREE_SIDES: usize = 4;

/// What moves alike in one array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Movement {
    array: String,
    /// Bytes of an element.
    size: i64,
    /// For each subscript, how far it moves with each member; none where a subscript is not affine.
    steps: Option<Vec<Vec<i64>>>,
}

/// The data that the statements of a band touch, by classes, with whether they write.
#[derive(Clone, Debug)]
pub(crate) struct Footprint {
    classes: BTreeMap<Movement, bool>,
    machine: Machine,
}

impl Footprint {
    /// What `nodes` touch in the band of `members` inside the loops of `done`.
    pub fn of(problem: &Problem, nodes: &[usize], members: &[Hyperplane], done: &Done) -> Footprint {
        let mut classes = BTreeMap::new();
        for s in nodes {
            let statement = &problem.statements[*s];
            let along: Vec<Option<Vec<i64>>> = (0..members.len())
                .map(|m| direction(&members[m][s].iterators, &others(members, m, *s, done), statement.n))
                .collect();
            for reference in &statement.references {
                let still = || reference.subscripts.as_ref().map(|all| vec![0; all.len()]);
                let moves: Option<Vec<Vec<i64>>> = along
                    .iter()
                    .map(|step| step.as_ref().map_or_else(still, |step| reference.movement(step)))
                    .collect();
                let movement = Movement {
                    array: reference.array.to_string(),
                    size: reference.size as i64,
                    steps: moves
                        .map(|by_member| transposed(&by_member, reference.subscripts.as_ref().map_or(0, Vec::len))),
                };
                *classes.entry(movement).or_insert(false) |= reference.writes;
            }
        }
        Footprint { classes, machine: problem.machine }
    }

    /// Bytes that a tile with these sides touches, in whole lines.
    pub fn bytes(&self, sides: &[i64]) -> i128 {
        let line = self.machine.line;
        let bytes = self.classes.keys().map(|class| class.lines(sides, line).saturating_mul(i128::from(line)));
        bytes.fold(0, i128::saturating_add)
    }

    /// Time for the lines of a tile with these sides: once there, and back if they are written.
    pub fn time(&self, sides: &[i64]) -> i128 {
        let times = |writes: bool| if writes { 2 } else { 1 };
        let lines =
            |(class, writes): (&Movement, &bool)| class.lines(sides, self.machine.line).saturating_mul(times(*writes));
        self.classes.iter().map(lines).fold(0, i128::saturating_add).saturating_mul(self.machine.line_time())
    }

    /// Sides of the tile that takes least time per iteration among those whose data fit into half of the second-level cache, and one run of the innermost
    /// loop into the first-level one: that is over the member `vector` of as many members as `block` has entries, with blocks of so many values of the others.
    /// No side but the innermost loop's is longer than `longest`. The smallest sides if none fit.
    pub fn sides(&self, block: &[i64], vector: usize, longest: i64) -> Vec<i64> {
        let n = block.len();
        let copies: i64 = block.iter().product();
        let fits = |sides: &[i64]| {
            let run: Vec<i64> = (0..n).map(|m| if m == vector { sides[m] } else { block[m] }).collect();
            self.bytes(sides).saturating_mul(2) <= i128::from(self.machine.level2)
                && self.bytes(&run) <= i128::from(self.machine.level1)
        };
        let mut best: Option<(i128, i128, Vec<i64>)> = None;
        for sides in candidates(n, vector, longest) {
            let volume: i128 = sides.iter().map(|s| i128::from(*s)).product();
            let starts = volume / i128::from(sides[vector] * copies);
            let time = self.time(&sides) + starts * self.machine.loop_time();
            let better = best.as_ref().is_none_or(|(t, v, _)| time * v < t * volume);
            if better && fits(&sides) {
                best = Some((time, volume, sides));
            }
        }
        let smallest = || (0..n).map(|m| if m == vector { VECTOR_SIDES[0] } else { SIDES[0] }).collect();
        best.map_or_else(smallest, |(_, _, sides)| sides)
    }
}

impl Movement {
    fn lines(&self, sides: &[i64], line: i64) -> i128 {
        let Some(steps) = &self.steps else { return product(sides.iter().map(|s| i128::from(*s))) };
        let extent = |row: &Vec<i64>| {
            1 + row.iter().zip(sides).map(|(c, s)| i128::from(c.abs()) * i128::from(s - 1)).sum::<i128>()
        };
        let Some((last, outer)) = steps.split_last() else { return 1 };
        let moves = |m: &usize| steps.iter().any(|row| row[*m] != 0);
        let instances = product((0..sides.len()).filter(moves).map(|m| i128::from(sides[m])));
        let line = i128::from(line);
        let in_row = (extent(last) * i128::from(self.size) + line - 1) / line;
        product(outer.iter().map(extent).chain([in_row])).min(instances)
    }
}

/// The lines, or pages, in which the elements of a reference are whose subscripts take so many values each: those of a row, and of rows that share lines as they
/// are near one another.
pub(crate) fn lines(reference: &Reference, extents: &[i64], inside: &[i64], line: i64) -> i128 {
    let line = i128::from(line);
    let row = i128::from(reference.size);
    let (mut all, mut span) = (1, Some(row));
    let strides = reference.strides.iter().rev().copied().chain(std::iter::repeat(None));
    for (extent, stride) in extents.iter().rev().zip(strides) {
        let extent = i128::from(*extent);
        all = extent.saturating_mul(all);
        span =
            span.zip(stride).map(|(span, stride)| (extent - 1).saturating_mul(i128::from(stride)).saturating_add(span));
        all = span.map_or(all, |span| all.min((span.saturating_add(line - 1)) / line));
    }
    all.min(inside.iter().fold(1, |all, extent| i128::saturating_mul(all, i128::from(*extent))))
}

/// A user may ask for tiles of any side: what has no number any more is more than fits anywhere.
fn product(factors: impl Iterator<Item = i128>) -> i128 {
    factors.fold(1, i128::saturating_mul)
}

fn transposed(by_member: &[Vec<i64>], n: usize) -> Vec<Vec<i64>> {
    (0..n).map(|k| by_member.iter().map(|moves| moves[k]).collect()).collect()
}

fn candidates(n: usize, vector: usize, longest: i64) -> Vec<Vec<i64>> {
    let sides: Vec<i64> = SIDES.iter().copied().filter(|s| *s <= longest).collect();
    let mut all: Vec<Vec<i64>> = vec![vec![]];
    for m in 0..n {
        let choices: &[i64] = if m == vector { &VECTOR_SIDES } else { &sides };
        all = all.iter().flat_map(|tile| choices.iter().map(move |side| [&tile[..], &[*side]].concat())).collect();
        if n > MOST_FREE_SIDES {
            all.retain(|tile| equal_but(tile, vector));
        }
    }
    all
}

fn equal_but(tile: &[i64], vector: usize) -> bool {
    let mut others = tile.iter().enumerate().filter(|(m, _)| *m != vector).map(|(_, side)| side);
    others.next().is_none_or(|first| others.all(|side| side == first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::{Map, Set};

    const LINE: i64 = 64;

    /// A class with these steps, of elements that fill a line each, so that lines are elements.
    fn class(steps: &[&[i64]]) -> Movement {
        Movement { array: "A".into(), size: LINE, steps: Some(steps.iter().map(|row| row.to_vec()).collect()) }
    }

    /// The lines that hold the first elements of a box of an array are those that their addresses fall into, where rows are near one another.
    #[test]
    fn rows_share_lines() {
        let shape = [Some(25), Some(10), Some(5)];
        let strides = super::super::linear::strides(8, &shape);
        assert_eq!(strides, [Some(400), Some(40), Some(8)]);
        let reference = Reference {
            array: "A".into(),
            writes: false,
            size: 8,
            subscripts: None,
            jumps: Default::default(),
            strides,
            is_anywhere: false,
        };
        for (inside, line) in [([25, 10, 5], 64), ([25, 10, 5], 4096), ([25, 1, 5], 4096), ([3, 10, 5], 64)] {
            let bytes = |a: i64, b: i64, c: i64| a * 400 + b * 40 + c * 8;
            let all = (0..inside[0])
                .flat_map(|a| (0..inside[1]).flat_map(move |b| (0..inside[2]).map(move |c| bytes(a, b, c))));
            let touched: std::collections::BTreeSet<i64> = all.map(|byte| byte / line).collect();
            assert_eq!(lines(&reference, &inside, &inside, line), touched.len() as i128, "{inside:?} {line}");
        }
        let apart = Reference { strides: vec![None, None, Some(8)], ..reference };
        assert_eq!(lines(&apart, &[25, 10, 5], &[25, 10, 5], 4096), 250);
    }

    #[test]
    fn a_footprint_is_the_number_of_elements() {
        let cases: [(&[&[i64]], &str); 5] = [
            (&[&[1, 0, 0], &[0, 1, 0]], "{ S[i, j, k] -> A[i, j] }"),
            (&[&[0, 0, 1], &[0, 1, 0]], "{ S[i, j, k] -> A[k, j] }"),
            (&[&[1, 1, 0]], "{ S[i, j, k] -> A[i + j] }"),
            (&[&[2, 1, 0], &[0, 0, 1]], "{ S[i, j, k] -> A[2i + j, k] }"),
            (&[&[3, 0, 0]], "{ S[i, j, k] -> A[3i] }"),
        ];
        for (steps, access) in cases {
            for sides in [[4, 6, 3], [1, 2, 7]] {
                let tile = format!(
                    "{{ S[i, j, k] : 0 <= i < {} and 0 <= j < {} and 0 <= k < {} }}",
                    sides[0], sides[1], sides[2]
                );
                let access = Map::parse(access).unwrap().intersect_domain(&Set::parse(&tile).unwrap());
                let elements = access.range().count().and_then(|n| n.as_i64()).map(i128::from);
                assert_eq!(Some(class(steps).lines(&sides, LINE)), elements, "{access}");
            }
        }
    }

    #[test]
    fn the_tile_of_a_product_fills_the_cache() {
        let element = |array: &str, steps: &[&[i64]]| Movement { array: array.into(), size: 8, ..class(steps) };
        let classes = [
            (element("C", &[&[1, 0, 0], &[0, 1, 0]]), true),
            (element("A", &[&[1, 0, 0], &[0, 0, 1]]), false),
            (element("B", &[&[0, 0, 1], &[0, 1, 0]]), false),
        ];
        let classes: BTreeMap<Movement, bool> = classes.into_iter().collect();
        let on = |machine: Machine| Footprint { classes: classes.clone(), machine };
        let sides = |machine: Machine| on(machine).sides(&[4, 1, 4], 1, 64);
        let large = sides(Machine { level2: 1 << 19, ..Machine::default() });
        let bytes = on(Machine::default()).bytes(&large);
        assert!(bytes <= 1 << 18 && 2 * bytes > 1 << 18, "{large:?}");
        let small = sides(Machine { level2: 1 << 16, ..Machine::default() });
        assert!(small.iter().product::<i64>() < large.iter().product(), "{small:?} {large:?}");
        let short = sides(Machine { level1: 1 << 13, ..Machine::default() });
        assert!(short[1] < large[1], "four rows of two arrays stay in the first-level cache: {short:?} {large:?}");
    }
}
