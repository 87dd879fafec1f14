//! isl notation of each type: braces around its disjuncts.
//!
//! `{ S[i] -> A[i + 1] : 0 <= i < n }` for a relation, `{ S[i] -> [(i + 1)] }` for an expression, a list in brackets for a partial schedule. The disjuncts
//! are those of [`super::print`].

use super::print::{
    bare_braces, braces, disjuncts, disjuncts_or_false, expression, expression_disjuncts, function_disjuncts,
    function_tuples, piecewise, prefix, tuples,
};
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{BasicMap, BasicSet};
use crate::presburger::named::map::Map;
use crate::presburger::named::multi::{MultiAff, PwMultiAff};
use crate::presburger::named::multi_pw::MultiPwAff;
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::union_aff::{MultiUnionPwAff, UnionPwAff, UnionPwMultiAff};
use crate::presburger::named::union_map::UnionMap;
use crate::presburger::named::union_set::UnionSet;
use std::fmt::{self, Display};

/// A type that isl notation writes.
trait Notation {
    fn text(&self) -> String;
}

impl Notation for Map {
    fn text(&self) -> String {
        braces(self.space(), &disjuncts_or_false(self))
    }
}

impl Notation for Set {
    fn text(&self) -> String {
        self.0.text()
    }
}

impl Notation for BasicMap {
    fn text(&self) -> String {
        self.0.text()
    }
}

impl Notation for BasicSet {
    fn text(&self) -> String {
        self.0.text()
    }
}

impl Notation for UnionMap {
    fn text(&self) -> String {
        braces(&self.params_space(), &self.maps().flat_map(disjuncts).collect::<Vec<_>>())
    }
}

impl Notation for UnionSet {
    fn text(&self) -> String {
        self.0.text()
    }
}

impl Notation for Aff {
    fn text(&self) -> String {
        MultiAff::from_aff(self).text()
    }
}

impl Notation for PwAff {
    fn text(&self) -> String {
        self.to_pw_multi_aff().text()
    }
}

impl Notation for MultiAff {
    fn text(&self) -> String {
        let members: Vec<String> = self.affs().iter().map(expression).collect();
        braces(self.space(), &[function_tuples(self.space(), &members)])
    }
}

impl Notation for PwMultiAff {
    fn text(&self) -> String {
        braces(self.space(), &function_disjuncts(self))
    }
}

impl Notation for MultiPwAff {
    fn text(&self) -> String {
        let members: Vec<String> = self.affs().iter().map(piecewise).collect();
        braces(self.space(), &[function_tuples(self.space(), &members)])
    }
}

impl Notation for UnionPwAff {
    fn text(&self) -> String {
        braces(&self.params_space(), &expression_disjuncts(self))
    }
}

impl Notation for UnionPwMultiAff {
    fn text(&self) -> String {
        braces(&self.params_space(), &self.pw_multi_affs().flat_map(function_disjuncts).collect::<Vec<_>>())
    }
}

impl Notation for MultiUnionPwAff {
    fn text(&self) -> String {
        let members: Vec<String> = self.affs().iter().map(|aff| bare_braces(&expression_disjuncts(aff))).collect();
        let tuple = tuples(&self.range_space(), &members);
        let params = prefix(&self.params_space());
        if self.n() > 0 || self.explicit_domain.is_none() {
            return format!("{params}{tuple}");
        }
        let domain: Vec<String> = self.domain().0.maps().flat_map(disjuncts).collect();
        format!("{params}({tuple} : {})", bare_braces(&domain))
    }
}

macro_rules! printable {
    ($($kind:ty),*) => {
        $(
            impl Display for $kind {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.text())
                }
            }

            impl fmt::Debug for $kind {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.text())
                }
            }
        )*
    };
}

printable!(
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
