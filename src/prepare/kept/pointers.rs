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

use crate::llvm::instruction::{Address, Wrapping};
use crate::llvm::{Analyses, Block, Builder, Instruction, Layout, Loop, Opcode, Promise, Type, Value};
use std::collections::HashMap;

/// More choices than this between what is kept and what comes are not looked through.
const MOST_CHOICES: usize = 16;

/// A pointer that goes on by one element with each iteration.
struct Walker<'ir> {
    phi: Instruction<'ir>,
    next: Instruction<'ir>,
    /// Bytes from one element to the next.
    stride: i128,
    start: Value<'ir>,
}

/// A pointer that the loop keeps.
struct Kept<'ir> {
    phi: Instruction<'ir>,
    /// What it begins with: element 0 of the row.
    base: Value<'ir>,
    /// Where the walker begins.
    ahead: i128,
    /// What it may become: phis and selects between itself and where the walker is, none before what it is made of but where phis go round.
    choices: Vec<Instruction<'ir>>,
    /// Its last value behind the loop.
    behind: Vec<Instruction<'ir>>,
}

/// The edges of a loop that is left at its end alone, to a block that nothing else leads to.
#[derive(Clone, Copy)]
struct Edges<'ir> {
    preheader: Block<'ir>,
    latch: Block<'ir>,
    exit: Block<'ir>,
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

fn edges<'ir>(this: &Loop<'ir>) -> Option<Edges<'ir>> {
    let (preheader, latch, exit) = (this.preheader?, this.latch?, this.exit_of_latch()?);
    let is_plain = this.simplified && this.has_single_exit() && this.children.is_empty();
    (is_plain && exit.predecessors() == [latch]).then_some(Edges { preheader, latch, exit })
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
        let base = kept.first()?.base;
        let mut taken: Vec<Instruction<'ir>> = Vec::new();
        kept.retain(|other| {
            let is_apart = other.base == base && !other.choices.iter().any(|choice| taken.contains(choice));
            taken.extend(other.choices.iter().filter(|_| is_apart));
            is_apart
        });
        Some((walker, kept))
    })
}

fn walker<'ir>(phi: Instruction<'ir>, edges: Edges<'ir>, layout: Layout<'ir>) -> Option<Walker<'ir>> {
    let (start, next) = (phi.incoming_from(edges.preheader)?, phi.incoming_from(edges.latch)?.as_instruction()?);
    let address = next.address().filter(|address| address.inbounds && address.base == phi.value())?;
    let (stride, terms) = address.offset(layout)?;
    (terms.is_empty() && stride > 0).then_some(Walker { phi, next, stride, start })
}

fn kept<'ir>(
    this: &Loop<'ir>,
    edges: Edges<'ir>,
    walker: &Walker<'ir>,
    phi: Instruction<'ir>,
    layout: Layout<'ir>,
) -> Option<Kept<'ir>> {
    let (base, last) = (phi.incoming_from(edges.preheader)?, phi.incoming_from(edges.latch)?);
    let [(row, begin), (walked, start)] = [base, walker.start].map(|pointer| in_object(pointer, layout));
    let distance = (row == walked).then_some(start - begin)?;
    let is_whole = distance >= 0 && distance % walker.stride == 0;
    if phi == walker.phi || !is_whole {
        return None;
    }
    let (mut choices, mut pending) = (Vec::new(), vec![last]);
    let (mut comes, mut stays) = (false, false);
    while let Some(value) = pending.pop() {
        let is_walked = value == walker.phi.value() || value == walker.next.value();
        comes |= is_walked;
        stays |= value == phi.value();
        let choice = value.as_instruction();
        if is_walked || value == phi.value() || choice.is_some_and(|choice| choices.contains(&choice)) {
            continue;
        }
        let choice = choice.filter(|choice| this.holds(*choice))?;
        match choice.select() {
            Some((_, then, otherwise)) => pending.extend([then, otherwise]),
            None if choice.is_phi() && choice.block() != Some(this.header) => {
                pending.extend(choice.incoming().into_iter().map(|(value, _)| value));
            }
            None => return None,
        }
        choices.push(choice);
        if choices.len() > MOST_CHOICES {
            return None;
        }
    }
    let behind = edges.exit.phis().into_iter().filter(|own| own.incoming_from(edges.latch) == Some(last)).collect();
    let ahead = distance / walker.stride;
    (comes && stays).then_some(Kept { phi, base, ahead, choices, behind })
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

/// Where numbers become addresses.
struct Row<'b, 'ir> {
    builder: &'b Builder<'ir>,
    element: Type<'ir>,
    base: Value<'ir>,
}

impl<'ir> Row<'_, 'ir> {
    fn place(&self, number: Value<'ir>, before: Instruction<'ir>) -> Value<'ir> {
        self.builder.before(before);
        self.builder.set_location(before.location());
        self.builder.gep(self.element, self.base, &[number], Promise::Inbounds)
    }
}

fn count<'ir>(this: &Loop<'ir>, edges: Edges<'ir>, walker: &Walker<'ir>, all: &[Kept<'ir>]) {
    let context = this.header.function().context();
    let builder = Builder::new(context);
    let (byte, word) = (Type::integer(context, 8), Type::integer(context, 64));
    let element = Type::array(byte, walker.stride.unsigned_abs() as u64);
    let row = Row { builder: &builder, element, base: all[0].base };
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
        let mut numbers = HashMap::from([(walker.phi.value(), here), (walker.next.value(), next)]);
        builder.before(begin());
        let own = builder.phi(word, &kept.phi.name());
        own.be_named_after(kept.phi.value());
        numbers.insert(kept.phi.value(), own.value());
        own.add_incoming(number(0), edges.preheader);
        choose(&builder, kept, &mut numbers);
        let last = kept.phi.incoming_from(edges.latch).expect("law: a header has a value from the latch");
        own.add_incoming(numbers[&last], edges.latch);
        for behind in &kept.behind {
            builder.before(*behind);
            let last_number = builder.phi(word, &behind.name());
            last_number.add_incoming(numbers[&last], edges.latch);
            let outside = edges.exit.first_after_phis().expect("law: a block ends with what is no phi");
            behind.replace_with(row.place(last_number.value(), outside));
        }
        for choice in &kept.choices {
            let home = choice.block().expect("law: an instruction of a loop is in a block");
            let after = if choice.is_phi() { home.first_after_phis() } else { choice.next() };
            let after = after.expect("law: a block ends with what is no phi");
            choice.replace_with(row.place(numbers[&choice.value()], after));
        }
        kept.phi.replace_with(row.place(own.value(), body));
    }
    walker.phi.replace_with(row.place(here, body));
}

/// Writes the choices between pointers as choices between numbers.
fn choose<'ir>(builder: &Builder<'ir>, kept: &Kept<'ir>, numbers: &mut HashMap<Value<'ir>, Value<'ir>>) {
    let word = Type::integer(builder.context(), 64);
    for choice in kept.choices.iter().filter(|choice| choice.is_phi()) {
        builder.before(*choice);
        numbers.insert(choice.value(), builder.phi(word, &choice.name()).value());
    }
    // Selects are found from the last one on, so that each time the first of those left has what it chooses from.
    let mut left: Vec<Instruction<'ir>> = kept.choices.iter().copied().filter(|choice| !choice.is_phi()).collect();
    while !left.is_empty() {
        left.retain(|choice| {
            let (condition, then, otherwise) = choice.select().expect("law: a choice is a phi or a select");
            let (Some(then), Some(otherwise)) = (numbers.get(&then), numbers.get(&otherwise)) else { return true };
            builder.before(*choice);
            builder.set_location(choice.location());
            let chosen = builder.select(condition, *then, *otherwise);
            numbers.insert(choice.value(), chosen);
            false
        });
    }
    for choice in kept.choices.iter().filter(|choice| choice.is_phi()) {
        let number = numbers[&choice.value()].as_instruction().expect("law: a phi is an instruction");
        choice.incoming().into_iter().for_each(|(value, from)| number.add_incoming(numbers[&value], from));
    }
}
