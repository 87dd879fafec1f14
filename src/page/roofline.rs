//! The place of a nest on the roofline (Williams, Waterman and Patterson 2009): how many operations it makes of each byte from memory, and how fast it
//! is predicted to be, before and after, under what the machine can do at most.
//!
//! Everything is predicted by the model that chose the loops, and in its unit: operations in the time of a scalar operation. The drawing is made by the crate
//! `plotters` in a few plain colours, for which the page's style has others for light and dark.

use crate::report::{Costs, Machine, Prediction};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (460, 300);

/// Colours that the style replaces.
const ROOF: RGBColor = RGBColor(1, 1, 1);
const BEFORE: RGBColor = RGBColor(2, 2, 2);
const AFTER: RGBColor = RGBColor(3, 3, 3);
const INK: RGBColor = RGBColor(4, 4, 4);

/// Bits of a floating-point number of most programs.
const NUMBER_BITS: i64 = 64;

/// The drawing, and what it says in words.
pub fn drawn(prediction: &Prediction, machine: &Machine) -> Option<(String, String)> {
    let cores = if machine.threads { machine.cores.max(1) as f64 } else { 1.0 };
    let lanes = match prediction.lanes {
        0 => (machine.vector_bits / NUMBER_BITS).max(1) as f64,
        known => known as f64,
    };
    let bandwidth = machine.bytes_per_operation;
    let place = |costs: &Costs, speed: f64| {
        // Loops whose data fit the cache fetch nothing: they are at the right end.
        let bytes = costs.far_bytes.max(prediction.operations / MOST_INTENSITY);
        (prediction.operations / bytes, speed)
    };
    if prediction.operations <= 0.0 || prediction.before.time <= 0.0 || bandwidth <= 0.0 {
        return None;
    }
    let speed = prediction.operations / prediction.before.time;
    let before = place(&prediction.before, speed);
    let after = place(&prediction.after, speed * prediction.speedup);
    let peak = cores * lanes;
    let mut svg = String::new();
    let roofs = Roofs { peak, single: lanes, bandwidth };
    chart(&mut svg, &roofs, before, after).ok()?;
    let is_bound = after.0 * bandwidth < peak;
    let bound = match is_bound {
        true => "After, memory is the limit: fewer bytes would help, more cores do not.",
        false => "After, the cores are the limit.",
    };
    let words = format!(
        "Before: {:.2} operations per byte from memory, {:.2} operations in the time of a scalar one. After: {:.2} and {:.2}. \
         At most {peak:.0} with {cores:.0} cores and vectors of {lanes:.0} numbers, and what memory gives to the left of that: {bandwidth:.1} bytes at a time, to all \
         cores together. {bound}",
        before.0, before.1, after.0, after.1
    );
    // Inside of a page it needs no name of its language.
    Some((svg.replace(" xmlns=\"http://www.w3.org/2000/svg\"", ""), words))
}

/// The right end of the drawing.
const MOST_INTENSITY: f64 = 256.0;
const LEAST_INTENSITY: f64 = 1.0 / 32.0;

struct Roofs {
    peak: f64,
    /// Of one core.
    single: f64,
    /// Bytes from memory in the time of an operation.
    bandwidth: f64,
}

type Failure = Box<dyn std::error::Error>;

fn chart(svg: &mut String, roofs: &Roofs, before: (f64, f64), after: (f64, f64)) -> Result<(), Failure> {
    let low = (before.1.min(after.1) / 2.0).min(0.125);
    let high = (roofs.peak.max(after.1)) * 2.0;
    let left = before.0.min(after.0).min(LEAST_INTENSITY * 4.0) / 2.0;
    {
        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(10)
            .x_label_area_size(38)
            .y_label_area_size(46)
            .build_cartesian_2d((left..2.0 * MOST_INTENSITY).log_scale(), (low..high).log_scale())?;
        let label = ("sans-serif", 12).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(label.clone())
            .x_labels(8)
            .y_labels(6)
            .x_desc("operations per byte from memory")
            .y_desc("operations at a time")
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| short(*value))
            .draw()?;
        let one = (roofs.single, "one core");
        let all = (roofs.peak, "all cores");
        let tops = if roofs.peak > roofs.single { vec![all, one] } else { vec![one] };
        for (top, name) in tops {
            let ridge = (top / roofs.bandwidth).clamp(left, 2.0 * MOST_INTENSITY);
            let points = [(left, left * roofs.bandwidth), (ridge, top), (2.0 * MOST_INTENSITY, top)];
            let inside = points.into_iter().map(|(x, y)| (x, y.max(low)));
            chart.draw_series(LineSeries::new(inside, ROOF.stroke_width(2)))?;
            let above = label.pos(Pos::new(HPos::Right, VPos::Bottom));
            let end = (2.0 * MOST_INTENSITY, top);
            chart.draw_series(std::iter::once(EmptyElement::at(end) + Text::new(name, (-2, -4), above)))?;
        }
        chart.draw_series(LineSeries::new([before, after], INK.stroke_width(1)))?;
        for ((x, y), colour, name) in [(before, BEFORE, "before"), (after, AFTER, "after")] {
            chart.draw_series(std::iter::once(Circle::new((x, y), 6, colour.filled())))?;
            let font = ("sans-serif", 13).into_font().color(&colour);
            chart.draw_series(std::iter::once(EmptyElement::at((x, y)) + Text::new(name, (9, 2), font)))?;
        }
        area.present()?;
    }
    Ok(())
}

fn short(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
