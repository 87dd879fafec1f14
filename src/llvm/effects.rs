//! What a function of this module does to memory, for those that call it in their loops.
//!
//! ```c
//! static void subtract(double a[5][5], double x[5], double b[5]) {
//!   for (int i = 0; i < 5; i++) b[i] -= a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2] + a[i][3] * x[3] + a[i][4] * x[4];
//! }
//! ```
//!
//! reads the elements 0 to 24 of its first argument, 0 to 4 of its second, and reads and writes 0 to 4 of its third; whatever the numbers are,
//! and nothing else. So `subtract(a[i], x[i], x[i + 1])` is a statement with these accesses. That is known of functions whose
//! loads and stores go to constant distances from their arguments, also in loops that run a constant number of times, which
//! call nothing but functions of numbers, and which come back. Others are not looked into: a call of them stays what it is.

use super::analysis::Overlap;
use super::analysis::{Analyses, LoopId};
use super::errno;
use super::ffi::*;
use super::instruction::Instruction;
use super::ir::{Block, Function};
use super::opcode::Opcode;
use super::scev::{CountKind, ScevId, ScevKind};
use super::touched::{Does, Effects, OfArguments, Touched};
use super::types::Type;
use super::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A function with more instructions is a program of its own.
const MOST_INSTRUCTIONS: usize = 2000;

/// Elements that one load or store goes to in all its iterations.
const MOST_ELEMENTS: usize = 256;

impl<'ir> Analyses<'_, 'ir> {
    /// All elements that a call may touch, if it does nothing else that could be noticed but to give a value, and comes back.
    pub fn effects(&self, instruction: Instruction<'ir>) -> Option<Effects<'ir>> {
        let call = instruction.call().filter(|call| call.does_as_written())?;
        let callee = call.callee().filter(|callee| callee.is_as_written() && !callee.has_attribute("naked"))?;
        let arguments = call.arguments();
        if arguments.len() != callee.arguments().len() {
            return None;
        }
        let known = self.called.borrow().get(&callee.value()).cloned();
        let found = known.unwrap_or_else(|| {
            let found = of_arguments(self, callee).map(Rc::new);
            self.called.borrow_mut().insert(callee.value(), found.clone());
            found
        })?;
        let given = |(at, offset, ty, does): &(usize, i128, Type<'ir>, Does)| {
            Some(Touched { pointer: *arguments.get(*at)?, offset: *offset, ty: *ty, does: *does })
        };
        let touched = found.touched.iter().map(given).collect::<Option<Vec<_>>>()?;
        Some(Effects { touched, operations: found.operations })
    }

    /// Whether an instruction may change what a load reads.
    pub fn writes(&self, instruction: Instruction<'ir>, load: Instruction<'ir>) -> bool {
        let read = load.memory().expect("law: only loads and stores have a location").pointer;
        if let Some(effects) = self.effects(instruction) {
            let writes = effects.touched.iter().filter(|touched| touched.does != Does::MayRead);
            let pointers: HashSet<Value<'ir>> = writes.map(|touched| touched.pointer).collect();
            return pointers.into_iter().any(|pointer| self.overlap(pointer, read) != Overlap::Never);
        }
        // LLVM takes any `int` of the program for what may be `errno`, which these libraries keep for each thread.
        let is_elsewhere =
            || errno::has_known_library(self.function().module()) && errno::is_another(read.underlying_object());
        if instruction.call().is_some_and(|call| call.sets_errno()) && is_elsewhere() {
            return false;
        }
        call!(loopwright_writes(self.aliases(), instruction.raw(), load.raw(), self.forgets_scopes()))
    }
}

fn of_arguments<'ir>(analyses: &Analyses<'_, 'ir>, callee: Function<'ir>) -> Option<OfArguments<'ir>> {
    let all = callee.instructions();
    if all.len() > MOST_INSTRUCTIONS || callee == analyses.function() {
        return None;
    }
    let body = Body::of(analyses.of(callee))?;
    let mut found = OfArguments::default();
    for inside in all {
        let home = inside.block()?;
        found.operations = found.operations.saturating_add(body.times(home)?);
        let Some(access) = inside.memory() else {
            is_of_numbers(inside).then_some(())?;
            continue;
        };
        (access.simple && access.is_common()).then_some(())?;
        let (argument, offsets) = body.place(access.pointer, home)?;
        let argument = callee.arguments().iter().position(|own| *own == argument)?;
        let does = match access.stored {
            None => Does::MayRead,
            Some(_) if body.is_certain(home) => Does::Writes,
            Some(_) => Does::MayWrite,
        };
        for offset in offsets {
            let touched = (argument, offset, access.ty, does);
            if !found.touched.contains(&touched) {
                found.touched.push(touched);
            }
        }
    }
    Some(found)
}

/// Whether what is no load or store computes, decides or comes back.
fn is_of_numbers(instruction: Instruction<'_>) -> bool {
    if let Some(call) = instruction.call() {
        return instruction.opcode() == Opcode::Call && (instruction.is_marker() || call.is_pure());
    }
    match instruction.opcode() {
        Opcode::Branch | Opcode::Switch | Opcode::Return => true,
        Opcode::Alloca => false,
        _ => !instruction.is_terminator() && !instruction.has_side_effects() && !instruction.may_read_memory(),
    }
}

/// Whether each way back goes to the header of a loop.
fn is_reducible(analyses: &Analyses<'_, '_>) -> bool {
    let order = analyses.function().reverse_postorder();
    let place: HashMap<Block<'_>, usize> = order.iter().enumerate().map(|(at, block)| (*block, at)).collect();
    let goes_back = |from: Block<'_>, to: &Block<'_>| place[to] <= place[&from];
    order.iter().all(|from| {
        let mut back = from.successors().into_iter().filter(|to| goes_back(*from, to));
        back.all(|to| analyses.dominates(to, *from))
    })
}

/// A function whose loops run a known number of times.
struct Body<'s, 'ir> {
    analyses: Analyses<'s, 'ir>,
    /// Where it comes back.
    end: Block<'ir>,
}

impl<'s, 'ir> Body<'s, 'ir> {
    fn of(analyses: Analyses<'s, 'ir>) -> Option<Self> {
        let blocks = analyses.function().blocks();
        let ends = |block: &Block<'ir>| block.terminator().is_some_and(|end| end.opcode() == Opcode::Return);
        let mut all = blocks.iter().copied().filter(ends);
        let end = all.next().filter(|_| all.next().is_none())?;
        is_reducible(&analyses).then_some(())?;
        let body = Body { analyses, end };
        body.analyses.loops().iter().all(|this| body.rounds(this.id).is_some()).then_some(body)
    }

    /// How often the end of a loop with one way out is come to, and that way out.
    fn rounds(&self, id: LoopId) -> Option<(usize, Block<'ir>)> {
        let this = self.analyses.loop_(id);
        let [exiting] = this.exiting[..] else { return None };
        let count = self.analyses.node(self.analyses.backedges(id, CountKind::Exact)?).constant?;
        let rounds = usize::try_from(count).ok()?.checked_add(1)?;
        (this.latch.is_some() && rounds <= MOST_ELEMENTS).then_some((rounds, exiting))
    }

    /// How often a block runs in each execution of a loop around it, at most.
    fn rounds_of(&self, block: Block<'ir>, id: LoopId) -> Option<usize> {
        let (rounds, exiting) = self.rounds(id)?;
        let is_behind = block != exiting && self.analyses.dominates(exiting, block);
        Some(if is_behind { rounds - 1 } else { rounds })
    }

    fn around(&self, block: Block<'ir>) -> Vec<LoopId> {
        let innermost = self.analyses.loop_of(block);
        innermost.map_or_else(Vec::new, |id| self.analyses.around(id).collect())
    }

    /// How often a block runs, at most.
    fn times(&self, block: Block<'ir>) -> Option<u32> {
        self.around(block).into_iter().try_fold(1u32, |times, id| {
            u32::try_from(self.rounds_of(block, id)?).ok().map(|rounds| times.saturating_mul(rounds))
        })
    }

    /// Whether a block runs in each iteration of the loops around it, and these run, with iterations that come to it.
    fn is_certain(&self, block: Block<'ir>) -> bool {
        let mut here = block;
        let in_each = |id: LoopId| {
            let this = self.analyses.loop_(id);
            let inside = std::mem::replace(&mut here, this.header);
            let is_reached = self.rounds_of(inside, id).is_some_and(|rounds| rounds > 0);
            is_reached && this.latch.is_some_and(|latch| self.analyses.dominates(inside, latch))
        };
        self.around(block).into_iter().all(in_each) && self.analyses.dominates(here, self.end)
    }

    /// The argument that an address is computed from, and all its distances from there.
    fn place(&self, pointer: Value<'ir>, block: Block<'ir>) -> Option<(Value<'ir>, Vec<i128>)> {
        let scev = self.analyses.scev_at(pointer, self.analyses.loop_of(block))?;
        let (base, offset) = self.analyses.base_and_offset(scev);
        let base = self.analyses.node(base).value?;
        Some((base, self.values(offset, block)?))
    }

    /// All values of a number that is computed from counters alone.
    fn values(&self, number: ScevId, block: Block<'ir>) -> Option<Vec<i128>> {
        let node = self.analyses.node(number);
        match (node.kind, &node.operands[..]) {
            (ScevKind::Constant, _) => Some(vec![node.constant?]),
            (ScevKind::AddRec, [start, step]) => {
                let id = node.in_loop.filter(|id| self.around(block).contains(id))?;
                let step = self.analyses.node(*step).constant?;
                let rounds = i128::try_from(self.rounds_of(block, id)?).ok()?;
                let starts = self.values(*start, block)?;
                let n = starts.len().checked_mul(usize::try_from(rounds).ok()?)?;
                let all = starts.iter().flat_map(|start| (0..rounds).map(move |round| start + step * round));
                (n <= MOST_ELEMENTS).then(|| all.collect())
            }
            _ => None,
        }
    }
}
