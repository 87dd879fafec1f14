//! A loop before which conditions on data are asked:
//!
//!     if there is an iteration:  asked:  if (B[c0][c1] != 0):  guarded:  loop: ...          unguarded:
//!
//! See [`crate::emit::plan::innermost::guarded`].

use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::plan::innermost::guarded::Guarded;
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::Writer;
use crate::emit::write::written::Written;
use crate::llvm::IntPredicate;

impl<'ir> Writer<'_, 'ir> {
    pub(in crate::emit::write) fn guarded_for(
        &mut self,
        each: &For,
        guarded: &Guarded,
        (lower, upper): (Known<'ir>, Known<'ir>),
    ) {
        let (asked, over) = (self.new_block("asked"), self.new_block("over"));
        let is_entered = self.builder.icmp(IntPredicate::Sle, lower.value, upper.value);
        self.builder.branch(is_entered, asked, over);
        self.builder.at_end(asked);
        let iterators = self.arguments(&guarded.arguments);
        let plan = self.plan;
        let bound = &plan.binding.statements[guarded.statement];
        let mut instance = Instance::of(&bound.loops, &bound.leaves, &iterators);
        let outer = self.writing.replace(Written::apart(bound.id.clone()));
        let end = self.ask(&bound.guards[..guarded.count], &mut instance);
        self.writing = outer;
        self.answered = guarded.count;
        self.for_(each, lower, upper, &mut Writer::node);
        self.answered = 0;
        for block in end.into_iter().chain([over]) {
            self.builder.jump(block);
            self.builder.at_end(block);
        }
    }
}
