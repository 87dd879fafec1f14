//! From hyperplanes to the loops that are good for caches, cores and vector units.
//!
//! The band `(i, j, k)` of `C[i][j] += A[i][k] * B[k][j]` is legal in any order and in tiles; what is wanted is
//!
//! ```text
//! for i/32 (parallel)  for j/64  for k/32      tiles that fit the first-level cache
//!   for i  for k                               points
//!     for j (vector)                           consecutive in B and C, constant in A
//! ```
//!
//! - *Vector*: the member that [`crate::schedule::model::vector`] finds best goes innermost, alone; where its statements can run along it only one
//!   after the other, each gets a loop of its own below the point loops.
//! - *Tiles*: a band is tiled if some datum is used again along a member after so many other iterations that it would have left the
//!   cache ([`has_distant_reuse`]), or if a jump through memory along the vector member is consecutive along another one.
//! - *Parallel*: a coincident member goes outermost, the vector member only in strips. If there is none, the tiles of a band run as a
//!   *wavefront*: `i/32 + j/32` in sequence, `j/32` in parallel, since tile distances are non-negative.
//! - A band without coincident member that needs *skewing* (a stencil over time) is not tiled but taken apart, if what is inside its
//!   first member is parallel and vectorised: skewed tiles cost more in boundaries than they gain in reuse.
//!
//! Each member of the result is a sum of floors of hyperplanes, so that tiles, wavefronts and points are one thing.

use super::apart::{self, Apart, jammed};
use super::bands::{self, SCALAR_SIDE, has_distant_reuse, have_loops, is_leafy, is_oblique, is_pipelined, is_skewed};
use super::block::{self, Allowed, Blocks, Jam};
use super::contraction;
use super::nest::{
    First, Loops, Member, STREAMS, Surroundings, Unit, around, in_one_loop, in_order, point, written_out,
};
use super::pipeline;
use crate::schedule::Options;
use crate::schedule::model::footprint::Footprint;
use crate::schedule::model::problem::{Hyperplane, Problem};
use crate::schedule::model::vector::{self, VectorLoop};
use crate::schedule::search::band::{self, Band};
use crate::schedule::search::plan::{BandPlan, Plan, below};
use crate::schedule::transformation::{Arranged, Shape, Transformation};
use crate::scop::tree::LoopKind;
use std::collections::BTreeMap;

/// Side of a tile of a stencil along members that are neither time nor vectorised.
const TIME_SIDE: i64 = 32;
/// Side of such a tile along the vector member: shorter ones that would leave less in the cache were measured to be slower.
const STRIP: i64 = 1024;

/// What was done, for whoever asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    /// What was done with bands, outermost first.
    pub bands: Vec<Transformation>,
    /// Whether some loop is parallel.
    pub has_parallel: bool,
    /// Whether some band is tiled for reuse.
    pub has_tiles: bool,
    /// Whether some blocks are uneven, so that the result may not be legal.
    pub blocks: Allowed,
    /// Statements with a vector loop, and how badly they do in it.
    pub vectors: BTreeMap<usize, vector::Penalty>,
}

/// The loops for a plan, with such blocks only.
pub(crate) fn loops(
    problem: &Problem,
    nodes: &[usize],
    plan: Plan,
    options: &Options,
    allowed: Allowed,
) -> (Loops, Account) {
    let mut builder = Builder { problem, options, allowed, account: Account::default() };
    let loops = builder.lower(nodes, plan, Surroundings::NoLoop);
    (loops, builder.account)
}

/// How much longer diamonds are along a line than other tiles: their loops over it are half as long on average.
const LINE_DIAMONDS: i64 = 2;

/// Diamond tiles: between the values of a member and of its mirror image.
struct Front {
    member: usize,
    mirror: Hyperplane,
}

struct Builder<'a> {
    problem: &'a Problem,
    options: &'a Options,
    allowed: Allowed,
    account: Account,
}

impl Builder<'_> {
    fn lower(&mut self, nodes: &[usize], plan: Plan, place: Surroundings) -> Loops {
        match plan {
            Plan::Leaf => Loops::Leaf,
            Plan::Original => Loops::Original(nodes.to_vec()),
            Plan::Sequence(parts) => {
                let lower = |(nodes, plan): (Vec<usize>, Plan)| {
                    let loops = self.lower(&nodes, plan, place);
                    (nodes, loops)
                };
                Loops::Sequence(parts.into_iter().map(lower).collect())
            }
            Plan::Band(band) => self.band(band, place),
        }
    }

    fn band(&mut self, plan: BandPlan, place: Surroundings) -> Loops {
        let n = plan.band.members.len();
        let parallel = plan.band.coincident.first().copied().unwrap_or(false);
        let leafy = is_leafy(&plan.child);
        // Threads have no copies in a pipeline.
        let may_flow =
            place == Surroundings::NoLoop && self.options.is_parallel() && self.options.privatised.is_empty();
        if let Some(step) = (may_flow && !leafy).then(|| pipeline::step(self.problem, &plan)).flatten() {
            return self.pipeline(plan, step, place);
        }
        if !plan.permutable
            || (!leafy && (parallel || n == 1 || place != Surroundings::NoLoop || self.is_fast(&plan.child, 0)))
        {
            return self.plain(plan, place);
        }
        if !leafy
            && !self.is_fast(&plan.child, self.deepest(&plan))
            && let Some(apart) = self.taken_apart(&plan, self.deepest(&plan))
        {
            return self.lower(&plan.nodes.clone(), apart, place);
        }
        let best = vector::best_member(self.problem, &plan.nodes, &plan.edges, &plan.band.members, &plan.done);
        // Where iterations of another loop can run side by side, that is faster than to ask those of one whether they have anything to do.
        let (asked, best): (Option<_>, Option<_>) = match best.filter(|_| leafy) {
            Some((v, found)) if found.asked.is_empty() => (None, Some((v, found))),
            asked => (asked, None),
        };
        if leafy && !parallel && n > 1 && (place != Surroundings::NoLoop || is_skewed(self.problem, &plan.band)) {
            if let Some((v, _)) = best.as_ref().filter(|(v, found)| self.is_worth_skewing(&plan, *v, found, place)) {
                let sizes = self.time_tile(n, *v);
                let front = self.front(&plan, *v);
                let blocks = match front {
                    None => self.blocks(&plan, best.as_ref(), self.allowed),
                    Some(_) => Blocks::default(),
                };
                return self.tiled(plan, best, place, &sizes, front, blocks);
            }
            if let Some(apart) = self.taken_apart(&plan, 0) {
                return self.lower(&plan.nodes.clone(), apart, place);
            }
        }
        let jumps = |(_, found): &(usize, VectorLoop)| found.penalties.values().any(|p| *p > 0);
        if leafy
            && n > 1
            && best.as_ref().is_none_or(|found| n == 2 && jumps(found))
            && let Some((jam, serial)) = block::into_serial(self.problem, &plan).filter(|_| self.options.may_block())
        {
            return self.jammed_serial(plan, jam, serial, place);
        }
        let reuse = best.as_ref().is_some_and(|(v, _)| has_distant_reuse(self.problem, &plan, *v));
        let wavefront =
            !parallel && n > 1 && place == Surroundings::NoLoop && self.options.is_parallel() && is_pipelined(&plan);
        let flows = may_flow && leafy && wavefront && best.is_none();
        if let Some(step) = flows.then(|| pipeline::step(self.problem, &plan)).flatten() {
            return self.pipeline(plan, step, place);
        }
        if self.options.may_tile() && n > 1 && (wavefront || (reuse && place == Surroundings::NoLoop)) {
            let blocks = self.blocks(&plan, best.as_ref(), self.allowed);
            // In a wavefront the first and the last tiles run alone; oblique constraints cut tiles.
            let longest = if wavefront || is_oblique(self.problem, &plan.nodes) { SCALAR_SIDE } else { i64::MAX };
            let sizes = self.cache_tile(&plan, best.as_ref(), &blocks, longest);
            return self.tiled(plan, best, place, &sizes, None, blocks);
        }
        match best.or(asked) {
            Some((v, found)) => self.untiled(plan, v, found, place),
            None => self.plain(plan, place),
        }
    }

    /// Whether a band that only skewing makes permutable is worth its oblique tiles: everything in it keeps its vector loop.
    fn is_worth_skewing(&self, plan: &BandPlan, v: usize, found: &VectorLoop, place: Surroundings) -> bool {
        let smooth = plan.nodes.iter().all(|s| found.penalties.get(s).is_none_or(|p| *p == 0));
        self.options.may_tile() && v > 0 && smooth && place == Surroundings::NoLoop
    }

    /// Sides of a tile of a stencil over time, with `v` in the vector unit.
    fn time_tile(&self, n: usize, v: usize) -> Vec<i64> {
        let side = |m: usize| match m {
            0 => self.options.time_tile,
            m if m == v => STRIP,
            _ => self.options.tile_size.unwrap_or(TIME_SIDE),
        };
        (0..n).map(side).collect()
    }

    /// A member of a stencil over time and the hyperplane that mirrors it in time, if that lets all tiles along it start at once.
    fn front(&self, plan: &BandPlan, v: usize) -> Option<Front> {
        if !self.options.is_parallel() || !is_pipelined(plan) {
            return None;
        }
        let mirrored = |m: usize| band::mirrored(self.problem, &plan.nodes, &plan.edges, &plan.band.members, m);
        let n = plan.band.members.len();
        (1..n).filter(|m| n == 2 || *m != v).find_map(|m| Some(Front { member: m, mirror: mirrored(m)? }))
    }

    /// Sides of a tile that stays in the cache, `longest` at most.
    fn cache_tile(
        &self,
        plan: &BandPlan,
        best: Option<&(usize, VectorLoop)>,
        blocks: &Blocks,
        longest: i64,
    ) -> Vec<i64> {
        let n = plan.band.members.len();
        match (self.options.tile_size, best) {
            (Some(side), _) => vec![side; n],
            (None, None) if n == 2 && is_leafy(&plan.child) => {
                vec![SCALAR_SIDE, bands::piece_of_row(self.problem, plan)]
            }
            (None, None) => vec![SCALAR_SIDE; n],
            (None, Some((v, _))) => {
                let factor = |m: usize| blocks.jam.iter().find(|(j, _)| *j == m).map_or(1, |(_, factor)| *factor);
                let block: Vec<i64> = (0..n).map(factor).collect();
                let footprint = Footprint::of(self.problem, &plan.nodes, &plan.band.members, &plan.done);
                footprint.sides(&block, *v, longest)
            }
        }
    }

    /// Values of a parallel member written out in a loop that has to run in order.
    fn jammed_serial(&mut self, plan: BandPlan, jam: Jam, serial: usize, place: Surroundings) -> Loops {
        let (m, factor) = jam;
        let n = plan.band.members.len();
        let member = |m: usize| (plan.band.members[m].clone(), plan.band.coincident[m]);
        let others: Vec<usize> = (0..n).filter(|o| *o != m && *o != serial).collect();
        let (blocked, coincident) = member(m);
        let mut outer = vec![Member { terms: vec![(blocked, factor)], coincident }];
        outer.extend(others.iter().map(|o| point(&member(*o).0, member(*o).1)));
        let inner = self.entered(place, &outer);
        let name = self.names(&plan).swap_remove(m);
        let done = Arranged::of(Shape::WrittenOut(factor, name));
        self.describe(&plan, done, &outer, None, place);
        self.account.has_tiles = true;
        let alone = |m: usize| vec![point(&member(m).0, member(m).1)];
        let below = self.lower(&plan.nodes, (*plan.child).clone(), inner);
        let whole = around(alone(serial), written_out(alone(m), below.clone()));
        let whole = Loops::Mark(STREAMS.into(), Box::new(whole));
        let rest = around(alone(m), around(alone(serial), below));
        let sides = vec![block::side(self.problem, &plan, m, factor, &plan.nodes)];
        let split = Loops::Split { sides, whole: Box::new(whole), rest: Box::new(rest), first: First::Whole };
        around(outer, split)
    }

    /// The band as it is, coincident members first.
    fn plain(&mut self, plan: BandPlan, place: Surroundings) -> Loops {
        let members: Vec<Member> = bands::members(&plan.band).map(|(h, c)| point(h, c)).collect();
        let inner = self.entered(place, &members);
        self.describe(&plan, Arranged::default(), &members, None, place);
        self.note_innermost(&plan);
        let child = Box::new(self.lower(&plan.nodes, *plan.child, inner));
        Loops::Band { members, permutable: plan.permutable, unit: Unit::Scalar, kind: LoopKind::Default, child }
    }

    /// Steps of the second member, in each of which threads share the first one.
    fn pipeline(&mut self, plan: BandPlan, step: i64, place: Surroundings) -> Loops {
        let shared = [Member { coincident: true, ..in_order(&plan.band.members[0]) }];
        self.describe(&plan, Arranged::of(Shape::Pipeline(step)), &shared, None, place);
        self.account.has_parallel = true;
        self.note_innermost(&plan);
        let below = self.lower(&plan.nodes, (*plan.child).clone(), Surroundings::ParallelLoop);
        pipeline::loops(&plan, step, below)
    }

    fn entered(&mut self, place: Surroundings, members: &[Member]) -> Surroundings {
        let parallel = members.iter().any(|m| m.coincident);
        self.account.has_parallel |= parallel;
        place.inside(members)
    }

    /// The innermost member of a band that is not rearranged, if a vector unit can run it.
    fn note_innermost(&mut self, plan: &BandPlan) {
        let Some(last) = plan.band.members.len().checked_sub(1).filter(|_| is_leafy(&plan.child)) else { return };
        let found = vector::vector_loop(self.problem, &plan.nodes, &plan.edges, &plan.band.members, last, &plan.done);
        self.account.vectors.extend(found.penalties);
    }

    /// The plan with the first member alone and the rest planned anew, if each nest in it of statements at least so deep is then parallel and
    /// vectorised.
    fn taken_apart(&self, plan: &BandPlan, depth: usize) -> Option<Plan> {
        let first = Band { members: vec![plan.band.members[0].clone()], coincident: vec![plan.band.coincident[0]] };
        let apart = below(self.problem, &plan.nodes, plan.edges.clone(), &plan.done, first, self.options.fusion);
        self.is_fast(&apart.child, depth).then_some(Plan::Band(apart))
    }

    /// How deep the deepest statements are.
    fn deepest(&self, plan: &BandPlan) -> usize {
        plan.nodes.iter().map(|s| self.problem.statements[*s].free.len()).max().unwrap_or(0)
    }

    fn is_fast(&self, plan: &Plan, depth: usize) -> bool {
        match plan {
            Plan::Leaf => true,
            Plan::Original => false,
            Plan::Sequence(parts) => parts.iter().all(|(_, part)| self.is_fast(part, depth)),
            Plan::Band(band) if self.deepest(band) < depth => true,
            Plan::Band(band) => {
                band.band.coincident.first() == Some(&true)
                    && vector::best_member(self.problem, &band.nodes, &band.edges, &band.band.members, &band.done)
                        .is_some_and(|(_, found)| found.asked.is_empty())
            }
        }
    }

    /// The vector member innermost, another coincident member (or strips of this one) outermost.
    fn untiled(&mut self, plan: BandPlan, v: usize, found: VectorLoop, place: Surroundings) -> Loops {
        let n = plan.band.members.len();
        let mut order: Vec<usize> = (0..n).filter(|m| *m != v).collect();
        order.sort_by_key(|m| !plan.band.coincident[*m]);
        let outermost = order.first().is_some_and(|m| plan.band.coincident[*m]);
        let mut members: Vec<Member> =
            order.iter().map(|m| point(&plan.band.members[*m], plan.band.coincident[*m])).collect();
        let strip = n > 1
            && !outermost
            && plan.band.coincident[v]
            && place != Surroundings::ParallelLoop
            && self.options.is_parallel();
        let in_vectors = bands::in_vectors(self.problem, &plan.nodes, &found);
        if strip {
            let size = self.options.strip;
            members.insert(0, Member { terms: vec![(plan.band.members[v].clone(), size)], coincident: true });
            let done = Arranged { in_vectors, ..Arranged::of(Shape::Strips(size)) };
            self.describe(&plan, done, &members, Some(v), place);
        } else if apart::take_turns(self.options, &plan, &found, place) {
            members.insert(0, Member { terms: vec![(plan.band.members[v].clone(), STRIP)], coincident: false });
            self.describe(&plan, Arranged::of(Shape::Strips(STRIP)), &members, Some(v), place);
        } else {
            self.describe(&plan, Arranged { in_vectors, ..Arranged::default() }, &members, Some(v), place);
        }
        let (inner, best) = (self.entered(place, &members), (v, found));
        let blocks = self.blocks(&plan, Some(&best), Allowed::Even);
        let (v, found) = best;
        if blocks.jam.is_empty() {
            let below = self.vector(&plan, v, found, &blocks, inner);
            return around(members, below);
        }
        for member in &mut members {
            let factor = |(m, _): &&Jam| member.terms == [(plan.band.members[*m].clone(), 1)];
            if let Some((_, factor)) = blocks.jam.iter().find(factor) {
                member.terms[0].1 = *factor;
            }
        }
        let split = self.split(&plan, v, found, &blocks, inner);
        around(members, split)
    }

    fn blocks(&self, plan: &BandPlan, best: Option<&(usize, VectorLoop)>, allowed: Allowed) -> Blocks {
        match best
            .filter(|(_, found)| self.options.may_block() && found.components.iter().all(|c| found.is_free_or_asked(c)))
        {
            Some((v, found)) => block::into_vector(self.problem, plan, *v, found, allowed),
            None => Blocks::default(),
        }
    }

    /// Within one block: its whole part in the jammed vector loop, the rest in plain loops.
    fn split(&mut self, plan: &BandPlan, v: usize, found: VectorLoop, blocks: &Blocks, place: Surroundings) -> Loops {
        let side = |(m, factor): &Jam| block::side(self.problem, plan, *m, *factor, &blocks.nodes);
        let sides = blocks.jam.iter().map(side).collect();
        let whole = Box::new(self.vector(plan, v, found.clone(), blocks, place));
        let rest = around(jammed(plan, blocks), self.vector(plan, v, found, &Blocks::default(), place));
        let in_one = blocks.is_even && is_leafy(&plan.child) && block::are_whole_along(self.problem, plan, blocks, v);
        let rest = Box::new(if in_one { in_one_loop(rest) } else { rest });
        let first = if blocks.is_even { First::Whole } else { First::Rest };
        Loops::Split { sides, whole, rest, first }
    }

    /// The vector loop, or one for each component; below, the order within one iteration. With `blocks`, only what runs in them.
    fn vector(&mut self, plan: &BandPlan, v: usize, found: VectorLoop, blocks: &Blocks, place: Surroundings) -> Loops {
        let member = &plan.band.members[v];
        let moves = |s: &usize| member[s].iterators.iter().any(|x| *x != 0);
        self.account.vectors.extend(found.penalties.iter().map(|(s, p)| (*s, *p)));
        let together = found.is_fusible && plan.nodes.iter().all(moves);
        let loop_over = |builder: &mut Self, nodes: &[usize], below: Loops| {
            let members = vec![Member {
                terms: vec![(member.clone(), 1)],
                coincident: apart::is_coincident(plan, v, &found, nodes),
            }];
            builder.entered(place, &members);
            let child = Box::new(written_out(jammed(plan, blocks), below));
            let unit = if have_loops(builder.problem, nodes) { Unit::Scalar } else { Unit::Vector };
            let found = Loops::Band { members, permutable: true, unit, kind: LoopKind::Default, child };
            bands::marked_if_short(builder.problem, nodes, member, found)
        };
        if (together && (blocks.is_even || blocks.jam.is_empty())) || found.components.len() == 1 {
            let below = self.lower(&plan.nodes, (*plan.child).clone(), place);
            return loop_over(self, &plan.nodes, below);
        }
        let apart = Apart::of(plan, &found, apart::sharing(self.options, place, blocks));
        let mut parts = Vec::new();
        for loop_ in &apart.loops {
            let runs = |s: &usize| blocks.jam.is_empty() || blocks.nodes.contains(s);
            let nodes: Vec<usize> = loop_.iter().copied().filter(runs).collect();
            if nodes.is_empty() {
                continue;
            }
            let below = self.lower(&nodes, apart.order(&nodes, &found), place);
            let loops = loop_over(self, &nodes, below);
            parts.push((nodes, loops));
        }
        apart::one_after_the_other(parts)
    }

    fn tiled(
        &mut self,
        plan: BandPlan,
        best: Option<(usize, VectorLoop)>,
        place: Surroundings,
        sizes: &[i64],
        front: Option<Front>,
        blocks: Blocks,
    ) -> Loops {
        let n = plan.band.members.len();
        let v = best.as_ref().map(|(v, _)| *v);
        let parallel = plan.band.coincident[0];
        let tile = |m: usize| Member {
            terms: vec![(plan.band.members[m].clone(), sizes[m])],
            coincident: plan.band.coincident[m],
        };
        let mut tiles: Vec<Member> = (0..n).map(tile).collect();
        let mut shape = Shape::Tiles(sizes.to_vec());
        // What a diamond touches is at no time wider than its side.
        let touched: Vec<i64> = (0..n).map(|m| if m == 0 && front.is_some() { 1 } else { sizes[m] }).collect();
        if let Some(Front { member, mirror }) = front {
            let size = if n == 2 { LINE_DIAMONDS * sizes[member] } else { sizes[member] };
            let mirror = vec![(mirror, size)];
            let wave = [vec![(plan.band.members[member].clone(), size)], mirror.clone()].concat();
            tiles[0] = Member { terms: wave, coincident: false };
            tiles.remove(member);
            tiles.insert(1, Member { terms: mirror, coincident: true });
            let others: Vec<i64> = (1..n).map(|m| if m == member { size } else { sizes[m] }).collect();
            shape = Shape::Diamonds(others);
        } else if !parallel && n > 1 && self.options.is_parallel() && is_pipelined(&plan) {
            let second = tiles[1].terms.clone();
            tiles[0].terms.extend(second);
            tiles[1].coincident = true;
            shape = Shape::Wavefront(sizes.to_vec());
        }
        let inner = self.entered(place, &tiles);
        if !blocks.jam.is_empty() && !blocks.is_even {
            self.account.blocks = Allowed::Uneven;
        }
        let footprint = Footprint::of(self.problem, &plan.nodes, &plan.band.members, &plan.done);
        let registers = blocks.jam.iter().map(|(_, factor)| *factor).collect();
        let done = Arranged { shape, tile_bytes: Some(footprint.bytes(&touched)), registers, ..Arranged::default() };
        self.describe(&plan, done, &tiles, v, place);
        self.account.has_tiles = true;
        let Some((v, found)) = best else {
            self.note_innermost(&plan);
            let points = bands::members(&plan.band).map(|(h, c)| point(h, c)).collect();
            return around(tiles, around(points, self.lower(&plan.nodes, *plan.child, inner)));
        };
        let rows = |size: &dyn Fn(usize) -> i64| -> Vec<Member> {
            let row = |m: usize| Member {
                terms: vec![(plan.band.members[m].clone(), size(m))],
                coincident: plan.band.coincident[m],
            };
            (0..n).filter(|m| *m != v).map(row).collect()
        };
        if blocks.jam.is_empty() {
            return around(tiles, around(rows(&|_| 1), self.vector(&plan, v, found, &blocks, inner)));
        }
        let factor = |m: usize| blocks.jam.iter().find(|(j, _)| *j == m).map_or(1, |(_, factor)| *factor);
        let points = around(rows(&factor), self.split(&plan, v, found, &blocks, inner));
        match contraction::mark(self.problem, &plan) {
            Some(mark) => around(tiles, Loops::Mark(mark, Box::new(points))),
            None => around(tiles, points),
        }
    }

    /// The loops of a band by what they count.
    fn names(&self, plan: &BandPlan) -> Vec<String> {
        plan.band.members.iter().map(|h| self.name(plan, h)).collect()
    }

    fn name(&self, plan: &BandPlan, h: &Hyperplane) -> String {
        let deepest = plan.nodes.iter().max_by_key(|s| self.problem.statements[**s].free.len());
        deepest.map_or_else(String::new, |s| self.problem.text(*s, &h[s]))
    }

    /// Notes what was done with a band; which loops, and for whom they are, is added.
    fn describe(&mut self, plan: &BandPlan, done: Arranged, members: &[Member], v: Option<usize>, place: Surroundings) {
        let statements = bands::names_of(self.problem, plan.nodes.iter());
        let loops = self.names(plan);
        let alone = || v.filter(|v| plan.band.coincident[*v] && place != Surroundings::ParallelLoop);
        let parallel = match members.iter().find(|m| m.coincident) {
            Some(member) => Some(member.terms.last().map(|(h, _)| self.name(plan, h)).unwrap_or_default()),
            None => alone().map(|v| loops[v].clone()),
        };
        let parallel = parallel.filter(|_| self.options.is_parallel());
        let vector = v.filter(|_| !have_loops(self.problem, &plan.nodes)).map(|v| loops[v].clone());
        self.account.bands.push(Transformation::Loops(Arranged { statements, loops, parallel, vector, ..done }));
    }
}
