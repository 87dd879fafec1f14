//! The last words of a program whose new loops are wrong.
//!
//!     loopwright: 'C' is not what the original loops leave there
//!     loopwright: function kernel_gemm, loops at gemm.c:16:3: {S0}: loops (i0, i1), i0 parallel ...
//!
//! They are constants, written by `write`, and `_exit` ends the program: both may be called anywhere, by any thread and in a signal handler,
//! need no memory, and run nothing of the program, which could not rely on what it computed.

use crate::emit::plan::library::last_words;
use crate::emit::write::writer::Writer;
use crate::llvm::{Block, Instruction, Type, Value};

/// The exit code of a program that ends because its new loops computed something else than its original ones.
pub const EXIT_CODE: i128 = 88;

const STANDARD_ERROR: i128 = 2;

/// The block that ends the program, as it is being written.
pub struct Report<'ir> {
    block: Block<'ir>,
    /// The first line and its length, by what differs.
    line: Instruction<'ir>,
    length: Instruction<'ir>,
}

impl<'ir> Report<'ir> {
    /// A block that nothing leads to so far.
    pub fn begin(writer: &Writer<'_, 'ir>) -> Self {
        let context = writer.builder.context();
        let (here, block) = (writer.builder.block(), writer.new_block("wrong"));
        writer.builder.at_end(block);
        let line = writer.builder.phi(Type::pointer(context), "line");
        let length = writer.builder.phi(Type::integer(context, 64), "length");
        writer.builder.at_end(here);
        Report { block, line, length }
    }

    /// Goes on only where something does not differ.
    pub fn unless_alike(&mut self, writer: &Writer<'_, 'ir>, name: &str, differs: Value<'ir>) {
        let text = format!("loopwright: '{name}' is not what the original loops leave there\n");
        self.line.add_incoming(constant(writer, &text), writer.builder.block());
        self.length.add_incoming(length(writer, &text), writer.builder.block());
        let alike = writer.new_block("alike");
        writer.builder.branch(differs, self.block, alike);
        writer.builder.at_end(alike);
    }

    /// Writes the block.
    pub fn end(self, writer: &Writer<'_, 'ir>, what: &str) {
        let (write, exit) = last_words(writer.main).expect("law: what is validated has last words");
        let builder = &writer.builder;
        builder.at_end(self.block);
        let text = format!("loopwright: {what}\n");
        let lines = [(self.line.value(), self.length.value()), (constant(writer, &text), length(writer, &text))];
        for (line, length) in lines {
            let call = builder.call(write, &[builder.integer(32, STANDARD_ERROR), line, length]);
            call.set_location(writer.location);
        }
        builder.call(exit, &[builder.integer(32, EXIT_CODE)]).set_location(writer.location);
        builder.unreachable();
    }
}

fn constant<'ir>(writer: &Writer<'_, 'ir>, text: &str) -> Value<'ir> {
    let bytes = Value::text(writer.builder.context(), text);
    writer.main.module().new_private_constant("loopwright.difference", bytes)
}

fn length<'ir>(writer: &Writer<'_, 'ir>, text: &str) -> Value<'ir> {
    writer.builder.integer(64, text.len() as i128)
}
