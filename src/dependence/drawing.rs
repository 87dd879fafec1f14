//! The graph of dependences: statements, and between them an arrow for each kind of dependence over each array.
//!
//! `for i: S: a[i] = a[i - 1] + b[i]` has one node `S[i]` and one arrow from it to itself, "flow over a: S[i] -> S[1 + i]".

use super::{Dependence, Dependences, Kind};
use crate::drawing::{Drawing, Pen, Shape, Style};
use crate::presburger::Map;
use crate::scop::{Scop, StatementId};
use std::collections::BTreeMap;

impl Dependences {
    /// The graph, with the names of the model.
    pub fn drawing(&self, scop: &Scop) -> Drawing {
        let mut drawing = Drawing::titled(&scop.name);
        let node = |(_, statement): (StatementId, &crate::scop::Statement)| {
            let place = statement.location.as_ref().map_or(String::new(), |place| format!("\n{place}"));
            drawing.node(&format!("{}{place}", statement.name), Shape::Box)
        };
        let nodes = scop.statements.map(node);
        let mut between: BTreeMap<(Kind, StatementId, StatementId, String), Map> = BTreeMap::new();
        for Dependence { kind, source, sink, relation } in &self.pairs {
            let array = scop.statements[source.statement].accesses[source.access].array.to_string();
            let all = between.entry((*kind, source.statement, sink.statement, array));
            let relation = relation.clone();
            all.and_modify(|known| *known = known.union(&relation).coalesce()).or_insert(relation);
        }
        for ((kind, source, sink, array), relation) in between {
            let label = format!("{kind} over {array}\n{relation}");
            drawing.arrow(nodes[source], nodes[sink], &label, style(kind));
        }
        drawing
    }
}

fn style(kind: Kind) -> Style {
    match kind {
        Kind::Flow => Style::PLAIN,
        Kind::Anti => Style { pen: Pen::Dashed, colour: "red" },
        Kind::Output => Style { pen: Pen::Dotted, colour: "blue" },
        Kind::Reduction | Kind::ReductionUse => Style { pen: Pen::Dashed, colour: "green" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop;
    use expect_test::expect;

    #[test]
    fn each_kind_over_each_array_is_an_arrow() {
        let text = "domain: [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\n\
                    schedule: [n] -> { S[i] -> [0, i]; T[i] -> [1, i] }\n\
                    reads: [n] -> { S[i] -> b[i]; T[i] -> a[i]; T[i] -> a[i + 1] }\n\
                    must_writes: [n] -> { S[i] -> a[i]; T[i] -> b[i] }\n";
        let scop = scop::read(text).expect("a model");
        expect![[r#"
            digraph "scop" {
              node [fontname="monospace"];
              n0 [label="S", shape=box];
              n1 [label="T", shape=box];
              n0 -> n1 [label="flow over a\n[n] -> { S[i] -> T[i'] : i < n and 0 <= i' <= i and i' >= i - 1 }", style=solid, color=black];
              n0 -> n1 [label="anti over b\n[n] -> { S[i] -> T[i] : 0 <= i < n }", style=dashed, color=red];
            }
        "#]]
        .assert_eq(&Dependences::of(&scop).drawing(&scop).dot());
    }
}
