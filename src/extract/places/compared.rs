//! Numbers that conditions compare, and which of them can say something of one another.
//!
//! ```c
//! for (int k = ptr[i]; k < ptr[i + 1]; k++) if (x[k] > t) val[k] *= s[i];
//! ```
//!
//! What holds between `k` and `ptr[i + 1]` where `val[k]` is reached follows from a condition in which both occur, or parts of them. No condition has both
//! `k` and `t`, so LLVM need not be asked, which takes it a walk through all conditions on the way to that block.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::polynomial::Polynomial;
use crate::llvm::{Analyses, Block, Instruction, LoopId, Opcode, ScevId, Value};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// So many different numbers that conditions of the region compare are looked at.
const MOST_COMPARED: usize = 40;

/// So deep LLVM looks into what computes a value that is no expression of its own.
const DEEPEST: usize = 3;

/// What expressions are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf<'ir> {
    Value(Value<'ir>),
    /// The counter of a loop.
    Loop(LoopId),
}

type Leaves<'ir> = Rc<HashSet<Leaf<'ir>>>;

/// The numbers that conditions of the region compare, and what is known of them in its blocks: many accesses of one block ask the same.
pub(super) struct Compared<'ir> {
    pub values: Vec<Value<'ir>>,
    /// Expressions as polynomials, in the scope of the block; none where something would have to be assumed.
    pub read: RefCell<HashMap<(Block<'ir>, ScevId), Option<Polynomial>>>,
    /// Whether nothing is read for an expression that is read behind the block only.
    pub is_there: RefCell<HashMap<(Block<'ir>, ScevId), bool>>,
    /// The two sides of each condition of the region, and of those before it.
    conditions: OnceCell<Vec<[Leaves<'ir>; 2]>>,
    leaves: RefCell<HashMap<ScevId, Leaves<'ir>>>,
    related: RefCell<HashMap<[ScevId; 2], bool>>,
}

impl<'ir> Compared<'ir> {
    pub fn of(affine: &Affine<'_, '_, 'ir>) -> Self {
        let (read, is_there, leaves) = (RefCell::default(), RefCell::default(), RefCell::default());
        let related = RefCell::default();
        Compared { values: compared(affine), read, is_there, conditions: OnceCell::new(), leaves, related }
    }

    /// Whether something may be known of how two numbers compare: for what both are made of, by a condition that has parts of both, or by the least and the most
    /// that they can be.
    pub fn may_be_related(&self, affine: &Affine<'_, '_, 'ir>, a: ScevId, b: ScevId) -> bool {
        if let Some(known) = self.related.borrow().get(&[a, b]) {
            return *known;
        }
        let may_be = self.are_related(affine, a, b);
        self.related.borrow_mut().insert([a, b], may_be);
        may_be
    }

    fn are_related(&self, affine: &Affine<'_, '_, 'ir>, a: ScevId, b: ScevId) -> bool {
        let analyses = affine.analyses;
        let [own, other] = [a, b].map(|each| self.leaves(analyses, each));
        if other.is_empty() || !own.is_disjoint(&other) {
            return true;
        }
        let compares = |[left, right]: &[Leaves<'ir>; 2]| {
            let is_between = |x: &Leaves<'ir>, y: &Leaves<'ir>| !x.is_disjoint(left) && !y.is_disjoint(right);
            is_between(&own, &other) || is_between(&other, &own)
        };
        let conditions = self.conditions.get_or_init(|| self.conditions(affine));
        let are_apart = || {
            let (Some(a), Some(b)) = (analyses.signed_range(a), analyses.signed_range(b)) else { return true };
            a.low >= b.high || a.high <= b.low
        };
        conditions.iter().any(compares) || are_apart()
    }

    fn conditions(&self, affine: &Affine<'_, '_, 'ir>) -> Vec<[Leaves<'ir>; 2]> {
        let (analyses, region) = (affine.analyses, affine.region);
        let is_before = |block: &Block<'ir>| analyses.dominates(*block, region.entry);
        let before = analyses.function().blocks().into_iter().filter(is_before);
        let all = region.blocks.iter().copied().chain(before).flat_map(Block::instructions);
        let sides = |instruction: Instruction<'ir>| {
            let (_, a, b) = instruction.icmp()?;
            Some([analyses.scev(a)?, analyses.scev(b)?].map(|side| self.leaves(analyses, side)))
        };
        all.filter_map(sides).collect()
    }

    fn leaves(&self, analyses: &Analyses<'_, 'ir>, scev: ScevId) -> Leaves<'ir> {
        if let Some(known) = self.leaves.borrow().get(&scev) {
            return known.clone();
        }
        let mut found = HashSet::new();
        collect(analyses, scev, DEEPEST, &mut found);
        let found = Rc::new(found);
        self.leaves.borrow_mut().insert(scev, found.clone());
        found
    }
}

fn collect<'ir>(analyses: &Analyses<'_, 'ir>, scev: ScevId, depth: usize, found: &mut HashSet<Leaf<'ir>>) {
    let node = analyses.node(scev);
    found.extend(node.in_loop.map(Leaf::Loop));
    node.operands.iter().for_each(|operand| collect(analyses, *operand, depth, found));
    let Some(value) = node.value.filter(|_| node.constant.is_none()) else { return };
    let is_new = found.insert(Leaf::Value(value));
    let computes = |i: &Instruction<'ir>| i.call().is_none() && !matches!(i.opcode(), Opcode::Load);
    if let Some(instruction) = value.as_instruction().filter(computes).filter(|_| is_new && depth > 0) {
        let numbers = instruction.operands().into_iter().filter(|operand| operand.ty().integer_width().is_some());
        numbers.filter_map(|operand| analyses.scev(operand)).for_each(|own| collect(analyses, own, depth - 1, found));
    }
}

fn compared<'ir>(affine: &Affine<'_, '_, 'ir>) -> Vec<Value<'ir>> {
    let mut all: Vec<Value<'ir>> = Vec::new();
    for instruction in affine.region.blocks.iter().flat_map(|block| block.instructions()) {
        let Some((_, a, b)) = instruction.icmp() else { continue };
        for value in [a, b] {
            let is_number = value.ty().integer_width().is_some_and(|width| (2..=64).contains(&width));
            if is_number && !all.contains(&value) && all.len() < MOST_COMPARED {
                all.push(value);
            }
        }
    }
    all
}
