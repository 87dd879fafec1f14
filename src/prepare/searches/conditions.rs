//! What a search asks of each element, and what it hands on.
//!
//! ```c
//! for (i = 0; i < n; i++) { if (a[i] > b[i]) return i;  if (a[i] == 0.0) break; }
//! ```
//!
//! leaves where `a[i] > b[i]` or `a[i] == 0.0`, which data decides, and before iteration `n`, which is counted. It reads `a` and `b` in each iteration, one element behind the other, and
//! hands on `i`, which grows by one.

use super::reads::{Read, step, step_of, width};
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Builder, Instruction, IntPredicate, Loop, Opcode, ScevId, Signedness, Type, Value};
use std::collections::HashMap;

/// Registers of the widest elements that are asked at once: to find out whether any of them leaves takes as long as several comparisons.
const REGISTERS: u32 = 2;

/// How many elements are asked at once, at least and at most: their answers are a number that the processor has in one register.
const LEAST_LANES: u32 = 16;
const MOST_LANES: u32 = 64;

/// Bits of the smallest registers that are worth it.
const LEAST_BITS: u32 = 128;

/// Instructions of what is asked of an element: more would not be kept in registers.
const MOST_INSTRUCTIONS: usize = 40;

/// Numbers that one is compared with by one way out.
const MOST_CASES: usize = 8;

/// Blocks that not every iteration comes to.
const MOST_SOMETIMES: usize = 8;

/// What it takes to put the answers together and to go on, in additions of one number.
const ANSWER: u32 = 6;

/// So many times as fast vectors must be.
const LEAST_GAIN: u32 = 2;

/// A value that each iteration hands on.
#[derive(Clone, Copy, Debug)]
pub struct HandedOn<'ir> {
    pub phi: Instruction<'ir>,
    pub change: Change<'ir>,
}

/// What a value is in the next iteration.
#[derive(Clone, Copy, Debug)]
pub enum Change<'ir> {
    /// It has grown by so much, of pointers in bytes.
    Step(i128),
    /// It is the element that was read.
    Read(Read<'ir>),
}

/// A way that data decides.
#[derive(Clone, Debug)]
pub struct Way<'ir> {
    pub from: Block<'ir>,
    pub condition: Value<'ir>,
    /// If there are any, the condition is a number, and holds where it is one of these.
    pub cases: Vec<Value<'ir>>,
    /// Whether it is taken where the condition holds.
    pub if_holds: bool,
}

impl<'ir> Way<'ir> {
    /// The conditions each of which takes the way out, if it is one of several.
    pub fn parts(self) -> Vec<Way<'ir>> {
        let Way { from, condition, if_holds, .. } = self;
        let Some(here) = condition.as_instruction().filter(|_| self.cases.is_empty()) else { return vec![self] };
        let is_truth = |value: Value<'ir>| value.ty().integer_width() == Some(1) && value.as_integer().is_some();
        let is_taken = |value: Value<'ir>| is_truth(value) && (value.as_integer() != Some(0)) == if_holds;
        let joined = match here.opcode() {
            Opcode::Or if if_holds => Some((here.operand(0), here.operand(1))),
            Opcode::And if !if_holds => Some((here.operand(0), here.operand(1))),
            Opcode::Select => here.select().and_then(|(first, then, otherwise)| match if_holds {
                true => is_taken(then).then_some((first, otherwise)),
                false => is_taken(otherwise).then_some((first, then)),
            }),
            _ => None,
        };
        let part = |condition| Way { from, condition, cases: Vec::new(), if_holds }.parts();
        joined.map_or_else(|| vec![self], |(a, b)| [part(a), part(b)].concat())
    }
}

/// A block that not every iteration comes to, and the ways there; those with nothing are taken wherever they begin.
#[derive(Clone, Debug)]
pub struct Sometimes<'ir> {
    pub block: Block<'ir>,
    pub ways: Vec<(Block<'ir>, Option<Way<'ir>>)>,
}

/// Whether a count is of all that leads out of its block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    Only,
    BesideOthers,
}

/// In which iteration, from 0, a way out is taken.
#[derive(Clone, Copy, Debug)]
enum Count {
    Number(ScevId),
    /// The one in which a pointer that grows by two to this power comes to another one, if it does.
    Between {
        first: ScevId,
        end: ScevId,
        power: u32,
    },
}

/// What a search asks.
pub struct Conditions<'ir> {
    pub header: Block<'ir>,
    pub latch: Block<'ir>,
    pub preheader: Block<'ir>,
    /// The blocks that matter, in program order: of a loop that does nothing but search, all.
    pub blocks: Vec<Block<'ir>>,
    /// Where the latch leads if not back, if it is counted and no other way out is.
    pub end: Option<Block<'ir>>,
    pub handed_on: Vec<HandedOn<'ir>>,
    pub ways_out: Vec<Way<'ir>>,
    /// Blocks that only compute, and that not every iteration comes to, in program order.
    pub sometimes: Vec<Sometimes<'ir>>,
    /// What they are computed from in the loop, in program order: counters and reads come without what these are computed from.
    pub asked: Vec<Instruction<'ir>>,
    pub reads: HashMap<Instruction<'ir>, Read<'ir>>,
    pub lanes: u32,
    /// In which iteration, from 0, the ways out that are counted are taken, and from where.
    counts: Vec<(Block<'ir>, Count)>,
    /// What it takes to ask a block of elements, and as many one by one.
    times: [u32; 2],
}

impl<'ir> Conditions<'ir> {
    /// What a loop asks in those of its blocks that matter, given in program order, of which `is_wanted` are computed.
    pub fn of(
        analyses: &Analyses<'_, 'ir>,
        this: &Loop<'ir>,
        blocks: &[Block<'ir>],
        is_wanted: impl Fn(Instruction<'ir>) -> bool,
    ) -> Option<Conditions<'ir>> {
        let (latch, preheader) = (this.latch?, this.preheader?);
        let is_always_run = |block: &Block<'ir>| analyses.dominates(*block, latch);
        if analyses.vector_bits() < LEAST_BITS || !this.simplified || !this.children.is_empty() {
            return None;
        }
        let sometimes = blocks.iter().filter(|block| !is_always_run(block));
        let sometimes = sometimes.map(|block| sometimes_run(this, *block, &is_wanted));
        let sometimes: Vec<Sometimes<'ir>> = sometimes.collect::<Option<_>>()?;
        if sometimes.len() > MOST_SOMETIMES {
            return None;
        }
        let (counts, ways_out) = ways_out(analyses, this, blocks)?;
        let only_end = matches!(counts[..], [(block, Alone::Only, _)] if block == latch);
        let end = latch.successors().into_iter().find(|next| only_end && !this.blocks.contains(next));
        let asked_always: Vec<Way<'ir>> = ways_out.iter().filter(|way| is_always_run(&way.from)).cloned().collect();
        let handed_on = |phi| handed_on(analyses, this, phi, &asked_always);
        let handed_on = this.header.phis().into_iter().filter(|phi| is_wanted(*phi)).map(handed_on);
        let handed_on: Vec<HandedOn<'ir>> = handed_on.collect::<Option<_>>()?;
        let between = sometimes.iter().flat_map(|each| &each.ways).filter_map(|(_, way)| way.as_ref());
        let decided: Vec<&Way<'ir>> = ways_out.iter().chain(between).collect();
        let asked = asked(analyses, (this, blocks), &handed_on, &decided)?;
        let loads: Vec<Instruction<'ir>> = asked.iter().filter(|i| i.opcode() == Opcode::Load).copied().collect();
        let of = |load: &Instruction<'ir>| Read::of(analyses, this, *load);
        let read: Vec<Read<'ir>> = loads.iter().map(of).collect::<Option<_>>()?;
        let together = read.iter().map(|each| each.with(analyses, &read));
        let reads: HashMap<_, _> = loads.into_iter().zip(together).collect();
        let apart = read.iter().map(|read| read.apart() as u32 * 8 * read.size as u32).max();
        let widest = asked.iter().filter_map(|i| width(analyses, i.ty())).chain(apart).max()?;
        let lanes = REGISTERS * analyses.vector_bits() / widest;
        let lanes = (1 << lanes.max(1).ilog2()).clamp(LEAST_LANES, MOST_LANES);
        let cases: usize = decided.iter().map(|way| way.cases.len()).sum();
        let cases = cases as u32 * (lanes * widest).div_ceil(analyses.vector_bits());
        let [block, each] = times(analyses, &asked, &reads, lanes)?;
        let times = [block + cases + 2 * (decided.len() - ways_out.len()) as u32, each];
        let counts = counts.into_iter().map(|(from, _, count)| (from, count)).collect();
        let (header, blocks) = (this.header, blocks.to_vec());
        let all = Conditions {
            header,
            latch,
            preheader,
            blocks,
            end,
            handed_on,
            ways_out,
            sometimes,
            asked,
            reads,
            lanes,
            counts,
            times,
        };
        // What data decides may be something else than whether the loop is left.
        let is_search = !all.ways_out.is_empty() && !all.all_reads().is_empty();
        (is_search && LEAST_GAIN * times[0] <= times[1]).then_some(all)
    }

    /// Whether LLVM asks many elements at once itself, if all of the loop is this search.
    pub fn are_known(&self, analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
        self.ends_with_zero(analyses) || self.is_of_one_object(analyses, this)
    }

    /// What takes so long one by one, if many elements are asked at once.
    pub fn time_of_many(&self, one_by_one: u64) -> u64 {
        let [block, each] = self.times.map(u64::from);
        (one_by_one * block).div_ceil(each.max(1))
    }

    /// Whether all that is looked for is the end of a text: LLVM calls the function for that.
    fn ends_with_zero(&self, analyses: &Analyses<'_, 'ir>) -> bool {
        let [Way { condition, .. }] = &self.ways_out[..] else { return false };
        let compared = condition.as_instruction().and_then(|i| i.icmp());
        let is_zero = compared.is_some_and(|(_, _, with)| with == Value::zero(with.ty()));
        let is_read = compared.and_then(|(_, value, _)| value.as_instruction()).is_some_and(|i| {
            let is_character = [8, 32].map(Some).contains(&i.ty().integer_width());
            is_character && (self.reads.contains_key(&i) || i.is_phi())
        });
        let has_functions = !analyses.function().has_attribute("no-builtins");
        self.counts.is_empty() && is_zero && is_read && has_functions
    }

    /// Whether all elements up to a constant bound are there in any case: LLVM makes vectors of such a search itself, which need no pages.
    fn is_of_one_object(&self, analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> bool {
        let ([(_, Count::Number(count))], [before, after]) = (&self.counts[..], &this.exiting[..]) else {
            return false;
        };
        let constant = analyses.node(*count).constant.filter(|_| self.end.is_some() && before != after);
        let start = self.preheader.terminator().expect("law: a complete block has a terminator");
        let is_there = |read: &Read<'ir>| {
            let bytes = constant.and_then(|count| u64::try_from((count + 1).checked_mul(read.step.abs())?).ok());
            bytes.is_some_and(|bytes| analyses.is_dereferenceable(read.pointer.underlying_object(), bytes, start))
        };
        self.all_reads().iter().all(is_there)
    }

    /// Whether it is known before the loop how many iterations it has at most.
    pub fn is_counted(&self) -> bool {
        !self.counts.is_empty()
    }

    /// From where the ways out lead that are counted, each as often as it has such conditions.
    pub fn counted_from(&self) -> Vec<Block<'ir>> {
        self.counts.iter().map(|(from, _)| *from).collect()
    }

    /// Whatever is read, by conditions or to be handed on.
    pub fn all_reads(&self) -> Vec<Read<'ir>> {
        let asked = self.asked.iter().filter_map(|i| self.reads.get(i)).copied();
        let handed_on = self.handed_on.iter().filter_map(|each| match each.change {
            Change::Read(read) => Some(read),
            Change::Step(_) => None,
        });
        asked.chain(handed_on).collect()
    }

    /// How many iterations certainly lead to the next one as far as that is counted, computed before the loop.
    pub fn steps_left(&self, analyses: &Analyses<'_, 'ir>) -> Value<'ir> {
        let before = self.preheader.terminator().expect("law: a complete block has a terminator");
        let builder = Builder::new(self.header.function().context());
        builder.before(before);
        let word = Type::integer(builder.context(), 64);
        let count = |count: &Count| match *count {
            Count::Number(number) => builder.resize(analyses.expand(number, before), word, Signedness::Unsigned),
            Count::Between { first, end, power } => {
                let address = |of| builder.address(analyses.expand(of, before));
                let bytes = builder.sub(address(end), address(first));
                let inside = builder.binary(Opcode::And, bytes, Value::integer(word, (1 << power) - 1));
                let meets = builder.icmp(IntPredicate::Eq, inside, Value::integer(word, 0));
                let steps = builder.binary(Opcode::LShr, bytes, Value::integer(word, power.into()));
                builder.select(meets, steps, Value::integer(word, -1))
            }
        };
        // The program may leave before it asks for any of them, so that they may be poison.
        let counts: Vec<Value<'ir>> = self.counts.iter().map(|(_, each)| builder.freeze(count(each))).collect();
        counts.into_iter().reduce(|a, b| builder.least(a, b)).unwrap_or_else(|| Value::integer(word, -1))
    }
}

impl Count {
    /// Whether it can be computed before a loop.
    fn can_be_expanded<'ir>(self, analyses: &Analyses<'_, 'ir>, preheader: Block<'ir>) -> bool {
        let end = preheader.terminator().expect("law: a complete block has a terminator");
        match self {
            Count::Number(number) => analyses.can_expand(number, end),
            Count::Between { first, end: last, .. } => [first, last].iter().all(|of| analyses.can_expand(*of, end)),
        }
    }
}

fn is_number(analyses: &Analyses<'_, '_>, count: ScevId) -> bool {
    let node = analyses.node(count);
    !node.is_pointer && node.width <= 64
}

/// When a way out is taken because a pointer has come to another one.
fn between<'ir>(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>, way: &Way<'ir>) -> Option<Count> {
    let Way { condition, if_holds, .. } = way;
    let (predicate, a, b) = condition.as_instruction().filter(|_| way.cases.is_empty())?.icmp()?;
    let leaves_where_equal = predicate == if *if_holds { IntPredicate::Eq } else { IntPredicate::Ne };
    let is_pointer = a.ty().is_pointer() && analyses.function().layout().pointer_width() == 64;
    let [a, b] = [analyses.scev(a)?, analyses.scev(b)?];
    let is_fixed = |scev: &ScevId| analyses.is_invariant(*scev, this.id);
    let (moving, end) = if is_fixed(&b) { (a, b) } else { (b, a) };
    let step = step_of(analyses, this, moving).filter(|step| *step > 0)?;
    let is_counted = leaves_where_equal && is_pointer && is_fixed(&end) && step.count_ones() == 1;
    let first = analyses.node(moving).operands.first().copied()?;
    is_counted.then_some(Count::Between { first, end, power: step.trailing_zeros() })
}

/// The ways out that are counted, and those that data decides.
fn ways_out<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    blocks: &[Block<'ir>],
) -> Option<(Vec<(Block<'ir>, Alone, Count)>, Vec<Way<'ir>>)> {
    let (latch, preheader) = (this.latch?, this.preheader?);
    let is_always_run = |block: &Block<'ir>| analyses.dominates(*block, latch);
    let (mut counts, mut ways_out) = (Vec::new(), Vec::new());
    for block in blocks.iter().filter(|block| this.exiting.contains(block)) {
        let number = analyses.exit_count(this.id, *block).filter(|count| is_number(analyses, *count));
        let count = || number.map(Count::Number).or_else(|| between(analyses, this, &way_out(this, *block)?));
        let counted = count().filter(|_| is_always_run(block));
        match counted.filter(|count| count.can_be_expanded(analyses, preheader)) {
            Some(count) => counts.push((*block, Alone::Only, count)),
            None => {
                for part in way_out(this, *block)?.parts() {
                    let count = between(analyses, this, &part).filter(|_| is_always_run(block));
                    match count.filter(|count| count.can_be_expanded(analyses, preheader)) {
                        Some(count) => counts.push((*block, Alone::BesideOthers, count)),
                        None => ways_out.push(part),
                    }
                }
            }
        }
    }
    Some((counts, ways_out))
}

/// How a block leads out of the loop, if by a condition on a way of its own.
pub fn way_out<'ir>(this: &Loop<'ir>, block: Block<'ir>) -> Option<Way<'ir>> {
    way(block, |next| !this.blocks.contains(&next))
}

/// Where a block leads to some blocks, if that and nothing else is decided there.
fn way<'ir>(from: Block<'ir>, is_wanted: impl Fn(Block<'ir>) -> bool) -> Option<Way<'ir>> {
    let end = from.terminator()?;
    match end.branch() {
        Some(Branch::If { condition, then, otherwise }) => {
            let is_way = is_wanted(then) != is_wanted(otherwise);
            is_way.then_some(Way { from, condition, cases: Vec::new(), if_holds: is_wanted(then) })
        }
        Some(_) => None,
        None => {
            let (condition, default, all) = end.switch()?;
            let if_holds = !is_wanted(default);
            let cases = all.into_iter().filter(|(_, to)| is_wanted(*to) == if_holds).map(|(value, _)| value);
            let cases: Vec<Value<'ir>> = cases.collect();
            (1..=MOST_CASES).contains(&cases.len()).then_some(Way { from, condition, cases, if_holds })
        }
    }
}

/// When iterations come to a block that only computes what is wanted.
fn sometimes_run<'ir>(
    this: &Loop<'ir>,
    block: Block<'ir>,
    is_wanted: &impl Fn(Instruction<'ir>) -> bool,
) -> Option<Sometimes<'ir>> {
    let is_read = |i: &Instruction<'ir>| is_wanted(*i) && i.memory().is_some();
    if block.instructions().iter().any(is_read) {
        return None;
    }
    let way_from = |from: Block<'ir>| {
        let mut inside = from.successors().into_iter().filter(|next| this.blocks.contains(next));
        let is_only = inside.all(|next| next == block);
        if is_only { Some((from, None)) } else { Some((from, Some(way(from, |next| next == block)?))) }
    };
    let ways = block.predecessors().into_iter().map(way_from).collect::<Option<_>>()?;
    Some(Sometimes { block, ways })
}

fn handed_on<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    phi: Instruction<'ir>,
    ways_out: &[Way<'ir>],
) -> Option<HandedOn<'ir>> {
    if phi.incoming_from(this.latch?).is_some_and(|next| is_same(phi, next, ways_out)) {
        return Some(HandedOn { phi, change: Change::Step(0) });
    }
    let is_number = phi.ty().integer_width().is_some_and(|width| width <= 64);
    let step = || step(analyses, this, phi.value()).filter(|_| is_number || phi.ty().is_pointer());
    let load = || phi.incoming_from(this.latch?)?.as_instruction().filter(|i| this.holds(*i) && i.memory().is_some());
    let is_always_run = |block: Block<'ir>| this.latch.is_some_and(|latch| analyses.dominates(block, latch));
    let read =
        || Read::of(analyses, this, load()?).filter(|_| load().and_then(|i| i.block()).is_some_and(is_always_run));
    let change = step().map(Change::Step).or_else(|| read().map(Change::Read))?;
    Some(HandedOn { phi, change })
}

/// Whether the next value is the same where none of these ways out is taken, which each iteration asks, as that of `found` in `found = x[i] == key ? 1 : found; if (x[i] == key) break;`.
fn is_same<'ir>(phi: Instruction<'ir>, next: Value<'ir>, ways_out: &[Way<'ir>]) -> bool {
    let choice = next.as_instruction().and_then(|next| next.select());
    next == phi.value()
        || choice.is_some_and(|(condition, then, otherwise)| {
            let way = ways_out.iter().find(|way| way.condition == condition && way.cases.is_empty());
            way.is_some_and(|way| phi.value() == if way.if_holds { otherwise } else { then })
        })
}

/// What conditions are computed from, in program order, if all of that can be computed of many elements at once.
fn asked<'ir>(
    analyses: &Analyses<'_, 'ir>,
    (this, blocks): (&Loop<'ir>, &[Block<'ir>]),
    handed_on: &[HandedOn<'ir>],
    decided: &[&Way<'ir>],
) -> Option<Vec<Instruction<'ir>>> {
    let mut pending: Vec<Value<'ir>> = decided.iter().map(|way| way.condition).collect();
    let mut found: Vec<Instruction<'ir>> = Vec::new();
    while let Some(value) = pending.pop() {
        let Some(here) = value.as_instruction().filter(|i| this.holds(*i)) else { continue };
        if found.contains(&here) {
            continue;
        }
        found.push(here);
        let is_known = |each: &HandedOn<'ir>| {
            each.phi == here && (here.ty().is_integer() || matches!(each.change, Change::Read(_) | Change::Step(0)))
        };
        let is_number = width(analyses, here.ty()).is_some();
        match here.opcode() {
            _ if !is_number || found.len() > MOST_INSTRUCTIONS => return None,
            Opcode::Phi if handed_on.iter().any(is_known) => {}
            Opcode::Load => {}
            // The iteration that leaves asks again.
            _ if here.can_be_widened() && here.is_exact() => pending.extend(arguments(here)),
            _ => return None,
        }
    }
    let all = blocks.iter().flat_map(|block| block.instructions());
    Some(all.filter(|i| found.contains(i)).collect())
}

/// What an instruction computes with.
pub(super) fn arguments(instruction: Instruction<'_>) -> Vec<Value<'_>> {
    instruction.call().map_or_else(|| instruction.operands(), |call| call.arguments())
}

/// What it takes to ask a block of elements, and as many one by one, in additions of one number.
fn times<'ir>(
    analyses: &Analyses<'_, 'ir>,
    asked: &[Instruction<'ir>],
    reads: &HashMap<Instruction<'ir>, Read<'ir>>,
    lanes: u32,
) -> Option<[u32; 2]> {
    let of_block = |i: &Instruction<'ir>| match reads.get(i) {
        Some(read) => Some(read.time(analyses, lanes)),
        None if i.is_phi() || i.opcode() == Opcode::Freeze => Some(1),
        None => analyses.throughput(*i, lanes),
    };
    let block: u32 = asked.iter().map(of_block).sum::<Option<u32>>()?;
    let each: u32 = asked.iter().map(|i| analyses.throughput(*i, 1).unwrap_or(1)).sum();
    Some([block + ANSWER, (each + 1) * lanes])
}
