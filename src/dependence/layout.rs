//! Other places for what a program keeps in memory: data layouts.
//!
//! ```text
//! for (i) { S: t = f1(A[i]); T: B[i] = f2(t); }           { [S[i] -> t[]] -> t_S[i]; [T[i] -> t[]] -> t_S[i] }
//! for (i) { S: t_S[i] = f1(A[i]); T: B[i] = f2(t_S[i]); }
//! ```
//!
//! A layout is a function from elements, `{ t[i] -> t[] }`, or from the accesses of instances, as above. One that gives an element several places is an *expansion*: the dependences
//! that were there only because a place was used again are gone. One that gives several elements one place is a *contraction*. A layout is right if each read still has its value from where it had it, which
//! is proved by comparing the flow of both models; what comes from before the model, or is read behind it, has to stay where it is.
//!
//! [`Scop::expanded`] finds the layout in which no value of an array overwrites another one: each write has a place of its own, but for the last one of each element that is read behind the
//! model, and each read goes to where its source is.
//!
//! Implements: 002 5.5

use std::fmt;

use super::{AccessRef, Dependences, Kind};
use crate::presburger::{DimKind, Id, Map, UnionMap, UnionSet};
use crate::scop::{Access, AccessKind, Array, Scop, StatementId};

/// Why a layout is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong(pub String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

fn wrong<T>(what: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong(what.into()))
}

impl Scop {
    /// The same program with other places for some of its elements.
    ///
    /// # Errors
    /// The layout says nothing of some access to an array that it moves, gives two places for one, or changes what is read.
    pub fn with_layout(&self, layout: &UnionMap) -> Result<Scop, Wrong> {
        let moved = moved(self, layout);
        if moved.is_empty() {
            return wrong("the layout is of no array of the model");
        }
        self.without_kills(&moved).rearranged(&Layout { writes: layout.clone(), reads: layout.clone() })
    }

    /// The same program, of which nobody knows that the values of these arrays end before they are overwritten: elsewhere nothing may end with them.
    fn without_kills(&self, arrays: &[Id]) -> Scop {
        let mut scop = self.clone();
        for statement in &mut scop.statements {
            statement.accesses.retain(|a| a.kind != AccessKind::Kill || !arrays.contains(&a.array));
        }
        scop
    }

    fn rearranged(&self, layout: &Layout) -> Result<Scop, Wrong> {
        let mut new = self.clone();
        let moved = moved(self, &layout.writes.union(&layout.reads));
        for statement in &mut new.statements {
            if statement.applied.is_some() && statement.accesses.iter().any(|access| moved.contains(&access.array)) {
                return wrong(format!("{} has accesses that depend on data", statement.name));
            }
            let domain = statement.domain.clone();
            let mut accesses = Vec::new();
            for access in &statement.accesses {
                match moved.contains(&access.array) {
                    false => accesses.push(access.clone()),
                    true if access.kind == AccessKind::Read => {
                        accesses.extend(places(access, &domain, &layout.reads)?);
                    }
                    true => accesses.extend(places(access, &domain, &layout.writes)?),
                }
            }
            statement.accesses = accesses;
        }
        declare(&mut new, self)?;
        same_values(self, &new)?;
        Ok(new)
    }

    /// The same program in which no value of an array overwrites another one.
    ///
    /// # Errors
    /// There is no such array, or it is not known exactly who reads what.
    pub fn expanded(&self, array: &Id) -> Result<Scop, Wrong> {
        if self.array(array).is_none() {
            return wrong(format!("there is no array {array}"));
        }
        let scop = self.without_kills(std::slice::from_ref(array));
        scop.rearranged(&expansion(&scop, array)?)
    }
}

/// Where writes and where reads go: an instance that adds to a sum reads one place and writes another.
struct Layout {
    writes: UnionMap,
    reads: UnionMap,
}

/// The arrays that a layout moves.
fn moved(scop: &Scop, layout: &UnionMap) -> Vec<Id> {
    let names = |map: &Map| {
        let space = map.space();
        let tuple = space.tuple(DimKind::In)?;
        tuple.pair().map_or(tuple.name(), |(_, element)| element.name()).cloned()
    };
    let named: Vec<Id> = layout.maps().filter_map(names).collect();
    scop.arrays.iter().map(|array| array.name.clone()).filter(|name| named.contains(name)).collect()
}

/// An access where its elements are now, one for each array.
fn places(access: &Access, domain: &crate::presburger::Set, layout: &UnionMap) -> Result<Vec<Access>, Wrong> {
    let old = UnionMap::from_map(&access.relation.intersect_domain(domain));
    let pairs = old.domain_map().reverse();
    let elements = old.range_map();
    let by_pair = pairs.range().identity().apply_range(layout);
    let by_element = elements.apply_range(layout);
    let to = by_pair.union(&by_element);
    let all = pairs.range();
    if !all.subtract(&to.domain()).is_empty() {
        return wrong(format!("the layout has no place for all of access {}", access.id));
    }
    if !to.is_single_valued() {
        return wrong(format!("the layout has two places for elements of access {}", access.id));
    }
    let new = pairs.apply_range(&to);
    let one = |(number, map): (usize, &Map)| Access {
        id: if number == 0 { access.id.clone() } else { Id::new(&format!("{}_part{number}", access.id)) },
        array: map.space().tuple_name(DimKind::Out).cloned().unwrap_or_else(|| access.array.clone()),
        relation: map.coalesce(),
        reduction: None,
        ..access.clone()
    };
    Ok(new.maps().filter(|map| !map.is_empty()).enumerate().map(one).collect())
}

/// The arrays that accesses of the new model touch, with what is known of them from the old one.
fn declare(new: &mut Scop, old: &Scop) -> Result<(), Wrong> {
    let mut arrays: Vec<Array> = Vec::new();
    for (statement, before) in new.statements.iter().zip(old.statements.iter()) {
        for access in &statement.accesses {
            let from = before.accesses.iter().find(|a| is_part(&access.id, &a.id));
            let Some(from) = from.and_then(|access| old.array(&access.array)) else { continue };
            let known = arrays.iter().find(|array| array.name == access.array).cloned();
            let array = known.unwrap_or_else(|| declared(new, old, access, from));
            if (array.element, array.size_bytes) != (from.element, from.size_bytes) {
                return wrong(format!("{} cannot keep what {} keeps", array.name, from.name));
            }
            if array.shape.len() != access.relation.dim(DimKind::Out) {
                return wrong(format!("{} would have elements with different numbers of subscripts", array.name));
            }
            if array.live_out && !elements(new, &array.name).is_subset(&elements(old, &array.name)) {
                return wrong(format!("{} does not have all elements that this takes", array.name));
            }
            if arrays.iter().all(|known| known.name != array.name) {
                arrays.push(array);
            }
        }
    }
    new.arrays = arrays.into();
    Ok(())
}

/// The array of an access to what was in `from`: one that was there, or a new one.
fn declared(new: &Scop, old: &Scop, access: &Access, from: &Array) -> Array {
    let dims = access.relation.dim(DimKind::Out);
    let grows = |array: &Array| !elements(new, &array.name).is_subset(&elements(old, &array.name));
    match old.array(&access.array).filter(|array| array.shape.len() == dims) {
        Some(array) if array.live_out || !grows(array) => array.clone(),
        Some(array) => Array { shape: vec![None; dims], own: 0, ..array.clone() },
        None => {
            let (name, shape) = (access.array.clone(), vec![None; dims]);
            Array { name, shape, live_out: false, source_name: None, own: 0, ..from.clone() }
        }
    }
}

/// The elements of an array that a model touches.
fn elements(scop: &Scop, array: &Id) -> UnionSet {
    let all = scop.statements.iter().flat_map(|s| s.accesses.iter().map(move |access| (s, access)));
    all.filter(|(_, access)| access.array == *array).fold(UnionSet::empty(&scop.params), |all, (statement, access)| {
        all.union(&UnionSet::from_set(&access.relation.intersect_domain(&statement.domain).range()))
    })
}

/// Whether an access is one of those that an old one has become.
fn is_part(new: &Id, old: &Id) -> bool {
    let rest = new.as_str().strip_prefix(old.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix("_part").is_some_and(|n| n.parse::<usize>().is_ok()))
}

fn dependences_of(scop: &Scop) -> Result<Dependences, Wrong> {
    Dependences::of_any(scop).or_else(|_| wrong("a read stands behind a loop that does not end"))
}

/// Whether each read has its value from where it had it, and what comes from outside or goes there is in its place: of all arrays, as a layout may put elements into those of another one.
fn same_values(old: &Scop, new: &Scop) -> Result<(), Wrong> {
    let (before, after) = (dependences_of(old)?, dependences_of(new)?);
    if !before.exact || !after.exact {
        return wrong("some writes may happen or not, so nobody knows who reads them");
    }
    for (at, statement) in old.statements.entries() {
        for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
            let (was, is) = (sources(old, &before, (at, &access.id)), sources(new, &after, (at, &access.id)));
            if !was.is_equal(&is) {
                let other = was.subtract(&is).union(&is.subtract(&was));
                return wrong(format!("read {} would have its value from elsewhere: {other}", access.id));
            }
        }
    }
    if !before.live_in.is_equal(&after.live_in) {
        return wrong("what comes from before the model would not be where it is read");
    }
    if !before.live_out.relation().is_equal(after.live_out.relation()) {
        return wrong("what is read behind the model would not be in its place");
    }
    Ok(())
}

/// Which writes a read, with the parts that it has become, has its values from: `{ source -> sink }`.
fn sources(scop: &Scop, dependences: &Dependences, (statement, read): (StatementId, &Id)) -> UnionMap {
    let is_it = |at: AccessRef| {
        at.statement == statement && is_part(&scop.statements[at.statement].accesses[at.access].id, read)
    };
    let flow = dependences.pairs.iter().filter(|pair| pair.kind == Kind::Flow && is_it(pair.sink));
    flow.fold(UnionMap::empty(&scop.params), |all, pair| all.union(&UnionMap::from_map(&pair.relation)))
}

/// `{ [S[i] -> t[]] -> t_S[i] }` for writes, and the same places for those who read them.
fn expansion(scop: &Scop, array: &Id) -> Result<Layout, Wrong> {
    let dependences = dependences_of(scop)?;
    let live_out = dependences.live_out.relation();
    let empty = || UnionMap::empty(&scop.params);
    let (mut layout, mut reads) = (Layout { writes: empty(), reads: empty() }, empty());
    for (at, statement) in scop.statements.entries() {
        for (number, access) in statement.accesses.iter().enumerate().filter(|(_, a)| a.array == *array) {
            let own = access.relation.intersect_domain(&statement.domain);
            if access.kind == AccessKind::Read {
                reads = reads.union(&UnionMap::from_map(&own));
                continue;
            }
            if access.kind != AccessKind::MustWrite {
                return wrong(format!("access {} may write or not", access.id));
            }
            let pairs = UnionMap::from_map(&own).domain_map();
            let last = UnionMap::from_map(&own).intersect(live_out);
            let writes = statement.accesses.iter().filter(|a| a.array == *array && a.kind.writes()).count();
            let who = if writes == 1 { &statement.name } else { &access.id };
            let name = new_name(scop, &format!("{array}_{who}"));
            let elsewhere = own_places(&own, &name);
            let places = elsewhere.subtract_domain(&last.wrap());
            let stays = UnionMap::from_map(&own).range_map().intersect_domain(&last.wrap());
            let places = places.union(&stays);
            layout.writes = layout.writes.union(&places);
            let source = AccessRef { statement: at, access: number };
            for pair in dependences.pairs.iter().filter(|p| p.kind == Kind::Flow && p.source == source) {
                let sink = &scop.statements[pair.sink.statement].accesses[pair.sink.access];
                let read = sink.relation.intersect_domain(&scop.statements[pair.sink.statement].domain);
                // `[T[j] -> t[e]] -> [S[i] -> t[e]]`, where `S[i]` is the source.
                let from =
                    UnionMap::from_map(&read).domain_map().apply_range(&UnionMap::from_map(&pair.relation.reverse()));
                let element = UnionMap::from_map(&read).range_map();
                let both = from.range_product(&element).intersect_range(&pairs.domain());
                layout.reads = layout.reads.union(&both.apply_range(&places));
            }
        }
    }
    let rest = reads.range_map().subtract_domain(&layout.reads.domain());
    layout.reads = layout.reads.union(&rest);
    Ok(layout)
}

/// A name that no array has.
fn new_name(scop: &Scop, wish: &str) -> String {
    let mut names = std::iter::once(wish.to_string()).chain((1..).map(|n| format!("{wish}_{n}")));
    let free = names.find(|name| scop.array(&Id::new(name)).is_none());
    free.expect("law: there are more names than arrays")
}

/// `{ [S[i] -> t[e]] -> name[i] }`, or `name[i, e]` if an instance writes several elements.
fn own_places(own: &Map, name: &str) -> UnionMap {
    let relation = UnionMap::from_map(own);
    let to = match own.is_single_valued() {
        true => relation.domain_map(),
        false => relation.wrap().identity(),
    };
    to.maps().fold(UnionMap::empty(&[]), |mut all, map| {
        all.add_map(&map.flatten_range().set_tuple_name(DimKind::Out, Some(name)));
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(body: &str) -> Scop {
        let text = format!(
            "float f1(float); float f2(float);
             float f(int n, float A[restrict static n], float B[restrict static n]) {{ float t, u[n]; {body} }}"
        );
        crate::c_program::parse(&text, "test.c").unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
    }

    const ONE_PLACE: &str = "for (int i = 0; i < n; ++i) { S: t = f1(A[i]); T: B[i] = f2(t); }";
    const MANY_PLACES: &str = "for (int i = 0; i < n; ++i) { S: u[i] = f1(A[i]); T: B[i] = f2(u[i]); }";

    fn relation(text: &str) -> UnionMap {
        text.parse().unwrap()
    }

    /// What is declared in a region is killed there: that ends no value elsewhere.
    #[test]
    fn what_is_declared_inside_can_be_moved() {
        let scop = model("for (int i = 0; i < n; ++i) { float v; S: v = f1(A[i]); T: B[i] = f2(v); }");
        let expanded = scop.expanded(&Id::new("v")).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(is_held_up(&scop) && !is_held_up(&expanded), "{expanded}");
        assert!(scop.with_layout(&relation("{ w[] -> v[] }")).is_err_and(|wrong| wrong.0.contains("no array")));
    }

    /// Whether some dependence is there only because of where values are.
    fn is_held_up(scop: &Scop) -> bool {
        let found = Dependences::of(scop);
        !found.anti.is_empty() || !found.output.is_empty()
    }

    #[test]
    fn the_expansion_of_example_5_42() {
        let scop = model(ONE_PLACE);
        assert!(is_held_up(&scop));
        let moved = scop.with_layout(&relation("{ [S[i] -> t[]] -> t[i]; [T[i] -> t[]] -> t[i] }")).unwrap();
        assert!(!is_held_up(&moved), "{moved}");
        let written = relation("[n] -> { S[i] -> t[i] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n }");
        assert!(moved.must_writes().is_equal(&written), "{}", moved.must_writes());
        crate::scop::verify(&moved).unwrap();
    }

    #[test]
    fn the_contraction_of_example_5_42() {
        let moved = model(MANY_PLACES).with_layout(&relation("{ u[i] -> u[] }")).unwrap();
        assert!(is_held_up(&moved));
        let text = "for (int i = 0; i < n; ++i) S: u[i] = f1(A[i]); for (int i = 0; i < n; ++i) T: B[i] = f2(u[i]);";
        let refused = model(text).with_layout(&relation("{ u[i] -> u[] }")).unwrap_err();
        assert!(refused.0.contains("would have its value from elsewhere"), "{refused}");
    }

    #[test]
    fn expansion_is_found() {
        let moved = model(ONE_PLACE).expanded(&Id::new("t")).unwrap();
        assert!(!is_held_up(&moved), "{moved}");
        let read = relation("[n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> t_S[i] : 0 <= i < n }");
        assert!(moved.reads().is_equal(&read), "{}", moved.reads());
    }

    #[test]
    fn what_is_read_behind_the_model_stays_in_its_place() {
        let moved = model("for (int i = 0; i < n; ++i) S: t = f1(A[i]); return t;").expanded(&Id::new("t")).unwrap();
        let written = relation("[n] -> { S[i] -> t_S[i] : 0 <= i < n - 1; S[n - 1] -> t[] : n > 0 }");
        assert!(moved.must_writes().is_equal(&written), "{}", moved.must_writes());
        let scop = model("for (int i = 0; i < n; ++i) S: t = f1(A[i]); return t;");
        let refused = scop.with_layout(&relation("{ [S[i] -> t[]] -> t[i] }")).unwrap_err();
        assert_eq!(refused.0, "what is read behind the model would not be in its place");
    }

    #[test]
    fn sources_of_one_read_are_told_apart() {
        let text = "S: t = f1(0); for (int i = 0; i < n; ++i) { T: B[i] = t; U: t = f1(B[i]); }";
        let moved = model(text).expanded(&Id::new("t")).unwrap();
        let read =
            relation("[n] -> { T[0] -> t_S[] : n > 0; T[i] -> t_U[i - 1] : 0 < i < n; U[i] -> B[i] : 0 <= i < n }");
        assert!(moved.reads().is_equal(&read), "{}", moved.reads());
    }

    #[test]
    fn a_sum_of_two_levels_has_a_place_for_each_value() {
        let text = "for (int i = 0; i < n; ++i) { S: t = 0; for (int j = 0; j < n; ++j) T: t += A[j]; U: B[i] = t; }";
        let moved = model(text).expanded(&Id::new("t")).unwrap();
        let written = relation(
            "[n] -> { S[i] -> t_S[i] : 0 <= i < n; T[i, j] -> t_T[i, j] : 0 <= i < n and 0 <= j < n; U[i] -> B[i] : 0 <= i < n }",
        );
        assert!(moved.must_writes().is_equal(&written), "{}", moved.must_writes());
        let read = relation(
            "[n] -> { T[i, 0] -> t_S[i] : 0 <= i < n; T[i, j] -> t_T[i, j - 1] : 0 <= i < n and 0 < j < n; \
             T[i, j] -> A[j] : 0 <= i < n and 0 <= j < n; U[i] -> t_T[i, n - 1] : 0 <= i < n }",
        );
        assert!(moved.reads().is_equal(&read), "{}", moved.reads());
        let across = "S: t = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) T: t += A[j]; U: B[0] = t;";
        assert!(model(across).expanded(&Id::new("t")).is_ok());
    }

    #[test]
    fn other_arrays_stay_what_they_are() {
        let refused = |layout: &str| model(ONE_PLACE).with_layout(&relation(layout)).unwrap_err().0;
        assert!(
            refused("{ t[] -> B[0] }").starts_with("what is read behind the model"),
            "{}",
            refused("{ t[] -> B[0] }")
        );
        assert_eq!(refused("[n] -> { t[] -> B[n] }"), "B does not have all elements that this takes");
        let other =
            "int f(int n, int A[n], double x) { double t; for (int i = 0; i < n; ++i) { S: t = x; T: A[i] = t; } }";
        let scop = crate::c_program::parse(other, "test.c").unwrap().swap_remove(0);
        let wrong = scop.with_layout(&relation("{ t[] -> A[0] }")).unwrap_err();
        assert_eq!(wrong.0, "A cannot keep what t keeps");
    }

    #[test]
    fn a_layout_is_for_all_accesses_and_one_place_each() {
        let refused = |layout: &str| model(ONE_PLACE).with_layout(&relation(layout)).unwrap_err().0;
        assert!(refused("{ [S[i] -> t[]] -> t[i] }").starts_with("the layout has no place for all of access T"));
        assert!(refused("{ t[] -> t[0]; t[] -> t[1] }").starts_with("the layout has two places"));
    }
}
