//! Operands of a single operation: sets or relations in some spaces, where an empty part keeps its space.
//!
//! `{ A[i] : i > 0; B[j] }` has a part for `A` and one for `B`. The intersection of `{ A[i] : i > 0 }` and `{ A[i] : i < 0 }` is
//! `{ A[i] : false }` and not `{ }`, so that a script that reads the answer still knows what it is about. Each operation is
//! that on one space ([`Map`], of which a set is the case without a domain), applied part by part: a part in whose space it makes no
//! sense is dropped, as unions do (`deltas { A[] -> B[]; A[] -> A[] }` is `{ A[] }`), unless the operation is strict.

use std::fmt;

use super::lexer;
use super::value::Wrong;
use crate::presburger::{ParseError, Set, Space, SpaceError, UnionMap, UnionSet};

pub(super) use crate::presburger::Map;

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Set,
    Relation,
}

impl Kind {
    fn described(self) -> &'static str {
        match self {
            Kind::Set => "a set",
            Kind::Relation => "a relation",
        }
    }
}

/// Whether an operation applies to a space.
pub(super) type Fits = fn(&Space) -> Result<(), SpaceError>;

/// Whether an operation applies to two spaces.
pub(super) type FitsTwo = fn(&Space, &Space) -> Result<(), SpaceError>;

/// Sets, or relations, of different spaces.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    params: Space,
    /// One for each space.
    pub parts: Vec<Map>,
    /// `None` for `{ }`, which is either.
    kind: Option<Kind>,
}

/// To which parts of the operands an operation has to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// To all: one that it does not apply to is an error.
    AllFit,
    /// To some: the others are dropped.
    AnyFit,
}

/// What happens to a part of the left operand that meets no part of the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alone {
    Dropped,
    Kept,
}

impl Operand {
    /// Reads a set or a relation in isl notation.
    pub fn parse(text: &str) -> Result<Operand, ParseError> {
        let whole = if lexer::is_relation(text) {
            let union = UnionMap::parse(text)?;
            let single = (union.n_spaces() < 2).then(|| crate::presburger::Map::parse(text));
            (union.params_space(), single, union.maps().cloned().collect::<Vec<_>>())
        } else {
            let union = UnionSet::parse(text)?;
            let single = (union.n_spaces() < 2).then(|| Set::parse(text).map(|set| set.0));
            (union.params_space(), single, union.sets().map(|set| set.0).collect())
        };
        let (params, single, parts) = whole;
        let nothing = |map: &Map| map.space().is_params() && map.plain_is_empty();
        match single {
            Some(Ok(map)) if !nothing(&map) => Ok(Operand::of(map)),
            _ => Ok(Operand::gathered(&params, parts)),
        }
    }

    /// One set or relation.
    pub fn of(map: Map) -> Operand {
        let kind = if map.space().is_map() { Kind::Relation } else { Kind::Set };
        Operand { params: map.space().params_space(), parts: vec![map], kind: Some(kind) }
    }

    /// The union of sets, or of relations.
    pub fn gathered(params: &Space, maps: impl IntoIterator<Item = Map>) -> Operand {
        let mut result = Operand { params: params.clone(), parts: Vec::new(), kind: None };
        for map in maps {
            result.kind = Some(if map.space().is_map() { Kind::Relation } else { Kind::Set });
            match result.parts.iter_mut().find(|part| part.space().has_equal_tuples(map.space())) {
                Some(part) => *part = part.union(&map),
                None => result.parts.push(map),
            }
        }
        result
    }

    pub fn from_union_map(union: &UnionMap) -> Operand {
        Operand::gathered(&union.params_space(), union.maps().cloned())
    }

    /// Set or relation; `None` for `{ }`.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// That it is of this kind.
    pub fn expect(&self, kind: Kind) -> Result<(), Wrong> {
        match self.kind {
            Some(other) if other != kind => {
                Err(Wrong(format!("expected {}, found {}", kind.described(), other.described())))
            }
            _ => Ok(()),
        }
    }

    /// As a union of relations.
    pub fn relations(&self) -> UnionMap {
        self.parts.iter().fold(UnionMap::empty(self.params.params()), |mut all, part| {
            all.add_map(part);
            all
        })
    }

    /// As a union of sets.
    pub fn sets(&self) -> UnionSet {
        self.parts.iter().fold(UnionSet::empty(self.params.params()), |mut all, part| {
            all.add_set(&Set(part.clone()));
            all
        })
    }

    /// `f` of each part that it applies to; an error for one that it does not, if all have to fit.
    pub fn each(&self, parts: Parts, fits: Fits, f: impl Fn(&Map) -> Result<Map, Wrong>) -> Result<Operand, Wrong> {
        let mut found = Vec::new();
        for part in &self.parts {
            match fits(part.space()) {
                Ok(()) => found.push(f(part)?),
                Err(error) if parts == Parts::AllFit => return Err(Wrong(error.message)),
                Err(_) => {}
            }
        }
        Ok(Operand::gathered(&self.params, found))
    }

    /// `f` of each pair of parts that it applies to.
    pub fn pairs(
        &self,
        other: &Operand,
        parts: Parts,
        fits: FitsTwo,
        alone: Alone,
        f: impl Fn(&Map, &Map) -> Result<Map, Wrong>,
    ) -> Result<Operand, Wrong> {
        let mut found = Vec::new();
        for a in &self.parts {
            let mut met = false;
            for b in &other.parts {
                match fits(a.space(), b.space()) {
                    Ok(()) => found.push(f(a, b)?),
                    Err(error) if parts == Parts::AllFit => return Err(Wrong(error.message)),
                    Err(_) => continue,
                }
                met = true;
            }
            if !met && alone == Alone::Kept {
                found.push(a.clone());
            }
        }
        Ok(Operand::gathered(&self.params.align_params(&other.params), found))
    }

    /// The elements of both.
    pub fn union(&self, other: &Operand) -> Operand {
        Operand::gathered(&self.params.align_params(&other.params), self.parts.iter().chain(&other.parts).cloned())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full: Vec<&Map> = self.parts.iter().filter(|part| !part.plain_is_empty()).collect();
        let one = match (&full[..], &self.parts[..]) {
            ([], [first, ..]) => Some(first),
            ([only], _) => Some(*only),
            _ => None,
        };
        match (one, self.kind) {
            (Some(map), Some(Kind::Set)) => write!(f, "{}", Set(map.align_params(&self.params))),
            (Some(map), _) => write!(f, "{}", map.align_params(&self.params)),
            (None, Some(Kind::Relation)) => write!(f, "{}", self.relations()),
            (None, _) => write!(f, "{}", self.sets()),
        }
    }
}
