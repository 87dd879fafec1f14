//! Numbers of elements that stand for pointers, as pointers again.
//!
//! ```text
//! k = phi(0, l)   ...   l = select(c, k, n),   row[k]                p = phi(row, q)   ...   q = select(c, p, &row[n]),   *p
//! ```
//!
//! New loops stand beside the original ones, which run where the new ones do not pay. There LLVM knows more of a pointer that is one of several than of a place whose number is one of several: of
//! `std::min({a, b, c})`, which is such a loop over an array of three, nothing is left but two comparisons. So when all is written, what was a pointer before the function was made readable
//! ([`super::pointers`]) becomes one again, wherever nothing else has come to be made of its number.

use super::choices::{Row, choose};
use crate::llvm::instruction::Address;
use crate::llvm::{Analyses, Block, Builder, Function, Instruction, Promise, Type, Value};
use std::collections::HashMap;

/// More phis and selects than this between a number and what it becomes are not looked through.
const MOST_CHOICES: usize = 32;

/// A number that nothing is made of but places of one row.
struct Number<'ir> {
    /// The phis and selects that it goes through, the first of which is its own.
    choices: Vec<Instruction<'ir>>,
    places: Vec<Instruction<'ir>>,
    row: Address<'ir>,
}

/// Whether some number of a function was a pointer.
pub(in crate::prepare) fn any(function: Function<'_>) -> bool {
    function.blocks().into_iter().flat_map(Block::phis).any(Instruction::was_pointer)
}

/// Makes pointers of the numbers that were some. Whether there were any.
pub(in crate::prepare) fn point(analyses: &Analyses<'_, '_>) -> bool {
    let phis = || analyses.function().blocks().into_iter().flat_map(Block::phis);
    let mut any = false;
    while let Some(phi) = phis().find(|phi| phi.was_pointer()) {
        phi.forget_pointer();
        if let Some(number) = number(analyses, phi) {
            number.become_pointer();
            any = true;
        }
    }
    any
}

fn number<'ir>(analyses: &Analyses<'_, 'ir>, phi: Instruction<'ir>) -> Option<Number<'ir>> {
    let around = phi.block().and_then(|block| analyses.loop_of(block))?;
    let is_in_loop = |i: &Instruction<'ir>| i.block().and_then(|block| analyses.loop_of(block)) == Some(around);
    let (mut choices, mut places, mut pending) = (Vec::new(), Vec::new(), vec![phi]);
    while let Some(choice) = pending.pop() {
        if choices.contains(&choice) {
            continue;
        }
        choices.push(choice);
        for user in choice.users() {
            match user.select() {
                Some((condition, ..)) if condition != choice.value() => pending.push(user),
                None if user.is_phi() => pending.push(user),
                _ => places.push(user),
            }
        }
        let chosen = chosen(choice).into_iter().filter_map(Value::as_instruction).filter(is_in_loop);
        pending.extend(chosen.filter(|own| own.select().is_some() || own.is_phi() && own.block() != phi.block()));
        if choices.len() > MOST_CHOICES {
            return None;
        }
    }
    places.dedup();
    let row = places.first()?.address()?;
    let is_of_row = |own: Address<'ir>| own.base == row.base && own.element == row.element && own.indices.len() == 1;
    let is_place = |place: &Instruction<'ir>| place.address().is_some_and(is_of_row);
    let home = row.base.as_instruction().and_then(|base| base.block());
    let is_known = |choice: &Instruction<'ir>| {
        let blocks = || choice.incoming().into_iter().map(|(_, from)| from).chain(choice.block());
        home.is_none_or(|home| blocks().all(|block| block != home && analyses.dominates(home, block)))
    };
    let are_known = places.iter().all(is_place) && choices.iter().all(is_known);
    are_known.then_some(Number { choices, places, row })
}

/// What a phi or select chooses from.
fn chosen(choice: Instruction<'_>) -> Vec<Value<'_>> {
    match choice.select() {
        Some((_, then, otherwise)) => vec![then, otherwise],
        None => choice.incoming().into_iter().map(|(value, _)| value).collect(),
    }
}

impl<'ir> Number<'ir> {
    fn become_pointer(self) {
        let Number { choices, places, row } = self;
        let context = choices[0].context();
        let builder = Builder::new(context);
        let row = Row { builder: &builder, element: row.element, base: row.base };
        // What comes from one block by several edges is one value.
        let mut others: HashMap<(Value<'ir>, Instruction<'ir>), Value<'ir>> = HashMap::new();
        let other = |number, before| *others.entry((number, before)).or_insert_with(|| row.pointer(number, before));
        let mut pointers = HashMap::new();
        choose(&builder, Type::pointer(context), &choices, &mut pointers, other);
        for place in places {
            let number = place.operand(1);
            place.replace_with(pointers[&number]);
        }
    }
}

impl<'ir> Row<'_, 'ir> {
    /// What stands for a number that is no choice.
    fn pointer(&self, number: Value<'ir>, before: Instruction<'ir>) -> Value<'ir> {
        if number.as_integer() == Some(0) {
            return self.base;
        }
        self.builder.before(before);
        self.builder.gep(self.element, self.base, &[number], Promise::Nothing)
    }
}
