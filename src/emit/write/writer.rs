//! Loops, conditions and sequences of the tree as blocks.
//!
//! `for (c0 = lower; c0 <= upper; c0 += 4) body` becomes the bottom-tested loop that LLVM's own passes make of it,
//!
//!     before:  br (lower <= upper), loop, after
//!     loop:    c0 = phi [lower, before], [next, ...]     body     next = add nsw c0, 4     br (next < upper + 1), loop, after
//!
//! where `next` cannot wrap because the bounds' ranges were proved to leave room. Nothing but the iterator lives in a phi: scalars of the model go through memory,
//! from which LLVM promotes them. An innermost loop that carries no dependence says so (`llvm.loop.parallel_accesses`), and accesses of different arrays say that they never meet.

use super::ends::{Buffer, Ends};
use super::frame::{Captured, captured};
use super::keeping::Keeping;
use super::loops::{Entered, at_once};
use super::written::Written;
use crate::ast::{Expr, For, Node};
use crate::emit::arith::bounds::{Arithmetic, Bounds, Known};
use crate::emit::plan::Plan;
use crate::emit::plan::reduction::contains_loop;
use crate::extract::region::pragmas::Unrolling;
use crate::llvm::instruction::Address;
use crate::llvm::{
    Block, Builder, Function, Instruction, IntPredicate, Location, LoopHint, Metadata, Type, Value, ValueKind,
};
use crate::presburger::Id;
use crate::schedule::loops::nest::{OWN_VECTORS, STREAMS, lanes_of_mark};
use crate::scop::{ArrayId, Table};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An array that a part has a copy of.
pub struct Replaced<'ir> {
    pub array: ArrayId,
    /// The statements that use the copy; all, if none are named.
    pub only: Option<BTreeSet<Id>>,
    /// The slot, or the address that stands for the array's base.
    pub by: Value<'ir>,
}

/// The function that iterations of a parallel loop are written into, apart from the one that contains the original loops.
pub struct Part<'ir> {
    pub function: Function<'ir>,
    /// Writes at the end of the entry block, which has no terminator yet.
    pub entry: Builder<'ir>,
    /// Points to the captured values.
    pub frame: Value<'ir>,
    pub captured: Captured<'ir>,
    imported: HashMap<Value<'ir>, Value<'ir>>,
    /// Arrays outside for which it has memory of its own.
    pub own: Vec<Value<'ir>>,
    slots: BTreeMap<ArrayId, Value<'ir>>,
    /// The arrays that it has copies of.
    pub private: Vec<Replaced<'ir>>,
    /// Where it notes that the pair is replaced whose last member is in this array.
    pub flags: BTreeMap<ArrayId, Value<'ir>>,
    pub(super) outer: BTreeMap<Id, Known<'ir>>,
}

impl<'ir> Part<'ir> {
    /// Has memory at `copy` stand for that at `base` outside.
    pub fn use_own(&mut self, base: Value<'ir>, copy: Value<'ir>) {
        self.imported.insert(base, copy);
        self.own.push(base);
    }
}

/// Writes what is inside of a node of the tree.
pub type Inside<'w, 'p, 'ir> = &'w mut dyn FnMut(&mut Writer<'p, 'ir>, &Node);

/// Whose memory it is that an access of a scalar or of an array touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Each element has its own.
    OfOne,
    /// Several elements, one after the other.
    OfSeveral,
}

/// Writes the new code of one region.
pub struct Writer<'p, 'ir> {
    pub plan: &'p Plan<'p, 'ir>,
    pub builder: Builder<'ir>,
    /// The function that contains the original loops.
    pub main: Function<'ir>,
    /// Parameters and iterators, as values of the function being written.
    pub names: BTreeMap<Id, Known<'ir>>,
    pub buffers: BTreeMap<ArrayId, Buffer<'ir>>,
    /// Which bytes of arrays are touched, where that was measured.
    pub measured: BTreeMap<ArrayId, Ends<'ir>>,
    /// Functions made on the way.
    pub functions: Vec<Function<'ir>>,
    /// A place for calls.
    pub location: Option<Location<'ir>>,
    pub part: Option<Part<'ir>>,
    /// The end of the block that reserves memory for what is written apart.
    pub(in crate::emit) apart: Option<Instruction<'ir>>,
    pub(super) writing: Option<Written<'p>>,
    slots: BTreeMap<ArrayId, Value<'ir>>,
    /// For each array: the scopes its accesses are in, and those they are not in.
    scopes: Table<ArrayId, (Metadata<'ir>, Metadata<'ir>)>,
    /// The access group of the innermost loop, if that carries no dependence.
    pub(super) group: Option<Metadata<'ir>>,
    /// How many instances run in what has been written of the loop around: those of loops with bounds that are not
    /// constant count once.
    instances: u64,
    /// Iterators of loops around with constant bounds, or such as are computed from these.
    constant: BTreeSet<Id>,
    /// The places of elements in windows, by their subscripts, and the loops around and sizes of these.
    pub(super) places: HashMap<(Value<'ir>, Id, i64), Known<'ir>>,
    /// Whether copies of statements read rows that are streams of their own.
    pub(in crate::emit) is_in_streams: bool,
    /// Of the vectors that a strip is made of, where one is being written.
    lanes: Option<u32>,
    /// So many guards of each instance in the loop being written were asked before that.
    pub(in crate::emit) answered: usize,
    /// Elements that are in registers in the iteration being written.
    pub(in crate::emit) keeping: Keeping<'p, 'ir>,
    /// Of last numbers of loops that were computed from them.
    pub(super) behind: HashMap<Value<'ir>, Known<'ir>>,
}

/// The most instances in constant loops that LLVM may write out one by one: a product of 8x8 matrices. It looks at one loop at a time, after those inside of it, and
/// so writes out 16 iterations of a tile, then all tiles: a nest of 100x100 becomes one block of thousands of instructions, and blocks take it time that grows with their square.
const MOST_WRITTEN_OUT: u64 = 512;

/// Loops in which no more than this runs are innermost ones for LLVM, once what is inside is written out.
const SHORT: u64 = 16;

impl<'p, 'ir> Writer<'p, 'ir> {
    pub fn new(plan: &'p Plan<'p, 'ir>, builder: Builder<'ir>, main: Function<'ir>) -> Self {
        Writer {
            plan,
            scopes: alias_scopes(plan, &builder),
            builder,
            main,
            names: BTreeMap::new(),
            buffers: BTreeMap::new(),
            measured: BTreeMap::new(),
            functions: Vec::new(),
            location: None,
            part: None,
            apart: None,
            writing: None,
            slots: BTreeMap::new(),
            group: None,
            instances: 0,
            constant: BTreeSet::new(),
            places: HashMap::new(),
            is_in_streams: false,
            lanes: None,
            answered: 0,
            keeping: Keeping::nothing(),
            behind: HashMap::new(),
        }
    }

    pub fn arithmetic(&self) -> Arithmetic<'_, 'ir> {
        Arithmetic { builder: &self.builder, bounds: Bounds::Established }
    }

    /// The function being written.
    pub fn function(&self) -> Function<'ir> {
        self.part.as_ref().map_or(self.main, |part| part.function)
    }

    pub fn new_block(&self, name: &str) -> Block<'ir> {
        self.function().new_block(name)
    }

    pub fn value(&mut self, expr: &Expr) -> Known<'ir> {
        self.bring(expr);
        self.arithmetic().value(expr, &|name| self.names[name])
    }

    pub fn truth(&mut self, expr: &Expr) -> Value<'ir> {
        self.bring(expr);
        self.arithmetic().truth(expr, &|name| self.names[name])
    }

    fn bring(&mut self, expr: &Expr) {
        let mut wanted = Vec::new();
        expr.names(&mut |name| wanted.push(name.clone()));
        wanted.iter().for_each(|name| {
            self.named(name);
        });
    }

    /// The value of a parameter or iterator.
    pub fn named(&mut self, name: &Id) -> Known<'ir> {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let outer = self.part.as_ref().and_then(|part| part.outer.get(name).copied());
        let outer = outer.expect("law: planned expressions name parameters and iterators of loops around them");
        let known = Known { value: self.import(outer.value), ..outer };
        self.names.insert(name.clone(), known);
        known
    }

    /// A value of the outer function, in the function being written: of the thread that runs the outer function.
    pub fn import(&mut self, value: Value<'ir>) -> Value<'ir> {
        let Some(part) = &mut self.part else { return value };
        let is_of_function = matches!(value.kind(), ValueKind::Instruction | ValueKind::Argument);
        let is_own = part.own.contains(&value);
        if !is_own && !is_of_function && !value.is_thread_dependent() {
            return value;
        }
        if let Some(known) = part.imported.get(&value) {
            return *known;
        }
        if self.is_into_own(value) {
            return self.import_address(value);
        }
        let part = self.part.as_mut().expect("law: values are imported into a part");
        let place = part.captured.add(value, &part.entry);
        let copy = captured(&part.entry, part.frame, place, value.ty());
        part.imported.insert(value, copy);
        copy
    }

    /// Whether an address is computed from that of an array that the part being written has of its own.
    fn is_into_own(&self, value: Value<'ir>) -> bool {
        let Some(address) = Address::of_value(value) else { return false };
        let is_own = |base| self.part.as_ref().is_some_and(|part| part.own.contains(&base));
        is_own(address.base) || self.is_into_own(address.base)
    }

    /// The same address in the part's own array, computed where the part begins.
    fn import_address(&mut self, value: Value<'ir>) -> Value<'ir> {
        let original = value.as_instruction().expect("law: the address of a variable on the stack is an instruction");
        let operands = original.operands().into_iter();
        let known: HashMap<Value<'ir>, Value<'ir>> = operands.map(|operand| (operand, self.import(operand))).collect();
        let part = self.part.as_mut().expect("law: values are imported into a part");
        let copy = part.entry.copy(original, |operand| known[&operand]).value();
        part.imported.insert(value, copy);
        copy
    }

    /// Starts to write into another function; names of this one are captured when used, behind those already there.
    pub fn enter_part(
        &mut self,
        function: Function<'ir>,
        entry: Builder<'ir>,
        frame: Value<'ir>,
        captured: Captured<'ir>,
    ) {
        assert!(self.part.is_none(), "law: parallel loops do not nest");
        let outer = std::mem::take(&mut self.names);
        self.part = Some(Part {
            function,
            entry,
            frame,
            captured,
            imported: HashMap::new(),
            own: Vec::new(),
            slots: BTreeMap::new(),
            private: Vec::new(),
            flags: BTreeMap::new(),
            outer,
        });
    }

    pub fn leave_part(&mut self) -> Part<'ir> {
        let mut part = self.part.take().expect("law: what is left was entered");
        self.names = std::mem::take(&mut part.outer);
        part
    }

    /// The slot of a scalar, as a pointer of the function being written.
    pub fn slot(&mut self, array: ArrayId, element: Type<'ir>) -> Value<'ir> {
        if let Some(copy) = self.private_copy(array) {
            return copy;
        }
        let slot = match self.slots.get(&array) {
            Some(slot) => *slot,
            None => {
                let slot = self.reserve(element, "slot");
                self.slots.insert(array, slot);
                slot
            }
        };
        self.import(slot)
    }

    /// The slot of a scalar that each part of a loop has for itself.
    pub fn private_slot(&mut self, array: ArrayId, element: Type<'ir>) -> Value<'ir> {
        let copy = self.private_copy(array);
        match (copy, &mut self.part) {
            (None, Some(part)) => {
                let entry = &part.entry;
                *part.slots.entry(array).or_insert_with(|| entry.alloca(element, "slot").value())
            }
            _ => self.slot(array, element),
        }
    }

    /// The copy that the part of a loop being written has of an array, for the statement being written.
    pub fn private_copy(&self, array: ArrayId) -> Option<Value<'ir>> {
        let is_used = |only: &BTreeSet<Id>| self.writing.as_ref().is_some_and(|own| only.contains(&own.statement));
        let mut own = self.part.iter().flat_map(|part| &part.private).filter(|copy| copy.array == array);
        own.find(|copy| copy.only.as_ref().is_none_or(is_used)).map(|copy| copy.by)
    }

    /// Stack memory of the main function, for one value: it is there in each of its calls, whether they come to the loops or not.
    pub fn reserve(&self, ty: Type<'ir>, name: &str) -> Value<'ir> {
        let entry = self.main.entry().expect("law: a function with loops has an entry block");
        let builder = Builder::new(self.builder.context());
        match entry.first_instruction() {
            Some(first) => builder.before(first),
            None => builder.at_end(entry),
        }
        builder.alloca(ty, name).value()
    }

    /// Says that arrays are known to be apart as long as these loops run: with other values of the pointers, in the next iteration of a loop around them, they need not be.
    pub fn declare_scopes(&self) {
        self.scopes.iter().for_each(|(inside, _)| self.builder.declare_scopes(*inside));
    }

    /// Marks a load or store of an array.
    pub fn mark(&self, access: Instruction<'ir>, array: ArrayId, memory: Memory) {
        let (inside, outside) = self.scopes[array];
        access.set_metadata("alias.scope", Some(inside));
        access.set_metadata("noalias", Some(outside));
        access.set_metadata("llvm.access.group", self.group.filter(|_| memory == Memory::OfOne));
        access.set_metadata("llvm.mem.parallel_loop_access", None);
        if self.plan.binding.arrays[array].types.len() > 1 {
            access.set_metadata("tbaa", None);
        }
    }

    pub fn node(&mut self, node: &Node) {
        match node {
            Node::For(each) if each.degenerate => self.walk(node, &mut Writer::node),
            Node::For(each) if self.plan.reductions.private.contains_key(&each.iterator) => self.reducing_for(each),
            Node::For(each) if self.plan.parallel.contains(&each.iterator) => self.parallel_for(each),
            Node::For(each) if each.pipelined => self.pipelined_for(each),
            Node::For(each) => {
                let (lower, upper) = (self.value(&each.lower), self.last(&each.upper));
                self.sequential_for(each, lower, upper);
            }
            Node::User { statement, arguments } => {
                let iterators = self.arguments(arguments);
                self.instances = self.instances.saturating_add(1);
                self.writing = Some(Written::at(self.plan, statement, arguments));
                self.statement(self.plan.statement(statement), &iterators);
                self.plan.settings.provoke("write");
                self.writing = None;
                self.keeping.next_instance();
            }
            Node::Mark { id, body } => {
                let outer = (self.is_in_streams, self.lanes);
                self.is_in_streams |= id.as_str() == STREAMS;
                self.lanes = lanes_of_mark(id.as_str()).or(self.lanes);
                self.node(body);
                (self.is_in_streams, self.lanes) = outer;
            }
            _ => self.walk(node, &mut Writer::node),
        }
    }

    /// What an instance is run with.
    pub fn arguments(&mut self, arguments: &[Expr]) -> Vec<Known<'ir>> {
        arguments.iter().map(|argument| self.value(argument)).collect()
    }

    /// A loop on one thread, a condition or a sequence; what is inside is up to `inside`.
    pub fn walk(&mut self, node: &Node, inside: Inside<'_, 'p, 'ir>) {
        match node {
            Node::For(each) if each.degenerate => {
                let only = self.value(&each.lower);
                self.names.insert(each.iterator.clone(), only);
                if self.is_constant(&each.lower) {
                    self.constant.insert(each.iterator.clone());
                }
                inside(self, &each.body);
            }
            Node::For(each) => {
                let (lower, upper) = (self.value(&each.lower), self.value(&each.upper));
                self.for_(each, lower, upper, inside);
            }
            Node::If { condition, then, otherwise } => self.if_(condition, then, otherwise.as_deref(), inside),
            Node::Block(parts) | Node::Sections { parts, .. } => parts.iter().for_each(|part| inside(self, part)),
            Node::Mark { body, .. } => inside(self, body),
            Node::User { .. } => unreachable!("law: what instances do is up to who walks"),
            Node::Steps(_) | Node::Test { .. } => unreachable!("law: the plan has refused loops that data ends"),
        }
    }

    fn if_(&mut self, condition: &Expr, then: &Node, otherwise: Option<&Node>, inside: Inside<'_, 'p, 'ir>) {
        let condition = self.truth(condition);
        let (yes, after) = (self.new_block("then"), self.new_block("fi"));
        let no = otherwise.map(|node| (node, self.new_block("else")));
        self.builder.branch(condition, yes, no.map_or(after, |(_, block)| block));
        for (node, block) in [Some((then, yes)), no].into_iter().flatten() {
            self.builder.at_end(block);
            inside(self, node);
            self.builder.jump(after);
        }
        self.builder.at_end(after);
    }

    /// The iterations from `lower` to `upper`.
    pub fn sequential_for(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) {
        let plan = self.plan;
        match (plan.kept.get(&each.iterator), plan.guarded.loops.get(&each.iterator)) {
            (Some(kept), _) => self.keeping_for(each, kept, (lower, upper)),
            (None, Some(guarded)) => self.guarded_for(each, guarded, (lower, upper)),
            (None, None) => self.for_in_blocks(each, lower, upper),
        }
    }

    pub(super) fn for_(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>, inside: Inside<'_, 'p, 'ir>) {
        let context = self.builder.context();
        let Entered { written, counter, behind } = self.enter(each, lower, upper);
        let is_independent =
            each.coincident && !self.plan.reductions.carrying.contains(&each.iterator) && !contains_loop(&each.body);
        let group = is_independent.then(|| Metadata::access_group(context));
        let outer_group = std::mem::replace(&mut self.group, group);
        let step = each.step.as_i64().expect("law: a planned step has 64 bits");
        let again = counter.range.high.saturating_sub(counter.range.low) / i128::from(step);
        let is_too_long = self.body(each, again, inside);
        self.group = outer_group;
        let arithmetic = self.arithmetic();
        let next = arithmetic.add(counter, arithmetic.constant(step.into())).value;
        let goes_on = self.builder.icmp(IntPredicate::Slt, next, behind.value);
        let branch = written.leave(&self.builder, next, goes_on);
        let is_kept = is_too_long || self.plan.binding.region.unrolling == Unrolling::Forbidden;
        let kept = is_kept.then_some(LoopHint::DisableUnrolling);
        let around = contains_mark(&each.body, OWN_VECTORS).then_some(LoopHint::DisableVectorization);
        let strip = self.lanes.map_or_else(Vec::new, |lanes| at_once(each, lanes));
        let others = [group.map(LoopHint::ParallelAccesses), kept, around].into_iter().flatten();
        let hints: Vec<_> = others.chain(strip).collect();
        if !hints.is_empty() {
            branch.set_metadata("llvm.loop", Some(Metadata::loop_hints(context, &hints)));
        }
    }

    fn is_constant(&self, bound: &Expr) -> bool {
        let mut is_constant = true;
        bound.names(&mut |name| is_constant &= self.constant.contains(name));
        is_constant
    }

    /// Writes the body of a loop that runs at most `again` times more than once, and says whether LLVM should keep the loop because what it
    /// would write out is too long.
    fn body(&mut self, each: &For, again: i128, inside: Inside<'_, 'p, 'ir>) -> bool {
        let is_shared = self.plan.parallel.contains(&each.iterator);
        let is_constant = !is_shared && self.is_constant(&each.lower) && self.is_constant(&each.upper);
        if is_constant {
            self.constant.insert(each.iterator.clone());
        }
        let before = std::mem::take(&mut self.instances);
        inside(self, &each.body);
        self.constant.remove(&each.iterator);
        let inside = self.instances;
        let trips = u64::try_from(again).unwrap_or(u64::MAX).saturating_add(1);
        let all = inside.saturating_mul(if is_constant { trips } else { 1 });
        self.instances = before.saturating_add(all);
        is_constant && inside > SHORT && all > MOST_WRITTEN_OUT && contains_loop(&each.body)
    }
}

/// Whether a mark is below a node, with no loop in between.
fn contains_mark(node: &Node, mark: &str) -> bool {
    match node {
        Node::Mark { id, .. } if id.as_str() == mark => true,
        Node::For(each) if !each.degenerate => false,
        _ => node.children().into_iter().any(|child| contains_mark(child, mark)),
    }
}

fn alias_scopes<'ir>(plan: &Plan<'_, 'ir>, builder: &Builder<'ir>) -> Table<ArrayId, (Metadata<'ir>, Metadata<'ir>)> {
    let context = builder.context();
    let domain = Metadata::alias_domain(context, "loopwright");
    let arrays = &plan.binding.arrays;
    let scopes = arrays.map(|(_, array)| Metadata::alias_scope(context, domain, array.id.as_str()));
    let entangled = &plan.binding.entangled;
    let is_apart = |a: ArrayId, b: ArrayId| a != b && !entangled.contains(&(a, b)) && !entangled.contains(&(b, a));
    let others = |at: ArrayId| scopes.ids().filter(|other| is_apart(at, *other)).map(|at| scopes[at]).collect();
    scopes.map(|(at, own)| {
        let others: Vec<Metadata<'ir>> = others(at);
        (Metadata::node(context, &[*own]), Metadata::node(context, &others))
    })
}
