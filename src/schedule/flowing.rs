//! Two loops of the program's order as a pipeline.
//!
//! ```c
//! for (int i = 1; i < n; i++)                    // threads share these, in one piece each
//!   for (int j = 1; j < n; j++) {                // in steps, each behind the thread before
//!     double w[5][5];
//!     ...                                        // of its own, whatever order is in it
//!     x[i][j] = f(x[i - 1][j], x[i][j - 1], w);
//!   }
//! ```
//!
//! All dependences go forward along `i` and along `j`. What an iteration does in itself stays as it is, so that memory that it has of its own is in use
//! one iteration after the other, as in no order that takes statements apart.

use super::check::Pairs;
use super::loops::pipeline::worthwhile;
use super::model::problem::Problem;
use super::transform::tile::in_steps;
use super::transformation::{Arranged, Shape, Transformation};
use crate::presburger::{DimKind, Id, Int, Set, UnionPwAff, UnionSet};
use crate::scop::marks::PIPELINE;
use crate::scop::tree::{Band, Node};

/// What pipelines are made of.
pub(super) struct Flowing<'p> {
    /// The statements with what is assumed of their loops.
    pub problem: &'p Problem,
    pub domain: &'p UnionSet,
}

impl Flowing<'_> {
    /// The node as a pipeline, and what it is then; none if it is not two loops that can be one, or if that is not worth it.
    pub fn pipeline(&self, node: &Node, pairs: &Pairs) -> Option<(Transformation, Node)> {
        let (outer, below) = single(node)?;
        let (inner, body) = single(below)?;
        let left = pairs.below_band(outer).ok()?;
        let in_parallel = Band { coincident: vec![true], ..inner.clone() };
        let points = [outer.partial.aff(0), inner.partial.aff(0)];
        if left.below_band(&in_parallel).is_ok() || pairs.flow(&in_steps(points[0], points[1], &Int::from(1))).is_err()
        {
            return None;
        }
        let moved = self.moved(points)?;
        let outside = moved.iter().filter_map(|(_, [first, _])| *first).min().unwrap_or(0);
        let step = worthwhile(self.problem, &moved, outside)?;
        self.is_box(points).then_some(())?;
        let child = Box::new(Node::Band { band: inner.clone(), child: Box::new(body.clone()) });
        let band = Box::new(Node::Band { band: in_steps(points[0], points[1], &Int::from(step)), child });
        let loops: Vec<String> = (0..2).map(|at| self.name(&moved, at)).collect();
        let statements = moved.iter().map(|(s, _)| self.problem.statements[*s].name.to_string()).collect();
        let parallel = Some(loops[0].clone());
        let done = Arranged { statements, loops, parallel, ..Arranged::of(Shape::Pipeline(step)) };
        Some((Transformation::Loops(done), Node::Mark { id: Id::new(PIPELINE), child: band }))
    }

    /// The iterators that two functions of instances are; none if some statement is in one alone, or a function is something else.
    fn moved(&self, points: [&UnionPwAff; 2]) -> Option<Vec<(usize, [Option<usize>; 2])>> {
        let mut moved = Vec::new();
        for (at, statement) in self.problem.statements.iter().enumerate() {
            let mut along = Vec::new();
            for function in points {
                let Some(own) = function.pw_affs().find(|own| own.domain_space().has_equal_tuples(&statement.space))
                else {
                    continue;
                };
                let aff = own.as_aff()?;
                let mut counted = (0..statement.n).filter(|d| aff.coefficient(DimKind::Out, *d).as_i64() != Some(0));
                let only = counted.next();
                counted.next().is_none().then_some(())?;
                along.push(only);
            }
            match along[..] {
                [] => {}
                [first, second] => moved.push((at, [first, second])),
                _ => return None,
            }
        }
        Some(moved)
    }

    /// Whether each statement has the same iterations of one function in all iterations of the other.
    fn is_box(&self, points: [&UnionPwAff; 2]) -> bool {
        in_steps(points[0], points[1], &Int::from(1)).partial.as_union_map().intersect_domain(self.domain).maps().all(
            |map| {
                let image: Set = map.range();
                let along = |at: usize| image.project_out(DimKind::Out, 1 - at, 1).insert_dims(DimKind::Out, 1 - at, 1);
                along(0).intersect(&along(1)).is_subset(&image)
            },
        )
    }

    fn name(&self, moved: &[(usize, [Option<usize>; 2])], at: usize) -> String {
        let of = |(s, along): &(usize, [Option<usize>; 2])| {
            let statement = &self.problem.statements[*s];
            along[at].map(|d| statement.space.shown_name(d))
        };
        moved.iter().find_map(of).unwrap_or_default()
    }
}

/// A band of one loop, and what is below.
fn single(node: &Node) -> Option<(&Band, &Node)> {
    match node {
        Node::Band { band, child } if band.n_member() == 1 && band.isolate.is_none() => Some((band, child)),
        _ => None,
    }
}
