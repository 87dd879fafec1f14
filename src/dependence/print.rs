//! Dependences as text and as JSON.
//!
//! ```text
//! flow:
//!   write S_2 at sum.c:3 -> read S_0 at sum.c:3 of A: [n] -> { S[i] -> S[1 + i] : 0 < i <= -2 + n }
//! live in:
//!   [n] -> { S[i] -> A[i] : 0 <= i < n }
//! ```

use std::fmt;

use serde_json::{Value, json};

use super::{AccessRef, Dependence, Dependences, Kind};
use crate::presburger::UnionMap;
use crate::scop::{Access, Scop, Statement};

const KINDS: [Kind; 5] = [Kind::Flow, Kind::Anti, Kind::Output, Kind::Reduction, Kind::ReductionUse];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flow => "flow",
            Self::Anti => "anti",
            Self::Output => "output",
            Self::Reduction => "reduction",
            Self::ReductionUse => "reduction use",
        })
    }
}

impl fmt::Display for Dependences {
    /// One line for each relation that is not empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = if self.exact { "" } else { " (may)" };
        for (name, relation) in self.relations() {
            if !relation.is_empty() {
                let exact = if name == "flow" { exact } else { "" };
                writeln!(f, "{name}{exact}: {relation}")?;
            }
        }
        Ok(())
    }
}

impl Dependences {
    fn relations(&self) -> [(&'static str, &UnionMap); 7] {
        [
            ("flow", &self.flow),
            ("anti", &self.anti),
            ("output", &self.output),
            ("reduction", &self.reduction),
            ("reduction use", &self.reduction_use),
            ("live in", &self.live_in),
            ("live out", self.live_out.relation()),
        ]
    }

    /// The dependences for each pair of accesses, with the names that `scop` gives them.
    pub fn report<'a>(&'a self, scop: &'a Scop) -> impl fmt::Display + 'a {
        Report { dependences: self, scop }
    }

    /// As JSON: the relations, and one entry for each pair of accesses.
    pub fn json(&self, scop: &Scop) -> Value {
        let access = |at: AccessRef| {
            let (statement, access) = names(scop, at);
            let location = access.location.as_ref().or(statement.location.as_ref()).map(ToString::to_string);
            json!({ "statement": statement.name.as_str(), "access": access.id.as_str(), "array": access.array.as_str(),
                    "kind": access.kind.to_string(), "location": location })
        };
        let pair = |d: &Dependence| {
            let mut pair = json!({ "kind": d.kind.to_string(), "source": access(d.source), "sink": access(d.sink),
                                   "relation": d.relation.to_string() });
            if let Some(update) = scop.update(names(scop, d.source).1).filter(|_| d.kind == Kind::Reduction) {
                pair["operator"] = update.operator.to_string().into();
                pair["identity"] = update.identity.into();
                pair["type"] = update.element.to_string().into();
            }
            pair
        };
        let relations: serde_json::Map<String, Value> = self
            .relations()
            .iter()
            .map(|(name, relation)| (name.replace(' ', "_"), relation.to_string().into()))
            .collect();
        json!({ "name": scop.name, "exact": self.exact, "relations": relations,
                "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>() })
    }
}

struct Report<'a> {
    dependences: &'a Dependences,
    scop: &'a Scop,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in KINDS {
            let mut pairs = self.dependences.of_kind(kind).peekable();
            if pairs.peek().is_some() {
                writeln!(f, "{kind}:")?;
            }
            for dependence in pairs {
                let (_, source) = names(self.scop, dependence.source);
                let (_, sink) = names(self.scop, dependence.sink);
                let (from, to) = (described(source), described(sink));
                let by = self.scop.update(source).filter(|_| kind == Kind::Reduction);
                let by = by.map_or(String::new(), |update| format!(" by {update}"));
                writeln!(f, "  {from} -> {to} of {}{by}: {}", source.array, dependence.relation)?;
            }
        }
        for (name, relation) in
            [("live in", &self.dependences.live_in), ("live out", self.dependences.live_out.relation())]
        {
            if !relation.is_empty() {
                writeln!(f, "{name}:\n  {relation}")?;
            }
        }
        if !self.dependences.exact {
            writeln!(f, "flow is an over-approximation: some writes may not happen")?;
        }
        Ok(())
    }
}

fn described(access: &Access) -> String {
    let place = access.location.as_ref().map_or(String::new(), |l| format!(" at {l}"));
    format!("{} {}{place}", access.kind, access.id)
}

fn names(scop: &Scop, at: AccessRef) -> (&Statement, &Access) {
    let statement = &scop.statements[at.statement];
    (statement, &statement.accesses[at.access])
}
