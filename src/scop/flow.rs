//! Schedule trees in flow form, as isl prints them in one line:
//!
//! ```text
//! { domain: "{ S[i] : 0 <= i <= 8 }", child: { schedule: "[{ S[i] -> [(i)] }]", coincident: [ 1 ] } }
//! ```
//!
//! It is made of the block form that [`Tree`] is displayed in; [`Tree::parse`] reads both.
//!
//! Implements: 002 5.6.2

use super::tree::Tree;
use super::yaml::{self, Shape, Value, quote};

impl Tree {
    /// The tree in one line.
    pub fn flow(&self) -> String {
        let block = yaml::parse(&self.to_string()).expect("law: a tree is displayed as a document");
        flow(&block)
    }
}

fn flow(value: &Value) -> String {
    match &value.shape {
        Shape::Scalar(text) if is_plain(text) => text.clone(),
        Shape::Scalar(text) => quote(text),
        Shape::Sequence(items) => format!("[ {} ]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Shape::Mapping(entries) => {
            let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Whether a text needs no quotes: flags.
fn is_plain(text: &str) -> bool {
    text == "0" || text == "1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_one_tree() {
        let text = "{ domain: \"{ S[i] : 0 <= i <= 8; T[] }\", child: { sequence: [ { filter: \"{ S[i] }\", child: \
                    { schedule: \"[{ S[i] -> [(i)] }]\", coincident: [ 1 ] } }, { filter: \"{ T[] }\" } ] } }";
        let tree = Tree::parse(text).expect("a tree");
        assert_eq!(tree.flow(), text);
        assert_eq!(Tree::parse(&tree.to_string()).expect("a tree").flow(), text);
    }
}
