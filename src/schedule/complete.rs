//! Does a schedule tree run each of its instances once, and nothing else?
//!
//! ```text
//! domain: "{ S[i] : 0 <= i < 9; T[] }"
//! child:
//!   sequence:
//!   - filter: "{ S[i] : i < 8 }"      leaves out S[8] and T[]
//! ```
//!
//! isl takes it that filters of a sequence share out what comes to it, and that bands have values for it; a tree that somebody has written may be otherwise. Then instances would be lost, or run twice, although no dependence
//! is broken: [`check`](super::check) asks for the order of what runs. And what a context node says must be so, as loops are made with it.
//!
//! Implements: 002 5.6.2

use crate::presburger::{Set, UnionSet};
use crate::scop::tree::{Node, Tree};

/// What is wrong with a tree, whose parameters are in `trusted`; nothing, if each instance of its domain runs once.
pub fn fault(tree: &Tree, trusted: &Set) -> Option<String> {
    below(tree.root(), &tree.domain().intersect_params(trusted), trusted)
}

/// The same of a node that these instances come to.
fn below(node: &Node, reach: &UnionSet, trusted: &Set) -> Option<String> {
    match node {
        Node::Leaf => None,
        Node::Domain { child, .. } | Node::Mark { child, .. } => below(child, reach, trusted),
        Node::Filter { filter, child } => {
            let lost = example(&reach.subtract(filter)).map(|lost| format!("a filter leaves out {lost}"));
            lost.or_else(|| below(child, reach, trusted))
        }
        Node::Band { band, child } => {
            let lost = reach.subtract(&band.partial.domain());
            let lost = if band.n_member() == 0 { None } else { example(&lost) };
            lost.map(|lost| format!("a band has no value for {lost}")).or_else(|| below(child, reach, trusted))
        }
        Node::Sequence(children) | Node::Set(children) => shared(children, reach, trusted),
        Node::Context { context, child } => {
            let known = Set::universe(context.space()).intersect_params(trusted);
            let open =
                (!known.is_subset(context)).then(|| format!("nobody knows that {context}, as a context node says"));
            open.or_else(|| below(child, reach, trusted))
        }
        Node::Extension { .. } => Some("an extension node adds instances".to_string()),
    }
}

/// What is wrong with children that share these instances out among them.
fn shared(children: &[Node], reach: &UnionSet, trusted: &Set) -> Option<String> {
    let mut left = reach.clone();
    for child in children {
        let Node::Filter { filter, child } = child else {
            return Some("a child of a sequence or a set is no filter".to_string());
        };
        let own = reach.intersect(filter);
        if let Some(twice) = example(&own.subtract(&left)) {
            return Some(format!("two children of a sequence or a set run {twice}"));
        }
        left = left.subtract(&own);
        if let Some(wrong) = below(child, &own, trusted) {
            return Some(wrong);
        }
    }
    example(&left).map(|lost| format!("no child of a sequence or a set runs {lost}"))
}

/// One of the instances, if there are any.
fn example(instances: &UnionSet) -> Option<String> {
    instances.sets().find(|set| !set.is_empty()).map(|set| set.sample_basic().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const TREE: &str = r#"domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i] }"
    child: { schedule: "[{ S[i] -> [(i)] }]" }
  - filter: "{ T[i] }"
    child: { schedule: "[{ T[i] -> [(i)] }]" }
"#;

    const UNDER_A_CONTEXT: &str = r#"domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  context: "[n] -> { [] : n >= 4 }"
  child: { schedule: "[{ S[i] -> [(i)] }]" }
"#;

    fn told(text: &str) -> String {
        let trusted = Set::parse("[n] -> { : n >= 4 }").expect("a set");
        fault(&Tree::parse(text).expect("a tree"), &trusted).unwrap_or_else(|| "nothing".to_string())
    }

    #[test]
    fn whoever_loses_an_instance_or_runs_it_twice_is_told_which() {
        let texts = [
            TREE.to_string(),
            TREE.replace("  - filter: \"{ T[i] }\"\n    child: { schedule: \"[{ T[i] -> [(i)] }]\" }\n", ""),
            TREE.replace("\"{ T[i] }\"", "\"{ T[i] : i > 0 }\""),
            TREE.replace("\"{ T[i] }\"", "\"{ T[i]; S[3] }\""),
            TREE.replace("[{ T[i] -> [(i)] }]", "[{ T[i] -> [(i)] : i < 2 }]"),
            TREE.replace("child: { schedule: \"[{ T[i] -> [(i)] }]\" }", "child: { filter: \"{ T[i] : i < 2 }\" }"),
            UNDER_A_CONTEXT.to_string(),
            UNDER_A_CONTEXT.replace(">= 4", "= 8"),
        ];
        expect![[r#"
            nothing
            no child of a sequence or a set runs [n] -> { T[0] : n = 4 }
            no child of a sequence or a set runs [n] -> { T[0] : n = 4 }
            two children of a sequence or a set run [n] -> { S[3] : n = 4 }
            a band has no value for [n] -> { T[2] : n = 4 }
            a filter leaves out [n] -> { T[2] : n = 4 }
            nothing
            nobody knows that [n] -> { [] : n = 8 }, as a context node says
        "#]]
        .assert_eq(&texts.iter().map(|text| told(text) + "\n").collect::<String>());
    }
}
