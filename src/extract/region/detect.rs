//! Regions of the control flow graph that can be loops and nothing else.
//!
//! A [`Region`] starts at the terminator of `entry` and ends on the way into `exit`; everything in between is inside, nothing else
//! gets in or out. After loop rotation the source's
//!
//!     for (i = 0; i < n; i++) ...;  for (j = 0; j < m; j++) ...;
//!
//! is `entry: br n > 0, preheader, join`, the loop, `join: br m > 0, ...`, the second loop, `exit`: two regions, `(entry, join)` and
//! `(join, exit)`, which share a block and are therefore one region `(entry, exit)`. The widest region is tried first; where it is
//! refused, its parts are tried, then the loops inside them. So the nests in the body of `while (change > eps)` are regions, whatever ends that loop. (The conditions on a region are those of Grosser, Groesslinger, Lengauer,
//! "Polly: performing polyhedral optimizations on a low-level intermediate representation", 2012, section 3.)
//!
//! Implements: 000 2.1; 001 while; 002 5.2.2

use super::pragmas::{self, Unrolling};
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Instruction, Loop, LoopId, Value};
use std::collections::HashSet;

/// A single-entry single-exit part of a function.
#[derive(Clone, Debug)]
pub struct Region<'ir> {
    /// Its terminator is the first thing inside.
    pub entry: Block<'ir>,
    /// Reached when the region is over; outside.
    pub exit: Block<'ir>,
    /// The blocks between, each before its successors except along back edges.
    pub blocks: Vec<Block<'ir>>,
    /// The outermost loops inside, in program order.
    pub nests: Vec<LoopId>,
    /// Where control can be after one of them was left in the middle.
    pub early: Early<'ir>,
    /// Whether the source lets iterations be written out.
    pub unrolling: Unrolling,
}

/// The blocks that are reached from ways out of the middle of loops, before the region is entered again.
#[derive(Clone, Debug, Default)]
pub struct Early<'ir> {
    /// Where these ways lead.
    targets: Vec<Block<'ir>>,
    /// From nowhere else in the region: the program's own loops ran.
    only: Vec<Block<'ir>>,
    /// From the region's exit as well.
    also: Vec<Block<'ir>>,
}

/// A region to try, with what to try instead if it is refused.
pub struct Candidate<'ir> {
    pub region: Result<Region<'ir>, Refusal<'ir>>,
    /// The loops it is about.
    pub nests: Vec<LoopId>,
}

impl<'ir> Region<'ir> {
    pub fn contains(&self, block: Block<'ir>) -> bool {
        self.blocks.contains(&block)
    }

    pub fn contains_instruction(&self, instruction: Instruction<'ir>) -> bool {
        instruction.block().is_some_and(|block| self.contains(block))
    }

    /// Whether control goes from one of its blocks out of the middle of its loops. The model takes it that this does not happen: see
    /// [`crate::extract::control::domain`].
    pub fn is_left_early(&self, from: Block<'ir>, to: Block<'ir>) -> bool {
        self.contains(from) && !self.contains(to) && to != self.exit
    }

    /// Whether some of its loops can be left in the middle.
    pub fn has_early_exits(&self) -> bool {
        !self.early.targets.is_empty()
    }

    /// The region after others were rewritten, which may be where this one's loops were left to.
    pub fn as_it_is_now(&self) -> Region<'ir> {
        let early = Early::of(self.entry, self.exit, self.early.targets.clone());
        Region { early, ..self.clone() }
    }

    /// Those that can, or could until their exit was found first: the innermost ones around where control leaves.
    pub fn loops_left_early(&self, analyses: &Analyses<'_, 'ir>) -> Vec<LoopId> {
        let leaves = |block: &&Block<'ir>| block.successors().iter().any(|next| self.is_left_early(**block, *next));
        let can_be = self.blocks.iter().filter(leaves).filter_map(|block| analyses.loop_of(*block));
        let could_be = |id: &LoopId| analyses.loop_(*id).latch.is_some_and(Block::was_left);
        can_be.chain(self.loops(analyses).into_iter().filter(could_be)).collect()
    }

    /// Whether a value that is computed inside is used outside after the region was left at its end. None if the same use is reached from both ends.
    pub fn is_used_behind(&self, value: Value<'ir>, user: Instruction<'ir>) -> Option<bool> {
        let at = user.block()?;
        if self.contains(at) {
            return Some(false);
        }
        if !user.is_phi() {
            return (!self.early.also.contains(&at)).then(|| !self.early.only.contains(&at));
        }
        let ways: Vec<Block<'ir>> =
            user.incoming().into_iter().filter(|(own, _)| *own == value).map(|(_, from)| from).collect();
        let is_early = |from: &Block<'ir>| self.early.only.contains(from);
        let behind = ways.iter().any(|from| !is_early(from) && !self.is_left_early(*from, at));
        let is_mixed = ways.iter().any(|from| self.early.also.contains(from)) || behind && ways.iter().any(is_early);
        (!is_mixed).then_some(behind)
    }

    /// All loops inside, outer before inner.
    pub fn loops(&self, analyses: &Analyses<'_, 'ir>) -> Vec<LoopId> {
        let inside = |id: &LoopId| self.nests.iter().any(|nest| analyses.is_within(*id, *nest));
        analyses.loops().iter().map(|l| l.id).filter(inside).collect()
    }
}

/// Each candidate with its size and that of itself and all after it.
pub fn with_sizes<'ir>(analyses: &Analyses<'_, 'ir>, all: Vec<Candidate<'ir>>) -> Vec<(Candidate<'ir>, usize, usize)> {
    let sizes: Vec<usize> = all.iter().map(|candidate| analyses.size(&candidate.nests)).collect();
    let rest = |at: usize| -> usize { sizes[at..].iter().sum() };
    all.into_iter().enumerate().map(|(at, candidate)| (candidate, sizes[at], rest(at))).collect()
}

/// The regions around sibling loops (the children of `parent`, or the outermost loops of the function), each as wide as it can be.
pub fn candidates<'ir>(analyses: &Analyses<'_, 'ir>, parent: Option<LoopId>) -> Vec<Candidate<'ir>> {
    let mut siblings: Vec<LoopId> = match parent {
        Some(parent) => analyses.loop_(parent).children.clone(),
        None => analyses.outermost_loops().map(|l| l.id).collect(),
    };
    siblings.retain(|id| !analyses.loop_(*id).latch.is_some_and(Block::is_aside));
    siblings.sort_by_key(|id| analyses.places().get(&analyses.loop_(*id).header));
    let mut result: Vec<Candidate<'ir>> = Vec::new();
    for id in siblings {
        let region = around_loop(analyses, id);
        if let (Some(Ok(last)), Ok(next)) = (result.last().map(|c| &c.region), &region)
            && let Some(joined) = join(analyses, last, next)
        {
            let nests = joined.nests.clone();
            result.pop();
            result.push(Candidate { region: Ok(joined), nests });
            continue;
        }
        result.push(Candidate { region, nests: vec![id] });
    }
    result
}

/// The region around one loop, including the test that guards it.
pub fn around_loop<'ir>(analyses: &Analyses<'_, 'ir>, id: LoopId) -> Result<Region<'ir>, Refusal<'ir>> {
    let this = analyses.loop_(id);
    let refuse = |reason| Err(Refusal::at(this.location, reason));
    pragmas::check(analyses, id)?;
    is_regular(this).map_err(|reason| Refusal::of_loop(analyses, this, reason))?;
    let (Some(preheader), Some(end)) = (this.preheader, this.exit_of_latch()) else {
        return refuse(Reason::IrregularLoop);
    };
    let (entry, exit) = guarded(preheader, end).unwrap_or((preheader, end));
    match between(analyses, entry, exit, vec![id]).or_else(|| between(analyses, preheader, end, vec![id])) {
        Some(region) => Ok(region),
        None => refuse(Reason::IrregularControl { what: "the loop is entered or left by a jump".into() }),
    }
}

/// `(guard, join)` if the loop between `preheader` and `exit` runs only when a test in `guard` says so, else at once `join`.
fn guarded<'ir>(preheader: Block<'ir>, exit: Block<'ir>) -> Option<(Block<'ir>, Block<'ir>)> {
    let [guard] = preheader.predecessors()[..] else { return None };
    if preheader.first_instruction().is_none_or(|first| !first.is_terminator()) {
        return None;
    }
    let Branch::If { then, otherwise, .. } = guard.terminator()?.branch()? else { return None };
    let join = if then == preheader { otherwise } else { then };
    if join == exit {
        return Some((guard, join));
    }
    let leads_on = exit.instructions().iter().all(|i| i.is_phi() || i.is_terminator());
    match exit.terminator()?.branch()? {
        Branch::Always(next) if next == join && leads_on => Some((guard, join)),
        _ => None,
    }
}

/// The blocks on paths from `entry` to `exit`, if nothing else gets in or out.
fn between<'ir>(
    analyses: &Analyses<'_, 'ir>,
    entry: Block<'ir>,
    exit: Block<'ir>,
    nests: Vec<LoopId>,
) -> Option<Region<'ir>> {
    let mut inside: HashSet<Block<'ir>> = HashSet::new();
    let mut pending = entry.successors();
    let mut early: Vec<Block<'ir>> = Vec::new();
    while let Some(block) = pending.pop() {
        if block == entry {
            return None;
        }
        if block != exit && inside.insert(block) {
            let successors = block.successors();
            if successors.is_empty() {
                return None;
            }
            let (left, inner) = successors.into_iter().partition(|next| is_early_exit(analyses, &nests, block, *next));
            early.extend::<Vec<_>>(left);
            pending.extend::<Vec<_>>(inner);
        }
    }
    let closed = |block: &Block<'ir>| block.is_entered_only_from(|from| from == entry || inside.contains(&from));
    if inside.is_empty() || !inside.iter().all(closed) || !analyses.dominates(entry, exit) {
        return None;
    }
    if early.iter().any(|target| *target == exit || inside.contains(target)) {
        return None;
    }
    let blocks = in_order(analyses, inside);
    let unrolling = pragmas::unrolling(analyses, &nests);
    Some(Region { entry, exit, blocks, nests, early: Early::of(entry, exit, early), unrolling })
}

/// Whether control leaves one of the nests there, and not by its end.
fn is_early_exit<'ir>(analyses: &Analyses<'_, 'ir>, nests: &[LoopId], from: Block<'ir>, to: Block<'ir>) -> bool {
    nests.iter().map(|id| analyses.loop_(*id)).any(|nest| {
        let is_left = nest.blocks.contains(&from) && !nest.blocks.contains(&to);
        is_left && nest.latch != Some(from)
    })
}

impl<'ir> Early<'ir> {
    /// Of a region between two blocks whose loops are left to these `targets`.
    fn of(entry: Block<'ir>, exit: Block<'ir>, targets: Vec<Block<'ir>>) -> Early<'ir> {
        if targets.is_empty() {
            return Early::default();
        }
        let behind = reached(vec![exit], entry);
        let (also, only) = reached(targets.clone(), entry).into_iter().partition(|block| behind.contains(block));
        Early { targets, only, also }
    }
}

/// The blocks that are reached from these without passing through `end`, which is among them if it is reached.
fn reached<'ir>(from: Vec<Block<'ir>>, end: Block<'ir>) -> Vec<Block<'ir>> {
    let (mut found, mut seen, mut pending) = (Vec::new(), HashSet::new(), from);
    while let Some(block) = pending.pop() {
        if seen.insert(block) {
            found.push(block);
            if block != end {
                pending.extend(block.successors());
            }
        }
    }
    found
}

/// Each before its successors except along back edges.
fn in_order<'ir>(analyses: &Analyses<'_, 'ir>, blocks: impl IntoIterator<Item = Block<'ir>>) -> Vec<Block<'ir>> {
    let mut ordered: Vec<Block<'ir>> = blocks.into_iter().collect();
    ordered.sort_by_key(|block| analyses.places().get(block));
    ordered
}

/// Both regions and the straight way from the first to the second, as one: what is entered and left at the ends of
/// these only is entered and left at the ends of the whole only.
fn join<'ir>(analyses: &Analyses<'_, 'ir>, first: &Region<'ir>, second: &Region<'ir>) -> Option<Region<'ir>> {
    let mut way = vec![first.exit];
    while let Some(here) = way.last().copied().filter(|here| *here != second.entry) {
        let Branch::Always(next) = here.terminator()?.branch()? else { return None };
        if !next.is_entered_only_from(|from| from == here) || first.contains(next) {
            return None;
        }
        way.push(next);
    }
    if !first.exit.is_entered_only_from(|from| from == first.entry || first.contains(from)) {
        return None;
    }
    let is_around = second.contains(first.entry) || first.contains(second.exit) || way.contains(&second.exit);
    let plain = |block: &Block<'ir>| block.instructions().into_iter().all(can_be_inside);
    if is_around || second.exit == first.entry || !way.iter().all(plain) {
        return None;
    }
    let nests = [first.nests.as_slice(), second.nests.as_slice()].concat();
    let all = [first.blocks.as_slice(), &way, &second.blocks].concat();
    let blocks = in_order(analyses, all);
    let leaving = |block: &Block<'ir>| {
        let (block, nests) = (*block, &nests);
        block.successors().into_iter().filter(move |next| is_early_exit(analyses, nests, block, *next))
    };
    let early: Vec<Block<'ir>> = blocks.iter().flat_map(leaving).collect();
    if early.iter().any(|target| *target == second.exit || blocks.contains(target)) {
        return None;
    }
    let early = Early::of(first.entry, second.exit, early);
    let unrolling = pragmas::unrolling(analyses, &nests);
    Some(Region { entry: first.entry, exit: second.exit, blocks, nests, early, unrolling })
}

/// A quick look at an instruction between two nests: whether it could be part of a region at all.
fn can_be_inside(instruction: Instruction<'_>) -> bool {
    match instruction.memory() {
        Some(access) => access.simple,
        None => instruction.call().is_none_or(|call| instruction.is_marker() || call.is_pure() || call.sets_errno()),
    }
}

/// Whether a loop's control has the form that a model has: one way in, one back, and out at the end.
pub fn is_regular<'ir>(this: &Loop<'ir>) -> Result<(), Reason> {
    if !this.simplified || this.latch.is_none() || this.preheader.is_none() {
        return Err(Reason::IrregularLoop);
    }
    match this.exit_of_latch() {
        Some(_) => Ok(()),
        None if this.exiting.len() == 1 => Err(Reason::UnknownTripCount),
        None => Err(Reason::SeveralExits),
    }
}

impl<'ir> Region<'ir> {
    /// Whether one of its loops has that form, and no ways out but those of the whole region.
    pub fn is_regular(&self, this: &Loop<'ir>) -> Result<(), Reason> {
        is_regular(this)?;
        let leaves = |block: Block<'ir>| block.successors().into_iter().filter(|next| !this.blocks.contains(next));
        let is_known = |block: &Block<'ir>| {
            this.latch == Some(*block) || leaves(*block).all(|next| self.is_left_early(*block, next))
        };
        if this.exiting.iter().all(is_known) { Ok(()) } else { Err(Reason::SeveralExits) }
    }
}
