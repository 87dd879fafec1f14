//! The way out: new loops in place of a region, with the original kept for when an assumption fails.
//!
//!     entry:   test (guard)  --- fails --->  original loops  ---+
//!                 | holds                                       |
//!              buffers, new loops  ------------------------->  join  -->  exit
//!
//! With `validate`, both run, and what they leave is compared ([`validate`]). [`Plan::of`] decides everything as data and may refuse; [`Plan::build`] writes and cannot. Where nothing needs a test the original
//! loops are removed. A value that the code behind reads is a phi of `join`: what the original computed, or what the new loops
//! left in its scalar. Parameters are frozen before they are used: the original may leave a poisoned bound unused, a test does not.

pub mod arith;
pub mod guards;
mod plan;
pub mod threads;
pub mod validate;
pub mod write;

#[cfg(test)]
mod tests;

pub use plan::{Decisions, Plan, Settings, Verification};
pub use validate::report::EXIT_CODE;

use crate::ast::Ast;
use crate::emit::arith::bounds::Bounds;
use crate::extract::binding::Binding;
use crate::extract::numbers::parameters::Source;
use crate::extract::numbers::polynomial::ParameterId;
use crate::extract::refusal::Refusal;
use crate::extract::statements::root::LiveOutId;
use crate::llvm::{Block, Builder, Function, Instruction, IntPredicate, Location, Opcode, Signedness, Type, Value};
use crate::presburger::Id;
use crate::scop::{Scop, Table, Tree};
use arith::bounds::{Arithmetic, Known};
use guards::guard;
use guards::inspection::go_on_if;
use plan::guard::Worth;
pub use plan::guard::{Alone, Needs};
use plan::library::allocator;
use std::collections::BTreeMap;
use write::ends::Buffer;
use write::writer::Writer;

/// Functions with this attribute are left alone by a second run.
pub const DONE: &str = "loopwright-done";

/// What was written.
pub struct Emitted<'ir> {
    /// Made for parallel loops.
    pub functions: Vec<Function<'ir>>,
    /// The original loops are still there, for when the test fails.
    pub is_guarded: bool,
    pub parallel_loops: usize,
    /// Scalars that got memory of their own.
    pub buffers: usize,
}

/// Plans and builds. The binding is materialized; `tree` is what `ast` was made from, `relaxed` as in [`Plan::of`].
pub fn emit<'ir>(
    scop: &Scop,
    tree: &Tree,
    relaxed: &[Id],
    ast: &Ast,
    binding: &Binding<'ir>,
    settings: Settings,
) -> Result<Emitted<'ir>, Refusal<'ir>> {
    Ok(Plan::of(scop, tree, relaxed, ast, binding, settings)?.build())
}

impl<'ir> Plan<'_, 'ir> {
    /// Writes the new loops. Handles on the original blocks must not be used afterwards.
    pub fn build(&self) -> Emitted<'ir> {
        let region = &self.binding.region;
        let main = region.entry.function();
        let location = place_of_calls(main);
        let lives = self.prolong_lives();
        let terminator = region.entry.terminator().expect("law: a complete block has a terminator");
        let original = Block::cut_before(terminator, "original");
        let join = self.join(original);
        self.end_lives(&lives, join.block);

        let mut writer = Writer::new(self, Builder::new(main.context()), main);
        writer.location = location;
        writer.builder.at_end(region.entry);
        let (parameters, tested) = self.parameters(&writer.builder);
        let named = self.binding.parameters.iter().zip(&parameters);
        writer.names = named.map(|(parameter, known)| (parameter.id.clone(), *known)).collect();
        let kept = self.prepare_to_keep(&writer, &lives);
        let buffers = self.enter(&mut writer, &parameters, tested, original);
        if let Some(kept) = &kept {
            kept.keep(&mut writer, &buffers, original);
        }
        writer.declare_scopes();
        writer.node(&self.ast.root);
        self.settings.provoke("branch");
        match kept {
            Some(kept) => {
                kept.exchange(&mut writer);
                give_back(&writer, &buffers);
                writer.builder.jump(original);
                kept.compare(&mut writer, &join);
            }
            None => self.leave(&mut writer, join, &buffers),
        }

        let functions = writer.functions;
        for function in &functions {
            function.adopt_locations(main);
            function.add_attribute(DONE);
        }
        if !functions.is_empty() || !buffers.is_empty() || self.validation.is_some() {
            main.forget_effects();
        }
        if self.settings.verification == Verification::Wanted || cfg!(debug_assertions) {
            for function in functions.iter().chain([&main]) {
                let verdict = function.verify();
                assert!(verdict.is_ok(), "law: what is written is valid: {} in\n{function}", verdict.unwrap_err());
            }
        }
        Emitted {
            is_guarded: !self.guard.is_trivial() || !self.guarded.samples.is_empty(),
            parallel_loops: self.parallel.len(),
            buffers: buffers.len(),
            functions,
        }
    }

    /// A block through which the original loops leave, with phis for the values that are live behind them.
    fn join(&self, original: Block<'ir>) -> Join<'ir> {
        let region = &self.binding.region.as_it_is_now();
        let main = region.entry.function();
        let is_ours = |block: &Block<'ir>| *block == original || region.contains(*block);
        let edges: Vec<Block<'ir>> = region.exit.predecessors().into_iter().filter(is_ours).collect();
        let block = main.new_block("join");
        let builder = Builder::new(main.context());
        builder.at_end(block);
        let mut phis = Table::default();
        for live in &self.binding.live_out {
            let phi = builder.phi(live.value.ty(), "live");
            phis.push(phi);
            if live.value.is_phi() && live.value.block() == Some(region.exit) {
                let incoming = live.value.incoming().into_iter().filter(|(_, from)| is_ours(from));
                incoming.for_each(|(value, from)| phi.add_incoming(value, from));
                live.value.add_incoming(phi.value(), block);
                continue;
            }
            let behind = |user: &Instruction<'ir>| region.is_used_behind(live.value.value(), *user) == Some(true);
            let outside = |user: &Instruction<'ir>| behind(user) && user.block() != Some(block);
            let users: Vec<Instruction<'ir>> = live.value.users().into_iter().filter(outside).collect();
            for user in users {
                replace_outside(user, live.value.value(), phi.value(), &is_ours);
            }
            for from in &edges {
                let count = from.successors().iter().filter(|next| **next == region.exit).count();
                (0..count).for_each(|_| phi.add_incoming(live.value.value(), *from));
            }
        }
        builder.jump(region.exit);
        for from in edges {
            let terminator = from.terminator().expect("law: a complete block has a terminator");
            let count = from.successors().iter().filter(|next| **next == region.exit).count();
            (0..count).for_each(|_| region.exit.forget_predecessor(from));
            terminator.redirect(region.exit, block);
        }
        Join { block, phis }
    }

    /// Parameters as numbers of 64 bits; and whether distances of pointers and strides are what they are said to be.
    fn parameters(&self, builder: &Builder<'ir>) -> (Table<ParameterId, Known<'ir>>, Vec<Value<'ir>>) {
        let word = Type::integer(builder.context(), 64);
        let address = |pointer: Value<'ir>| builder.freeze(builder.address(pointer));
        let mut known: Table<ParameterId, Known<'ir>> = Table::default();
        let mut tested = Vec::new();
        for (parameter, range) in self.binding.parameters.iter().zip(&self.limits) {
            let value = match &parameter.source {
                Source::Value(value) if value.is_constant() => builder.resize(*value, word, Signedness::Signed),
                Source::Value(value) => builder.resize(builder.freeze(*value), word, Signedness::Signed),
                Source::Product(factors) | Source::WrappedProduct(factors) => {
                    let arithmetic = Arithmetic { builder, bounds: Bounds::Unproved };
                    factors
                        .iter()
                        .fold(arithmetic.constant(1).value, |product, at| builder.mul(product, known[*at].value))
                }
                Source::Remainder { of, bits, low } => guard::remainder(builder, of, &known, *bits, *low),
                Source::Distance { from, to, unit } => {
                    let (value, is_so) = guard::distance(builder, address(*from), address(*to), *unit);
                    tested.push(is_so);
                    value
                }
                Source::Address(pointer) => address(*pointer),
                Source::Exactly { value, number } => {
                    let value = builder.resize(builder.freeze(*value), word, Signedness::Signed);
                    tested.push(builder.icmp(IntPredicate::Eq, value, builder.integer(64, *number)));
                    builder.integer(64, *number)
                }
                Source::Times { value, unit, factors } => {
                    let value = builder.resize(builder.freeze(*value), word, Signedness::Signed);
                    let factors: Vec<Value<'ir>> = factors.iter().map(|at| known[*at].value).collect();
                    let (count, is_so) = guard::times(builder, value, *unit, &factors);
                    tested.push(is_so);
                    count
                }
                Source::Steps { way, step } => {
                    // Not what is assumed besides: that is tested of it, as of any other number.
                    let most = parameter.interval.high.expect("law: a way has a length");
                    guard::steps(builder, [way, step], &known, most)
                }
                Source::Scev(_) => unreachable!("law: a binding is materialized before emission"),
            };
            known.push(Known { value, range: *range });
        }
        (known, tested)
    }

    /// Tests the guard and reserves the buffers; afterwards the writer is where the new loops begin.
    fn enter(
        &self,
        writer: &mut Writer<'_, 'ir>,
        parameters: &Table<ParameterId, Known<'ir>>,
        tested: Vec<Value<'ir>>,
        original: Block<'ir>,
    ) -> Vec<Value<'ir>> {
        let main = writer.main;
        let start = main.new_block("new");
        let builder = &writer.builder;
        if self.guard.is_trivial() && self.guarded.samples.is_empty() {
            builder.jump(start);
            builder.at_end(start);
            return Vec::new();
        }
        if self.guard.worth != Worth::Always {
            // First of all: where there is little to do, the other tests would take as long as the loops.
            let is_worth_it = writer.is_worth_it();
            go_on_if(writer, is_worth_it, original);
        }
        let builder = &writer.builder;
        let names = writer.names.clone();
        let names = |name: &Id| names[name];
        let ends = guard::ends(builder, &self.guard, self.binding, parameters, &names);
        let holds = guard::test(builder, &self.guard, self.binding, (parameters, &self.limits), &ends, &names);
        self.settings.provoke("guard");
        let mut holds = tested.into_iter().fold(holds, |all, next| builder.binary(Opcode::And, all, next));
        let more = self.guard.disjoint.get(guard::PAIRS_AT_ONCE..).unwrap_or_default();
        for pairs in more.chunks(guard::PAIRS_AT_ONCE) {
            go_on_if(writer, holds, original);
            holds = guard::are_apart(builder, pairs, &ends);
        }
        let of_flat = if self.guard.rows.is_empty() { BTreeMap::new() } else { ends.clone() };
        if self.guard.has_measurements || !self.guard.copied.is_empty() {
            let measure = main.new_block("enter");
            builder.branch(holds, measure, original);
            builder.at_end(measure);
            self.measure(writer, original, ends);
            holds = writer.builder.integer(1, 1);
        }
        let builder = &writer.builder;
        if !self.guard.inspections.is_empty() {
            let inspect = main.new_block("inspect");
            builder.branch(holds, inspect, original);
            builder.at_end(inspect);
            self.inspect(writer, original);
            holds = writer.builder.integer(1, 1);
        }
        if !self.guard.rows.is_empty() {
            go_on_if(writer, holds, original);
            self.test_rows(writer, &of_flat, original);
            holds = writer.builder.integer(1, 1);
        }
        if !self.guarded.samples.is_empty() {
            go_on_if(writer, holds, original);
            self.sample(writer, original);
            holds = writer.builder.integer(1, 1);
        }
        let builder = &writer.builder;
        if self.guard.buffers.is_empty() {
            builder.branch(holds, start, original);
            builder.at_end(start);
            return Vec::new();
        }
        self.reserve(writer, holds, [start, original], &names)
    }

    /// Reserves the buffers if the test `holds` and they are small, and goes on at the first block; else at the second one. Gives their memory.
    fn reserve(
        &self,
        writer: &mut Writer<'_, 'ir>,
        holds: Value<'ir>,
        [start, original]: [Block<'ir>; 2],
        names: &dyn Fn(&Id) -> Known<'ir>,
    ) -> Vec<Value<'ir>> {
        let (main, builder) = (writer.main, &writer.builder);
        let (measured, is_small) = guard::measure(builder, self, names);
        let (reserve, give_up) = (main.new_block("reserve"), main.new_block("give.up"));
        builder.branch(builder.binary(Opcode::And, holds, is_small), reserve, original);
        builder.at_end(reserve);
        let (malloc, _) = allocator(main).expect("law: a plan with buffers has an allocator");
        let null = Value::zero(Type::pointer(builder.context()));
        let kept = writer.keep_errno(None);
        let mut all = builder.integer(1, 1);
        let mut memory = Vec::new();
        for (size, _) in &measured {
            let call = builder.call(malloc, &[*size]);
            call.set_location(writer.location);
            all = builder.binary(Opcode::And, all, builder.icmp(IntPredicate::Ne, call.value(), null));
            memory.push(call.value());
        }
        writer.restore_errno(kept);
        builder.branch(all, start, give_up);
        builder.at_end(give_up);
        give_back(writer, &memory);
        let builder = &writer.builder;
        builder.jump(original);
        builder.at_end(start);
        let measured = measured.into_iter().zip(&memory).zip(&self.guard.buffers);
        let buffers: BTreeMap<_, _> =
            measured.map(|(((_, buffer), memory), at)| (*at, Buffer { memory: *memory, ..buffer })).collect();
        writer.buffers = buffers;
        memory
    }

    /// Hands over what the new loops computed.
    fn leave(&self, writer: &mut Writer<'_, 'ir>, join: Join<'ir>, buffers: &[Value<'ir>]) {
        let mut values = Vec::new();
        for live in &self.binding.live_out {
            let slot = writer.slot(live.array, live.value.ty());
            values.push(writer.builder.load(live.value.ty(), slot, None).value());
        }
        give_back(writer, buffers);
        let builder = &writer.builder;
        let end = builder.block();
        builder.jump(join.block);
        for (phi, value) in join.phis.iter().zip(values) {
            phi.add_incoming(value, end);
        }
    }
}

/// Where both versions meet.
struct Join<'ir> {
    block: Block<'ir>,
    /// For the live-out values.
    phis: Table<LiveOutId, Instruction<'ir>>,
}

/// Frees the memory of buffers.
fn give_back<'ir>(writer: &Writer<'_, 'ir>, buffers: &[Value<'ir>]) {
    if let (false, Some((_, free))) = (buffers.is_empty(), allocator(writer.main)) {
        for pointer in buffers {
            writer.builder.call(free, &[*pointer]).set_location(writer.location);
        }
    }
}

/// Uses the phi instead of the value, except on edges from the original loops.
fn replace_outside<'ir>(
    user: Instruction<'ir>,
    value: Value<'ir>,
    phi: Value<'ir>,
    is_ours: &dyn Fn(&Block<'ir>) -> bool,
) {
    let incoming = user.incoming();
    for at in 0..user.operand_count() {
        let stays = incoming.get(at).is_some_and(|(_, from)| is_ours(from));
        if user.operand(at) == value && !stays {
            user.set_operand(at, phi);
        }
    }
}

/// Some place in the function, which calls need where there is debug information.
fn place_of_calls(function: Function<'_>) -> Option<Location<'_>> {
    function.instructions().into_iter().find_map(Instruction::location).or_else(|| function.place())
}
