//! A part with a divergent loop, in lanes: control becomes masks.
//!
//!     while (k < most && norm(z) < 4) { z = z * z + c; k++; }
//!
//! becomes, where each name is a vector,
//!
//!     lanes:  active = phi [all, before], [goes on, lanes]     z = phi ...     k = phi ...     last k = phi [0, before], [last k', lanes]
//!             goes on = active and (k < most) and (norm(z) < 4)
//!             last k' = those of k that were active and do not go on, else last k
//!             br (any that goes on), lanes, lanes.end
//!
//! Each edge of the part has the mask of those lanes whose control takes it; a phi takes what comes along each edge for the lanes of its mask (Karrenberg, Hack: Whole-Function
//! Vectorization, CGO 2011, sections 4 and 5). What is loaded is in [`super::reading`]. Conditions of lanes that do not come to a branch may be anything, so that masks are what they were where control does not come, and
//! not what conditions are.

use super::round::{Reading, Round};
use crate::extract::control::divergent::{Divergent, Masks};
use crate::extract::control::subregion::Opaque;
use crate::extract::ssa::decider;
use crate::extract::statements::root::Output;
use crate::llvm::instruction::Branch;
use crate::llvm::{Block, Builder, Function, Instruction, IntPredicate, Opcode, Signedness, Type, Value, ValueKind};
use std::collections::HashMap;

/// Lanes are counted in at least so many bits.
const NARROWEST_COUNT: u32 = 32;

/// A part that is being written in lanes.
pub(super) struct Lanes<'p, 'ir> {
    pub(super) part: &'p Opaque<'ir>,
    pub(super) divergent: &'p Divergent<'ir>,
    outputs: &'p [Output<'ir>],
    /// How many lanes there are.
    pub(super) count: u32,
    /// The vector of each value.
    pub(super) values: HashMap<Value<'ir>, Value<'ir>>,
    /// The mask of each edge; of all that leave the loop for one block, that of the first one.
    edges: HashMap<(Block<'ir>, Block<'ir>), Value<'ir>>,
    /// What the loop hands on to phis of the one block behind it.
    behind: HashMap<Value<'ir>, Value<'ir>>,
    /// The loop has ended: of what it computes, nothing is known but what it hands on.
    has_ended: bool,
    pub(super) reading: Reading<'ir>,
    /// While the loop is written.
    pub(super) round: Option<Round<'ir>>,
}

/// What the lanes have spent, in words of 64 bits.
pub(super) struct Spent<'ir> {
    pub lanes: u32,
    pub least_busy: u32,
    /// How often the loop has run.
    pub rounds: Value<'ir>,
    /// In how many of these each lane was active, all together.
    pub busy: Value<'ir>,
    /// How many lanes went the same way as the one before, where that is counted.
    pub alike: Option<Value<'ir>>,
}

impl<'ir> Spent<'ir> {
    /// What two loops have spent.
    pub fn and(self, builder: &Builder<'ir>, other: Spent<'ir>) -> Spent<'ir> {
        Spent {
            least_busy: self.least_busy.max(other.least_busy),
            rounds: builder.add(self.rounds, other.rounds),
            busy: builder.add(self.busy, other.busy),
            alike: self.alike.zip(other.alike).map(|(own, other)| builder.least(own, other)),
            ..self
        }
    }
}

impl<'p, 'ir> Lanes<'p, 'ir> {
    pub fn of(part: &'p Opaque<'ir>, outputs: &'p [Output<'ir>], count: u32) -> Self {
        let divergent = part.divergent.as_deref().expect("law: it was found in a divergent loop");
        Lanes {
            part,
            divergent,
            outputs,
            count,
            values: HashMap::new(),
            edges: HashMap::new(),
            behind: HashMap::new(),
            has_ended: false,
            reading: Reading::default(),
            round: None,
        }
    }

    /// The vector of a value from outside.
    pub fn knows(&mut self, value: Value<'ir>, vector: Value<'ir>) {
        self.values.insert(value, vector);
    }

    /// Writes the part, with what it uses from outside before it, and says what it spends.
    pub fn write(&mut self, builder: &Builder<'ir>, function: Function<'ir>, used: &[Value<'ir>]) -> Spent<'ir> {
        used.iter().for_each(|value| {
            self.vector(builder, *value);
        });
        let (part, divergent) = (self.part, self.divergent);
        let all = builder.splat(Value::integer(self.mask_type(builder), -1), self.count);
        self.leave(builder, part.start, all);
        let header = part.blocks.iter().position(|block| *block == divergent.header);
        let (before, behind) = part.blocks.split_at(header.expect("law: the loop is in the part"));
        before.iter().for_each(|block| self.block(builder, *block));
        let spent = self.loop_(builder, function);
        for block in behind.iter().filter(|block| !divergent.blocks.contains(block)) {
            self.block(builder, *block);
        }
        spent
    }

    /// What comes out of the part.
    pub fn result(&mut self, builder: &Builder<'ir>, value: Value<'ir>) -> Value<'ir> {
        match exit_phi(self.part, value) {
            Some(phi) => self.merged(builder, phi, ways(self.part, phi)),
            None => self.vector(builder, value),
        }
    }

    /// A block that is in no loop.
    fn block(&mut self, builder: &Builder<'ir>, block: Block<'ir>) {
        for phi in block.phis() {
            let merged = self.merged(builder, phi, phi.incoming());
            self.values.insert(phi.value(), merged);
        }
        let mask = self.mask(builder, block, |_| true);
        self.instructions(builder, block, mask);
        self.leave(builder, block, mask);
    }

    /// What a block computes, in the lanes whose control comes to it.
    fn instructions(&mut self, builder: &Builder<'ir>, block: Block<'ir>, mask: Value<'ir>) {
        let is_computed = |i: &Instruction<'ir>| !i.is_phi() && !i.is_terminator() && !i.is_marker();
        for instruction in block.instructions().into_iter().filter(is_computed) {
            match instruction.memory() {
                Some(access) => {
                    let vector = self.known_or_loaded(builder, (instruction, access), mask);
                    self.values.insert(instruction.value(), vector);
                }
                None => {
                    self.vector(builder, instruction.value());
                    self.note_choice(builder, instruction, mask);
                }
            }
        }
    }

    /// The vector of a value: that of a phi is there already.
    pub(super) fn vector(&mut self, builder: &Builder<'ir>, value: Value<'ir>) -> Value<'ir> {
        if let Some(vector) = self.values.get(&value) {
            return *vector;
        }
        let lanes = self.count;
        let vector = match value.as_instruction() {
            Some(instruction) => {
                let is_known = self.has_ended && is_inside(&self.divergent.blocks, value);
                assert!(!is_known, "law: what is looked at behind a loop is kept: {instruction}");
                if let Some(address) = instruction.address() {
                    let places = self.addresses(builder, &address);
                    self.values.insert(value, places);
                    return places;
                }
                let operands: Vec<Value<'ir>> = numbers(instruction).collect();
                let operands: Vec<Value<'ir>> =
                    operands.into_iter().map(|operand| self.vector(builder, operand)).collect();
                builder.widened(instruction, &operands, lanes)
            }
            None => {
                assert!(value.kind() != ValueKind::Block, "law: lanes hold numbers");
                builder.splat(value, lanes)
            }
        };
        self.values.insert(value, vector);
        vector
    }

    /// The lanes whose control comes to a block, from those that are wanted.
    fn mask(&self, builder: &Builder<'ir>, block: Block<'ir>, wanted: impl Fn(Block<'ir>) -> bool) -> Value<'ir> {
        let froms = std::iter::once(self.part.start).chain(self.part.blocks.iter().copied());
        let masks = froms.filter(|from| wanted(*from)).filter_map(|from| self.edges.get(&(from, block)).copied());
        let any = |a: Value<'ir>, b: Value<'ir>| builder.binary(Opcode::Or, a, b);
        masks.reduce(any).expect("law: control comes to each block of a part")
    }

    /// Says which lanes take each edge from the end of a block, to which those of a mask come.
    fn leave(&mut self, builder: &Builder<'ir>, block: Block<'ir>, mask: Value<'ir>) {
        let end = block.terminator().expect("law: a complete block has a terminator");
        match end.branch().expect("law: a part with lanes ends its blocks by branches") {
            Branch::Always(to) => {
                self.edges.insert((block, to), mask);
            }
            Branch::If { then, otherwise, .. } if then == otherwise => {
                self.edges.insert((block, then), mask);
            }
            Branch::If { condition, then, otherwise } => {
                let holds = self.vector(builder, condition);
                let [yes, no] = self.divided(builder, mask, holds);
                // Who leaves is counted anyhow.
                if [then, otherwise].iter().all(|to| self.divergent.blocks.contains(to)) {
                    self.note_way(builder, yes);
                }
                self.edges.insert((block, then), yes);
                self.edges.insert((block, otherwise), no);
            }
        }
    }

    /// The lanes of a mask for which a condition holds, and the others.
    pub(super) fn divided(&self, builder: &Builder<'ir>, mask: Value<'ir>, holds: Value<'ir>) -> [Value<'ir>; 2] {
        match self.divergent.masks {
            Masks::Bits => {
                let none = Value::zero(mask.ty());
                [holds, builder.not(holds)].map(|wanted| builder.select(mask, wanted, none))
            }
            Masks::Numbers => {
                let holds = builder.cast(Opcode::SExt, builder.freeze(holds), mask.ty());
                [holds, builder.not(holds)].map(|wanted| builder.binary(Opcode::And, mask, wanted))
            }
        }
    }

    /// A mask as truth values.
    pub(super) fn bits(&self, builder: &Builder<'ir>, mask: Value<'ir>) -> Value<'ir> {
        match self.divergent.masks {
            Masks::Bits => mask,
            Masks::Numbers => builder.icmp(IntPredicate::Slt, mask, Value::zero(mask.ty())),
        }
    }

    pub(super) fn choice(
        &self,
        builder: &Builder<'ir>,
        mask: Value<'ir>,
        yes: Value<'ir>,
        no: Value<'ir>,
    ) -> Value<'ir> {
        builder.select(self.bits(builder, mask), yes, no)
    }

    /// What there is of a mask for each lane.
    fn mask_type(&self, builder: &Builder<'ir>) -> Type<'ir> {
        let width = match self.divergent.masks {
            Masks::Bits => 1,
            Masks::Numbers => self.divergent.widest,
        };
        Type::integer(builder.context(), width)
    }

    /// What comes to a phi along these edges.
    fn merged(
        &mut self,
        builder: &Builder<'ir>,
        phi: Instruction<'ir>,
        ways: Vec<(Value<'ir>, Block<'ir>)>,
    ) -> Value<'ir> {
        let to = phi.block().expect("law: a phi is in a block");
        let mut merged: Option<Value<'ir>> = None;
        for (value, from) in ways {
            // What comes out of the loop has one edge.
            let Some(mask) = self.edges.get(&(from, to)).copied() else { continue };
            let handed_on = self.behind.get(&phi.value()).filter(|_| self.divergent.blocks.contains(&from)).copied();
            let value = handed_on.unwrap_or_else(|| self.vector(builder, value));
            merged = Some(merged.map_or(value, |other| self.choice(builder, mask, value, other)));
        }
        merged.expect("law: a phi has a value from each way in")
    }

    /// The loop, until no lane is active.
    fn loop_(&mut self, builder: &Builder<'ir>, function: Function<'ir>) -> Spent<'ir> {
        let divergent = self.divergent;
        let Divergent { header, latch, blocks, .. } = divergent;
        let lanes = self.count;
        let is_outside = |block: Block<'ir>| !blocks.contains(&block);
        let entered = self.mask(builder, *header, is_outside);
        let phis = header.phis();
        let enters =
            |phi: &Instruction<'ir>| phi.incoming().into_iter().filter(|(_, from)| is_outside(*from)).collect();
        let first: Vec<Value<'ir>> = phis.iter().map(|phi| self.merged(builder, *phi, enters(phi))).collect();
        let before = builder.block();
        let (inside, behind) = (function.new_block("lanes"), function.new_block("lanes.end"));
        builder.jump(inside);
        builder.at_end(inside);
        let carried = |value: Value<'ir>, name: &str| {
            let phi = builder.phi(value.ty(), name);
            phi.add_incoming(value, before);
            phi
        };
        let active = carried(entered, "active");
        let states: Vec<Instruction<'ir>> = first.into_iter().map(|first| carried(first, "lanes")).collect();
        let lasts = self.lasts(&|ty| carried(Value::zero(Type::vector(ty, lanes)), "last"));
        let ends = self.ends();
        let left: Vec<Instruction<'ir>> = match has_one_target(&ends) {
            true => Vec::new(),
            false => ends.iter().map(|_| carried(Value::zero(entered.ty()), "left")).collect(),
        };
        let count = Type::vector(Type::integer(builder.context(), divergent.widest.max(NARROWEST_COUNT)), lanes);
        let busy = carried(Value::zero(count), "busy");
        let ways = carried(Value::zero(count), "ways");
        let rounds = carried(builder.integer(64, 0), "rounds");
        let is_first = builder.icmp(IntPredicate::Eq, rounds.value(), builder.integer(64, 0));
        self.round = Some(Round { is_first, ways: ways.value(), carried: Vec::new(), before, begin: inside });
        phis.iter().zip(&states).for_each(|(phi, state)| {
            self.values.insert(phi.value(), state.value());
        });
        self.instructions(builder, *header, active.value());
        self.leave(builder, *header, active.value());
        blocks.iter().filter(|block| *block != header).for_each(|block| self.block(builder, *block));
        let goes_on = self.edges[&(*latch, *header)];
        for (phi, state) in phis.iter().zip(&states) {
            let next = phi.incoming_from(*latch).expect("law: a phi has a value from each way in");
            let next = self.vector(builder, next);
            state.add_incoming(next, builder.block());
        }
        let round = self.round.take().expect("law: a round is written once");
        let inside_end = builder.block();
        ways.add_incoming(round.ways, inside_end);
        for (carried, now) in round.carried {
            carried.add_incoming(now, inside_end);
        }
        // Who goes on was active.
        let ended = builder.binary(Opcode::Xor, active.value(), goes_on);
        self.hand_on(builder, ended, lasts);
        self.mark_left(builder, entered, (&ends, &left));
        let one = builder.cast(Opcode::ZExt, self.bits(builder, active.value()), count);
        let now_busy = builder.add(busy.value(), one);
        busy.add_incoming(now_busy, inside_end);
        let now_rounds = builder.add(rounds.value(), builder.integer(64, 1));
        rounds.add_incoming(now_rounds, inside_end);
        active.add_incoming(goes_on, inside_end);
        let bits = builder.lanes_as_bits(self.bits(builder, goes_on), lanes);
        let any = builder.icmp(IntPredicate::Ne, bits, Value::zero(bits.ty()));
        builder.branch(any, inside, behind);
        builder.at_end(behind);
        let alike = divergent.reads.in_loop.then(|| self.alike(builder, [round.ways, now_busy]));
        let busy = builder.intrinsic("llvm.vector.reduce.add", &[count], &[now_busy]).value();
        let busy = builder.resize(busy, rounds.ty(), Signedness::Unsigned);
        Spent { lanes, least_busy: divergent.least_busy, rounds: now_rounds, busy, alike }
    }

    /// The edges that leave the loop.
    fn ends(&self) -> Vec<(Block<'ir>, Block<'ir>)> {
        let blocks = &self.divergent.blocks;
        let edges = blocks.iter().flat_map(|block| block.successors().into_iter().map(|to| (*block, to)));
        edges.filter(|(_, to)| !blocks.contains(to)).collect()
    }

    /// What is looked at behind the loop, with what keeps it for the lanes that have ended: where all lanes go to one block, what comes to its phis.
    fn lasts(&self, carried: &dyn Fn(Type<'ir>) -> Instruction<'ir>) -> Vec<Last<'ir>> {
        let blocks = &self.divergent.blocks;
        let ends = self.ends();
        let to = Some(ends[0].1).filter(|_| has_one_target(&ends));
        let is_behind = |user: &Instruction<'ir>| {
            let home = user.block();
            !home.is_some_and(|home| blocks.contains(&home)) && !(user.is_phi() && home == to)
        };
        // A phi with one value is no output: the value is.
        let is_output = |value: Value<'ir>| self.outputs.iter().any(|output| output.value == value);
        let is_seen = |i: &Instruction<'ir>| i.users().iter().any(is_behind) || is_output(i.value());
        let inside = blocks.iter().flat_map(|block| block.instructions());
        let values = inside.filter(is_seen).map(|i| i.value());
        let of_value = |value: Value<'ir>| Last::OfValue { value, kept: carried(value.ty()) };
        let phis = to.into_iter().flat_map(|to| to.phis());
        let of_phi = |phi: Instruction<'ir>| Last::OfPhi { phi, kept: carried(phi.ty()) };
        phis.map(of_phi).chain(values.map(of_value)).collect()
    }

    /// Keeps what the lanes end with that end in this round; behind the loop, that is what they hand on.
    fn hand_on(&mut self, builder: &Builder<'ir>, ended: Value<'ir>, lasts: Vec<Last<'ir>>) {
        let inside = builder.block();
        let mut handed_on = Vec::new();
        for last in lasts {
            let (now, kept) = match last {
                Last::OfValue { value, kept } => (self.vector(builder, value), kept),
                Last::OfPhi { phi, kept } => {
                    let is_own = |(_, from): &(Value<'ir>, Block<'ir>)| self.divergent.blocks.contains(from);
                    let ways = phi.incoming().into_iter().filter(is_own).collect();
                    (self.merged(builder, phi, ways), kept)
                }
            };
            let next = self.choice(builder, ended, now, kept.value());
            kept.add_incoming(next, inside);
            handed_on.push((last, next));
        }
        self.values.retain(|value, _| !is_inside(&self.divergent.blocks, *value));
        self.has_ended = true;
        for (last, next) in handed_on {
            match last {
                Last::OfValue { value, .. } => self.values.insert(value, next),
                Last::OfPhi { phi, .. } => self.behind.insert(phi.value(), next),
            };
        }
    }

    /// Says which lanes leave the loop by each edge: all by one, if what they hand on is known without.
    fn mark_left(
        &mut self,
        builder: &Builder<'ir>,
        entered: Value<'ir>,
        (ends, left): (&[(Block<'ir>, Block<'ir>)], &[Instruction<'ir>]),
    ) {
        let inside = builder.block();
        for (at, edge) in ends.iter().enumerate() {
            match left.get(at) {
                Some(left) => {
                    let all = builder.binary(Opcode::Or, left.value(), self.edges[edge]);
                    left.add_incoming(all, inside);
                    self.edges.insert(*edge, all);
                }
                None if at == 0 => {
                    self.edges.insert(*edge, entered);
                }
                None => {
                    self.edges.remove(edge);
                }
            }
        }
    }
}

/// What is looked at behind a loop, and what keeps it for the lanes that have ended.
#[derive(Clone, Copy)]
enum Last<'ir> {
    OfValue {
        value: Value<'ir>,
        kept: Instruction<'ir>,
    },
    /// A phi of the block behind it.
    OfPhi {
        phi: Instruction<'ir>,
        kept: Instruction<'ir>,
    },
}

fn is_inside<'ir>(blocks: &[Block<'ir>], value: Value<'ir>) -> bool {
    value.as_instruction().and_then(|i| i.block()).is_some_and(|block| blocks.contains(&block))
}

fn has_one_target(edges: &[(Block<'_>, Block<'_>)]) -> bool {
    edges.iter().all(|(_, to)| *to == edges[0].1)
}

/// The numbers that an instruction computes with.
pub(super) fn numbers(instruction: Instruction<'_>) -> impl Iterator<Item = Value<'_>> {
    let callee = instruction.call().map(|call| call.target());
    let is_number =
        move |value: &Value<'_>| !matches!(value.kind(), ValueKind::Block | ValueKind::Other) && Some(*value) != callee;
    instruction.operands().into_iter().filter(is_number)
}

/// What the part uses from outside, and what its outputs are.
pub(super) fn used<'ir>(part: &Opaque<'ir>, outputs: &[Output<'ir>]) -> Vec<Value<'ir>> {
    let blocks = part.blocks.iter().flat_map(|block| block.instructions()).filter(|i| !i.is_marker());
    let of = |instruction: Instruction<'ir>| -> Vec<Value<'ir>> {
        match instruction.is_terminator() {
            true => decider(instruction).into_iter().collect(),
            false if instruction.is_phi() => instruction.incoming().into_iter().map(|(value, _)| value).collect(),
            false => numbers(instruction).collect(),
        }
    };
    let start = part.start.terminator();
    let leaving = part.exit.phis().into_iter().flat_map(|phi| ways(part, phi)).map(|(value, _)| value);
    let own = outputs.iter().map(|output| output.value).filter(|value| exit_phi(part, *value).is_none());
    let all = start.into_iter().chain(blocks).flat_map(of).chain(leaving).chain(own);
    all.filter(|value| !is_inside(&part.blocks, *value)).collect()
}

/// The phi behind the part that a value is.
fn exit_phi<'ir>(part: &Opaque<'ir>, value: Value<'ir>) -> Option<Instruction<'ir>> {
    value.as_instruction().filter(|phi| phi.is_phi() && phi.block() == Some(part.exit))
}

/// What comes from the part to a phi behind it, and where from.
fn ways<'ir>(part: &Opaque<'ir>, phi: Instruction<'ir>) -> Vec<(Value<'ir>, Block<'ir>)> {
    phi.incoming().into_iter().filter(|(_, from)| part.leads_on(*from)).collect()
}
