//! A schedule tree as nested lists, in words that need no knowledge of isl's notation.
//!
//! A band of `floor(i/32)` and `floor(j/256)`, the first of which is coincident, becomes `for ⌊i/32⌋ (parallel), ⌊j/256⌋`.

use super::function::Function;
use crate::presburger::{DimKind, UnionSet, within};
use crate::scop::tree::{Band, LoopKind, Node, Tree};
use std::collections::BTreeSet;

/// Steps of the engine for saying what a filter takes, and the longest text that is said.
const PART_BUDGET: u64 = 200_000;
const LONGEST_PART: usize = 80;

/// The tree as HTML; its text as it is if it cannot be read.
pub fn shown(text: &str) -> String {
    match Tree::parse(text) {
        Ok(tree) => format!("<ul class=\"tree\">{}</ul>", item(tree.root(), &tree.domain())),
        Err(_) => format!("<pre>{}</pre>", super::escaped(text)),
    }
}

fn item(node: &Node, domain: &UnionSet) -> String {
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
            let part = part(filter, domain).map(|part| format!(" <code>{}</code>", super::escaped(&part)));
            (format!("<span title=\"{text}\">{}</span>{}", stated(&names), part.unwrap_or_default()), vec![child])
        }
        Node::Mark { id, child } => {
            let text = match id.as_str() {
                "vector" => "in vectors:".to_string(),
                "contraction" => "a product that is added up: blocks of it in registers:".to_string(),
                other if other.starts_with("pack ") => {
                    let arrays = super::escaped(&other["pack ".len()..].replace(' ', ", "));
                    format!("copies of what a tile reads of {arrays}, packed side by side:")
                }
                other => format!("<span class=\"mark\">{}</span>", super::escaped(other)),
            };
            (text, vec![child])
        }
        Node::Sequence(children) => ("one after the other:".to_string(), children.iter().collect()),
        Node::Set(children) => ("in any order:".to_string(), children.iter().collect()),
        Node::Band { band, child } => (members(band), vec![child]),
    };
    let below: String = children.into_iter().map(|child| item(child, domain)).collect();
    let below = if below.is_empty() { below } else { format!("<ul>{below}</ul>") };
    format!("<li>{label}{below}</li>")
}

/// Which iterations of a statement a filter takes, if these are not all and that is short to say: `[k, i, j] where j < k and i < k`.
fn part(filter: &UnionSet, domain: &UnionSet) -> Option<String> {
    let mut sets = filter.sets();
    let (_, None) = (sets.next()?, sets.next()) else { return None };
    let own = within(PART_BUDGET, || filter.gist(domain).to_string()).ok()?;
    let own = own.rsplit_once("{ ").map_or(own.as_str(), |(_, own)| own).strip_suffix(" }")?;
    let own = own.get(own.find('[')?..)?.replace("] : ", "] where ");
    let is_all = !own.contains(" where ") && is_plain(&own);
    (!is_all && own.chars().count() <= LONGEST_PART).then_some(own)
}

/// Whether the iterators of an instance differ from one another and are no numbers: `[k, i, j]`, not `[k, k, j]`.
fn is_plain(instance: &str) -> bool {
    let names: Vec<&str> = instance.trim_matches(['[', ']']).split(", ").collect();
    let mut seen = BTreeSet::new();
    names.iter().all(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_') && seen.insert(*name))
}

fn name(id: Option<&crate::presburger::Id>) -> Option<String> {
    id.map(|id| id.as_str().to_string())
}

fn stated(names: &BTreeSet<String>) -> String {
    let one = |name: &String| {
        // Parts of a statement are called `S12/3`.
        let own = super::escaped(name.split('/').next().unwrap_or_default());
        format!(
            "<span class=\"stated\" data-s=\"{own}\" tabindex=\"0\" role=\"group\" aria-label=\"{own}\">{}</span>",
            super::escaped(name)
        )
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
    fn parts_of_a_statement_say_which_they_are() {
        let set = |text: &str| UnionSet::parse(text).expect("a set");
        let domain = set("[n] -> { S[k, i] : 0 <= k < n and 0 <= i < n }");
        let said = |text: &str| part(&set(text), &domain);
        assert_eq!(
            said("[n] -> { S[k, i] : 0 <= k < n and 0 <= i < n and i < k }").as_deref(),
            Some("[k, i] where i < k")
        );
        assert_eq!(said("[n] -> { S[k, k] : 0 <= k < n }").map(|text| text.contains("k")), Some(true));
        assert_eq!(said("[n] -> { S[k, i] }"), None);
    }

    #[test]
    fn what_is_no_tree_is_shown_as_it_is() {
        assert_eq!(shown("<b>"), "<pre>&lt;b&gt;</pre>");
    }
}
