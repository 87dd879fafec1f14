//! What a picture is made of: points of a plane through the iterations of a nest, and arrows between them.
//!
//! Of `for (k...) for (i...) for (j...)` with `j = 6` these are points `(k, i)`. A point knows its tile, who runs it and when.

use crate::presburger::{DimKind, Id, Int, Set, Space};
use std::collections::BTreeMap;

/// So many iterations of a loop are shown.
pub const SIDE: i64 = 16;

/// Values of parameters, by name.
pub type Sizes = BTreeMap<String, i64>;

/// An iteration in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Of the picture's statements.
    pub statement: usize,
    pub x: i64,
    pub y: i64,
    /// The number of what has its colour, in the order of the run; none if there is one colour.
    pub tile: Option<usize>,
    /// Who runs it, if cores share the loops.
    pub lane: Option<usize>,
    /// When it runs, from 0.
    pub step: usize,
}

/// A dependence in a picture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub kind: String,
    /// Statement, x and y of the first.
    pub from: (usize, i64, i64),
    pub to: (usize, i64, i64),
    /// It leads out of the plane: other loops have other values there.
    pub is_aside: bool,
}

/// What has a colour of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    Tiles,
    /// Runs of parallel loops, one after the other.
    Runs,
    #[default]
    One,
}

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The names of its statements.
    pub statements: Vec<String>,
    /// What runs to the right, and what downwards if there are two loops.
    pub axes: (String, Option<String>),
    /// Values of other loops, and of parameters, in words.
    pub fixed: Vec<String>,
    pub points: Vec<Point>,
    pub arrows: Vec<Arrow>,
    /// Whether there are dependences between iterations that are at one place in the picture, or that nearer ones stand for.
    pub has_hidden: bool,
    /// One of so many iterations has its arrows drawn.
    pub apart: i64,
    pub colours: Colours,
    /// For each side of a tile the one that it has here.
    pub sides: BTreeMap<i64, i64>,
    pub steps: usize,
    pub lanes: usize,
}

/// The values of the dimensions of a set's points, without those of parameters.
pub fn instances(set: &Set, limit: usize) -> Option<Vec<Vec<i64>>> {
    let params = set.dim(DimKind::Param);
    let values = |point: Vec<Int>| point.into_iter().skip(params).map(|value| value.as_i64()).collect();
    set.points(limit)?.into_iter().map(values).collect()
}

/// A point of a space whose parameters have these values.
pub fn point_of(space: &Space, sizes: &Sizes, values: &[i64]) -> Vec<Int> {
    let size = |name: &Id| Int::from(sizes.get(name.as_str()).copied().unwrap_or(SIDE));
    space.params().iter().map(size).chain(values.iter().map(|value| Int::from(*value))).collect()
}
