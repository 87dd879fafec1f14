//! Whether accesses of a loop touch different bytes, asked before the loop.
//!
//! ```c
//! int f(int n, const double *a, double *b) { for (int i = 0; i < n; i++) { if (a[i] < 0) return -1;  b[i] = g(a[i]); }  return 0; }
//! ```
//!
//! reads the bytes from `a` to `a + n` for its exit at most, and writes those from `b` to `b + n`. Where these do not overlap the exit can be found first
//! ([`super::exits`]). Each range begins at an address that is known before the loop and is as long as all steps of the loops around the access; numbers of steps, and
//! steps that are no constants, have to be small, so that no sum of them wraps around.

pub(super) mod behind;
pub(super) mod steps;

use crate::llvm::scev::CountKind;
use crate::llvm::{
    Analyses, Builder, Instruction, IntPredicate, Loop, LoopId, Opcode, ScevId, Signedness, Type, Value,
};
use steps::{Narrow, Steps, steps};

/// Pairs of ranges that are compared.
const MOST_PAIRS: usize = 12;

/// Steps inside one another.
const MOST_STEPS: usize = 4;

/// Ranges that begin so many bytes after one another are one.
const NEAR: i128 = 4096;

/// Bits of a number of steps, and of one step.
const BITS: u32 = 30;

/// The bytes that an access may touch in all iterations of a loop.
#[derive(Clone, PartialEq, Eq)]
struct Range {
    base: ScevId,
    /// Bytes from the base in the first iterations.
    start: ScevId,
    bytes: i128,
    /// Each with how often it is taken at most.
    steps: Vec<(ScevId, ScevId)>,
    /// Numbers that the offset is computed from, and that must not wrap around.
    narrow: Vec<Bounded>,
}

/// A number with room in so many bits.
#[derive(Clone, PartialEq, Eq)]
struct Bounded {
    start: ScevId,
    steps: Vec<(ScevId, ScevId)>,
    bits: u32,
    signedness: Signedness,
}

/// Ranges that have to be apart, in pairs.
#[derive(Clone, Default)]
pub(super) struct Apart(Vec<[Range; 2]>);

impl Apart {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Asks also whether accesses of two objects are apart; false if that cannot be asked at `before`, which comes before the loop.
    pub(super) fn ask<'ir>(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        place: (&Loop<'ir>, Instruction<'ir>),
        pair: [Instruction<'ir>; 2],
    ) -> bool {
        // Of one array it is known how its elements lie.
        let base = |i: Instruction<'ir>| Some(analyses.base_and_offset(analyses.scev(i.memory()?.pointer)?).0);
        base(pair[0]) != base(pair[1]) && self.ask_of_any(analyses, place, pair)
    }

    /// The same of accesses that may be of one object.
    pub(super) fn ask_of_any<'ir>(
        &mut self,
        analyses: &Analyses<'_, 'ir>,
        (this, before): (&Loop<'ir>, Instruction<'ir>),
        pair: [Instruction<'ir>; 2],
    ) -> bool {
        let [Some(one), Some(other)] = pair.map(|access| range(analyses, this, before, access)) else { return false };
        let pair = [one, other];
        if !self.0.contains(&pair) {
            self.0.push(pair);
        }
        self.0.len() <= MOST_PAIRS
    }

    /// Computes before an instruction whether all are.
    pub(super) fn asked<'ir>(&self, analyses: &Analyses<'_, 'ir>, before: Instruction<'ir>) -> Value<'ir> {
        let known = |[one, other]: &[Range; 2]| [one.known(analyses, before), other.known(analyses, before)];
        let pairs: Vec<[Known<'ir>; 2]> = self.0.iter().map(known).collect();
        let builder = Builder::new(before.context());
        builder.before(before);
        let mut all = builder.integer(1, 1);
        for [one, other] in pairs {
            let [(a, a_bytes), (b, b_bytes)] = [&one, &other].map(|known| known.bytes(&builder));
            let mut parts = [one.is_small(&builder), other.is_small(&builder)].concat();
            parts.extend(are_apart(&builder, [(a, a_bytes), (b, b_bytes)]));
            parts.extend([&one, &other].iter().flat_map(|known| known.have_room(&builder)));
            // An address of what is touched only under a condition may be poison where it is not, and says nothing of others then.
            let apart = parts.into_iter().reduce(|all, part| builder.binary(Opcode::And, all, part));
            all = apart.into_iter().fold(all, |all, part| builder.binary(Opcode::And, all, builder.freeze(part)));
        }
        all
    }
}

/// Whether ranges, each with its first address and its bytes, are apart: as far round the address space from one to the other as it has bytes, and back.
pub(super) fn are_apart<'ir>(
    builder: &Builder<'ir>,
    [(a, a_bytes), (b, b_bytes)]: [(Value<'ir>, Value<'ir>); 2],
) -> [Value<'ir>; 2] {
    let behind = |from, to, bytes| builder.icmp(IntPredicate::Uge, builder.sub(to, from), bytes);
    [behind(a, b, a_bytes), behind(b, a, b_bytes)]
}

/// A range whose parts are computed.
struct Known<'ir> {
    /// Nothing if it is not known yet.
    base: Option<Value<'ir>>,
    start: Value<'ir>,
    bytes: i128,
    steps: Taken<'ir>,
    /// What has to be small.
    small: Vec<Value<'ir>>,
    /// The starts of numbers that must have room in so many bits, and their steps.
    narrow: Vec<(Value<'ir>, Taken<'ir>, u32, Signedness)>,
}

/// Steps, constants or not, with their numbers.
type Taken<'ir> = Vec<(Option<i128>, Value<'ir>, Value<'ir>)>;

impl<'ir> Known<'ir> {
    /// The first address, or how far it is from the base if that is not known yet, and how many bytes there are.
    fn bytes(&self, builder: &Builder<'ir>) -> (Value<'ir>, Value<'ir>) {
        let base = self.base.map(|base| builder.address(base));
        let [before, behind] = reach(builder, &self.steps);
        let start = base.map_or(self.start, |base| builder.add(base, self.start));
        let first = builder.add(start, before);
        let bytes = builder.add(builder.integer(64, self.bytes), builder.sub(behind, before));
        (first, bytes)
    }

    /// Whether what has to be small is.
    fn is_small(&self, builder: &Builder<'ir>) -> Vec<Value<'ir>> {
        let limit = builder.integer(64, 1 << BITS);
        self.small.iter().map(|number| builder.icmp(IntPredicate::Ult, *number, limit)).collect()
    }

    /// Whether numbers have room in their bits.
    fn have_room(&self, builder: &Builder<'ir>) -> Vec<Value<'ir>> {
        let limits = |bits: u32, signedness: Signedness| match signedness {
            Signedness::Signed => [-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1],
            Signedness::Unsigned => [0, (1i128 << bits) - 1],
        };
        let has_room = |(start, steps, bits, signedness): &(Value<'ir>, Taken<'ir>, u32, Signedness)| {
            let [least, most] = reach(builder, steps).map(|end| builder.add(*start, end));
            let [low, high] = limits(*bits, *signedness).map(|limit| builder.integer(64, limit));
            [builder.icmp(IntPredicate::Sge, least, low), builder.icmp(IntPredicate::Sle, most, high)]
        };
        self.narrow.iter().flat_map(has_room).collect()
    }
}

/// How far steps lead back and forth.
fn reach<'ir>(builder: &Builder<'ir>, steps: &Taken<'ir>) -> [Value<'ir>; 2] {
    let [mut back, mut forth] = [builder.integer(64, 0), builder.integer(64, 0)];
    for (constant, step, times) in steps {
        let far = builder.mul(*step, *times);
        match constant.is_some_and(|step| step < 0) {
            true => back = builder.add(back, far),
            false => forth = builder.add(forth, far),
        }
    }
    [back, forth]
}

impl Range {
    fn known<'ir>(&self, analyses: &Analyses<'_, 'ir>, before: Instruction<'ir>) -> Known<'ir> {
        let base = Some(analyses.expand(self.base, before));
        Known { base, ..self.known_from_base(analyses, before) }
    }

    /// The same without the address at which it begins.
    fn known_from_base<'ir>(&self, analyses: &Analyses<'_, 'ir>, before: Instruction<'ir>) -> Known<'ir> {
        let mut small = Vec::new();
        let mut taken = |steps: &[(ScevId, ScevId)]| -> Taken<'ir> {
            let each = |(step, times): &(ScevId, ScevId)| {
                let constant = analyses.node(*step).constant;
                let [step, times] = [*step, *times].map(|part| analyses.expand(part, before));
                small.push(times);
                small.extend(constant.is_none().then_some(step));
                (constant, step, times)
            };
            steps.iter().map(each).collect()
        };
        let start = analyses.expand(self.start, before);
        let steps = taken(&self.steps);
        let bounded =
            |each: &Bounded| (analyses.expand(each.start, before), taken(&each.steps), each.bits, each.signedness);
        let narrow = self.narrow.iter().map(bounded).collect();
        Known { base: None, start, bytes: self.bytes, steps, narrow, small }
    }

    /// The range of both, if they begin near one another and are as long.
    fn joined(&self, analyses: &Analyses<'_, '_>, other: &Range) -> Option<Range> {
        let is_alike = self.base == other.base && self.steps == other.steps && self.narrow == other.narrow;
        let distance = analyses.node(analyses.difference(other.start, self.start)?).constant?;
        let (first, then, distance) = if distance < 0 { (other, self, -distance) } else { (self, other, distance) };
        let bytes = first.bytes.max(distance + then.bytes);
        (is_alike && distance <= NEAR).then(|| Range { bytes, ..first.clone() })
    }
}

/// The range of an access, if all of it can be computed at `before`.
fn range<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    before: Instruction<'ir>,
    access: Instruction<'ir>,
) -> Option<Range> {
    let range = range_from_base(analyses, this, before, access)?;
    let is_known = analyses.is_invariant(range.base, this.id) && analyses.can_expand(range.base, before);
    is_known.then_some(range)
}

/// The same if it can be but for the address at which it begins.
fn range_from_base<'ir>(
    analyses: &Analyses<'_, 'ir>,
    this: &Loop<'ir>,
    before: Instruction<'ir>,
    access: Instruction<'ir>,
) -> Option<Range> {
    let memory = access.memory().filter(|memory| memory.is_common())?;
    let (base, offset) = analyses.base_and_offset(analyses.scev(memory.pointer)?);
    let layout = this.header.function().layout();
    let word = Type::integer(before.context(), 64);
    let is_small = |step: i128| step.abs() < 1 << BITS;
    let is_known = |part: ScevId| analyses.is_invariant(part, this.id) && analyses.can_expand(part, before);
    let Steps { start, steps, narrow } = steps(analyses, this, offset)?;
    let with_times = |(id, by): (LoopId, ScevId)| {
        let times = analyses.backedges(id, CountKind::Exact)?;
        let times = analyses.resized(times, word, Signedness::Unsigned);
        let is_step = analyses.node(by).constant.is_none_or(is_small) && analyses.node(by).width == 64;
        (is_step && is_known(by) && is_known(times)).then_some((by, times))
    };
    let taken = |steps: Vec<(LoopId, ScevId)>| steps.into_iter().map(with_times).collect::<Option<Vec<_>>>();
    let steps = taken(steps)?;
    let bounded = |Narrow { start, steps, bits, signedness }: Narrow| {
        let is_fine = is_known(start) && analyses.node(start).width == 64 && steps.len() <= MOST_STEPS;
        Some(Bounded { start, steps: taken(steps).filter(|_| is_fine)?, bits, signedness })
    };
    let narrow = narrow.into_iter().map(bounded).collect::<Option<Vec<_>>>()?;
    let is_wide = layout.store_size(memory.pointer.ty()) == 8 && analyses.node(start).width == 64;
    let bytes = i128::from(layout.store_size(memory.ty));
    let is_short = steps.len() <= MOST_STEPS && is_small(bytes);
    (is_wide && is_short && is_known(start)).then_some(Range { base, start, bytes, steps, narrow })
}
