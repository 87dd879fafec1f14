//! A loop with elements in registers:
//!
//!     kept:  what all iterations have in common is loaded     loop: ...     jump kept.end
//!
//! where `kept` is entered only if there is an iteration.

use crate::ast::{Expr, For, Node};
use crate::emit::arith::bounds::Known;
use crate::emit::plan::innermost::kept::Kept;
use crate::emit::write::keeping::Keeping;
use crate::emit::write::statement::Instance;
use crate::emit::write::writer::Writer;
use crate::llvm::IntPredicate;
use crate::presburger::Id;

impl<'p, 'ir> Writer<'p, 'ir> {
    /// The same with elements in registers, those that all iterations have in common already before it.
    pub(in crate::emit::write) fn keeping_for(
        &mut self,
        each: &For,
        kept: &'p Kept,
        (lower, upper): (Known<'ir>, Known<'ir>),
    ) {
        let (runs, skipped) = (self.new_block("kept"), self.new_block("kept.end"));
        let is_entered = self.builder.icmp(IntPredicate::Sle, lower.value, upper.value);
        self.builder.branch(is_entered, runs, skipped);
        self.builder.at_end(runs);
        self.keeping = Keeping::of(kept);
        self.load_before(each, &kept.before);
        self.for_(each, lower, upper, &mut Writer::node);
        self.keeping = Keeping::nothing();
        self.builder.jump(skipped);
        self.builder.at_end(skipped);
    }

    /// Loads what all iterations of a loop have in common, where it is certain that there is one.
    fn load_before(&mut self, each: &For, loads: &[(usize, usize)]) {
        let mut users = Vec::new();
        collect(&each.body, &mut users);
        for (at, load) in loads {
            let (statement, arguments) = users[*at];
            // The address does not depend on arguments that name the iterator.
            let fixed =
                |argument: &Expr| if argument.mentions(&each.iterator) { Expr::from(0) } else { argument.clone() };
            let arguments: Vec<Expr> = arguments.iter().map(fixed).collect();
            let iterators = self.arguments(&arguments);
            let plan = self.plan;
            let bound = &plan.binding.statements[plan.statement(statement)];
            let of = Instance::of(&bound.loops, &bound.leaves, &iterators);
            let mut instance = Instance { loads: &bound.loads, ..of };
            self.keeping.at_instance(*at);
            self.copied(bound.loads[*load], &mut instance);
        }
        self.keeping.at_instance(0);
    }
}

fn collect<'n>(node: &'n Node, users: &mut Vec<(&'n Id, &'n [Expr])>) {
    match node {
        Node::User { statement, arguments } => users.push((statement, arguments)),
        _ => node.children().into_iter().for_each(|child| collect(child, users)),
    }
}
