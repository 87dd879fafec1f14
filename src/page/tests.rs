//! The page as a whole: what is in it, that nothing is loaded and no name becomes markup; pictures that keep dependences; two reports compared.

use super::*;
use crate::report::{Module, VERSION};
use serde_json::json;

/// A stencil in one dimension over time, in tiles of a wavefront, with names that must not become markup.
fn module() -> Module {
    let domain = "[n] -> { S4[t, i] : 0 <= t < n and 0 < i < n - 1 }";
    let schedule = r#"domain: "[n] -> { S4[t, i] : 0 <= t < n and 0 < i < n - 1 }"
child:
  schedule: "[n] -> [{ S4[t, i] -> [(floor((t)/32) + floor((t + i)/32))] }, { S4[t, i] -> [(floor((t + i)/32))] }]"
  permutable: 1
  coincident: [ 0, 1 ]
  child:
    schedule: "[n] -> [{ S4[t, i] -> [(t)] }, { S4[t, i] -> [(t + i)] }]"
    permutable: 1
"#;
    let loops = "[n] -> {\n  for (c0 = 0; c0 <= n; c0 += 1) depth(0) {\n    for (c1 = 0; c1 <= n; c1 += 1) depth(1) coincident parallel {\n      S4(c0, c1);\n    }\n  }\n}\n";
    let dependence = json!({ "kind": "flow", "from": "S4", "to": "S4", "array": "a<b>",
        "relation": "[n] -> { S4[t, i] -> S4[t + 1, i + d] : -1 <= d <= 1 and 0 <= t < n - 1 and 0 < i, i + d < n - 1 }".replace("i + d]", "o]").replace("-1 <= d <= 1", "i - 1 <= o <= i + 1").replace("0 < i, i + d < n - 1", "0 < i < n - 1 and 0 < o < n - 1") });
    let costs = json!({ "time": 100.0, "work": 50.0, "far_bytes": 64.0, "near_bytes": 640.0 });
    let done = json!({ "function": "f<script>", "file": "a.c", "line": 2, "column": 1, "last_line": 4, "lines": [2], "outcome": "done",
        "summary": "loops t, t + i tiled 32x32; tiles of a diagonal on all cores",
        "transformations": [{ "text": "", "shape": "wavefront", "sides": [32, 32], "tile_bytes": 4096, "parallel": "t + i" }],
        "tests": ["'a' and 'b' do not overlap"],
        "model": { "text": "", "statements": [{ "name": "S4", "line": 4, "outline": "a[i] = f(a[i])", "domain": domain, "operations": 3, "loops": [2, 3] }] },
        "dependences": [dependence], "schedule": schedule, "loops": loops,
        "prediction": { "operations": 1000.0, "before": costs, "after": costs, "speedup": 3.5 } });
    let missed = json!({ "function": "g", "file": "b.c", "line": 9, "column": 1, "last_line": 9, "outcome": "missed", "summary": "the loop can be left",
        "refusal": { "name": "SeveralExits", "reason": "the loop can be left", "cure": "let it run to its end", "file": "b.c", "line": 9 } });
    let module = json!({ "version": VERSION, "source": "a.c", "directory": "/d", "machine": { "cores": 4, "line_bytes": 64, "level1_bytes": 32768,
        "level2_bytes": 524288, "vector_bits": 256, "threads": true, "bytes_per_operation": 2.5 }, "nests": [done, missed] });
    serde_json::from_value(module).expect("a module")
}

fn text(_: &str, file: &str) -> Result<String, String> {
    match file {
        "a.c" => Ok("void f() {\nfor (t;;)\n  for (i;;)\n    a[i] = a[i] < 3;\n}\n".into()),
        _ => Err(format!("{file}: no such file")),
    }
}

#[test]
fn a_page_holds_every_nest_and_loads_nothing() {
    let (page, complaints) = page(&[module()], None, &text).expect("the template is right");
    assert_eq!(complaints, ["b.c: no such file"], "what cannot be read is said once");
    for part in [
        "id=\"nest-0\"",
        "id=\"nest-1\"",
        "let it run to its end",
        "3.5×",
        "⌊t/32⌋ + ⌊(t + i)/32⌋",
        "&lt;script&gt;",
        "b.c: no such file",
    ] {
        assert!(page.contains(part), "{part} is not there");
    }
    assert!(!page.contains("f<script>") && !page.contains("a<b>"), "names are no markup");
    for part in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(part), "{part} loads something");
    }
    let spans = page.matches("data-s=\"S4\"").count();
    assert!(
        spans > 20,
        "the statement of line 4 lights up in the source, the loops, the tree, the graph and the picture: {spans}"
    );
}

#[test]
fn a_picture_has_tiles_that_run_in_waves() {
    let module = module();
    let all = sample::samples(&module.nests[0]);
    let [sample] = all.as_slice() else { panic!("one plane: {}", all.len()) };
    assert_eq!((sample.axes.0.as_str(), sample.axes.1.as_deref()), ("i", Some("t")));
    assert_eq!(sample.points.len(), 16 * 14, "16 steps of time, 14 elements inside");
    assert!(sample.lanes > 1 && sample.steps > 3);
    let step = |t: i64, i: i64| sample.points.iter().find(|p| (p.y, p.x) == (t, i)).map(|p| p.step).expect("a point");
    assert_eq!(step(0, 1), 0, "the first corner runs first");
    assert!(sample.arrows.len() > 20 && sample.arrows.iter().all(|arrow| !arrow.is_aside), "there is no third loop");
    for arrow in &sample.arrows {
        let (from, to) = (step(arrow.from.2, arrow.from.1), step(arrow.to.2, arrow.to.1));
        assert!(from <= to, "what depends on another iteration runs no sooner: {arrow:?}");
    }
    assert!(sample.points.iter().any(|p| p.tile != sample.points[0].tile), "there are several tiles");
}

#[test]
fn reports_are_compared_by_what_statements_do() {
    let old = module();
    let mut new = module();
    new.nests[0].line += 7;
    new.nests[0].prediction.as_mut().expect("it has one").speedup = 7.0;
    new.nests.remove(1);
    let comparison = compare::compared(&new.nests, &old.nests);
    assert_eq!(comparison.changes, [Change::Better("7.0×, was 3.5×".into())]);
    assert_eq!(comparison.vanished.iter().map(|nest| nest.place.as_str()).collect::<Vec<_>>(), ["b.c:9"]);
    let back = compare::compared(&old.nests, &new.nests);
    assert_eq!(back.changes, [Change::Worse("3.5×, was 7.0×".into()), Change::Appeared]);
    let (page, _) =
        page(std::slice::from_ref(&old), Some(std::slice::from_ref(&old)), &text).expect("the template is right");
    assert!(page.contains("id=\"tally\"") && page.contains("data-change=\"same\""));
}

#[test]
fn a_report_of_nothing_is_a_page() {
    let nothing = Module { nests: Vec::new(), ..module() };
    let (page, complaints) = page(&[nothing], None, &text).expect("the template is right");
    assert!(page.contains("No loop nests") && complaints.is_empty());
}
