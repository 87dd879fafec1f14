//! Rows in the order in which they stand in memory.
//!
//! What is noted of a row is where it begins, where it ends and whether it is written; the first one of each of `a`, `b` and `c`, say, then the second ones.
//! Rows that stand in order are a run; runs are merged, two by two, until there is one (natural merge sort: Knuth, "The Art of Computer Programming" 3,
//! 5.2.4). Tables whose rows were reserved one after the other are few runs. Where there are so many that sorting would take as long as the loops, the
//! original loops run.

use crate::emit::DONE;
use crate::emit::write::loops::counted;
use crate::emit::write::writer::Writer;
use crate::llvm::{Block, Builder, Function, IntPredicate, Opcode, Promise, Type, Value};

/// Words that are noted of a row: where it begins, where it ends, and whether it is written.
pub(super) const WORDS: i128 = 3;

/// Operations on numbers of eight bytes, in vectors, in the time that it takes to merge a row, ten times.
const WORK_TO_MERGE: i128 = 512;

/// What the function is called: one for all loops of a module of which the functions have the same attributes.
const NAME: &str = "loopwright.rows";

fn word_of<'ir>(builder: &Builder<'ir>, memory: Value<'ir>, row: Value<'ir>, at: usize) -> Value<'ir> {
    let place = builder.mul(row, builder.integer(64, WORDS));
    let place = builder.add(place, builder.integer(64, at as i128));
    builder.gep(Type::integer(builder.context(), 64), memory, &[place], Promise::Nothing)
}

fn load_row<'ir>(builder: &Builder<'ir>, memory: Value<'ir>, row: Value<'ir>) -> [Value<'ir>; WORDS as usize] {
    let word = Type::integer(builder.context(), 64);
    std::array::from_fn(|at| builder.load(word, word_of(builder, memory, row, at), None).value())
}

pub(super) fn store_row<'ir>(
    builder: &Builder<'ir>,
    memory: Value<'ir>,
    row: Value<'ir>,
    words: [Value<'ir>; WORDS as usize],
) {
    for (at, value) in words.into_iter().enumerate() {
        builder.store(value, word_of(builder, memory, row, at), None);
    }
}

/// A function of the memory for two times so many rows, the first half of it noted, and what there is to do: sorts them, and tells whether no two of which
/// one is written overlap; or that they do, if it would take too long to find out.
pub(super) fn sorted_and_apart<'ir>(writer: &mut Writer<'_, 'ir>) -> Function<'ir> {
    let context = writer.builder.context();
    let (word, bit, pointer) = (Type::integer(context, 64), Type::integer(context, 1), Type::pointer(context));
    let main = writer.main;
    let others = main.module().functions().into_iter().filter(|other| other.name().starts_with(NAME));
    if let Some(known) = others.into_iter().find(|other| other.has_attribute(DONE) && other.inherits_like(main)) {
        return known;
    }
    let ty = Type::function(bit, &[pointer, word, word]);
    let function = writer.new_function(NAME, ty);
    function.add_attribute("noinline");
    function.add_attribute(DONE);
    function.make_small();
    let builder = Builder::new(context);
    let [entry, enough, sweep, few] = ["entry", "enough", "sweep", "few"].map(|name| function.new_block(name));
    builder.at_end(entry);
    let [memory, count, work] = function.arguments()[..] else { unreachable!("law: the type has three arguments") };
    let sorting = Sorting::begin(&builder, function, memory, count);
    let found = builder.alloca(bit, "apart").value();
    let reached: [Value<'ir>; 2] = ["reached", "written"].map(|name| builder.alloca(word, name).value());
    let (runs, apart) = sorting.count_runs();
    let next = function.new_block("next");
    builder.branch(apart, next, few);
    builder.at_end(next);
    let leading = builder.intrinsic("llvm.ctlz", &[word], &[runs, builder.integer(1, 0)]).value();
    let merges = builder.sub(builder.integer(64, 64), leading);
    let needed = builder.mul(builder.mul(count, merges), builder.integer(64, WORK_TO_MERGE));
    builder.branch(builder.icmp(IntPredicate::Sge, work, needed), enough, few);
    builder.at_end(few);
    builder.return_(Some(builder.integer(1, 0)));
    builder.at_end(enough);
    sorting.merge_all(runs, sweep);
    builder.at_end(sweep);
    builder.store(builder.integer(1, 1), found, None);
    for slot in reached {
        builder.store(builder.integer(64, 0), slot, None);
    }
    let sorted = builder.load(pointer, sorting.from, None).value();
    let last = builder.sub(count, builder.integer(64, 1));
    counted(&builder, function, builder.integer(64, 0), last, &mut |at| {
        let [first, behind, written] = load_row(&builder, sorted, at);
        let is_written = builder.icmp(IntPredicate::Ne, written, builder.integer(64, 0));
        let [of_all, of_written] = reached.map(|slot| builder.load(word, slot, None).value());
        let end = builder.select(is_written, of_all, of_written);
        let is_apart = builder.icmp(IntPredicate::Uge, first, end);
        let is_row = builder.icmp(IntPredicate::Ule, first, behind);
        let so_far = builder.load(bit, found, None).value();
        let both = builder.binary(Opcode::And, is_apart, is_row);
        builder.store(builder.binary(Opcode::And, so_far, both), found, None);
        let larger = |a, b| builder.intrinsic("llvm.umax", &[word], &[a, b]).value();
        builder.store(larger(of_all, behind), reached[0], None);
        builder.store(builder.select(is_written, larger(of_written, behind), of_written), reached[1], None);
    });
    builder.return_(Some(builder.load(bit, found, None).value()));
    function
}

/// Rows that are merged from one half of their memory into the other one.
struct Sorting<'b, 'ir> {
    builder: &'b Builder<'ir>,
    function: Function<'ir>,
    count: Value<'ir>,
    /// Variables: the halves.
    from: Value<'ir>,
    to: Value<'ir>,
    /// How many runs there are; where the first of two begins and both end; which rows are merged next.
    runs: Value<'ir>,
    begin: Value<'ir>,
    middle: Value<'ir>,
    end: Value<'ir>,
    next: [Value<'ir>; 2],
}

impl<'b, 'ir> Sorting<'b, 'ir> {
    fn begin(builder: &'b Builder<'ir>, function: Function<'ir>, memory: Value<'ir>, count: Value<'ir>) -> Self {
        let word = Type::integer(builder.context(), 64);
        let variable = |name: &str| builder.alloca(word, name).value();
        let half = |name: &str| builder.alloca(Type::pointer(builder.context()), name).value();
        let this = Sorting {
            builder,
            function,
            count,
            from: half("from"),
            to: half("to"),
            runs: variable("runs"),
            begin: variable("begin"),
            middle: variable("middle"),
            end: variable("end"),
            next: ["left", "right"].map(variable),
        };
        builder.store(memory, this.from, None);
        builder.store(word_of(builder, memory, count, 0), this.to, None);
        this
    }

    fn number(&self, value: i128) -> Value<'ir> {
        self.builder.integer(64, value)
    }

    fn load(&self, variable: Value<'ir>) -> Value<'ir> {
        self.builder.load(Type::integer(self.builder.context(), 64), variable, None).value()
    }

    fn half(&self, variable: Value<'ir>) -> Value<'ir> {
        self.builder.load(Type::pointer(self.builder.context()), variable, None).value()
    }

    /// Whether a row, one but the first, begins before the one before it.
    fn falls(&self, memory: Value<'ir>, at: Value<'ir>) -> Value<'ir> {
        let before = load_row(self.builder, memory, self.builder.sub(at, self.number(1)))[0];
        self.builder.icmp(IntPredicate::Ugt, before, load_row(self.builder, memory, at)[0])
    }

    /// How many runs there are, at least one; and whether no neighbours of which one is written overlap.
    fn count_runs(&self) -> (Value<'ir>, Value<'ir>) {
        let builder = self.builder;
        let bit = Type::integer(builder.context(), 1);
        let apart = builder.alloca(bit, "neighbours").value();
        builder.store(builder.integer(1, 1), apart, None);
        builder.store(self.number(1), self.runs, None);
        let (memory, last) = (self.half(self.from), builder.sub(self.count, self.number(1)));
        counted(builder, self.function, self.number(1), last, &mut |at| {
            let [first, behind, written] = load_row(builder, memory, builder.sub(at, self.number(1)));
            let [next, end, also] = load_row(builder, memory, at);
            let falls = builder.select(builder.icmp(IntPredicate::Ugt, first, next), self.number(1), self.number(0));
            builder.store(builder.add(self.load(self.runs), falls), self.runs, None);
            let none = builder.icmp(IntPredicate::Eq, builder.binary(Opcode::Or, written, also), self.number(0));
            let before = builder.icmp(IntPredicate::Ule, behind, next);
            let after = builder.icmp(IntPredicate::Ule, end, first);
            let either = builder.binary(Opcode::Or, before, after);
            let so_far = builder.load(bit, apart, None).value();
            builder.store(builder.binary(Opcode::And, so_far, builder.binary(Opcode::Or, none, either)), apart, None);
        });
        (self.load(self.runs), builder.load(bit, apart, None).value())
    }

    /// Merges runs, of which there are so many, until there is one; goes on at `sorted`.
    fn merge_all(&self, runs: Value<'ir>, sorted: Block<'ir>) {
        let builder = self.builder;
        let [pass, merge, exchange] = ["pass", "merge", "exchange"].map(|name| self.function.new_block(name));
        let again =
            |runs: Value<'ir>| builder.branch(builder.icmp(IntPredicate::Sgt, runs, self.number(1)), pass, sorted);
        again(runs);

        builder.at_end(pass);
        builder.store(self.number(0), self.begin, None);
        builder.store(self.number(0), self.runs, None);
        builder.jump(merge);

        builder.at_end(merge);
        self.find_end(self.load(self.begin), self.middle);
        self.find_end(self.load(self.middle), self.end);
        self.merge_two();
        builder.store(builder.add(self.load(self.runs), self.number(1)), self.runs, None);
        let end = self.load(self.end);
        builder.store(end, self.begin, None);
        builder.branch(builder.icmp(IntPredicate::Slt, end, self.count), merge, exchange);

        builder.at_end(exchange);
        let (from, to) = (self.half(self.from), self.half(self.to));
        builder.store(to, self.from, None);
        builder.store(from, self.to, None);
        again(self.load(self.runs));
    }

    /// Finds where the run that begins at a row ends, which is there if there are no more rows.
    fn find_end(&self, begin: Value<'ir>, end: Value<'ir>) {
        let builder = self.builder;
        let [look, on, found] = ["look", "on", "found"].map(|name| self.function.new_block(name));
        let word = Type::integer(builder.context(), 64);
        let second = builder.add(begin, self.number(1));
        builder.store(builder.intrinsic("llvm.smin", &[word], &[second, self.count]).value(), end, None);
        builder.jump(look);
        builder.at_end(look);
        let at = self.load(end);
        let compare = self.function.new_block("compare");
        builder.branch(builder.icmp(IntPredicate::Slt, at, self.count), compare, found);
        builder.at_end(compare);
        builder.branch(self.falls(self.half(self.from), at), found, on);
        builder.at_end(on);
        builder.store(builder.add(at, self.number(1)), end, None);
        builder.jump(look);
        builder.at_end(found);
    }

    /// Merges the two runs that have been found.
    fn merge_two(&self) {
        let builder = self.builder;
        let [begin, middle, end] = [self.begin, self.middle, self.end].map(|variable| self.load(variable));
        let (from, to) = (self.half(self.from), self.half(self.to));
        builder.store(begin, self.next[0], None);
        builder.store(middle, self.next[1], None);
        counted(builder, self.function, begin, builder.sub(end, self.number(1)), &mut |at| {
            let [left, right] = self.next.map(|variable| self.load(variable));
            let has_left = builder.icmp(IntPredicate::Slt, left, middle);
            let is_right_over = builder.icmp(IntPredicate::Sge, right, end);
            let inside = builder.select(is_right_over, left, right);
            let [own, other] = [left, inside].map(|row| load_row(builder, from, row)[0]);
            let is_first = builder.icmp(IntPredicate::Ule, own, other);
            let either = builder.binary(Opcode::Or, is_right_over, is_first);
            let takes_left = builder.binary(Opcode::And, has_left, either);
            store_row(builder, to, at, load_row(builder, from, builder.select(takes_left, left, right)));
            let step = builder.select(takes_left, self.number(1), self.number(0));
            builder.store(builder.add(left, step), self.next[0], None);
            builder.store(builder.add(right, builder.sub(self.number(1), step)), self.next[1], None);
        });
    }
}
