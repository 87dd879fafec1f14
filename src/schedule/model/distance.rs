//! How far a hyperplane puts the ends of a dependence from each other.
//!
//! Those of `{ S[i] -> T[i + 2] }` are two iterations from each other in a loop over `i`, those of `{ S[i] -> T[j] : i < j < i + 3 }` one or two, by the generators of
//! its polyhedron: what holds of these holds of all pairs.

use super::problem::{Edge, Hyperplane, dot};

impl Edge {
    /// Whether the hyperplane puts every sink into a later iteration than its source.
    pub fn is_carried(&self, hyperplane: &Hyperplane) -> bool {
        self.is_at_least(hyperplane, 1)
    }

    /// Whether the hyperplane puts every sink at least so many iterations behind its source.
    pub fn is_at_least(&self, hyperplane: &Hyperplane, distance: i64) -> bool {
        let mut form = self.difference(hyperplane);
        form[0] -= distance;
        self.lines.iter().all(|g| dot(&form, g) == 0) && self.rays.iter().all(|g| dot(&form, g) >= 0)
    }

    /// The distance of all pairs on the hyperplane, if it is the same constant.
    pub fn distance(&self, hyperplane: &Hyperplane) -> Option<i64> {
        let form = self.difference(hyperplane);
        let point = self.rays.iter().find(|g| g[0] != 0)?;
        let (value, scale) = (dot(&form, point), i128::from(point[0]));
        let is_same = |g: &Vec<i64>| dot(&form, g) * scale == value * i128::from(g[0]);
        let distance = i64::try_from(value / scale).ok().filter(|_| value % scale == 0);
        distance.filter(|_| self.lines.iter().chain(&self.rays).all(is_same))
    }

    /// Whether some pairs have this distance on the hyperplane; those that lie between others are not seen.
    pub fn has_distance(&self, hyperplane: &Hyperplane, distance: i64) -> bool {
        let mut form = self.difference(hyperplane);
        form[0] -= distance;
        self.rays.iter().any(|g| g[0] != 0 && dot(&form, g) == 0)
    }

    /// Whether the distance is bounded by a constant on the hyperplane.
    pub fn is_bounded(&self, hyperplane: &Hyperplane) -> bool {
        let form = self.difference(hyperplane);
        self.lines.iter().all(|g| dot(&form, g) == 0) && self.rays.iter().all(|g| g[0] != 0 || dot(&form, g) == 0)
    }
}
