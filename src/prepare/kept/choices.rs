//! Pointers that a loop chooses anew in each iteration, and what stands for them: numbers of elements of a row.
//!
//! ```text
//! p = phi(base, q)   ...   q = phi(p, other)                            k = phi(0, l)   ...   l = phi(k, number of other),   p = &row[k]
//! ```

use crate::llvm::{Block, Builder, Instruction, Layout, Loop, Promise, Type, Value};
use std::collections::{HashMap, HashSet};

/// More choices than this between what is kept and what comes are not looked through.
const MOST_CHOICES: usize = 16;

/// The edges of a loop that is left at its end alone, to a block that nothing else leads to.
#[derive(Clone, Copy)]
pub(super) struct Edges<'ir> {
    pub preheader: Block<'ir>,
    pub latch: Block<'ir>,
    pub exit: Block<'ir>,
}

/// A pointer that the loop chooses.
pub(super) struct Chosen<'ir> {
    pub phi: Instruction<'ir>,
    /// What it begins with.
    pub base: Value<'ir>,
    /// What it may become: phis and selects between itself and others, none before what it is made of but where phis go round.
    pub choices: Vec<Instruction<'ir>>,
    /// The others.
    pub others: Vec<Value<'ir>>,
    /// Its last value behind the loop.
    behind: Vec<Instruction<'ir>>,
}

pub(super) fn edges<'ir>(this: &Loop<'ir>) -> Option<Edges<'ir>> {
    let (preheader, latch, exit) = (this.preheader?, this.latch?, this.exit_of_latch()?);
    let is_plain = this.simplified && this.has_single_exit() && this.children.is_empty();
    (is_plain && exit.predecessors() == [latch]).then_some(Edges { preheader, latch, exit })
}

/// By how many bytes a value is ahead of a pointer, in the same object.
pub(super) fn step<'ir>(phi: Instruction<'ir>, value: Value<'ir>, layout: Layout<'ir>) -> Option<i128> {
    let address =
        value.as_instruction()?.address().filter(|address| address.inbounds && address.base == phi.value())?;
    let (bytes, terms) = address.offset(layout)?;
    (terms.is_empty() && bytes > 0).then_some(bytes)
}

impl<'ir> Chosen<'ir> {
    /// A phi of a loop's header, if each iteration chooses between what it was and what `is_other`, and may choose either.
    pub(super) fn of(
        this: &Loop<'ir>,
        edges: Edges<'ir>,
        phi: Instruction<'ir>,
        is_other: impl Fn(Value<'ir>) -> bool,
    ) -> Option<Chosen<'ir>> {
        let (base, last) = (phi.incoming_from(edges.preheader)?, phi.incoming_from(edges.latch)?);
        let (mut choices, mut others, mut pending): (Vec<Instruction<'ir>>, Vec<Value<'ir>>, _) =
            (vec![], vec![], vec![last]);
        let mut stays = false;
        while let Some(value) = pending.pop() {
            stays |= value == phi.value();
            let choice = value.as_instruction();
            if value == phi.value() || choice.is_some_and(|choice| choices.contains(&choice)) {
                continue;
            }
            if is_other(value) {
                others.push(value);
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
        (stays && !others.is_empty()).then_some(Chosen { phi, base, choices, others, behind })
    }

    /// Has numbers of elements stand for it and for what it is chosen from; those of the others are known, or asked for once there is its own.
    pub(super) fn count(
        &self,
        this: &Loop<'ir>,
        edges: Edges<'ir>,
        row: &Row<'_, 'ir>,
        others: impl FnOnce(Value<'ir>) -> Vec<(Value<'ir>, Value<'ir>)>,
    ) {
        let builder = row.builder;
        let word = Type::integer(builder.context(), 64);
        let body = this.header.first_after_phis().expect("law: a block ends with what is no phi");
        builder.before(this.header.first_instruction().expect("law: a complete block has a terminator"));
        let own = builder.phi(word, &self.phi.name());
        own.be_named_after(self.phi.value());
        own.note_pointer();
        let mut numbers: HashMap<Value<'ir>, Value<'ir>> = others(own.value()).into_iter().collect();
        numbers.insert(self.phi.value(), own.value());
        own.add_incoming(Value::integer(word, 0), edges.preheader);
        let unknown = |_, _| unreachable!("law: what is chosen from has a number");
        choose(builder, word, &self.choices, &mut numbers, unknown);
        let last = self.phi.incoming_from(edges.latch).expect("law: a header has a value from the latch");
        own.add_incoming(numbers[&last], edges.latch);
        for behind in &self.behind {
            builder.before(*behind);
            let last_number = builder.phi(word, &behind.name());
            last_number.add_incoming(numbers[&last], edges.latch);
            let outside = edges.exit.first_after_phis().expect("law: a block ends with what is no phi");
            behind.replace_with(row.place(last_number.value(), outside));
        }
        for choice in &self.choices {
            let home = choice.block().expect("law: an instruction of a loop is in a block");
            let after = if choice.is_phi() { home.first_after_phis() } else { choice.next() };
            let after = after.expect("law: a block ends with what is no phi");
            choice.replace_with(row.place(numbers[&choice.value()], after));
        }
        self.phi.replace_with(row.place(own.value(), body));
    }
}

/// Where numbers become addresses.
pub(super) struct Row<'b, 'ir> {
    pub builder: &'b Builder<'ir>,
    pub element: Type<'ir>,
    pub base: Value<'ir>,
}

impl<'ir> Row<'_, 'ir> {
    pub(super) fn place(&self, number: Value<'ir>, before: Instruction<'ir>) -> Value<'ir> {
        self.builder.before(before);
        self.builder.set_location(before.location());
        self.builder.gep(self.element, self.base, &[number], Promise::Inbounds)
    }
}

/// Writes choices as such between what stands for what they choose from, of another type: what is known of it, and for what is no choice what `other` makes, before an instruction.
pub(super) fn choose<'ir>(
    builder: &Builder<'ir>,
    ty: Type<'ir>,
    choices: &[Instruction<'ir>],
    known: &mut HashMap<Value<'ir>, Value<'ir>>,
    mut other: impl FnMut(Value<'ir>, Instruction<'ir>) -> Value<'ir>,
) {
    for choice in choices.iter().filter(|choice| choice.is_phi()) {
        builder.before(*choice);
        known.insert(choice.value(), builder.phi(ty, &choice.name()).value());
    }
    // Selects are found from the last one on, so that each time the first of those left has what it chooses from.
    let mut left: Vec<Instruction<'ir>> = choices.iter().copied().filter(|choice| !choice.is_phi()).collect();
    while !left.is_empty() {
        let to_come: HashSet<Value<'ir>> = left.iter().map(|choice| choice.value()).collect();
        left.retain(|choice| {
            let (condition, then, otherwise) = choice.select().expect("law: a choice is a phi or a select");
            let sides = [then, otherwise];
            if sides.iter().any(|side| to_come.contains(side) && !known.contains_key(side)) {
                return true;
            }
            let [then, otherwise] = sides.map(|side| known.get(&side).copied().unwrap_or_else(|| other(side, *choice)));
            builder.before(*choice);
            builder.set_location(choice.location());
            known.insert(choice.value(), builder.select(condition, then, otherwise));
            false
        });
    }
    for choice in choices.iter().filter(|choice| choice.is_phi()) {
        let own = known[&choice.value()].as_instruction().expect("law: a phi is an instruction");
        for (value, from) in choice.incoming() {
            let end = || from.terminator().expect("law: a complete block has a terminator");
            own.add_incoming(known.get(&value).copied().unwrap_or_else(|| other(value, end())), from);
        }
    }
}
