//! isl notation, read.
//!
//! `Set::parse("[n] -> { S[i] : 0 <= i < n }")`, and the same for every other type: relations, unions in several spaces, expressions `{ [i] -> [(i / 2)] }`,
//! tuples of them, and partial schedules `[{ S[i] -> [(i)] }, { ... }]`. [`super::syntax`] reads trees, [`super::meaning`] says what they mean; this file
//! makes the type that is wanted of them. An error has a place and shows the line with a caret below. What isl prints is read, and
//! what we print ([`super::print`]) is read by isl.

pub use super::lexer::ParseError;
use super::meaning::Meaning;
use super::syntax::{Braces, Disjunct, Text, Whole, read};
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{BasicMap, BasicSet};
use crate::presburger::named::map::Map;
use crate::presburger::named::multi::{MultiAff, PwMultiAff};
use crate::presburger::named::multi_pw::MultiPwAff;
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Id, Space, Tuple, Tuples};
use crate::presburger::named::union_aff::{MultiUnionPwAff, UnionPwAff, UnionPwMultiAff};
use crate::presburger::named::union_map::UnionMap;
use crate::presburger::named::union_set::UnionSet;
use std::str::FromStr;

type Known<T> = Result<T, ParseError>;

/// What kind of disjuncts a text has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Sets,
    Relations,
}

/// A text that is one pair of braces, with what its trees mean.
struct Reading<'a> {
    meaning: Meaning<'a>,
    braces: Braces,
}

fn meaning<'a>(text: &'a str, params: &[String]) -> Meaning<'a> {
    Meaning { text, params: params.iter().map(Id::from).collect() }
}

impl<'a> Reading<'a> {
    fn new(text: &'a str) -> Known<Reading<'a>> {
        let Text { params, whole } = read(text)?;
        match whole {
            Whole::Union(braces) => Ok(Reading { meaning: meaning(text, &params), braces }),
            Whole::Tuple { .. } => Err(ParseError::at(text, 0, "expected `{`".to_string())),
        }
    }

    fn fail<T>(&self, at: usize, message: impl Into<String>) -> Known<T> {
        Err(ParseError::at(self.meaning.text, at, message.into()))
    }

    fn disjuncts(&self) -> &[Disjunct] {
        &self.braces.disjuncts
    }

    /// The relations (or sets) of the disjuncts, all of the kind that is wanted.
    fn relations(&self, wanted: Wanted) -> Known<Vec<(usize, Map)>> {
        let one = |disjunct: &Disjunct| {
            let map = self.meaning.relation(disjunct)?.looked_into();
            match (wanted, map.space().is_map()) {
                (Wanted::Sets, true) => self.fail(disjunct.at, "expected a set, found a relation"),
                (Wanted::Relations, false) => self.fail(disjunct.at, "expected a relation `[..] -> [..]`, found a set"),
                _ => Ok((disjunct.at, map)),
            }
        };
        self.disjuncts().iter().map(one).collect()
    }

    /// The union of disjuncts of one space.
    fn in_one_space(&self, wanted: Wanted) -> Known<Map> {
        let mut relations = self.relations(wanted)?.into_iter();
        let Some((_, first)) = relations.next() else {
            if wanted == Wanted::Sets {
                return Ok(Map::empty(&Space::params_only(&self.meaning.params)));
            }
            return self.fail(self.braces.at, "nothing tells the space of the relation");
        };
        relations.try_fold(first, |all, (at, map)| match all.space().check_equal(map.space()) {
            Ok(()) => Ok(all.union(&map)),
            Err(error) => self.fail(at, error.message),
        })
    }

    /// The functions of the disjuncts: as written, or as single-valued relations.
    fn functions(&self) -> Known<Vec<PwMultiAff>> {
        let one = |disjunct: &Disjunct| match self.meaning.function(disjunct) {
            Ok((function, domain)) => Ok(function.to_pw_multi_aff().intersect_domain(&domain)),
            Err(error) => {
                let relation = self.meaning.relation(disjunct).map_err(|_| error.clone())?;
                if !relation.space().is_map() {
                    return Err(error);
                }
                PwMultiAff::from_map(&relation).map_or_else(|| self.fail(disjunct.at, "not a function"), Ok)
            }
        };
        self.disjuncts().iter().map(one).collect()
    }

    /// The sum of the functions, all of one space.
    fn function(&self) -> Known<PwMultiAff> {
        let mut all = self.functions()?.into_iter().zip(self.disjuncts());
        let Some((first, _)) = all.next() else {
            return self.fail(self.braces.at, "nothing tells the space of the function");
        };
        all.try_fold(first, |sum, (function, disjunct)| match sum.space().check_equal(function.space()) {
            Ok(()) => Ok(sum.union_add(&function)),
            Err(error) => self.fail(disjunct.at, error.message),
        })
    }

    fn union_pw_aff(&self) -> Known<UnionPwAff> {
        let mut all = UnionPwAff::empty(&self.meaning.params);
        for (function, disjunct) in self.functions()?.iter().zip(self.disjuncts()) {
            if !is_single(function.space()) {
                return self.fail(disjunct.at, "expected one expression without a tuple's name");
            }
            all = all.union_add(&UnionPwAff::from_pw_aff(&function.pw_aff(0)));
        }
        Ok(all)
    }
}

/// Into the anonymous tuple of one dimension.
fn is_single(space: &Space) -> bool {
    space.tuple(crate::presburger::DimKind::Out) == Some(&Tuple::anonymous(1))
}

/// A type that isl notation writes.
trait Notation: Sized {
    fn read(text: &str) -> Known<Self>;
}

impl Notation for Map {
    fn read(text: &str) -> Known<Map> {
        Reading::new(text)?.in_one_space(Wanted::Relations)
    }
}

impl Notation for Set {
    fn read(text: &str) -> Known<Set> {
        Reading::new(text)?.in_one_space(Wanted::Sets).map(Set)
    }
}

impl Notation for BasicMap {
    fn read(text: &str) -> Known<BasicMap> {
        let map = Map::read(text)?;
        if map.n_pieces() > 1 {
            return Err(ParseError::at(text, 0, "expected one conjunction".to_string()));
        }
        Ok(BasicMap(map))
    }
}

impl Notation for BasicSet {
    fn read(text: &str) -> Known<BasicSet> {
        let set = Set::read(text)?;
        if set.n_pieces() > 1 {
            return Err(ParseError::at(text, 0, "expected one conjunction".to_string()));
        }
        Ok(BasicSet(set.0))
    }
}

impl Notation for UnionMap {
    fn read(text: &str) -> Known<UnionMap> {
        let reading = Reading::new(text)?;
        let mut all = UnionMap::empty(&reading.meaning.params);
        reading.relations(Wanted::Relations)?.iter().for_each(|(_, map)| all.add_map(map));
        Ok(all)
    }
}

impl Notation for UnionSet {
    fn read(text: &str) -> Known<UnionSet> {
        let reading = Reading::new(text)?;
        let mut all = UnionSet::empty(&reading.meaning.params);
        reading.relations(Wanted::Sets)?.into_iter().for_each(|(_, map)| all.add_set(&Set(map)));
        Ok(all)
    }
}

impl Notation for PwMultiAff {
    fn read(text: &str) -> Known<PwMultiAff> {
        Reading::new(text)?.function()
    }
}

impl Notation for MultiAff {
    fn read(text: &str) -> Known<MultiAff> {
        let function = PwMultiAff::read(text)?.coalesce();
        let message = "expected one tuple of expressions without conditions";
        function.as_multi_aff().ok_or_else(|| ParseError::at(text, 0, message.to_string()))
    }
}

impl Notation for PwAff {
    fn read(text: &str) -> Known<PwAff> {
        let function = PwMultiAff::read(text)?;
        if !is_single(function.space()) {
            return Err(ParseError::at(text, 0, "expected one expression without a tuple's name".to_string()));
        }
        Ok(function.pw_aff(0))
    }
}

impl Notation for Aff {
    fn read(text: &str) -> Known<Aff> {
        let message = "expected one expression without conditions";
        PwAff::read(text)?.coalesce().as_aff().ok_or_else(|| ParseError::at(text, 0, message.to_string()))
    }
}

impl Notation for MultiPwAff {
    fn read(text: &str) -> Known<MultiPwAff> {
        let reading = Reading::new(text)?;
        let [disjunct] = reading.disjuncts() else {
            return Ok(MultiPwAff::from_pw_multi_aff(&reading.function()?));
        };
        let (function, domain) = reading.meaning.function(disjunct)?;
        Ok(if domain.plain_is_universe() { function } else { function.intersect_domain(&domain) })
    }
}

impl Notation for UnionPwAff {
    fn read(text: &str) -> Known<UnionPwAff> {
        Reading::new(text)?.union_pw_aff()
    }
}

impl Notation for UnionPwMultiAff {
    fn read(text: &str) -> Known<UnionPwMultiAff> {
        let reading = Reading::new(text)?;
        let empty = UnionPwMultiAff::empty(&reading.meaning.params);
        let one = |function: &PwMultiAff| {
            let mut one = UnionPwMultiAff::empty(&reading.meaning.params);
            one.add_pw_multi_aff(function);
            one
        };
        Ok(reading.functions()?.iter().fold(empty, |all, function| all.union_add(&one(function))))
    }
}

impl Notation for MultiUnionPwAff {
    fn read(text: &str) -> Known<MultiUnionPwAff> {
        let Text { params, whole } = read(text)?;
        let Whole::Tuple { name, members, domain } = whole else {
            return Err(ParseError::at(text, 0, "expected `[{`".to_string()));
        };
        let reading = |braces: Braces| Reading { meaning: meaning(text, &params), braces };
        let tuple = Tuple::new(name.as_deref().map(Id::new), members.len());
        let range = Space::params_only(&params.iter().map(Id::from).collect::<Vec<_>>())
            .with_tuples(Tuples::Set(tuple.clone()));
        let affs = members.into_iter().map(|braces| reading(braces).union_pw_aff()).collect::<Known<Vec<_>>>()?;
        let Some(domain) = domain else { return Ok(MultiUnionPwAff::new(&range, affs)) };
        let reading = reading(domain);
        let mut all = UnionSet::empty(&reading.meaning.params);
        reading.relations(Wanted::Sets)?.into_iter().for_each(|(_, map)| all.add_set(&Set(map)));
        if affs.is_empty() {
            return Ok(MultiUnionPwAff::zero_dimensional(&all).reset_range(&tuple));
        }
        Ok(MultiUnionPwAff::new(&range, affs).intersect_domain(&all))
    }
}

macro_rules! readable {
    ($($kind:ty),*) => {
        $(
            impl FromStr for $kind {
                type Err = ParseError;
                fn from_str(text: &str) -> Result<Self, ParseError> {
                    <$kind as Notation>::read(text)
                }
            }

            impl $kind {
                /// The value that `text` writes in isl notation.
                pub fn parse(text: &str) -> Result<Self, ParseError> {
                    <$kind as Notation>::read(text)
                }
            }
        )*
    };
}

readable!(
    Map,
    Set,
    BasicMap,
    BasicSet,
    UnionMap,
    UnionSet,
    Aff,
    PwAff,
    MultiAff,
    PwMultiAff,
    MultiPwAff,
    UnionPwAff,
    UnionPwMultiAff,
    MultiUnionPwAff
);
