//! Code in a function of its own, for the memory that it needs.
//!
//! What is reserved in the entry block of a function is there as long as each of its calls, also of those that never come to the loops:
//!
//!     int sum(struct tree *t) { if (!t) return 0; s = 0; for (i) s += t->v[i]; return s + sum(t->left) + sum(t->right); }
//!
//! must not need more of the stack than it did, however deep the tree. So what a parallel loop needs on the stack belongs to a function
//! that is called for the loop and is not inlined:
//!
//!     f:  ... f.loop(a, n, &s); ...               void f.loop(a, n, s) { frame; ... }
//!
//! It is written in place, block after block behind those of `f`, and then moved; values of `f` become its parameters.

use crate::emit::write::writer::Writer;
use crate::llvm::{Block, Builder, Function, Instruction, Type, Value, ValueKind};
use std::collections::{HashMap, HashSet};

impl<'ir> Writer<'_, 'ir> {
    /// Writes code that is called from here, and hands its results on in memory.
    pub fn apart(&mut self, write: &mut dyn FnMut(&mut Self)) {
        let here = self.builder.block();
        let [reserved, begin] = ["reserved", "begin"].map(|name| self.new_block(name));
        self.builder.at_end(reserved);
        let outer = self.apart.replace(self.builder.jump(begin));
        assert!(outer.is_none(), "law: parallel loops do not nest");
        self.builder.at_end(begin);
        write(self);
        self.builder.return_(None);
        self.apart = None;
        let (function, inputs) = self.moved_out(reserved);
        self.builder.at_end(here);
        self.builder.call(function, &inputs).set_location(self.location);
    }

    /// Stack memory of the function that is written apart.
    pub fn reserve_apart(&self, ty: Type<'ir>, name: &str) -> Value<'ir> {
        let builder = Builder::new(self.builder.context());
        builder.before(self.apart.expect("law: memory for a parallel loop is reserved where that is written"));
        builder.alloca(ty, name).value()
    }

    /// The blocks from this one on as a function, and the values that it is to be called with.
    fn moved_out(&mut self, first: Block<'ir>) -> (Function<'ir>, Vec<Value<'ir>>) {
        let blocks: Vec<Block<'ir>> = self.main.blocks().into_iter().skip_while(|block| *block != first).collect();
        let inside: HashSet<Block<'ir>> = blocks.iter().copied().collect();
        let is_outside = |value: &Value<'ir>| match value.kind() {
            ValueKind::Argument => true,
            ValueKind::Instruction => {
                !value.as_instruction().and_then(Instruction::block).is_some_and(|block| inside.contains(&block))
            }
            _ => false,
        };
        let instructions: Vec<Instruction<'ir>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let mut inputs: Vec<Value<'ir>> = Vec::new();
        let mut known = HashSet::new();
        for value in instructions.iter().flat_map(|i| i.operands()).filter(is_outside) {
            if known.insert(value) {
                inputs.push(value);
            }
        }
        let types: Vec<Type<'ir>> = inputs.iter().map(|value| value.ty()).collect();
        let ty = Type::function(Type::void(self.builder.context()), &types);
        let function = self.new_function(&format!("{}.loop", self.main.name()), ty);
        function.add_attribute("noinline");
        let renamed: HashMap<Value<'ir>, Value<'ir>> = inputs.iter().copied().zip(function.arguments()).collect();
        for instruction in instructions {
            for (at, operand) in instruction.operands().into_iter().enumerate() {
                if let Some(parameter) = renamed.get(&operand) {
                    instruction.set_operand(at, *parameter);
                }
            }
        }
        self.plan.settings.provoke("outline");
        blocks.into_iter().for_each(|block| block.move_to(function));
        (function, inputs)
    }
}
