//! A sample of iterations as data that the page draws (`page.js`): one cell for each, coloured by its tile, with arrows for dependences.
//!
//! The outer loop runs downwards and the inner one to the right. Statements in the same loops share a cell, one above the other, each with a mark of its own.
//! Each cell bears the step at which it runs, for the button that plays them. Numbers stand in one row, so that hundreds of pictures are a page that opens at once:
//! of points statement, x, y, tile, lane and step, of arrows kind, statement, x and y of both ends, and whether they leave the plane.

use super::points::{Colours, Sample};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Colours that tiles have in turn; neighbours differ.
const COLOURS: usize = 12;

/// What stands for what is not there, in rows of numbers.
const NONE: i64 = -1;

/// A picture for the page.
#[derive(Serialize)]
pub struct Picture {
    /// What it shows: `k down, i to the right`.
    pub name: String,
    /// For whoever does not see it.
    pub description: String,
    /// What a step is.
    pub step: String,
    pub notes: Vec<String>,
    pub kinds: Vec<String>,
    /// The statements, each with what it does.
    pub statements: Vec<(String, String)>,
    pub steps: usize,
    /// For the script.
    pub drawing: String,
}

/// What the script draws.
#[derive(Serialize)]
struct Drawing<'a> {
    statements: &'a [String],
    axes: (&'a String, &'a Option<String>),
    kinds: &'a [String],
    points: Vec<i64>,
    arrows: Vec<i64>,
    /// The colour of each tile.
    colours: Vec<usize>,
    has_tiles: bool,
    lanes: usize,
    steps: usize,
}

impl Picture {
    /// The picture of a sample; `outline` says what a statement does.
    pub fn of(sample: &Sample, outline: &dyn Fn(&str) -> String) -> Picture {
        let (x, y) = (&sample.axes.0, sample.axes.1.as_ref());
        let loops = y.map_or_else(|| format!("{x} to the right"), |y| format!("{y} down, {x} to the right"));
        let kinds: BTreeSet<String> = sample.arrows.iter().map(|arrow| arrow.kind.clone()).collect();
        let kinds: Vec<String> = kinds.into_iter().collect();
        let has_tiles = sample.colours == Colours::Tiles;
        let description = format!(
            "Iterations of {}, {loops}: {} points, {} arrows of dependences, {} steps.",
            sample.statements.join(" and "),
            sample.points.len(),
            sample.arrows.len(),
            sample.steps
        );
        let statements: Vec<(String, String)> =
            sample.statements.iter().map(|name| (name.clone(), outline(name))).collect();
        let step = match (has_tiles, sample.lanes > 1) {
            (true, true) => "each core that has one left runs one tile",
            (true, false) => "one tile",
            (false, true) => "each core runs one iteration",
            (false, false) => "one iteration",
        };
        Picture {
            name: format!("{}: {loops}", sample.statements.join(", ")),
            description,
            step: step.to_string(),
            notes: notes(sample, &statements),
            statements,
            steps: sample.steps,
            drawing: drawing(sample, &kinds),
            kinds,
        }
    }
}

fn drawing(sample: &Sample, kinds: &[String]) -> String {
    let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    let known = |value: Option<usize>| value.map_or(NONE, number);
    let point = |point: &super::points::Point| {
        [number(point.statement), point.x, point.y, known(point.tile), known(point.lane), number(point.step)]
    };
    let arrow = |arrow: &super::points::Arrow| {
        let kind = kinds.iter().position(|kind| *kind == arrow.kind);
        let ((from, x1, y1), (to, x2, y2)) = (arrow.from, arrow.to);
        [known(kind), number(from), x1, y1, number(to), x2, y2, i64::from(arrow.is_aside)]
    };
    let drawing = Drawing {
        statements: &sample.statements,
        axes: (&sample.axes.0, &sample.axes.1),
        kinds,
        points: sample.points.iter().flat_map(point).collect(),
        arrows: sample.arrows.iter().flat_map(arrow).collect(),
        colours: colours(sample),
        has_tiles: sample.colours == Colours::Tiles,
        lanes: sample.lanes,
        steps: sample.steps,
    };
    // Inside of a page, nothing may look like the end of a script.
    serde_json::to_string(&drawing).unwrap_or_default().replace('<', "\\u003c")
}

/// What must be known to read the picture of these statements, each with what it does.
fn notes(sample: &Sample, statements: &[(String, String)]) -> Vec<String> {
    let mut notes = vec!["The axes count the iterations of each loop from 0, wherever the loop begins.".to_string()];
    if statements.iter().any(|(_, outline)| outline.contains("[?")) {
        notes.push("A ? is a subscript that data gives, or that a loop inside of the statement counts.".to_string());
    }
    if !sample.fixed.is_empty() {
        notes.push(format!("A small case: {}.", sample.fixed.join(", ")));
    }
    let n_colours = sample.points.iter().filter_map(|point| point.tile).collect::<BTreeSet<usize>>().len();
    let again = match n_colours > COLOURS {
        true => "neighbours never have the same one, and farther away it comes again",
        false => "no other one has it",
    };
    match sample.colours {
        Colours::Tiles => {
            let side = |(own, drawn): (&i64, &i64)| format!("{drawn} for {own}");
            let sides: Vec<String> = sample.sides.iter().map(side).collect();
            notes.push(format!("A tile has one colour; {again}. Point at a cell to read the number of its tile."));
            notes.push(format!("Tiles are drawn smaller than they are, with sides of {}.", sides.join(", ")));
        }
        Colours::Runs => notes.push(format!(
            "A run of a parallel loop has one colour; {again}. Runs of several colours come one after the other."
        )),
        Colours::One => {}
    }
    if sample.lanes > 1 {
        notes.push("Cells that light up at one step run on different cores at the same time.".to_string());
    }
    if sample.arrows.iter().any(|arrow| arrow.is_aside) {
        notes.push("Faint arrows lead out of this plane, to other values of the loops that are not shown.".to_string());
    }
    if sample.apart > 1 && !sample.arrows.is_empty() {
        notes.push(format!("One iteration of {} has the arrows drawn that begin there.", sample.apart));
    }
    if sample.has_hidden {
        let text = "Not drawn: dependences that stay at one place of this picture, or go to later accesses than the next, or far out of the plane.";
        notes.push(text.to_string());
    }
    if sample.arrows.is_empty() && !sample.has_hidden {
        notes.push("No iteration of this plane needs what another one computes.".to_string());
    }
    notes
}

/// A colour for each tile that none of its neighbours has, those at corners too; one of its own, if there are enough.
fn colours(sample: &Sample) -> Vec<usize> {
    let mut at: BTreeMap<(i64, i64), BTreeSet<usize>> = BTreeMap::new();
    for point in &sample.points {
        at.entry((point.x, point.y)).or_default().extend(point.tile);
    }
    let mut beside: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for ((x, y), tiles) in &at {
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let near: BTreeSet<usize> = near.filter_map(|place| at.get(&place)).flatten().copied().collect();
        tiles.iter().for_each(|tile| beside.entry(*tile).or_default().extend(&near));
    }
    let n = beside.keys().last().map_or(0, |last| last + 1);
    let mut colours: Vec<usize> = vec![0; n];
    let mut given: BTreeSet<usize> = BTreeSet::new();
    for (place, (tile, near)) in beside.iter().enumerate() {
        let taken = near.iter().filter(|other| given.contains(other)).map(|other| colours[*other]);
        let taken: BTreeSet<usize> = taken.collect();
        let mut others = (0..COLOURS).map(|turn| (place + turn) % COLOURS);
        colours[*tile] = others.find(|colour| !taken.contains(colour)).unwrap_or(place % COLOURS);
        given.insert(*tile);
    }
    colours
}
