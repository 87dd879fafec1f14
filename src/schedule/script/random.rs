//! Random scripts on random models: the transformed tree runs the same instances, and what [`crate::schedule::check`] says of it is so by walking
//! down the tree with each pair of instances.

use crate::presburger::{Id, Int, PwAff, Space, UnionSet};
use crate::property::property;
use crate::schedule::Fault;
use crate::schedule::script::*;
use crate::scop;
use crate::scop::marks::PIPELINE;
use crate::scop::tree::{Band, Node};
use arbtest::arbitrary::{Result, Unstructured};
use std::collections::BTreeSet;

type Instance = (Id, Vec<Int>);

fn model(u: &mut Unstructured<'_>) -> Result<String> {
    let access = |u: &mut Unstructured<'_>, s: &str| -> Result<String> {
        let at = *u.choose(&["i", "j", "i - 1", "j + 1", "i + j", "0"])?;
        Ok(format!("{s}[i, j] -> {}[{at}]", u.choose(&["A", "B"])?))
    };
    let order = *u.choose(&[
        "S[i, j] -> [0, i, j, 0]; T[i, j] -> [1, i, j, 0]",
        "S[i, j] -> [i, 0, j, 0]; T[i, j] -> [i, 1, j, 0]",
        "S[i, j] -> [i, j, 0, 0]; T[i, j] -> [i, j, 1, 0]",
    ])?;
    let shape = *u.choose(&["j < n", "j <= i", "i + j < n"])?;
    Ok(format!(
        "context: [n] -> {{ : 0 <= n <= 5 }}\n\
         domain: [n] -> {{ S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j < n and {shape} }}\n\
         schedule: [n] -> {{ {order} }}\n\
         reads: [n] -> {{ {}; {} }}\n\
         must_writes: [n] -> {{ {}; {} }}",
        access(u, "S")?,
        access(u, "T")?,
        access(u, "S")?,
        access(u, "T")?
    ))
}

fn step(u: &mut Unstructured<'_>) -> Result<String> {
    let s = *u.choose(&["S", "T"])?;
    let k = u.int_in_range(0..=2)?;
    let n = u.int_in_range(1..=3)?;
    Ok(match u.int_in_range(0..=18)? {
        0 => format!("fuse S T {n}"),
        1 => "fuse S T".to_string(),
        2 => format!("distribute {s}.{k}"),
        3 => "move T before S".to_string(),
        4 => format!("sink S T.{k} first"),
        5 => format!("interchange {s}.{k} {s}.{}", k + 1),
        6 => format!("reverse {s}.{k}"),
        7 => format!("skew {s}.{k} {s}.{} {}", 1 - k.min(1), u.int_in_range(-2..=2)?),
        8 => format!("shift {s}.{k} {}", u.choose(&["1", "-1", "n", "i", "-j"])?),
        9 => format!("tile {s}.{k}..{} {n} 2", k + 1),
        10 => format!("stripmine {s}.{k} {n}"),
        11 => format!("wavefront {s}.{k}..{}", k + 1),
        12 => format!("diamond {s}.0..1 {n}"),
        13 => format!("peel {s}.{k} {} {n}", u.choose(&["first", "last"])?),
        14 => format!("split {s}.{k} {}", u.choose(&["2", "n-1"])?),
        15 => format!("jam {s}.{k} {n}"),
        16 => format!("isolate {s}.0..1"),
        17 => format!("pipeline {s}.{k}..{} {n}", k + 1),
        _ => format!("parallel {s}.{k}"),
    })
}

fn place(space: &Space, n: i64, instance: &Instance) -> Vec<Int> {
    space.params().iter().map(|_| Int::from(n)).chain(instance.1.iter().cloned()).collect()
}

fn is_in(set: &UnionSet, n: i64, instance: &Instance) -> bool {
    set.sets().any(|set| {
        set.space().tuple_name(DimKind::Out) == Some(&instance.0) && set.contains(&place(set.space(), n, instance))
    })
}

fn value(band: &Band, member: usize, n: i64, instance: &Instance) -> Int {
    let own = |aff: &&PwAff| aff.domain_space().tuple_name(DimKind::Out) == Some(&instance.0);
    let aff = band.partial.aff(member).pw_affs().find(own).expect("law: a band orders what reaches it");
    let (value, one) = aff.eval(&place(aff.domain_space(), n, instance)).expect("law: it does so everywhere");
    assert!(one.as_i64() == Some(1), "a band's values are integers");
    value
}

/// What is wrong with a pair, found by walking down with its two instances.
fn fault(node: &Node, n: i64, source: &Instance, sink: &Instance) -> Option<Fault> {
    match node {
        Node::Leaf => Some(Fault::Order),
        Node::Mark { id, child } if id.as_str() == PIPELINE => match &**child {
            Node::Band { band, .. } => {
                let goes_back = |member| value(band, member, n, source) > value(band, member, n, sink);
                if (0..band.n_member()).any(goes_back) { Some(Fault::Parallel) } else { fault(child, n, source, sink) }
            }
            _ => Some(Fault::Shape),
        },
        Node::Band { band, child } => {
            for member in 0..band.n_member() {
                let (before, after) = (value(band, member, n, source), value(band, member, n, sink));
                if before != after {
                    let parallel = band.coincident[member].then_some(Fault::Parallel);
                    return if before > after { Some(Fault::Order) } else { parallel };
                }
            }
            fault(child, n, source, sink)
        }
        Node::Sequence(children) => {
            let child = |instance| {
                children.iter().position(|child| match child {
                    Node::Filter { filter, .. } => is_in(filter, n, instance),
                    _ => false,
                })
            };
            let (a, b) = (child(source).expect("law: covered"), child(sink).expect("law: covered"));
            match a.cmp(&b) {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Greater => Some(Fault::Order),
                std::cmp::Ordering::Equal => fault(&children[a], n, source, sink),
            }
        }
        _ => fault(node.children()[0], n, source, sink),
    }
}

/// The instances that reach a leaf, each as often as it does.
fn reached(node: &Node, n: i64, alive: &[Instance], found: &mut Vec<Instance>) {
    match node {
        Node::Leaf => found.extend(alive.iter().cloned()),
        Node::Filter { filter, child } => {
            let inside: Vec<Instance> = alive.iter().filter(|i| is_in(filter, n, i)).cloned().collect();
            reached(child, n, &inside, found);
        }
        _ => node.children().into_iter().for_each(|child| reached(child, n, alive, found)),
    }
}

fn instances(domain: &UnionSet, n: i64) -> Vec<Instance> {
    let mut all = Vec::new();
    for set in domain.sets() {
        let name = set.space().tuple_name(DimKind::Out).expect("law: statements have names").clone();
        let at = set.space().find_param("n").expect("law: the models have one parameter");
        let fixed = set.fix(DimKind::Param, at, &Int::from(n)).project_out_param("n");
        let points = fixed.points(10_000).expect("law: test domains are small");
        all.extend(points.into_iter().map(|point| (name.clone(), point)));
    }
    all
}

#[test]
fn what_is_said_of_random_scripts_is_so() {
    let (mut legal, mut illegal) = (0, 0);
    property(150, |u| {
        let scop = scop::pm::parse(&model(u)?).expect("law: a random model is well-formed");
        let dependences = Dependences::of(&scop);
        let mut schedule = Schedule::original(&scop);
        for _ in 0..u.int_in_range(1..=4)? {
            let script = Script::parse(&step(u)?).expect("law: a random line is well-formed");
            schedule.tree = applied(&schedule.tree, &script.lines[0]).unwrap_or(schedule.tree);
        }
        let tree = &schedule.tree;
        let expected = instances(&scop.schedule.domain(), 4);
        let mut found = Vec::new();
        reached(tree.root(), 4, &expected, &mut found);
        assert_eq!(found.len(), expected.len(), "{tree}");
        assert_eq!(BTreeSet::from_iter(found), BTreeSet::from_iter(expected.iter().cloned()), "{tree}");
        match schedule.check(&scop, &dependences) {
            Ok(()) => {
                legal += 1;
                for map in dependences.strict_validity().maps() {
                    let (from, to) = (map.space().tuple_name(DimKind::In), map.space().tuple_name(DimKind::Out));
                    for source in expected.iter().filter(|i| Some(&i.0) == from) {
                        for sink in expected.iter().filter(|i| Some(&i.0) == to) {
                            let mut pair = place(map.space(), 4, source);
                            pair.extend(sink.1.iter().cloned());
                            let broken = map.contains(&pair).then(|| fault(tree.root(), 4, source, sink)).flatten();
                            assert_eq!(broken, None, "{source:?} -> {sink:?} in\n{tree}");
                        }
                    }
                }
            }
            Err(violation) => {
                illegal += 1;
                let space = violation.pairs.space();
                let point = violation.pairs.sample().expect("law: a violation has a pair");
                assert!(dependences.strict_validity().extract_map(space).contains(&point), "{violation}");
                let (params, n_in) = (space.params().len(), space.dim(DimKind::In));
                let n = point[..params].first().and_then(Int::as_i64).unwrap_or(0);
                let name = |kind| space.tuple_name(kind).expect("law: statements have names").clone();
                let source = (name(DimKind::In), point[params..params + n_in].to_vec());
                let sink = (name(DimKind::Out), point[params + n_in..].to_vec());
                assert!(fault(tree.root(), n, &source, &sink).is_some(), "{violation}\n{tree}");
            }
        }
        Ok(())
    });
    assert!(legal >= 20 && illegal >= 20, "{legal} legal and {illegal} illegal scripts");
}
