//! A sample of iterations as a picture: one cell for each, coloured by its tile, with arrows for dependences.
//!
//! The outer loop runs downwards and the inner one to the right. Statements in the same loops share a cell, one above the other. Each cell bears
//! the step at which it runs (`data-step`), for the button that plays them.

use super::points::{Arrow, Colours, Point, Sample};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Pixels of an iteration with one statement.
const CELL: i64 = 28;

/// Pixels for the names of the axes and their numbers.
const MARGIN: i64 = 44;

/// Colours that tiles have in turn; neighbours differ.
const COLOURS: usize = 8;

/// A picture for the page.
#[derive(Serialize)]
pub struct Picture {
    /// What it shows: `k down, i to the right`.
    pub name: String,
    /// For whoever does not see it.
    pub description: String,
    pub svg: String,
    pub steps: usize,
    /// What a step is.
    pub step: String,
    pub notes: Vec<String>,
    pub kinds: Vec<String>,
    pub statements: Vec<String>,
}

impl Picture {
    pub fn of(sample: &Sample) -> Picture {
        let (x, y) = (&sample.axes.0, sample.axes.1.as_ref());
        let loops = y.map_or_else(|| format!("{x} to the right"), |y| format!("{y} down, {x} to the right"));
        let mut kinds: Vec<String> = sample.arrows.iter().map(|arrow| arrow.kind.clone()).collect();
        kinds.sort();
        kinds.dedup();
        let name = format!("{}: {loops}", sample.statements.join(", "));
        let has_tiles = sample.colours == Colours::Tiles;
        let description = format!(
            "Iterations of {}, {loops}: {} points, {} arrows of dependences, {} steps.",
            sample.statements.join(" and "),
            sample.points.len(),
            sample.arrows.len(),
            sample.steps
        );
        let step = match (has_tiles, sample.lanes > 1) {
            (true, true) => "each core that has one left runs one tile",
            (true, false) => "one tile",
            (false, true) => "each core runs one iteration",
            (false, false) => "one iteration",
        };
        Picture {
            name,
            description,
            svg: drawn(sample),
            steps: sample.steps,
            step: step.to_string(),
            notes: notes(sample),
            kinds,
            statements: sample.statements.clone(),
        }
    }
}

/// What must be known to read the picture.
fn notes(sample: &Sample) -> Vec<String> {
    let mut notes = Vec::new();
    if !sample.fixed.is_empty() {
        let fixed: Vec<String> = sample.fixed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        notes.push(format!("A small case: {}.", fixed.join(", ")));
    }
    match sample.colours {
        Colours::Tiles => {
            let side = |(own, drawn): (&i64, &i64)| format!("{drawn} for {own}");
            let sides: Vec<String> = sample.sides.iter().map(side).collect();
            let text = "One colour is one tile. Tiles are drawn smaller than they are, with sides of";
            notes.push(format!("{text} {}.", sides.join(", ")));
        }
        Colours::Runs => notes
            .push("One colour is one run of a parallel loop; runs of several colours come one after the other.".into()),
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

/// Where things are in the drawing.
struct Frame {
    low: (i64, i64),
    high: (i64, i64),
    /// Pixels of a cell: to the right and down.
    cell: (i64, i64),
    statements: i64,
}

impl Frame {
    fn of(sample: &Sample) -> Frame {
        let xs = || sample.points.iter().map(|point| point.x);
        let ys = || sample.points.iter().map(|point| point.y);
        let low = (xs().min().unwrap_or(0), ys().min().unwrap_or(0));
        let high = (xs().max().unwrap_or(0), ys().max().unwrap_or(0));
        let statements = sample.statements.len() as i64;
        Frame { low, high, cell: (CELL, CELL.max(22 * statements)), statements }
    }

    /// The upper left corner of a cell.
    fn corner(&self, statement: usize, x: i64, y: i64) -> (i64, i64) {
        let part = self.cell.1 / self.statements * statement as i64;
        (MARGIN + (x - self.low.0) * self.cell.0, MARGIN + (y - self.low.1) * self.cell.1 + part)
    }

    fn centre(&self, (statement, x, y): (usize, i64, i64)) -> (f64, f64) {
        let (left, top) = self.corner(statement, x, y);
        (left as f64 + self.cell.0 as f64 / 2.0, top as f64 + self.height() as f64 / 2.0)
    }

    /// Pixels of one statement of a cell.
    fn height(&self) -> i64 {
        self.cell.1 / self.statements
    }

    fn size(&self) -> (i64, i64) {
        let (right, bottom) = self.corner(0, self.high.0 + 1, self.high.1 + 1);
        (right + 12, bottom + 12)
    }
}

fn drawn(sample: &Sample) -> String {
    let frame = Frame::of(sample);
    let (width, height) = frame.size();
    let mut svg = String::new();
    let _ = write!(
        svg,
        r#"<svg class="domain" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">"#
    );
    axes(&mut svg, sample, &frame);
    let colours = colours(sample);
    for point in &sample.points {
        let colour = point.tile.map_or_else(|| "plain".to_string(), |tile| format!("t{}", colours[&tile]));
        cell(&mut svg, sample, (point, &colour), &frame);
    }
    sample.arrows.iter().for_each(|arrow| line(&mut svg, sample, arrow, &frame));
    svg.push_str("</svg>");
    svg
}

/// A colour for each tile that none of its neighbours has, as far as there are enough.
fn colours(sample: &Sample) -> BTreeMap<usize, usize> {
    let mut at: BTreeMap<(i64, i64), BTreeSet<usize>> = BTreeMap::new();
    for point in &sample.points {
        at.entry((point.x, point.y)).or_default().extend(point.tile);
    }
    let mut beside: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for ((x, y), tiles) in &at {
        let near = [(*x, *y), (x + 1, *y), (x - 1, *y), (*x, y + 1), (*x, y - 1)];
        let near: BTreeSet<usize> = near.iter().filter_map(|place| at.get(place)).flatten().copied().collect();
        tiles.iter().for_each(|tile| beside.entry(*tile).or_default().extend(&near));
    }
    let mut colours: BTreeMap<usize, usize> = BTreeMap::new();
    for (tile, near) in &beside {
        let taken: BTreeSet<usize> = near.iter().filter_map(|other| colours.get(other)).copied().collect();
        let mut others = (0..COLOURS).map(|turn| (tile + turn) % COLOURS);
        colours.insert(*tile, others.find(|colour| !taken.contains(colour)).unwrap_or(tile % COLOURS));
    }
    colours
}

fn axes(svg: &mut String, sample: &Sample, frame: &Frame) {
    let escape = super::escaped;
    for x in frame.low.0..=frame.high.0 {
        let (left, top) = frame.corner(0, x, frame.low.1);
        let _ = write!(
            svg,
            r#"<text class="tick" x="{}" y="{}" text-anchor="middle">{x}</text>"#,
            left + CELL / 2,
            top - 6
        );
    }
    let (left, top) = frame.corner(0, frame.low.0, frame.low.1);
    let _ = write!(svg, r#"<text class="axis" x="{left}" y="14">{} →</text>"#, escape(&sample.axes.0));
    let Some(name) = &sample.axes.1 else { return };
    for y in frame.low.1..=frame.high.1 {
        let (left, top) = frame.corner(0, frame.low.0, y);
        let middle = top + frame.cell.1 / 2 + 4;
        let _ = write!(svg, r#"<text class="tick" x="{}" y="{middle}" text-anchor="end">{y}</text>"#, left - 6);
    }
    let _ = write!(svg, r#"<text class="axis" x="2" y="{}">{} ↓</text>"#, top - 6, escape(name));
}

fn cell(svg: &mut String, sample: &Sample, (point, colour): (&Point, &str), frame: &Frame) {
    let (left, top) = frame.corner(point.statement, point.x, point.y);
    let (width, height) = (frame.cell.0, frame.height());
    let name = super::escaped(&sample.statements[point.statement]);
    let place = match sample.axes.1 {
        Some(_) => format!("{}, {}", point.y, point.x),
        None => point.x.to_string(),
    };
    let lane =
        point.lane.filter(|_| sample.lanes > 1).map(|lane| format!(", core task {}", lane + 1)).unwrap_or_default();
    let is_tile = sample.colours == Colours::Tiles;
    let tile = point.tile.filter(|_| is_tile).map(|tile| format!(", tile {}", tile + 1)).unwrap_or_default();
    let _ = write!(
        svg,
        r#"<g class="cell {colour}" data-step="{}" data-s="{name}"><title>{name}({place}): step {}{tile}{lane}</title><rect x="{left}" y="{top}" width="{width}" height="{height}"/><circle cx="{}" cy="{}" r="{}"/></g>"#,
        point.step,
        point.step + 1,
        left + width / 2,
        top + height / 2,
        if point.statement == 0 { 3 } else { 2 },
    );
}

/// An arrow between two cells, a little bent so that those of one line can be told apart.
fn line(svg: &mut String, sample: &Sample, arrow: &Arrow, frame: &Frame) {
    let ((x1, y1), (x2, y2)) = (frame.centre(arrow.from), frame.centre(arrow.to));
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (x1, y1, x2, y2) = (x1 + 4.0 * ux, y1 + 4.0 * uy, x2 - 5.0 * ux, y2 - 5.0 * uy);
    let bend = (0.12 * length).min(9.0);
    let (mx, my) = ((x1 + x2) / 2.0 - bend * uy, (y1 + y2) / 2.0 + bend * ux);
    // The head, along the end of the curve.
    let (ex, ey) = (x2 - mx, y2 - my);
    let end = (ex * ex + ey * ey).sqrt().max(1.0);
    let (ex, ey) = (ex / end, ey / end);
    let head = |side: f64| (x2 - 5.0 * ex - side * 2.6 * ey, y2 - 5.0 * ey + side * 2.6 * ex);
    let ((ax, ay), (bx, by)) = (head(1.0), head(-1.0));
    let names = [arrow.from.0, arrow.to.0].map(|at| super::escaped(&sample.statements[at]));
    let _ = write!(
        svg,
        r#"<g class="arrow {}{}" data-s="{} {}"><path d="M{x1:.1} {y1:.1} Q{mx:.1} {my:.1} {x2:.1} {y2:.1}"/><polygon points="{x2:.1},{y2:.1} {ax:.1},{ay:.1} {bx:.1},{by:.1}"/></g>"#,
        arrow.kind.replace(' ', "-"),
        if arrow.is_aside { " aside" } else { "" },
        names[0],
        names[1],
    );
}
