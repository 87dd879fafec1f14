//! Numbers of things, a type for each kind of thing, and tables that only such a number opens.
//!
//! The arrays of a model, what an emitter knows of each, and where each lives are three tables, and the third array is the third in each of them: all
//! are a `Table<ArrayId, _>`. A statement's number opens none of them, and it cannot be passed where an array's is meant. Each room declares the ids
//! of what it numbers with [`table_id`].

use std::fmt;
use std::marker::PhantomData;
use std::ops;

/// The number of a thing among its kind, from 0.
pub trait TableId: Copy + Ord + fmt::Debug {
    /// The first one.
    const FIRST: Self;

    /// The id of the thing at a position.
    fn new(position: usize) -> Self;

    /// The position, from 0.
    fn position(self) -> usize;
}

/// Declares a type of ids.
macro_rules! table_id {
    ($(#[$meaning:meta])* $visibility:vis struct $name:ident) => {
        $(#[$meaning])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(usize);

        impl $crate::ids::TableId for $name {
            const FIRST: Self = $name(0);

            fn new(position: usize) -> Self {
                $name(position)
            }

            fn position(self) -> usize {
                self.0
            }
        }
    };
}

pub(crate) use table_id;

/// Things by their ids, in order.
#[derive(PartialEq, Eq)]
pub struct Table<I, T> {
    rows: Vec<T>,
    key: PhantomData<fn(I) -> I>,
}

impl<I: TableId, T> Table<I, T> {
    /// Adds a thing, whose id comes back.
    pub fn push(&mut self, thing: T) -> I {
        self.rows.push(thing);
        I::new(self.rows.len() - 1)
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.rows.len()).map(I::new)
    }

    /// The things with their ids, in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.ids().zip(&self.rows)
    }

    /// The id of the first thing that is as wanted.
    pub fn id_where(&self, is_wanted: impl Fn(&T) -> bool) -> Option<I> {
        self.rows.iter().position(is_wanted).map(I::new)
    }

    /// Removes things or changes their order. What ids from before meant is lost.
    pub fn renumber(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        change(&mut self.rows);
    }

    /// For each thing what the function says, under the same id.
    pub fn map<U>(&self, say: impl FnMut((I, &T)) -> U) -> Table<I, U> {
        self.entries().map(say).collect()
    }
}

impl<I, T> Table<I, T> {
    /// The things, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.rows.iter()
    }

    /// The things, in order.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.rows.iter_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<I: TableId, T> ops::Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.rows[id.position()]
    }
}

impl<I: TableId, T> ops::IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.position()]
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T: Clone> Clone for Table<I, T> {
    fn clone(&self) -> Self {
        self.rows.clone().into()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(f)
    }
}

impl<I, T> From<Vec<T>> for Table<I, T> {
    fn from(rows: Vec<T>) -> Self {
        Table { rows, key: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Table<I, T> {
    fn from_iter<All: IntoIterator<Item = T>>(all: All) -> Self {
        Vec::from_iter(all).into()
    }
}

impl<I, T> IntoIterator for Table<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'t, I, T> IntoIterator for &'t Table<I, T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<'t, I, T> IntoIterator for &'t mut Table<I, T> {
    type Item = &'t mut T;
    type IntoIter = std::slice::IterMut<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter_mut()
    }
}
