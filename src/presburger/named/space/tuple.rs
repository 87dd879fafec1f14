//! Tuples: a name and dimensions, or a pair of tuples.
//!
//! `A[[x] -> B[y]]` is named `A`, has two dimensions and wraps the pair of `[x]` and `B[y]`. The names `x` and `y` are for printing and compare equal.
//!
//! Implements: 002 2.4.1

use super::id::Id;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The parts of a tuple.
#[derive(Clone, Debug)]
enum Shape {
    /// Plain dimensions with the names they are printed by.
    Flat(Vec<Option<Id>>),
    /// A wrapped pair.
    Nested(Tuple, Tuple),
}

#[derive(Debug)]
struct TupleParts {
    name: Option<Id>,
    n: usize,
    shape: Shape,
}

/// A named tuple of integers, flat `S[i, j]` or wrapping a pair `S[A[i] -> B[j]]`.
#[derive(Clone)]
pub struct Tuple(Rc<TupleParts>);

impl Tuple {
    /// A flat tuple of `n` dimensions. isl: `id_alloc`.
    pub fn new(name: Option<Id>, n: usize) -> Tuple {
        Tuple::with_dim_names(name, vec![None; n])
    }

    /// `name[0, ..., n - 1]`. isl: `space_set_tuple_id`.
    pub fn named(name: &str, n: usize) -> Tuple {
        Tuple::new(Some(Id::new(name)), n)
    }

    /// A flat tuple without name. isl: `space_set_alloc`.
    pub fn anonymous(n: usize) -> Tuple {
        Tuple::new(None, n)
    }

    /// A flat tuple whose dimensions are printed by the given names. isl: `space_set_dim_id`.
    pub fn with_dim_names(name: Option<Id>, dims: Vec<Option<Id>>) -> Tuple {
        Tuple(Rc::new(TupleParts { name, n: dims.len(), shape: Shape::Flat(dims) }))
    }

    /// `name[first -> second]`. isl: `space_wrap`, `space_set_tuple_id`.
    pub fn nested(name: Option<Id>, first: &Tuple, second: &Tuple) -> Tuple {
        let n = first.n_dim() + second.n_dim();
        Tuple(Rc::new(TupleParts { name, n, shape: Shape::Nested(first.clone(), second.clone()) }))
    }

    /// Its own name. isl: `space_get_tuple_id`.
    pub fn name(&self) -> Option<&Id> {
        self.0.name.as_ref()
    }

    /// Number of integers in it, nested ones included. isl: `space_dim` of all.
    pub fn n_dim(&self) -> usize {
        self.0.n
    }

    /// The pair it wraps. isl: `space_unwrap`.
    pub fn pair(&self) -> Option<(&Tuple, &Tuple)> {
        match &self.0.shape {
            Shape::Flat(_) => None,
            Shape::Nested(first, second) => Some((first, second)),
        }
    }

    /// Whether it wraps a pair. isl: `space_is_wrapping`.
    pub fn is_wrapping(&self) -> bool {
        self.pair().is_some()
    }

    /// The same tuple under another name, or none. isl: `space_set_tuple_id`.
    pub fn with_name(&self, name: Option<Id>) -> Tuple {
        Tuple(Rc::new(TupleParts { name, n: self.0.n, shape: self.0.shape.clone() }))
    }

    /// The printing name of dimension `position`, counted through nested tuples. isl: `space_get_dim_id`.
    pub fn dim_name(&self, position: usize) -> Option<&Id> {
        match &self.0.shape {
            Shape::Flat(dims) => dims[position].as_ref(),
            Shape::Nested(first, second) => match position.checked_sub(first.n_dim()) {
                None => first.dim_name(position),
                Some(rest) => second.dim_name(rest),
            },
        }
    }

    /// The printing names of all dimensions, through nested tuples. isl: `space_get_dim_id`.
    pub fn dim_names(&self) -> Vec<Option<Id>> {
        (0..self.n_dim()).map(|d| self.dim_name(d).cloned()).collect()
    }

    /// The anonymous flat tuple with the same dimensions. isl: `space_flatten_range`.
    pub fn flatten(&self) -> Tuple {
        match &self.0.shape {
            Shape::Flat(_) => self.clone(),
            Shape::Nested(..) => Tuple::with_dim_names(None, self.dim_names()),
        }
    }

    /// Flat and anonymous, with the dimensions `first..first + n` left out.
    pub(crate) fn without_dims(&self, first: usize, n: usize) -> Tuple {
        let mut dims = self.dim_names();
        dims.drain(first..first + n);
        Tuple::with_dim_names(None, dims)
    }

    /// Flat and anonymous, with `n` new dimensions before `position`.
    pub(crate) fn with_new_dims(&self, position: usize, n: usize) -> Tuple {
        let mut dims = self.dim_names();
        dims.splice(position..position, std::iter::repeat_n(None, n));
        Tuple::with_dim_names(None, dims)
    }
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Tuple) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || (self.0.name == other.0.name && self.0.n == other.0.n && self.pair() == other.pair())
    }
}

impl Eq for Tuple {}

impl Ord for Tuple {
    fn cmp(&self, other: &Tuple) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        (self.pair(), &self.0.name, self.0.n).cmp(&(other.pair(), &other.0.name, other.0.n))
    }
}

impl PartialOrd for Tuple {
    fn partial_cmp(&self, other: &Tuple) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Tuple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
        self.0.n.hash(state);
        self.pair().hash(state);
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name() {
            write!(f, "{name}")?;
        }
        match &self.0.shape {
            Shape::Nested(first, second) => write!(f, "[{first} -> {second}]"),
            Shape::Flat(dims) => {
                let names: Vec<String> = dims
                    .iter()
                    .enumerate()
                    .map(|(d, name)| name.as_ref().map_or_else(|| format!("i{d}"), ToString::to_string))
                    .collect();
                write!(f, "[{}]", names.join(", "))
            }
        }
    }
}

impl fmt::Debug for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
