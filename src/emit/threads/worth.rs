//! Whether there is enough to do.
//!
//! Of `for (i < n) for (j < n) S(i, j);` the test before the new loops is `operations of S * n * n >= min-work`, with numbers that are known where the program runs.

use crate::ast::{Expr, For};
use crate::emit::arith::bounds::{Arithmetic, Bounds, Known, Range};
use crate::emit::arith::work::{MOST_ITERATIONS, MOST_LOOPS_ESTIMATED, MOST_WORK, Numbers};
use crate::emit::plan::guard::{Alone, Worth};
use crate::emit::write::writer::Writer;
use crate::llvm::{IntPredicate, Opcode, Value};
use crate::presburger::{Id, Int};
use crate::scop::Statement;

/// So many times the work is asked for where one thread measures first what all touch. (Measured on products of sparse matrices.)
const WORTH_MEASURING: i128 = 4;

impl<'ir> Writer<'_, 'ir> {
    /// More than one iteration, and at least as much work as the options ask for.
    pub fn is_worth_a_fork(
        &mut self,
        each: &For,
        lower: Known<'ir>,
        upper: Known<'ir>,
        last: Known<'ir>,
    ) -> Value<'ir> {
        let work = self.work_of(each, lower, upper);
        let is_much = self.is_at_least(work, i128::from(self.plan.settings.minimal_work));
        let builder = &self.builder;
        let is_several = builder.icmp(IntPredicate::Sgt, last.value, builder.integer(64, 0));
        builder.binary(Opcode::And, is_much, is_several)
    }

    pub(super) fn is_at_least(&self, work: Known<'ir>, least: i128) -> Value<'ir> {
        let least = self.unpromising().constant(least.min(MOST_ITERATIONS * MOST_WORK));
        self.builder.icmp(IntPredicate::Sge, work.value, least.value)
    }

    /// Whether the loops have enough to do to be faster than the original ones: on one thread, or one of them on several.
    pub fn is_worth_it(&mut self) -> Value<'ir> {
        let Worth::From(needs) = &self.plan.guard.worth else { return self.builder.integer(1, 1) };
        let names = self.names.clone();
        let mut tests = Vec::new();
        if let Some(Alone { enough, program }) = &needs.alone {
            let work = self.work(program, &mut { MOST_LOOPS_ESTIMATED });
            let is_much = self.is_at_least(work, enough.operations);
            tests.push(self.and_at_least(is_much, &enough.parameters));
        }
        if !self.plan.parallel.is_empty() {
            let work = self.shared_work(&self.plan.ast.root, &self.plan.parallel);
            let times = if self.plan.binding.measurements.is_empty() { 1 } else { WORTH_MEASURING };
            let is_much = self.is_at_least(work, times * i128::from(self.plan.settings.minimal_work));
            tests.push(self.and_at_least(is_much, &needs.shared));
        }
        self.names = names;
        let any = tests.into_iter().reduce(|a, b| self.builder.binary(Opcode::Or, a, b));
        any.expect("law: loops pay on one thread or on several")
    }

    /// Whether something holds and parameters are at least so large.
    fn and_at_least(&mut self, holds: Value<'ir>, parameters: &[(Id, i64)]) -> Value<'ir> {
        parameters.iter().fold(holds, |holds, (parameter, least)| {
            let value = self.named(parameter);
            let is_long = self.is_at_least(value, i128::from(*least));
            self.builder.binary(Opcode::And, holds, is_long)
        })
    }

    /// The estimated work of a whole loop.
    pub fn work_of(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) -> Known<'ir> {
        self.work_of_loop(each, (lower, upper), &mut { MOST_LOOPS_ESTIMATED })
    }

    fn unpromising(&self) -> Arithmetic<'_, 'ir> {
        Arithmetic { builder: &self.builder, bounds: Bounds::Unproved }
    }
}

/// The estimate as code, without promises: the loops might not run.
impl<'ir> Numbers for Writer<'_, 'ir> {
    type Number = Known<'ir>;

    fn constant(&self, value: i128) -> Known<'ir> {
        self.unpromising().constant(value)
    }

    fn value(&mut self, expr: &Expr) -> Known<'ir> {
        let mut wanted = Vec::new();
        expr.names(&mut |name| wanted.push(name.clone()));
        wanted.iter().for_each(|name| {
            self.named(name);
        });
        Known { range: Range::WORD, ..self.unpromising().value(expr, &|name| self.names[name]) }
    }

    fn name(&mut self, iterator: &Id, value: Known<'ir>) {
        self.names.insert(iterator.clone(), Known { range: Range::WORD, ..value });
    }

    fn statement(&self, name: &Id) -> &Statement {
        &self.plan.scop.statements[self.plan.statement(name)]
    }

    fn add(&self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.unpromising().add(a, b)
    }

    fn sub(&self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.unpromising().sub(a, b)
    }

    fn mul(&self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.unpromising().mul(a, b)
    }

    fn floor_div(&self, a: Known<'ir>, by: &Int) -> Known<'ir> {
        self.unpromising().floor_div(a, by)
    }

    fn least(&self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.unpromising().choose("llvm.smin", a, b)
    }

    fn greatest(&self, a: Known<'ir>, b: Known<'ir>) -> Known<'ir> {
        self.unpromising().choose("llvm.smax", a, b)
    }
}
