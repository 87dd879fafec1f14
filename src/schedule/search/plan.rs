//! From dependences to nested bands: the recursion of the scheduler.
//!
//! The statements of `for i { S: s[i] = 0; for k: T: s[i] += a[i][k]; }` with `S -> T` share the band `(i, k)`, where `S` runs at `k = 0`; what the band does not
//! order, `S` before the first `T`, is left to a sequence below. In general: group the components ([`super::fuse`]), find each
//! group's band ([`super::band`]), keep of each dependence the pairs that the band puts into one iteration, and go on with those until
//! every statement has as many hyperplanes as free iterators. A group without a band is distributed; a single component without
//! one takes a hyperplane that carries as much as possible; and where even that fails its original order, which is always legal.

use super::band::{self, Band};
use super::fuse::{self, Fusion, within};
use crate::schedule::model::graph::components;
use crate::schedule::model::problem::{Demand, Done, Edge, Hyperplane, Problem};
use std::rc::Rc;

/// A schedule of some statements, in rows.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// No order is needed.
    Leaf,
    /// The order in which the program ran them.
    Original,
    /// Groups of statements one after the other.
    Sequence(Vec<(Vec<usize>, Plan)>),
    /// Loops.
    Band(BandPlan),
}

/// A band and what is below it.
#[derive(Clone, Debug)]
pub(crate) struct BandPlan {
    /// Its statements.
    pub nodes: Vec<usize>,
    /// Its hyperplanes.
    pub band: Band,
    /// Whether the members may be interchanged and tiled.
    pub permutable: bool,
    /// The dependences among its statements that no outer band carries.
    pub edges: Vec<Rc<Edge>>,
    /// The rows of outer bands.
    pub done: Done,
    /// What runs within one iteration of it.
    pub child: Box<Plan>,
}

/// The plan for some statements under the dependences that are not carried yet.
pub(crate) fn plan(problem: &Problem, nodes: &[usize], edges: &[Rc<Edge>], done: &Done, fusion: Fusion) -> Plan {
    let complete = |s: &usize| band::rank(done, *s) == problem.statements[*s].free.len();
    if nodes.iter().all(complete) {
        return order_within_iteration(nodes, edges);
    }
    let groups = fuse::groups(problem, nodes, edges, done, fusion);
    let single = groups.len() == 1;
    let mut parts = Vec::new();
    for group in groups {
        let inner = within(&group.nodes, edges);
        let part = if group.nodes.iter().all(complete) {
            order_within_iteration(&group.nodes, &inner)
        } else {
            loops(problem, &group.nodes, inner, done, group.band, fusion)
        };
        parts.push((group.nodes, part));
    }
    match parts.pop() {
        Some((_, only)) if single => only,
        Some(last) => {
            parts.push(last);
            Plan::Sequence(parts)
        }
        None => Plan::Leaf,
    }
}

/// What is left to order of statements that have all their loops.
pub(crate) fn order_within_iteration(nodes: &[usize], edges: &[Rc<Edge>]) -> Plan {
    if nodes.len() <= 1 {
        return Plan::Leaf;
    }
    let arrows = edges.iter().filter(|e| e.role.asks(Demand::Order)).map(|e| (e.source, e.sink));
    let parts = components(nodes, arrows);
    let of_part = |part: Vec<usize>| {
        let below = if part.len() == 1 { Plan::Leaf } else { Plan::Original };
        (part, below)
    };
    match parts.len() {
        1 => Plan::Original,
        _ => Plan::Sequence(parts.into_iter().map(of_part).collect()),
    }
}

fn loops(problem: &Problem, nodes: &[usize], edges: Vec<Rc<Edge>>, done: &Done, band: Band, fusion: Fusion) -> Plan {
    if !band.members.is_empty() {
        return Plan::Band(below(problem, nodes, edges, done, band, fusion));
    }
    let Some(member) = band::carry(problem, nodes, &edges) else { return Plan::Original };
    if !edges.iter().any(|e| e.role.asks(Demand::Order) && e.is_carried(&member)) {
        return Plan::Original;
    }
    let zero = edges.iter().filter(|e| e.role.asks(Demand::Coincidence)).all(|e| e.is_coincident(&member));
    let band = Band { members: vec![member], coincident: vec![zero] };
    Plan::Band(BandPlan { permutable: false, ..below(problem, nodes, edges, done, band, fusion) })
}

/// The band, permutable, with the plan of what it leaves to be ordered.
pub(crate) fn below(
    problem: &Problem,
    nodes: &[usize],
    edges: Vec<Rc<Edge>>,
    done: &Done,
    band: Band,
    fusion: Fusion,
) -> BandPlan {
    let left = left_by(&edges, &band.members.iter().collect::<Vec<_>>());
    let mut inner = done.clone();
    band.members.iter().for_each(|member| band::record(&mut inner, problem, member));
    let child = Box::new(plan(problem, nodes, &left, &inner, fusion));
    BandPlan { nodes: nodes.to_vec(), band, permutable: true, edges, done: done.clone(), child }
}

/// The pairs of the dependences that all hyperplanes put into one iteration.
pub(crate) fn left_by(edges: &[Rc<Edge>], members: &[&Hyperplane]) -> Vec<Rc<Edge>> {
    edges.iter().filter_map(|e| e.restricted(members)).collect()
}
