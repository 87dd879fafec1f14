//! Names, interned.
//!
//! The `i` of `S[i]` and the `i` of `T[i]` are one text in memory: whether two names are equal is whether two pointers are.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

thread_local! {
    static NAMES: RefCell<HashSet<Rc<str>>> = RefCell::new(HashSet::new());
}

/// A name: equal to another with the same text, ordered by text, cheap to clone and to compare.
#[derive(Clone)]
pub struct Id(Rc<str>);

impl Id {
    /// The name that reads `text`. isl: `id_alloc`.
    pub fn new(text: &str) -> Id {
        NAMES.with_borrow_mut(|names| match names.get(text) {
            Some(known) => Id(known.clone()),
            None => {
                let name: Rc<str> = Rc::from(text);
                names.insert(name.clone());
                Id(name)
            }
        })
    }

    /// Its text. isl: `id_get_name`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Id {}

impl Ord for Id {
    fn cmp(&self, other: &Id) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Id) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Id {
        Id::new(text)
    }
}

impl From<&String> for Id {
    fn from(text: &String) -> Id {
        Id::new(text)
    }
}

impl std::ops::Deref for Id {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
