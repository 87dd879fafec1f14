//! Pointers to an element that a loop keeps, as numbers of elements.
//!
//! ```cpp
//! for (; ++first != last;) if (*best < *first) best = first;
//! ```
//!
//! is the place of a maximum, but neither which element `best` points to is a number nor what the loop is at. Both are elements of one row:
//!
//! ```cpp
//! for (k = 0; &row[k + 1] != last; k++) if (row[best] < row[k + 1]) best = k + 1;
//! ```
//!
//! A loop has a pointer that goes on by one element with each iteration, the *walker*, and others that are what they were or where the walker is. These begin
//! in the walker's row. All steps of the walker stay inside of one object, as the program says, so that the new addresses do as well.
//!
//! Implements: 001 reductions

use super::choices::{Chosen, Edges, Row, edges, step};
use crate::llvm::instruction::{Address, Wrapping};
use crate::llvm::{Analyses, Builder, Instruction, Layout, Loop, Opcode, Type, Value};

/// A pointer that goes on by one element with each iteration.
struct Walker<'ir> {
    phi: Instruction<'ir>,
    next: Instruction<'ir>,
    /// Bytes from one element to the next.
    stride: i128,
    start: Value<'ir>,
}

/// A pointer that the loop keeps: its base is element 0 of the row.
struct Kept<'ir> {
    chosen: Chosen<'ir>,
    /// Where the walker begins.
    ahead: i128,
}

/// Makes such pointers numbers of elements. Whether there were any.
pub(in crate::prepare) fn count_elements(analyses: &Analyses<'_, '_>) -> bool {
    let mut any = false;
    for this in analyses.loops() {
        let found = edges(this).and_then(|edges| Some((edges, first(this, edges)?)));
        if let Some((edges, (walker, kept))) = found {
            count(this, edges, &walker, &kept);
            any = true;
        }
    }
    any
}

/// A walker, and the pointers kept that begin where the first of them does.
fn first<'ir>(this: &Loop<'ir>, edges: Edges<'ir>) -> Option<(Walker<'ir>, Vec<Kept<'ir>>)> {
    let layout = this.header.function().layout();
    if layout.pointer_width() != 64 {
        return None;
    }
    let phis: Vec<Instruction<'ir>> = this.header.phis().into_iter().filter(|phi| phi.ty().is_pointer()).collect();
    phis.iter().find_map(|phi| {
        let walker = walker(*phi, edges, layout)?;
        let mut kept: Vec<Kept<'ir>> =
            phis.iter().filter_map(|other| kept(this, edges, &walker, *other, layout)).collect();
        let base = kept.first()?.chosen.base;
        let mut taken: Vec<Instruction<'ir>> = Vec::new();
        kept.retain(|other| {
            let Chosen { base: own, choices, .. } = &other.chosen;
            let is_apart = *own == base && !choices.iter().any(|choice| taken.contains(choice));
            taken.extend(choices.iter().filter(|_| is_apart));
            is_apart
        });
        Some((walker, kept))
    })
}

fn walker<'ir>(phi: Instruction<'ir>, edges: Edges<'ir>, layout: Layout<'ir>) -> Option<Walker<'ir>> {
    let (start, next) = (phi.incoming_from(edges.preheader)?, phi.incoming_from(edges.latch)?.as_instruction()?);
    Some(Walker { phi, next, stride: step(phi, next.value(), layout)?, start })
}

fn kept<'ir>(
    this: &Loop<'ir>,
    edges: Edges<'ir>,
    walker: &Walker<'ir>,
    phi: Instruction<'ir>,
    layout: Layout<'ir>,
) -> Option<Kept<'ir>> {
    let base = phi.incoming_from(edges.preheader)?;
    let [(row, begin), (walked, start)] = [base, walker.start].map(|pointer| in_object(pointer, layout));
    let distance = (row == walked).then_some(start - begin)?;
    let is_whole = distance >= 0 && distance % walker.stride == 0;
    let is_walked = |value| value == walker.phi.value() || value == walker.next.value();
    let chosen = (phi != walker.phi && is_whole).then(|| Chosen::of(this, edges, phi, is_walked)).flatten()?;
    Some(Kept { chosen, ahead: distance / walker.stride })
}

/// The pointer that a pointer is a constant number of bytes behind, inside of one object, and that number.
fn in_object<'ir>(pointer: Value<'ir>, layout: Layout<'ir>) -> (Value<'ir>, i128) {
    let (mut here, mut behind) = (pointer, 0);
    while let Some(address) = Address::of_value(here).filter(|address| address.inbounds) {
        let Some((bytes, _)) = address.offset(layout).filter(|(_, terms)| terms.is_empty()) else { break };
        behind += bytes;
        here = address.base;
    }
    (here, behind)
}

fn count<'ir>(this: &Loop<'ir>, edges: Edges<'ir>, walker: &Walker<'ir>, all: &[Kept<'ir>]) {
    let context = this.header.function().context();
    let builder = Builder::new(context);
    let (byte, word) = (Type::integer(context, 8), Type::integer(context, 64));
    let element = Type::array(byte, walker.stride.unsigned_abs() as u64);
    let row = Row { builder: &builder, element, base: all[0].chosen.base };
    let number = |value: i128| Value::integer(word, value);
    let small = Wrapping { nuw: true, nsw: true, exact: false };
    let sum = |a: Value<'ir>, b: i128, before: Instruction<'ir>| {
        builder.before(before);
        builder.binary_with(Opcode::Add, a, number(b), small)
    };
    let body = this.header.first_after_phis().expect("law: a block ends with what is no phi");
    let end = edges.latch.terminator().expect("law: a complete block has a terminator");
    let begin = || this.header.first_instruction().expect("law: a complete block has a terminator");
    builder.before(begin());
    let step = builder.phi(word, "step");
    step.add_incoming(number(0), edges.preheader);
    step.add_incoming(sum(step.value(), 1, end), edges.latch);
    let here = sum(step.value(), all[0].ahead, body);
    let next = sum(here, 1, body);
    for kept in all {
        kept.chosen.count(this, edges, &row, |_| vec![(walker.phi.value(), here), (walker.next.value(), next)]);
    }
    walker.phi.replace_with(row.place(here, body));
}
