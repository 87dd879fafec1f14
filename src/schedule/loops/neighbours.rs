//! The program's own loops over points, in vectors, with the loops over the neighbours of each written out.
//!
//! ```c
//! for (y ...) for (x ...) {
//!   s = 0;
//!   for (dy = -1; dy <= 1; dy++) for (dx = -1; dx <= 1; dx++)
//!     if (0 <= y + dy && y + dy < h && 0 <= x + dx && x + dx < w) s += u[y + dy][x + dx] * k[dy][dx];
//!   o[y][x] = s;
//! }
//! ```
//!
//! Of a point that has all neighbours the inner loops are nine terms without a condition, and `x` is the innermost loop. At borders ([`crate::schedule::borders`]) each term is under its condition.
//!
//! It is done where no iteration of the loop over points depends on another one, all is read and written in steps of one element or stands still, the loops inside of it have few iterations, and some of them are cut by
//! borders: others are written out before there is a model. Whether it pays says [`super::time`].

use super::bands;
use super::nest::{Loops, Member, Unit};
use super::original::{Outer, with_outer_ones};
use super::tile::Account;
use crate::schedule::model::problem::{Edge, Hyperplane, Problem};
use crate::schedule::model::reference::Reference;
use crate::schedule::model::vector::is_consecutive;
use crate::schedule::transformation::{Arranged, Transformation};
use crate::scop::tree::LoopKind;
use std::rc::Rc;

/// Iterations that are written out, of all loops in one another and after one another.
const MOST_WRITTEN_OUT: i64 = 32;

/// The program's loops with those over neighbours written out wherever they can be; none if they can be nowhere.
pub(crate) fn loops(problem: &Problem, own: &Loops) -> Option<(Loops, Account)> {
    let nodes: Vec<usize> = (0..problem.statements.len()).collect();
    let mut builder = Builder { problem, account: Account::default() };
    let points = &mut |loop_: &Hyperplane, outer: &Outer<'_>| builder.over_points(loop_, outer);
    let loops = with_outer_ones(own, &[Unit::Scalar, Unit::Single], (&nodes, &problem.edges), points)?;
    Some((loops, builder.account))
}

struct Builder<'p> {
    problem: &'p Problem,
    account: Account,
}

impl Builder<'_> {
    /// The loop over points with those inside written out, if that can be.
    fn over_points(&mut self, loop_: &Hyperplane, outer: &Outer<'_>) -> Option<Loops> {
        let Outer { child, nodes, edges, .. } = *outer;
        let is_over_points = self.is_over_points(loop_, nodes, edges);
        let (written, _) = is_over_points.then(|| self.written_out(child, nodes)).flatten()?;
        Some(self.points(loop_, written, nodes))
    }

    /// Whether a loop is over points that have nothing to do with each other, of which some have not all neighbours.
    fn is_over_points(&self, loop_: &Hyperplane, nodes: &[usize], edges: &[Rc<Edge>]) -> bool {
        let statement = |s: &usize| &self.problem.statements[*s];
        nodes.iter().any(|s| statement(s).work.has_border)
            && nodes.iter().all(|s| self.is_smooth(*s, &loop_[s].iterators))
            && bands::are_apart(loop_, nodes, edges)
    }

    /// Whether vectors of instances along an iterator, of which the row is, are nothing but operations on vectors of neighbours.
    fn is_smooth(&self, s: usize, row: &[i64]) -> bool {
        let statement = &self.problem.statements[s];
        let counts = row.iter().filter(|x| **x != 0).count() == 1 && row.contains(&1);
        let is_next = |r: &Reference| {
            let is_near = r.strides.last() == Some(&Some(r.size as i64));
            let moves = |movement: &[i64]| movement.iter().any(|x| *x != 0);
            let is_smooth = |m: Vec<i64>| is_consecutive(&m) && (is_near || !moves(&m));
            self.problem.scalars.contains(&r.array) || !r.is_anywhere && r.movement(row).is_some_and(is_smooth)
        };
        counts && statement.work.is_straight() && self.problem.lanes(s) > 1 && statement.references.iter().all(is_next)
    }

    /// The loops written out, with how many iterations they have; none if these are many, or not known.
    fn written_out(&self, loops: &Loops, nodes: &[usize]) -> Option<(Loops, i64)> {
        let (written, iterations) = match loops {
            Loops::Leaf => (Loops::Leaf, 0),
            Loops::Sequence(parts) => {
                let part = |(own, part): &(Vec<usize>, Loops)| {
                    let (written, iterations) = self.written_out(part, own)?;
                    Some(((own.clone(), written), iterations))
                };
                let (parts, iterations): (Vec<_>, Vec<i64>) =
                    parts.iter().map(part).collect::<Option<Vec<_>>>()?.into_iter().unzip();
                (Loops::Sequence(parts), iterations.iter().sum::<i64>().max(1))
            }
            Loops::Band { members, permutable, child, .. } => {
                let [member] = members.as_slice() else { return None };
                let (child, inside) = self.written_out(child, nodes)?;
                let values = nodes.iter().map(|s| self.values(*s, member)).collect::<Option<Vec<_>>>()?;
                let written = Loops::Band {
                    members: members.clone(),
                    permutable: *permutable,
                    unit: Unit::Scalar,
                    kind: LoopKind::Unroll,
                    child: Box::new(child),
                };
                (written, inside.max(1) * values.into_iter().max()?)
            }
            Loops::Original(_) | Loops::Mark(..) | Loops::Split { .. } => return None,
        };
        (iterations <= MOST_WRITTEN_OUT).then_some((written, iterations))
    }

    /// How many values a member takes for a statement, if these are few.
    fn values(&self, s: usize, member: &Member) -> Option<i64> {
        let row = &member.terms[0].0[&s].iterators;
        let d = row.iter().position(|x| *x == 1)?;
        let counts = row.iter().filter(|x| **x != 0).count() == 1;
        self.problem.statements[s].few_values(d).filter(|_| counts)
    }

    fn points(&mut self, loop_: &Hyperplane, child: Loops, nodes: &[usize]) -> Loops {
        let name = nodes.iter().max_by_key(|s| self.problem.statements[**s].free.len());
        let name = name.map_or_else(String::new, |s| self.problem.text(*s, &loop_[s]));
        self.account.bands.push(Transformation::Loops(Arranged {
            statements: bands::names_of(self.problem, nodes.iter()),
            loops: vec![name.clone()],
            vector: Some(name),
            ..Arranged::default()
        }));
        self.account.has_parallel = true;
        self.account.vectors.extend(nodes.iter().map(|s| (*s, 0)));
        let members = vec![Member { terms: vec![(loop_.clone(), 1)], coincident: true }];
        Loops::Band { members, permutable: true, unit: Unit::Vector, kind: LoopKind::Default, child: Box::new(child) }
    }
}
