//! A schedule tree as nested lists, in words that need no knowledge of isl's notation.
//!
//! A band of `floor(i/32)` and `floor(j/256)`, the first of which is coincident, becomes `for ⌊i/32⌋ (parallel), ⌊j/256⌋`.

use super::function::Function;
use crate::presburger::DimKind;
use crate::scop::tree::{Band, LoopKind, Node, Tree};
use std::collections::BTreeSet;

/// The tree as HTML; its text as it is if it cannot be read.
pub fn shown(text: &str) -> String {
    match Tree::parse(text) {
        Ok(tree) => format!("<ul class=\"tree\">{}</ul>", item(tree.root())),
        Err(_) => format!("<pre>{}</pre>", super::escaped(text)),
    }
}

fn item(node: &Node) -> String {
    let (label, children): (String, Vec<&Node>) = match node {
        Node::Leaf => return String::new(),
        Node::Domain { domain, child } => {
            let names: BTreeSet<String> =
                domain.sets().filter_map(|set| name(set.space().tuple_name(DimKind::Out))).collect();
            (format!("all iterations of {}", stated(&names)), vec![child])
        }
        Node::Context { child, .. } => ("what is known of parameters".to_string(), vec![child]),
        Node::Extension { child, .. } => ("more iterations".to_string(), vec![child]),
        Node::Filter { filter, child } => {
            let names: BTreeSet<String> =
                filter.sets().filter_map(|set| name(set.space().tuple_name(DimKind::Out))).collect();
            let text = super::escaped(&filter.to_string());
            (format!("<span title=\"{text}\">{}</span>", stated(&names)), vec![child])
        }
        Node::Mark { id, child } => {
            let text = match id.as_str() {
                "vector" => "in vectors:".to_string(),
                other => format!("<span class=\"mark\">{}</span>", super::escaped(other)),
            };
            (text, vec![child])
        }
        Node::Sequence(children) => ("one after the other:".to_string(), children.iter().collect()),
        Node::Set(children) => ("in any order:".to_string(), children.iter().collect()),
        Node::Band { band, child } => (members(band), vec![child]),
    };
    let below: String = children.into_iter().map(item).collect();
    let below = if below.is_empty() { below } else { format!("<ul>{below}</ul>") };
    format!("<li>{label}{below}</li>")
}

fn name(id: Option<&crate::presburger::Id>) -> Option<String> {
    id.map(|id| id.as_str().to_string())
}

fn stated(names: &BTreeSet<String>) -> String {
    let one = |name: &String| {
        // Parts of a statement are called `S12/3`.
        let own = super::escaped(name.split('/').next().unwrap_or_default());
        format!("<span class=\"stated\" data-s=\"{own}\" tabindex=\"0\">{}</span>", super::escaped(name))
    };
    names.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The loops of a band.
fn members(band: &Band) -> String {
    let shown = |member: usize| {
        let values: BTreeSet<String> =
            band.partial.aff(member).pw_affs().map(|aff| super::escaped(&value(&aff.to_string()))).collect();
        let values: Vec<String> = values.into_iter().collect();
        let mut notes = Vec::new();
        if band.coincident.get(member) == Some(&true) {
            notes.push("parallel");
        }
        match band.options.get(member) {
            Some(LoopKind::Unroll) => notes.push("written out"),
            Some(LoopKind::Separate) => notes.push("separated"),
            _ => {}
        }
        let notes: String = notes.into_iter().map(|note| format!(" <em>{note}</em>")).collect();
        format!("<code>{}</code>{notes}", values.join(" | "))
    };
    let all: Vec<String> = (0..band.partial.n()).map(shown).collect();
    let kind = if band.permutable && all.len() > 1 { " <em>interchangeable</em>" } else { "" };
    format!("for {}{kind}", all.join(", "))
}

fn value(text: &str) -> String {
    Function::of_map(text).map_or_else(|| text.to_string(), |function| function.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_tree_is_shown_as_it_is() {
        assert_eq!(shown("<b>"), "<pre>&lt;b&gt;</pre>");
    }
}
