//! What lanes read: for each lane by itself (vectors that load from many places take as long, or longer, on many processors), and for those that do not come there from a
//! cell that always is:
//!
//!     v = A[k]    becomes    p = select active, A + 4 * k, cell      v = (load lane 0 of p, load lane 1 of p, ...)
//!
//! As nothing is written that they read (see [`crate::emit::plan::innermost::divergent`]), what has been read is not read again, and what is the same in each round is read in the first one.

use super::lanes::Lanes;
use crate::llvm::instruction::{Address, MemoryAccess};
use crate::llvm::{Block, Builder, Instruction, Opcode, Promise, Type, Value};

/// What is read in lanes that read nothing: eight bytes of zero.
const CELL: &str = "loopwright.nothing";
const CELL_BYTES: u32 = 8;

impl<'ir> Lanes<'_, 'ir> {
    /// A load goes to this copy instead of to what pointers are into.
    pub fn leads_to_copy(&mut self, load: Instruction<'ir>, copy: Value<'ir>, instead_of: Value<'ir>) {
        self.reading.copies.insert(load, [copy, instead_of]);
    }

    /// The loads that were written, with those of the program that they do.
    pub fn loads(&self) -> &[(Instruction<'ir>, Instruction<'ir>)] {
        &self.reading.loads
    }

    /// What a load gives in the lanes of a mask, loaded if it is not known.
    pub(super) fn known_or_loaded(
        &mut self,
        builder: &Builder<'ir>,
        (load, access): (Instruction<'ir>, MemoryAccess<'ir>),
        mask: Value<'ir>,
    ) -> Value<'ir> {
        let reads = &self.divergent.reads;
        if let Some(known) = reads.again.get(&load).and_then(|earlier| self.values.get(&earlier.value())) {
            return *known;
        }
        match &self.round {
            Some(round) if reads.unchanging.contains(&load) => {
                let (is_first, before, begin) = (round.is_first, round.before, round.begin);
                self.loaded_once(builder, (load, access), mask, (is_first, before, begin))
            }
            _ => self.loaded(builder, (load, access), mask),
        }
    }

    /// What a load gives that gives the same in each round: who is active in another than the first one has come to it there.
    fn loaded_once(
        &mut self,
        builder: &Builder<'ir>,
        (load, access): (Instruction<'ir>, MemoryAccess<'ir>),
        mask: Value<'ir>,
        (is_first, before, begin): (Value<'ir>, Block<'ir>, Block<'ir>),
    ) -> Value<'ir> {
        let here = builder.block();
        let ty = Type::vector(load.ty(), self.count);
        match begin.first_instruction() {
            Some(first) => builder.before(first),
            None => builder.at_end(begin),
        }
        let known = builder.phi(ty, "read");
        known.add_incoming(Value::zero(ty), before);
        builder.at_end(here);
        let function = here.function();
        let [first, again] = ["lanes.first", "lanes.again"].map(|name| function.new_block(name));
        builder.branch(is_first, first, again);
        builder.at_end(first);
        let loaded = self.loaded(builder, (load, access), mask);
        let end = builder.block();
        builder.jump(again);
        builder.at_end(again);
        let now = builder.phi(ty, "read");
        now.add_incoming(known.value(), here);
        now.add_incoming(loaded, end);
        let round = self.round.as_mut().expect("law: what is loaded once is loaded in a round");
        round.carried.push((known, now.value()));
        now.value()
    }

    /// What a load gives in the lanes of a mask.
    fn loaded(
        &mut self,
        builder: &Builder<'ir>,
        (load, access): (Instruction<'ir>, MemoryAccess<'ir>),
        mask: Value<'ir>,
    ) -> Value<'ir> {
        let module = self.part.start.function().module();
        let places = self.vector(builder, access.pointer);
        let places = match self.reading.copies.get(&load) {
            Some([copy, instead_of]) => {
                let context = builder.context();
                let word = Type::vector(Type::integer(context, 64), self.count);
                let [from, to] = [builder.splat(*instead_of, self.count), places]
                    .map(|place| builder.cast(Opcode::PtrToAddr, place, word));
                builder.gep(Type::integer(context, 8), *copy, &[builder.sub(to, from)], Promise::Nothing)
            }
            None => places,
        };
        let zero = || Value::integer(Type::integer(builder.context(), 8 * CELL_BYTES), 0);
        let cell = module.global(CELL).unwrap_or_else(|| module.new_private_constant(CELL, zero()));
        let places = self.choice(builder, mask, places, builder.splat(cell, self.count));
        let of_lane = |lane: u32| {
            let place = builder.lane(places, lane);
            let own = builder.copy(load, |_| place);
            own.forget_values();
            own.set_alignment(access.alignment.min(CELL_BYTES));
            own
        };
        let own: Vec<Instruction<'ir>> = (0..self.count).map(of_lane).collect();
        self.reading.loads.extend(own.iter().map(|own| (*own, load)));
        let values: Vec<Value<'ir>> = own.iter().map(|own| own.value()).collect();
        builder.together(&values)
    }

    /// The places that an address is of.
    pub(super) fn addresses(&mut self, builder: &Builder<'ir>, address: &Address<'ir>) -> Value<'ir> {
        let base = self.vector(builder, address.base);
        let index = |index: &Value<'ir>| match index.is_constant() {
            true => *index,
            false => self.vector(builder, *index),
        };
        let indices: Vec<Value<'ir>> = address.indices.iter().map(index).collect();
        builder.gep(address.element, base, &indices, Promise::Nothing)
    }
}
