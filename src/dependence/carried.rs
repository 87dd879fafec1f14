//! Which loop of the program carries a dependence, how far, and how a message says so.
//!
//! ```c
//! for (int t = 0; t < m; t++)           // line 1
//!   for (int i = 1; i < n; i++)         // line 2
//!     S: A[i] = A[i] + B[i - 1];        // line 3
//! ```
//!
//! The flow `S[t, i] -> S[t + 1, i]` of `A` lies between iterations of the loop over `t`: that loop *carries* it, at a *distance* of one
//! iteration, and the loop over `i` does not. So the loop at line 1 runs in order, because "'A' written at line 3:11 is read at line
//! 3:13 one iteration later", while that at line 2 could run in any order. The step of the original schedule where the paths of
//! source and sink part ([`Level`](super::order::Level)) is the loop that carries; a sequence may decide as well, then no loop does.

use super::{AccessRef, Dependence, Dependences, Kind, Order};
use crate::presburger::Int;
use crate::scop::{Access, AccessKind, ArrayKind, Location, Scop};

/// The part of a dependence that one loop of the program carries.
#[derive(Clone, Debug)]
pub struct Carried<'d> {
    /// The whole dependence.
    pub dependence: &'d Dependence,
    /// How many loops there are around the loop that carries it.
    pub depth: usize,
    /// How many iterations later, if it is always the same number.
    pub distance: Option<Int>,
}

impl Dependences {
    /// For each pair of accesses the loops, under the original schedule `order` of `scop`, that carry their dependence, outer loops first.
    pub fn carried<'d>(&'d self, scop: &Scop, order: &Order) -> Vec<Carried<'d>> {
        let mut all = Vec::new();
        for dependence in &self.pairs {
            let name = |at: AccessRef| &scop.statements[at.statement].name;
            let related = dependence.relation.reverse();
            let mut found: Vec<(usize, Option<Int>)> = Vec::new();
            for sink in order.leaves(name(dependence.sink)) {
                for source in order.leaves(name(dependence.source)) {
                    let here = related.intersect_domain(&sink.domain).intersect_range(&source.domain);
                    found.extend(sink.levels(source, &here, None).iter().filter_map(|l| sink.carrier(source, l)));
                }
            }
            found.sort();
            found.dedup_by_key(|(depth, _)| *depth);
            all.extend(found.into_iter().map(|(depth, distance)| Carried { dependence, depth, distance }));
        }
        all
    }
}

/// What is worth saying of the dependences that one loop carries: of an array whose values go from one iteration to another only that,
/// since it is overwritten on the way in any case; and of two distances between the same lines the known one.
pub fn sentences(scop: &Scop, carried: &[Carried<'_>], file: Option<&str>) -> Vec<String> {
    let array = |c: &Carried<'_>| &access(scop, c.dependence.source).array;
    let is_value = |c: &Carried<'_>| !matches!(c.dependence.kind, Kind::Anti | Kind::Output);
    let is_told =
        |c: &&Carried<'_>| is_value(c) || !carried.iter().any(|other| is_value(other) && array(other) == array(c));
    let mut told: Vec<&Carried<'_>> = carried.iter().filter(is_told).collect();
    told.sort_by_key(|c| c.distance.is_none());
    let mut sentences: Vec<(String, String)> = Vec::new();
    for each in told {
        let (what, when) = (each.sentence(scop, file), each.when());
        if !sentences.iter().any(|(known, _)| *known == what) {
            sentences.push((what, when));
        }
    }
    sentences.into_iter().map(|(what, when)| format!("{what} {when}")).collect()
}

impl Carried<'_> {
    fn when(&self) -> String {
        match &self.distance {
            Some(distance) if *distance == Int::from(1) => "one iteration later".to_string(),
            Some(distance) => format!("{distance} iterations later"),
            None => "in a later iteration".to_string(),
        }
    }

    /// The dependence as half a sentence, both lines in it; places in `file` by their line alone.
    fn sentence(&self, scop: &Scop, file: Option<&str>) -> String {
        let Dependence { kind, source, sink, .. } = self.dependence;
        let (first, second) = (access(scop, *source), access(scop, *sink));
        let array = scop.array(&first.array);
        let is_scalar = array.is_some_and(|a| a.kind == ArrayKind::Scalar);
        let what = array.and_then(|a| a.source_name.as_ref()).map_or("what is".to_string(), |name| format!("'{name}'"));
        let (did, does) = match kind {
            Kind::Flow if is_scalar => ("computed", "needed"),
            Kind::Flow => ("written", "read"),
            Kind::Anti if is_scalar => ("needed", "computed anew"),
            Kind::Anti => ("read", "overwritten"),
            Kind::Output if is_scalar => ("computed", "computed anew"),
            Kind::Output => ("written", "written again"),
            Kind::Reduction => ("updated", "updated again"),
            Kind::ReductionUse => ("summed up", "used"),
        };
        let be = if is_certain(scop, *source) && is_certain(scop, *sink) { "is" } else { "may be" };
        format!("{what} {did}{} {be} {does}{}", place(scop, *source, first, file), place(scop, *sink, second, file))
    }
}

/// Whether it is certain that the access happens, and where.
fn is_certain(scop: &Scop, at: AccessRef) -> bool {
    let access = access(scop, at);
    let happens = scop.statements[at.statement].effect(access) != Some(AccessKind::MayWrite);
    happens && access.relation.is_single_valued()
}

fn access(scop: &Scop, at: AccessRef) -> &Access {
    &scop.statements[at.statement].accesses[at.access]
}

fn place(scop: &Scop, at: AccessRef, access: &Access, file: Option<&str>) -> String {
    match access.location.as_ref().or(scop.statements[at.statement].location.as_ref()) {
        Some(Location { file: own, line, column: 0 }) if file == Some(own) => format!(" at line {line}"),
        Some(Location { file: own, line, column }) if file == Some(own) => format!(" at line {line}:{column}"),
        Some(location) => format!(" at {location}"),
        None => format!(" by {}", scop.statements[at.statement].name),
    }
}

#[cfg(test)]
mod tests {
    //! One model with a dependence of each kind, told as remarks tell it.

    use super::*;
    use expect_test::{Expect, expect};

    /// `r` is summed up, `A` written and read at distances 1 and 2, `B` overwritten, `C` written again, `D` written perhaps, `t` a scalar.
    const MODEL: &str = r#"name: told
context: "[n] -> { : n >= 9 }"
arrays:
- { name: A, source_name: a, shape: ["*", "*"] }
- { name: t, kind: scalar, shape: ["*"] }
statements:
- name: S
  domain: "[n] -> { S[k, i] : 0 <= k < n and 2 <= i < n }"
  location: "told.c:7"
  accesses:
  - { read: "{ S[k, i] -> A[k, i - 1] }", location: "told.c:3:13" }
  - { read: "{ S[k, i] -> A[k, i - 2] }", location: "other.c:4:1" }
  - { write: "{ S[k, i] -> A[k, i] }", location: "told.c:3:5" }
- name: T
  domain: "[n] -> { T[k] : 0 <= k < n }"
  accesses:
  - { read: "{ T[k] -> t[k - 1] }", location: "told.c:9" }
  - { write: "{ T[k] -> t[k] }", location: "told.c:9" }
  - { read: "{ T[k] -> B[k + 1] }" }
  - { write: "{ T[k] -> B[k] }" }
  - { write: "{ T[k] -> C[j] : j = 2*floor(k/2) }", location: "told.c:10:1" }
  - { may_write: "{ T[k] -> D[0] }", location: "told.c:11:1" }
- name: R
  domain: "[n] -> { R[k] : 0 <= k < n }"
  location: "told.c:12"
  accesses:
  - { read: "{ R[k] -> r[] }", reduction: "+" }
  - { write: "{ R[k] -> r[] }", reduction: "+" }
- name: U
  domain: "[n] -> { U[k] : 0 <= k < n }"
  location: "told.c:13"
  accesses:
  - { read: "{ U[k] -> s[] }" }
  - { read: "{ U[k] -> q[] }", reduction: "+" }
  - { write: "{ U[k] -> q[] }", reduction: "+" }
- name: V
  domain: "[n] -> { V[k] : 0 <= k < n }"
  location: "told.c:14"
  accesses:
  - { read: "{ V[k] -> q[] : k mod 5 = 4 }" }
  - { write: "{ V[k] -> s[] : k = 3 }" }
schedule:
  domain: "[n] -> { S[k, i] : 0 <= k < n and 2 <= i < n; T[k] : 0 <= k < n; R[k] : 0 <= k < n; U[k] : 0 <= k < n; V[k] : 0 <= k < n }"
  child:
    schedule: "[n] -> [{ S[k, i] -> [(k)]; T[k] -> [(k)]; R[k] -> [(k)]; U[k] -> [(k)]; V[k] -> [(k)] }]"
    child:
      sequence:
      - filter: "[n] -> { S[k, i] }"
        child:
          schedule: "[n] -> [{ S[k, i] -> [(i)] }]"
      - filter: "[n] -> { T[k] }"
      - filter: "[n] -> { R[k] }"
      - filter: "[n] -> { U[k] }"
      - filter: "[n] -> { V[k] }"
"#;

    fn told(depth: usize, expected: Expect) {
        let scop = crate::scop::parse(MODEL).expect("a model");
        let dependences = Dependences::of(&scop);
        let order = Order::of(&scop.schedule).expect("an order");
        let carried = dependences.carried(&scop, &order);
        let at: Vec<Carried<'_>> = carried.into_iter().filter(|c| c.depth == depth).collect();
        expected.assert_eq(&(sentences(&scop, &at, Some("told.c")).join("\n") + "\n"));
    }

    #[test]
    fn each_loop_is_told_what_it_carries() {
        told(
            0,
            expect![[r#"
            what is computed at line 9 is needed at line 9 one iteration later
            what is written at line 13 is read at line 13 one iteration later
            what is read by T is overwritten by T one iteration later
            what is written at line 10:1 is written again at line 10:1 one iteration later
            what is updated at line 12 is updated again at line 12 one iteration later
            what is updated at line 13 is updated again at line 13 one iteration later
            what is written at line 14 is read at line 13 in a later iteration
            what is written at line 11:1 may be written again at line 11:1 in a later iteration
            what is summed up at line 13 is used at line 13 in a later iteration
            what is summed up at line 13 is used at line 14 in a later iteration
        "#]],
        );
        told(
            1,
            expect![[r#"
            'a' written at line 3:5 is read at line 3:13 one iteration later
            'a' written at line 3:5 is read at other.c:4:1 2 iterations later
        "#]],
        );
    }
}
