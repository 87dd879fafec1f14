//! Dependences between instances that apply symbols: what cannot be for any function is no dependence.
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   S: if (p(i)) a = x[i];
//!   T: if (p(i)) y[f(i)] = a + y[f(i)];
//! }
//! ```
//!
//! For some values of `p` every `S[i']` may be the last write of `a` before `T[i]`, and any two `T` may touch one element of `y`. But
//! one symbol applied to equal arguments gives equal values. With the values as further dimensions, `T[i, p1, f1]` and `T[i', p2,
//! f2]`, this is a case split that sets can express, for each pair of applications of one symbol (Ackermann):
//!
//!     the arguments are equal and so are the values,  or  the arguments differ
//!
//! with "and the values differ" for a symbol known to be injective, and values in the order of the arguments for a monotone one. A pair of
//! instances for which no values are left is no dependence ([`possible`]): with an injective `f` no two `T` meet.
//!
//! A write under a condition hides earlier ones for a read that only happens when the write has: `T[i]` runs if `p(i)`, and then so did
//! `S[i]`, whose condition is the same symbol with the same argument. So `S[i] -> T[i]` is all the flow of `a` ([`hidden`]). The
//! write is certain for a pair of instances if it is for all values with which the read happens, each of its own values being one of the
//! read's.

use super::dataflow::{self, Reference};
use super::{Accesses, Dependence, Entry, Order};
use crate::presburger::{DimKind, Id, Map, Set, Space};
use crate::scop::{AccessKind, Application, Scop, Statement, Symbol};

/// Pairs of applications beyond this many are not split into cases, which would be too many; the dependences are then larger.
const MOST_SPLITS: usize = 4;

/// An instance with its values, and what it touches.
struct View<'s> {
    statement: &'s Statement,
    applications: &'s [Application],
    /// `{ S[i, v] -> A[a] }`
    touches: Map,
}

impl<'s> View<'s> {
    fn of(scop: &'s Scop, entry: &Entry) -> Self {
        let statement = &scop.statements[entry.at.statement];
        let access = &statement.accesses[entry.at.access];
        let applications = statement.applied.as_ref().map_or(&[][..], |applied| &applied.applications);
        View { statement, applications, touches: access.applied.clone().unwrap_or_else(|| access.relation.clone()) }
    }

    fn n_iterators(&self) -> usize {
        self.statement.domain.dim(DimKind::Out)
    }

    /// `{ S[i, v] -> S[i] }`
    fn to_instances(&self) -> Map {
        match &self.statement.applied {
            Some(applied) => applied.to_instances(),
            None => Set::universe(self.statement.domain.space()).identity(),
        }
    }

    /// The instances with values that are equal where the arguments of one symbol are.
    fn consistent(&self, scop: &Scop) -> Set {
        let space = self.touches.space().domain();
        let mut all =
            Map::universe(&Space::from_domain_and_range(&space, &space)).intersect(&Set::universe(&space).identity());
        for (at, first) in self.applications.iter().enumerate() {
            for (other, second) in self.applications.iter().enumerate().skip(at + 1) {
                if first.symbol == second.symbol {
                    all = all.intersect(&agreement(scop, (self, at), (self, other)));
                }
            }
        }
        all.domain()
    }
}

/// `{ S[i, v] -> T[j, w] }` for which the values of two applications of one symbol can be those of one function.
fn agreement(scop: &Scop, (a, at): (&View<'_>, usize), (b, other): (&View<'_>, usize)) -> Map {
    let (first, second) = (&a.applications[at], &b.applications[other]);
    let symbol = scop.symbols.iter().find(|s| s.name == first.symbol);
    let is = |fact: fn(&Symbol) -> bool| symbol.is_some_and(fact);
    let both = Space::from_domain_and_range(&a.touches.space().domain(), &b.touches.space().domain());
    let (v, w) = (a.n_iterators() + at, b.n_iterators() + other);
    let back = second.arguments.reverse();
    let arguments = |relation: &Map| first.arguments.apply_range(relation).apply_range(&back);
    let times = first.arguments.space().range();
    let equal = arguments(&Set::universe(&times).identity()).equate(DimKind::In, v, DimKind::Out, w);
    let less = |map: Map| map.order_lt(DimKind::In, v, DimKind::Out, w);
    let more = |map: Map| map.order_lt(DimKind::Out, w, DimKind::In, v);
    let same = |map: Map| map.equate(DimKind::In, v, DimKind::Out, w);
    let (injective, monotone) = (is(|s| s.injective), is(|s| s.monotone) && times.dim(DimKind::Out) == 1);
    let case = |differs: Map, ordered: &dyn Fn(Map) -> Map| match (injective, monotone) {
        (false, false) => differs,
        (true, false) => less(differs.clone()).union(&more(differs)),
        (false, true) => ordered(differs.clone()).union(&same(differs)),
        (true, true) => ordered(differs),
    };
    let (before, after) = (arguments(&Map::lex_lt(&times)), arguments(&Map::lex_gt(&times)));
    let split = equal.union(&case(before, &less)).union(&case(after, &more));
    split.intersect(&Map::universe(&both))
}

/// `{ source -> sink }` for which there are functions such that both touch one element. `None` if neither applies any symbol.
pub(super) fn possible(scop: &Scop, source: &Entry, sink: &Entry) -> Option<Map> {
    let (first, second) = (View::of(scop, source), View::of(scop, sink));
    if first.applications.is_empty() && second.applications.is_empty() {
        return None;
    }
    let mut all = first.touches.apply_range(&second.touches.reverse());
    let mut splits = 0;
    for at in 0..first.applications.len() {
        for other in 0..second.applications.len() {
            if first.applications[at].symbol == second.applications[other].symbol && splits < MOST_SPLITS {
                all = all.intersect(&agreement(scop, (&first, at), (&second, other))).coalesce();
                splits += 1;
            }
        }
    }
    let own = |view: &View<'_>| (view.applications.len() <= MOST_SPLITS).then(|| view.consistent(scop));
    all = own(&first).map_or(all.clone(), |set| all.intersect_domain(&set));
    all = own(&second).map_or(all.clone(), |set| all.intersect_range(&set));
    Some(all.apply_domain(&first.to_instances()).apply_range(&second.to_instances()).coalesce())
}

/// `{ earlier -> sink }` for the instances of `earlier` after which an instance of `write` certainly overwrites, before the sink, what the
/// sink reads.
fn overwritten(scop: &Scop, order: &Order, write: &Entry, sink: &Entry, earlier: &Id) -> Option<Map> {
    let certain = certain(scop, write, sink)?;
    let write_name = &scop.statements[write.at.statement].name;
    let sink_name = &scop.statements[sink.at.statement].name;
    let last = before(scop, order, write_name, sink_name)?.intersect(&certain);
    let first = before(scop, order, earlier, write_name)?;
    Some(first.apply_range(&last))
}

/// `{ first -> second }` for all instances of two statements of which the first one runs earlier.
fn before(scop: &Scop, order: &Order, first: &Id, second: &Id) -> Option<Map> {
    let something = Set::universe(&Space::alloc_set(&[], Some("something"), 0));
    let anything = |name: &Id| {
        let statement = scop.statement(name).expect("law: a dependence is between statements of the model");
        Reference { statement: name.clone(), relation: Map::from_domain_and_range(&statement.domain, &something) }
    };
    dataflow::preceding(order, &anything(second), &anything(first)).map(|pairs| pairs.reverse())
}

/// `{ write -> sink }` for which, whenever the sink runs, the write runs as well and touches all that the sink touches.
fn certain(scop: &Scop, write: &Entry, sink: &Entry) -> Option<Map> {
    let (writer, reader) = (View::of(scop, write), View::of(scop, sink));
    let domain = &writer.statement.applied.as_ref()?.domain;
    if !reader.touches.is_single_valued() {
        return None;
    }
    let mut known = reader.touches.apply_range(&writer.touches.reverse()).intersect_range(domain);
    for at in 0..writer.applications.len() {
        let (w, mut same) = (writer.n_iterators() + at, Map::empty(known.space()));
        for (other, application) in reader.applications.iter().enumerate() {
            let own = &writer.applications[at];
            if own.symbol == application.symbol {
                let v = reader.n_iterators() + other;
                let equal = application.arguments.apply_range(&own.arguments.reverse());
                same = same.union(&equal.equate(DimKind::In, v, DimKind::Out, w));
            }
        }
        known = known.intersect(&same);
    }
    let known = known.apply_range(&writer.to_instances());
    let every = Map::from_domain_and_range(&reader.touches.domain(), &known.range());
    let open = every.subtract(&known).apply_domain(&reader.to_instances());
    let all = known.apply_domain(&reader.to_instances());
    Some(all.subtract(&open).reverse().coalesce()).filter(|pairs| !pairs.is_empty())
}

/// Takes from the dependences what no function allows, and from the flow what certain writes in between hide; and from `live_in`, by
/// sink, what is certainly written before.
pub(super) fn refine(
    scop: &Scop,
    accesses: &Accesses,
    order: &Order,
    pairs: &mut Vec<Dependence>,
    live_in: &mut Vec<Map>,
) {
    if scop.statements.iter().all(|s| s.applied.is_none()) {
        return;
    }
    let entry =
        |at| accesses.all.iter().find(|e| e.at == at).expect("law: a dependence is between accesses of the model");
    let is_certain = |e: &&Entry| scop.statements[e.at.statement].accesses[e.at.access].kind == AccessKind::MustWrite;
    let writes: Vec<&Entry> = accesses.all.iter().filter(is_certain).collect();
    for dependence in pairs.iter_mut() {
        let (source, sink) = (entry(dependence.source), entry(dependence.sink));
        if let Some(possible) = possible(scop, source, sink) {
            dependence.relation = dependence.relation.intersect(&possible);
        }
        if dependence.kind == super::Kind::Flow {
            dependence.relation = hidden(scop, order, &writes, source, sink, &dependence.relation);
        }
        dependence.relation = dependence.relation.coalesce();
    }
    pairs.retain(|dependence| !dependence.relation.is_empty());
    for reads in live_in.iter_mut() {
        *reads = unwritten(scop, order, accesses, &writes, reads);
    }
    live_in.retain(|reads| !reads.is_empty());
}

/// The pairs of a flow dependence between which no write certainly overwrites the element.
fn hidden(scop: &Scop, order: &Order, writes: &[&Entry], source: &Entry, sink: &Entry, flow: &Map) -> Map {
    let array = |e: &Entry| &scop.statements[e.at.statement].accesses[e.at.access].array;
    let earlier = &scop.statements[source.at.statement].name;
    let mut left = flow.clone();
    for write in writes.iter().filter(|w| array(w) == array(sink)) {
        if let Some(gone) = overwritten(scop, order, write, sink, earlier) {
            left = left.subtract(&gone);
        }
    }
    left
}

/// What is left of `reads`, of one statement, when reads after certain writes are taken out.
fn unwritten(scop: &Scop, order: &Order, accesses: &Accesses, writes: &[&Entry], reads: &Map) -> Map {
    let (statement, array) = (reads.space().tuple_name(DimKind::In), reads.space().tuple_name(DimKind::Out));
    let access = |e: &Entry| &scop.statements[e.at.statement].accesses[e.at.access];
    let name = |e: &Entry| &scop.statements[e.at.statement].name;
    let own = |e: &&Entry| e.kind == AccessKind::Read && Some(name(e)) == statement && Some(&access(e).array) == array;
    let sinks: Vec<&Entry> = accesses.all.iter().filter(own).collect();
    let &[sink] = sinks.as_slice() else { return reads.clone() };
    let mut left = reads.clone();
    for write in writes.iter().filter(|w| access(w).array == access(sink).array) {
        if let Some(certain) = certain(scop, write, sink)
            && let Some(before) = before(scop, order, name(write), name(sink))
        {
            left = left.subtract_domain(&before.intersect(&certain).range());
        }
    }
    left
}
