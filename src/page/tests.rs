//! The page as a whole: what is in it, that nothing is loaded and no name becomes markup; pictures that keep dependences; two reports compared.

use super::*;
use crate::report::{Module, VERSION};
use compare::Change;
use serde_json::json;
use std::io::Read;

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

const SOURCE: &str = "void f() {\nfor (t;;)\n  for (i;;)\n    a[i] = a[i] < 3;\n}\n";

fn text(_: &str, file: &str) -> Result<Vec<u8>, String> {
    match file {
        "a.c" => Ok(SOURCE.into()),
        _ => Err(format!("{file}: no such file")),
    }
}

/// The page without its views, these unpacked, and what it lacks.
fn paged(now: &[Module], before: Option<&[Module]>) -> (String, Vec<String>, Vec<String>) {
    let Page { text: page, nests, complaints } = page(now, before, &text, &|_, _| {}).expect("the templates are right");
    let packed = page.split("class=\"packed\"").skip(1).map(|part| {
        let text = &part[part.find('>').expect("a tag ends") + 1..part.find("</script>").expect("it has an end")];
        let bytes = STANDARD.decode(text).expect("base64");
        let mut html = String::new();
        flate2::read::DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut html).expect("deflated text");
        html
    });
    let views: Vec<String> = packed.collect();
    assert_eq!(views.len(), nests, "the number that is told is that of the page");
    (page, views, complaints)
}

#[test]
fn a_page_holds_every_nest_and_loads_nothing() {
    let (page, views, complaints) = paged(&[module()], None);
    assert_eq!(complaints, ["b.c: no such file; its lines are not shown"], "what cannot be read is said once");
    assert_eq!(views.len(), 2);
    let whole = format!("{page}{}", views.concat());
    for part in [
        "id=\"nest-0\"",
        "id=\"nest-1\"",
        "<option value=\"let it run to its end\">1 × let it run to its end</option>",
        "3.5×",
        "one core",
        "⌊t/32⌋ + ⌊(t + i)/32⌋",
        "&lt;script&gt;",
        "b.c: no such file",
    ] {
        assert!(whole.contains(part), "{part} is not there");
    }
    assert!(!whole.contains("f<script>") && !whole.contains("a<b>"), "names are no markup");
    for part in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!whole.contains(part), "{part} loads something");
    }
    let spans = views[0].matches("data-s=\"S4\"").count();
    assert!(
        spans >= 5,
        "the statement of line 4 lights up in the source, the loops, the tree, the graph and the legend: {spans}"
    );
}

#[test]
fn large_gains_are_not_told_as_if_they_were_known() {
    let mut wide = module();
    wide.nests[0].prediction.as_mut().expect("it has one").speedup = 115.8;
    let (page, views, _) = paged(&[wide], None);
    let whole = format!("{page}{}", views.concat());
    assert!(whole.contains("over 16×") && !whole.contains("115.8×"));
    assert!(page.contains("data-key=\"115.8\""), "rows are in the order of what is predicted");
}

#[test]
fn a_nest_of_two_modules_is_counted_once() {
    let (page, views, _) = paged(&[module(), module()], None);
    assert_eq!((views.len(), page.matches("<strong>2</strong>").count()), (2, 1), "as of a header that both include");
}

#[test]
fn a_file_that_was_changed_is_told() {
    let noted = |sha256: String| {
        let files = vec![crate::report::SourceFile { directory: "/d".into(), file: "a.c".into(), sha256 }];
        paged(&[Module { files, ..module() }], None)
    };
    let (_, views, complaints) = noted(crate::report::file::fingerprint(SOURCE.as_bytes()));
    assert!(!views[0].contains("was changed since") && complaints.len() == 1);
    let (_, views, complaints) = noted(crate::report::file::fingerprint(b"another text"));
    assert!(views[0].contains("was changed since") && complaints.len() == 2, "{complaints:?}");
    assert!(!views[0].contains("class=\"tag\""), "nobody knows where the statements are now");
}

#[test]
fn nests_with_most_to_compute_come_first_and_are_told_apart() {
    let mut two = module();
    let mut again = two.nests[0].clone();
    again.column = 9;
    again.function = "_Z2tfIdEviPT_PKS0_".into();
    two.nests.insert(0, two.nests[1].clone());
    two.nests.push(again);
    let (page, views, _) = paged(&[two], None);
    assert_eq!(views.len(), 3, "one nest that is there twice is shown once");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not there"));
    assert!(at(">a.c:2:1<") < at(">b.c:9<") && at(">a.c:2:9<") < at(">b.c:9<") + 10_000);
    assert!(page.contains("tf&lt;double&gt;(int, double*, double const*)"));
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
    let drawing = picture::Picture::of(sample, &|_| String::new()).drawing;
    let drawing: serde_json::Value = serde_json::from_str(&drawing).expect("the script reads it as well");
    let colours: Vec<u64> =
        drawing["colours"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_u64).collect();
    assert_eq!(drawing["points"].as_array().map(Vec::len), Some(6 * sample.points.len()));
    let at = |x: i64, y: i64| sample.points.iter().find(|p| (p.x, p.y) == (x, y)).and_then(|p| p.tile);
    for p in &sample.points {
        for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let (Some(own), Some(other)) = (p.tile, at(p.x + dx, p.y + dy)) else { continue };
            assert!(own == other || colours[own] != colours[other], "neighbours have colours of their own: {p:?}");
        }
    }
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
    let with_gain = |speedup: f64| {
        let mut module = module();
        module.nests[0].prediction.as_mut().expect("it has one").speedup = speedup;
        module.nests
    };
    let between = |new: f64, old: f64| compare::compared(&with_gain(new), &with_gain(old)).changes[0].clone();
    assert_eq!(between(115.8, 90.2), Change::Same, "large gains are not told apart");
    assert_eq!(between(115.8, 3.5), Change::Better("over 16×, was 3.5×".into()));
    let (page, _, _) = paged(std::slice::from_ref(&old), Some(std::slice::from_ref(&old)));
    let mut renamed = module();
    renamed.nests[0].file = "other.c".into();
    renamed.nests[0].line += 100;
    let moved = compare::compared(&renamed.nests, &old.nests);
    assert_eq!(
        (moved.changes[0].word(), moved.vanished.len()),
        ("same", 0),
        "a file that has another name is found by what its nests do"
    );
    assert!(page.contains("id=\"tally\"") && page.contains("data-change=\"same\""));
}

#[test]
fn a_report_of_nothing_is_a_page() {
    let nothing = Module { nests: Vec::new(), ..module() };
    let (page, _, complaints) = paged(&[nothing], None);
    assert!(page.contains("No loop nests") && complaints.is_empty());
}
