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
        let nothing = Type::void(self.builder.context());
        self.called("loop", nothing, &mut |writer| {
            write(writer);
            writer.builder.return_(None);
        });
    }

    /// Writes a question that takes more code to ask than time: LLVM need not make it fast. What is written leads to the block that it is given where the
    /// answer is no, and ends where it is yes.
    pub fn asked_apart(&mut self, name: &str, write: &mut dyn FnMut(&mut Self, Block<'ir>)) -> Value<'ir> {
        let bit = Type::integer(self.builder.context(), 1);
        let (function, answer) = self.called(name, bit, &mut |writer| {
            let no = writer.new_block("no");
            write(writer, no);
            let [yes, not] = [1, 0].map(|answer| Some(writer.builder.integer(1, answer)));
            writer.builder.return_(yes);
            writer.builder.at_end(no);
            writer.builder.return_(not);
        });
        function.make_small();
        answer
    }

    fn called(
        &mut self,
        name: &str,
        result: Type<'ir>,
        write: &mut dyn FnMut(&mut Self),
    ) -> (Function<'ir>, Value<'ir>) {
        let here = self.builder.block();
        let [reserved, begin] = ["reserved", "begin"].map(|name| self.new_block(name));
        self.builder.at_end(reserved);
        let outer = self.apart.replace(self.builder.jump(begin));
        assert!(outer.is_none(), "law: parallel loops do not nest");
        self.builder.at_end(begin);
        write(self);
        self.apart = None;
        let (function, inputs) = self.moved_out(reserved, name, result);
        self.builder.at_end(here);
        let call = self.builder.call(function, &inputs);
        call.set_location(self.location);
        (function, call.value())
    }

    /// Stack memory of the function that is written apart.
    pub fn reserve_apart(&self, ty: Type<'ir>, name: &str) -> Value<'ir> {
        let builder = Builder::new(self.builder.context());
        builder.before(self.apart.expect("law: memory for a parallel loop is reserved where that is written"));
        builder.alloca(ty, name).value()
    }

    /// The blocks from this one on as a function, and the values that it is to be called with.
    fn moved_out(&mut self, first: Block<'ir>, name: &str, result: Type<'ir>) -> (Function<'ir>, Vec<Value<'ir>>) {
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
        let ty = Type::function(result, &types);
        let function = self.new_function(&format!("{}.{name}", self.main.name()), ty);
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
