//! Spaces: the names around the numbers.
//!
//! The relation `[n] -> { S[i, j] -> A[[x] -> B[y]] : ... }` lives in the space with the parameter `n`, the domain tuple
//! `S` of two dimensions and the range tuple `A`, which wraps the pair of tuples `[x] -> B[y]` and has two dimensions as well. A
//! [`Tuple`] is equal to another where name, number of dimensions and nested structure agree; the names of the dimensions (`i`, `j`)
//! are kept for printing and compare equal. A [`Space`] has parameters, matched by name and in any order, and either no tuple (conditions
//! on the parameters alone), one (sets) or two (relations). See chapter 2 of Verdoolaege, "Presburger Formulas and Polyhedral
//! Compilation". Names are interned, and spaces share their parts: comparing two equal ones is comparing two pointers.

mod id;
mod tuple;

pub use id::Id;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
pub use tuple::Tuple;

/// Which dimensions: those of the parameters, of the domain tuple, or of the range tuple (of a set: its only tuple).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimKind {
    /// Parameters.
    Param,
    /// The domain tuple of a relation.
    In,
    /// The range tuple of a relation, or the tuple of a set.
    Out,
}

/// What a space has besides parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tuples {
    Params,
    Set(Tuple),
    Map(Tuple, Tuple),
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SpaceParts {
    params: Rc<[Id]>,
    tuples: Tuples,
}

/// Parameters and tuples. See the file's header.
#[derive(Clone)]
pub struct Space(Rc<SpaceParts>);

/// Two operands of an operation whose spaces do not fit; the text names both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceError {
    /// What was expected and what was given.
    pub message: String,
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpaceError {}

impl Space {
    fn new(params: Rc<[Id]>, tuples: Tuples) -> Space {
        Space(Rc::new(SpaceParts { params, tuples }))
    }

    /// No tuple: conditions on the parameters alone. isl: `space_params_alloc`.
    pub fn params_only(params: &[Id]) -> Space {
        Space::new(Rc::from(params), Tuples::Params)
    }

    /// The space of the sets of `tuple`. isl: `space_set_alloc`.
    pub fn set(params: &[Id], tuple: &Tuple) -> Space {
        Space::new(Rc::from(params), Tuples::Set(tuple.clone()))
    }

    /// The space of the relations from `domain` to `range`. isl: `space_alloc`.
    pub fn map(params: &[Id], domain: &Tuple, range: &Tuple) -> Space {
        Space::new(Rc::from(params), Tuples::Map(domain.clone(), range.clone()))
    }

    /// [`Space::set`] of a flat tuple, from texts. isl: `space_set_alloc`.
    pub fn alloc_set(params: &[&str], name: Option<&str>, n: usize) -> Space {
        Space::set(&ids(params), &Tuple::new(name.map(Id::new), n))
    }

    /// [`Space::map`] of flat tuples without names, from texts. isl: `space_alloc`.
    pub fn alloc_map(params: &[&str], n_in: usize, n_out: usize) -> Space {
        Space::map(&ids(params), &Tuple::anonymous(n_in), &Tuple::anonymous(n_out))
    }

    pub(crate) fn with_tuples(&self, tuples: Tuples) -> Space {
        Space::new(self.0.params.clone(), tuples)
    }

    pub(crate) fn tuples(&self) -> &Tuples {
        &self.0.tuples
    }

    /// The same tuples under other parameters. isl: `space_add_param_id`, `space_drop_dims`.
    pub fn with_params(&self, params: &[Id]) -> Space {
        if *self.0.params == *params { self.clone() } else { Space::new(Rc::from(params), self.0.tuples.clone()) }
    }

    /// The parameters, in order. isl: `space_get_dim_id`.
    pub fn params(&self) -> &[Id] {
        &self.0.params
    }

    /// The space with the parameters alone. isl: `space_params`.
    pub fn params_space(&self) -> Space {
        if self.is_params() { self.clone() } else { self.with_tuples(Tuples::Params) }
    }

    /// Number of dimensions of a kind; 0 for a tuple that is not there. isl: `space_dim`.
    pub fn dim(&self, kind: DimKind) -> usize {
        match (kind, &self.0.tuples) {
            (DimKind::Param, _) => self.0.params.len(),
            (DimKind::In, Tuples::Map(domain, _)) => domain.n_dim(),
            (DimKind::Out, Tuples::Map(_, tuple) | Tuples::Set(tuple)) => tuple.n_dim(),
            _ => 0,
        }
    }

    /// Number of all dimensions. isl: `space_dim` of all.
    pub fn n_dim(&self) -> usize {
        self.dim(DimKind::Param) + self.dim(DimKind::In) + self.dim(DimKind::Out)
    }

    /// Where the dimensions of a kind begin in the order parameters, domain, range. isl has none.
    pub fn offset(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => 0,
            DimKind::In => self.dim(DimKind::Param),
            DimKind::Out => self.dim(DimKind::Param) + self.dim(DimKind::In),
        }
    }

    /// No tuple. isl: `space_is_params`.
    pub fn is_params(&self) -> bool {
        matches!(self.0.tuples, Tuples::Params)
    }

    /// One tuple. isl: `space_is_set`.
    pub fn is_set(&self) -> bool {
        matches!(self.0.tuples, Tuples::Set(_))
    }

    /// Two tuples. isl: `space_is_map`.
    pub fn is_map(&self) -> bool {
        matches!(self.0.tuples, Tuples::Map(..))
    }

    /// The tuple of a kind: `In` the domain's, `Out` the range's or the set's. isl: `space_get_tuple_id` with `space_dim`.
    pub fn tuple(&self, kind: DimKind) -> Option<&Tuple> {
        match (kind, &self.0.tuples) {
            (DimKind::In, Tuples::Map(tuple, _)) => Some(tuple),
            (DimKind::Out, Tuples::Map(_, tuple) | Tuples::Set(tuple)) => Some(tuple),
            _ => None,
        }
    }

    /// The name of the tuple of a kind. isl: `space_get_tuple_id`.
    pub fn tuple_name(&self, kind: DimKind) -> Option<&Id> {
        self.tuple(kind).and_then(Tuple::name)
    }

    /// The same space with another tuple of a kind. The tuple must be there. isl: `space_set_tuple_id` with `space_add_dims`.
    pub fn with_tuple(&self, kind: DimKind, tuple: &Tuple) -> Space {
        let tuple = tuple.clone();
        match (kind, &self.0.tuples) {
            (DimKind::In, Tuples::Map(_, range)) => self.with_tuples(Tuples::Map(tuple, range.clone())),
            (DimKind::Out, Tuples::Map(domain, _)) => self.with_tuples(Tuples::Map(domain.clone(), tuple)),
            (DimKind::Out, Tuples::Set(_)) => self.with_tuples(Tuples::Set(tuple)),
            _ => panic!("law: {kind:?} names a tuple of {self}"),
        }
    }

    /// The name of a dimension: a parameter's, or the one a tuple's dimension is printed by. isl: `space_get_dim_id`.
    pub fn dim_name(&self, kind: DimKind, position: usize) -> Option<&Id> {
        match kind {
            DimKind::Param => self.0.params.get(position),
            _ => self.tuple(kind).and_then(|tuple| tuple.dim_name(position)),
        }
    }

    /// What a dimension of the range, or of a set, is printed by: its name, or its place, as `i2`.
    pub(crate) fn shown_name(&self, position: usize) -> String {
        self.dim_name(DimKind::Out, position).map_or_else(|| format!("i{position}"), ToString::to_string)
    }

    /// The position of a parameter. isl: `space_find_dim_by_id`.
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.0.params.iter().position(|p| p.as_str() == name)
    }

    /// The space of the first elements of the pairs; of a set, its parameters' space. isl: `space_domain`.
    pub fn domain(&self) -> Space {
        match &self.0.tuples {
            Tuples::Map(domain, _) => self.with_tuples(Tuples::Set(domain.clone())),
            _ => self.params_space(),
        }
    }

    /// The space of the second elements of the pairs; of a set, itself. isl: `space_range`.
    pub fn range(&self) -> Space {
        match &self.0.tuples {
            Tuples::Map(_, range) => self.with_tuples(Tuples::Set(range.clone())),
            _ => self.clone(),
        }
    }

    /// The space of the swapped pairs. isl: `space_reverse`.
    pub fn reverse(&self) -> Space {
        match &self.0.tuples {
            Tuples::Map(domain, range) => self.with_tuples(Tuples::Map(range.clone(), domain.clone())),
            _ => self.clone(),
        }
    }

    /// The set space whose tuple `[domain -> range]` wraps the pair. A relation's. isl: `space_wrap`.
    pub fn wrap(&self) -> Space {
        match &self.0.tuples {
            Tuples::Map(domain, range) => self.with_tuples(Tuples::Set(Tuple::nested(None, domain, range))),
            _ => panic!("law: only a relation's space is wrapped, not {self}"),
        }
    }

    /// The relation space of the pair that the set's tuple wraps, where it wraps one. isl: `space_unwrap`.
    pub fn unwrap(&self) -> Option<Space> {
        match &self.0.tuples {
            Tuples::Set(tuple) => {
                tuple.pair().map(|(domain, range)| self.with_tuples(Tuples::Map(domain.clone(), range.clone())))
            }
            _ => None,
        }
    }

    /// The space of the relations from the first's tuple to the second's, parameters aligned. isl: `space_map_from_domain_and_range`.
    pub fn from_domain_and_range(domain: &Space, range: &Space) -> Space {
        let aligned = domain.align_params(range);
        match (&domain.0.tuples, &range.0.tuples) {
            (Tuples::Set(domain), Tuples::Set(range)) => {
                aligned.with_tuples(Tuples::Map(domain.clone(), range.clone()))
            }
            (Tuples::Params, Tuples::Set(range)) => aligned.with_tuples(Tuples::Set(range.clone())),
            _ => panic!("law: a relation is made of two sets, not of {domain} and {range}"),
        }
    }

    /// The space of the relations from a set to itself. isl: `space_map_from_set`.
    pub fn map_from_set(&self) -> Space {
        Space::from_domain_and_range(self, self)
    }

    /// This space with the parameters of `other` that it lacks added at the end. isl: `space_align_params`.
    pub fn align_params(&self, other: &Space) -> Space {
        if Rc::ptr_eq(&self.0.params, &other.0.params) || self.0.params == other.0.params {
            return self.clone();
        }
        let missing: Vec<Id> = other.0.params.iter().filter(|p| !self.0.params.contains(p)).cloned().collect();
        if missing.is_empty() {
            return self.clone();
        }
        let params: Vec<Id> = self.0.params.iter().cloned().chain(missing).collect();
        self.with_params(&params)
    }

    /// Equal parameters in equal order. isl: `space_has_equal_params`.
    pub fn has_equal_params(&self, other: &Space) -> bool {
        Rc::ptr_eq(&self.0.params, &other.0.params) || self.0.params == other.0.params
    }

    /// Equal tuples, whatever the parameters. isl: `space_has_equal_tuples`.
    pub fn has_equal_tuples(&self, other: &Space) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.tuples == other.0.tuples
    }

    /// The check before every operation on two sets, or two relations, of one space. isl: `map_check_equal_space`.
    pub fn check_equal(&self, other: &Space) -> Result<(), SpaceError> {
        self.check(self.has_equal_tuples(other), "spaces differ", other)
    }

    /// The check before `intersect_domain`, `subtract_domain`, `gist_domain`: `set` is in the space of this one's domain.
    /// isl: `map_check_compatible_domain`.
    pub fn check_domain(&self, set: &Space) -> Result<(), SpaceError> {
        self.check(self.domain().has_equal_tuples(set), "the set is not in the domain's space", set)
    }

    /// The check before `intersect_range`, `subtract_range`: `set` is in the space of this one's range. isl: `map_check_compatible_range`.
    pub fn check_range(&self, set: &Space) -> Result<(), SpaceError> {
        self.check(self.range().has_equal_tuples(set), "the set is not in the range's space", set)
    }

    /// The check before `apply_range`, and `apply` where this one is a set: the range of this one is the domain of `next`.
    /// isl: `space_join`.
    pub fn check_chain(&self, next: &Space) -> Result<(), SpaceError> {
        self.check(next.is_map() && self.range().has_equal_tuples(&next.domain()), "range and domain differ", next)
    }

    /// The check before `unwrap`. isl: `space_is_wrapping`.
    pub fn check_wrapping(&self) -> Result<(), SpaceError> {
        self.check(Space::unwrap(self).is_some(), "the tuple wraps no pair", self)
    }

    /// The check before `zip`: both tuples wrap pairs. isl: `space_can_zip`.
    pub fn check_zip(&self) -> Result<(), SpaceError> {
        let both = [DimKind::In, DimKind::Out].iter().all(|&kind| self.tuple(kind).is_some_and(Tuple::is_wrapping));
        self.check(both, "domain and range do not both wrap pairs", self)
    }

    /// The check before `deltas`, `identity`-like operations: domain and range are one space. isl: `space_is_equal` of domain and range.
    pub fn check_endomorphic(&self) -> Result<(), SpaceError> {
        self.check(self.is_map() && self.domain() == self.range(), "domain and range differ", self)
    }

    fn check(&self, holds: bool, message: &str, other: &Space) -> Result<(), SpaceError> {
        if holds {
            return Ok(());
        }
        let message =
            if self == other { format!("{message}: {self}") } else { format!("{message}: {self} and {other}") };
        Err(SpaceError { message })
    }
}

pub(crate) fn ids(texts: &[&str]) -> Vec<Id> {
    texts.iter().map(|text| Id::new(text)).collect()
}

impl PartialEq for Space {
    fn eq(&self, other: &Space) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Space {}

impl Ord for Space {
    fn cmp(&self, other: &Space) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl PartialOrd for Space {
    fn partial_cmp(&self, other: &Space) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Space {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.params.is_empty() {
            let names: Vec<&str> = self.0.params.iter().map(Id::as_str).collect();
            write!(f, "[{}] -> ", names.join(", "))?;
        }
        match &self.0.tuples {
            Tuples::Params => f.write_str("{ : }"),
            Tuples::Set(tuple) => write!(f, "{{ {tuple} }}"),
            Tuples::Map(domain, range) => write!(f, "{{ {domain} -> {range} }}"),
        }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimension_names_are_for_printing_only() {
        let named = Tuple::with_dim_names(Some(Id::new("S")), vec![Some(Id::new("i"))]);
        assert_eq!(named, Tuple::named("S", 1));
        assert_ne!(named, Tuple::anonymous(1));
        assert_eq!(named.to_string(), "S[i]");
    }

    #[test]
    fn wrapping_and_unwrapping_are_inverse() {
        let space = Space::map(&ids(&["n"]), &Tuple::named("S", 2), &Tuple::named("A", 1));
        assert_eq!(Space::unwrap(&space.wrap()), Some(space.clone()));
        assert_eq!(space.wrap().to_string(), "[n] -> { [S[i0, i1] -> A[i0]] }");
        assert_eq!(space.wrap().dim(DimKind::Out), 3);
    }

    #[test]
    fn parameters_are_aligned_by_name() {
        let a = Space::alloc_set(&["n", "m"], None, 1);
        let b = Space::alloc_set(&["k", "n"], None, 1);
        assert_eq!(a.align_params(&b).params(), ids(&["n", "m", "k"]));
        assert_eq!(a.check_equal(&b), Ok(()));
        assert!(a.check_equal(&Space::alloc_set(&[], Some("S"), 1)).is_err());
    }
}
