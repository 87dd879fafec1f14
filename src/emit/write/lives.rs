//! Where variables on the stack live.
//!
//!     for (i = 0; i < n; i++) { double t[100]; ... }          lifetime.start(t) and lifetime.end(t) in each iteration
//!
//! The new loops have no iteration in which `t` begins and ends: it lives from before the loops to behind them, and no longer, so that others
//! can have the same place on the stack as before. Variables that live longer already are left alone.

use crate::emit::plan::Plan;
use crate::llvm::{Block, Builder, Instruction, Value};

const START: &str = "llvm.lifetime.start";
const END: &str = "llvm.lifetime.end";

impl<'ir> Plan<'_, 'ir> {
    /// Has variables that live inside of the region live from its entry on. Returns those that are to end behind it.
    pub(in crate::emit) fn prolong_lives(&self) -> Vec<Value<'ir>> {
        let region = &self.binding.region;
        let bases = self.binding.arrays.iter().filter_map(|array| array.base).map(Value::underlying_object);
        let inside = region.blocks.iter().flat_map(|block| block.instructions());
        let marked = inside.filter(|i| is(*i, START) || is(*i, END)).flat_map(|marker| marker.operands());
        let marked = marked.filter(|value| value.ty().is_pointer() && value.as_instruction().is_some());
        let mut objects: Vec<Value<'ir>> = Vec::new();
        for object in bases.chain(marked.map(Value::underlying_object)) {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        let mut lives = Vec::new();
        for object in objects {
            let markers: Vec<Instruction<'ir>> =
                object.users().into_iter().filter(|i| is(*i, START) || is(*i, END)).collect();
            let is_inside = |marker: &Instruction<'ir>| region.contains_instruction(*marker);
            if !markers.iter().any(is_inside) {
                continue;
            }
            let has = |name| markers.iter().any(|marker| is(*marker, name));
            if markers.iter().all(is_inside) && has(START) && has(END) {
                lives.push(object);
            }
            markers.into_iter().for_each(Instruction::remove);
        }
        let entry = region.entry.terminator().expect("law: a complete block has a terminator");
        lives.iter().for_each(|object| mark(*object, START, entry));
        lives
    }

    /// Has variables end where both versions meet.
    pub(in crate::emit) fn end_lives(&self, lives: &[Value<'ir>], join: Block<'ir>) {
        let end = join.terminator().expect("law: a complete block has a terminator");
        lives.iter().for_each(|object| mark(*object, END, end));
    }
}

fn is(instruction: Instruction<'_>, marker: &str) -> bool {
    instruction.call().and_then(|call| call.intrinsic()).is_some_and(|name| name == marker)
}

fn mark<'ir>(object: Value<'ir>, marker: &str, before: Instruction<'ir>) {
    let builder = Builder::new(before.context());
    builder.before(before);
    builder.intrinsic(marker, &[object.ty()], &[object]);
}
