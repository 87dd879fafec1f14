//! Parts of a loop body that stay as they are.
//!
//!     for (i = 0; i < n; i++) {                              for (i = 0; i < n; i++)
//!         double sum = 0;                                        if (x[i] > t)
//!         for (j = ptr[i]; j < ptr[i + 1]; j++)                      B[i] = x[i];
//!             sum += val[j] * x[col[j]];
//!         y[i] = sum;
//!     }
//!
//! How often the loop over `j` runs, and whether `B[i]` is written, is decided by data. Such control is no affine set, but all of it
//! lies between one place and another that every path from there comes to: an *opaque part*, which becomes one statement with all its
//! blocks. What it may touch is over-approximated: an access whose address is affine outside of it (`B[i]`) touches that element or
//! nothing, any other (`val[j]`, `x[col[j]]`) some elements of its array, and a write may happen or not. What it hands on (`sum`) is
//! written for certain. So the loop over `i` above is still known to be parallel: over the rows of a sparse matrix, over the
//! elements of `B`; and whatever the part does inside, it does in the program's own order.

use super::domain::Domains;
use crate::extract::binding::{OpaqueAccess, Output, Root};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::statements::roots::{Roots, Tree, cost, iterators, operands, sets_errno};
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Instruction, Loop, LoopId, Opcode, Value};
use std::collections::HashSet;

/// More blocks than this are a program of their own.
const MOST_BLOCKS: usize = 40;

/// A loop of unknown length is taken to run so often where work is estimated.
const ITERATIONS: u32 = 16;

/// An estimate larger than this says nothing more.
const MOST_OPERATIONS: u32 = 100_000;

/// The blocks between the terminator of `start` and `exit`, which every path comes to.
#[derive(Clone, Debug)]
pub struct Opaque<'ir> {
    pub start: Block<'ir>,
    /// In an order in which each comes before its successors except along back edges.
    pub blocks: Vec<Block<'ir>>,
    pub exit: Block<'ir>,
    /// Why it cannot be modelled.
    pub why: Refusal<'ir>,
}

/// Whether a loop's control has the form that a model has: one way in, one back, one out.
pub fn is_regular<'ir>(this: &Loop<'ir>) -> Result<(), Reason> {
    if !this.simplified || this.latch.is_none() || this.preheader.is_none() {
        return Err(Reason::IrregularLoop);
    }
    if this.exiting.len() != 1 || this.exits.len() != 1 {
        return Err(Reason::SeveralExits);
    }
    if this.has_single_exit() { Ok(()) } else { Err(Reason::UnknownTripCount) }
}

/// The opaque part that begins at the end of a block whose scope is known, if its control is not affine.
pub fn starting_at<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    domains: &Domains<'ir>,
    start: Block<'ir>,
) -> Result<Option<Opaque<'ir>>, Refusal<'ir>> {
    let analyses = affine.analyses;
    let Some(terminator) = start.terminator() else { return Ok(None) };
    let scope = domains.of_block(start);
    let own = analyses.loop_of(start).map(|id| analyses.loop_(id));
    let is_latch = own.is_some_and(|own| own.latch == Some(start));
    let why = match terminator.branch() {
        None if terminator.opcode() != Opcode::Switch || is_latch => return Ok(None),
        None => Refusal::at(terminator.place(), Reason::IrregularControl { what: "a switch".into() })
            .decided_by(decider(terminator)),
        Some(Branch::Always(next)) => {
            let Some(id) = analyses.loop_of(next).filter(|id| !affine.region.nests.contains(id)) else {
                return Ok(None);
            };
            let this = analyses.loop_(id);
            if this.header != next || this.preheader != Some(start) {
                return Ok(None);
            }
            match is_regular(this).and_then(|()| affine.at(scope).backedges(id).map(|_| ())) {
                Ok(()) => return Ok(None),
                Err(reason) => Refusal::of_loop(this, reason),
            }
        }
        Some(Branch::If { then, otherwise, .. }) if then == otherwise => return Ok(None),
        Some(Branch::If { .. }) if is_latch => return Ok(None),
        Some(Branch::If { condition, .. }) => match affine.at(scope).condition(condition) {
            Ok(_) => return Ok(None),
            Err(reason) => Refusal::at(terminator.place(), reason).decided_by(Some(condition)),
        },
    };
    match extent(affine, start) {
        Some((blocks, exit)) => Ok(Some(Opaque { start, blocks, exit, why })),
        None => Err(why),
    }
}

/// The blocks up to the first one, in the same loop, that every path comes to.
fn extent<'ir>(affine: &Affine<'_, '_, 'ir>, start: Block<'ir>) -> Option<(Vec<Block<'ir>>, Block<'ir>)> {
    let (analyses, region) = (affine.analyses, affine.region);
    let around = analyses.loop_of(start)?;
    let at = region.blocks.iter().position(|block| *block == start)?;
    let is_exit =
        |block: &&Block<'ir>| analyses.loop_of(**block) == Some(around) && analyses.post_dominates(**block, start);
    let exit = *region.blocks[at + 1..].iter().find(is_exit)?;
    let mut inside: Vec<Block<'ir>> = Vec::new();
    let mut pending = start.successors();
    while let Some(block) = pending.pop() {
        if block == exit || inside.contains(&block) {
            continue;
        }
        let is_ours = region.contains(block) && block != start && analyses.dominates(start, block);
        if !is_ours || inside.len() >= MOST_BLOCKS || !can_be_copied(block.terminator()?) {
            return None;
        }
        inside.push(block);
        pending.extend(block.successors());
    }
    let blocks: Vec<Block<'ir>> = region.blocks.iter().copied().filter(|block| inside.contains(block)).collect();
    (blocks.len() == inside.len()).then_some((blocks, exit))
}

fn can_be_copied(terminator: Instruction<'_>) -> bool {
    terminator.branch().is_some() || terminator.opcode() == Opcode::Switch
}

/// The value that decides where a terminator leads.
pub fn decider(terminator: Instruction<'_>) -> Option<Value<'_>> {
    match terminator.branch() {
        Some(Branch::If { condition, .. }) => Some(condition),
        None if terminator.opcode() == Opcode::Switch => Some(terminator.operand(0)),
        _ => None,
    }
}

impl<'ir> Roots<'_, '_, 'ir> {
    /// A statement for each opaque part; what it hands on is added when asked for.
    pub(in crate::extract) fn write_opaque(&mut self) -> Result<(), Refusal<'ir>> {
        for part in self.domains.opaque.clone() {
            let scope = self.domains.of_block(part.start).clone();
            let position = (self.order[&part.start], part.start.instructions().len(), 0);
            let is_inside = |value: Value<'ir>| {
                value.as_instruction().and_then(|i| i.block()).is_some_and(|block| part.blocks.contains(&block))
            };
            let (mut tree, mut accesses) = (Tree::default(), Vec::new());
            let mut used: Vec<Value<'ir>> = part.start.terminator().and_then(decider).into_iter().collect();
            for instruction in part.blocks.iter().flat_map(|block| block.instructions()) {
                if let Some(access) = instruction.memory() {
                    let home = instruction.block().expect("law: an instruction of the region is in a block");
                    let place = self.place(access.pointer, access.ty, home);
                    let (array, offset) = place.map_err(|reason| Refusal::at(instruction.place(), reason))?;
                    let is_repeated = self.depth_inside(home, &scope) > 0;
                    accesses.push(OpaqueAccess { instruction, array, offset, is_repeated });
                }
                let block = instruction.block().expect("law: an instruction of the region is in a block");
                let depth = self.depth_inside(block, &scope);
                tree.sets_errno |= sets_errno(instruction);
                let weight = cost(instruction).saturating_mul(ITERATIONS.saturating_pow(depth));
                tree.operations = tree.operations.saturating_add(weight).min(MOST_OPERATIONS);
                match instruction.is_terminator() {
                    true => used.extend(decider(instruction)),
                    false => used.extend(operands(instruction)),
                }
            }
            let from_exit = part.exit.phis().into_iter().flat_map(|phi| phi.incoming());
            used.extend(from_exit.filter(|(_, from)| part.leads_on(*from)).map(|(value, _)| value));
            for value in used.into_iter().filter(|value| !is_inside(*value)) {
                self.visit(value, &mut tree, &scope, position, None)?;
            }
            let location = part.why.location;
            let root = Root::Opaque { part: part.clone(), accesses, outputs: Vec::new() };
            self.push_statement(root, tree, scope, part.start, position, location)?;
        }
        Ok(())
    }

    /// How many loops of the part are around the block.
    fn depth_inside(&self, block: Block<'ir>, scope: &Scope) -> u32 {
        let analyses: &Analyses<'_, 'ir> = self.affine.analyses;
        let Some(id) = analyses.loop_of(block) else { return 0 };
        analyses.around(id).take_while(|id: &LoopId| !scope.loops.contains(id)).count() as u32
    }

    /// Has the statement of a part hand on a value: one of its own, or a phi of its exit.
    pub(in crate::extract) fn hand_on(
        &mut self,
        part: &Opaque<'ir>,
        value: Value<'ir>,
        array: usize,
        loops: &[LoopId],
    ) {
        let output = Output { value, array, subscripts: iterators(loops) };
        for statement in &mut self.statements {
            if let Root::Opaque { part: other, outputs, .. } = &mut statement.root
                && other.start == part.start
            {
                outputs.push(output.clone());
            }
        }
    }

    /// Forgets the parts that do nothing.
    pub(in crate::extract) fn drop_idle(&mut self) {
        self.statements.retain(|statement| match &statement.root {
            Root::Opaque { accesses, outputs, .. } => {
                statement.sets_errno || !outputs.is_empty() || accesses.iter().any(OpaqueAccess::is_store)
            }
            _ => true,
        });
    }

    /// Whether a value may change while a part runs. LLVM knows it as what it is after the part's loops, which is no address inside.
    fn varies_inside(&self, value: Value<'ir>, block: Block<'ir>) -> bool {
        let Some(part) = self.domains.opaque_of(block) else { return false };
        if self.depth_inside(block, self.domains.of_block(part.start)) == 0 {
            return false;
        }
        let mut pending = vec![value];
        let mut seen: HashSet<Value<'ir>> = HashSet::new();
        while let Some(value) = pending.pop() {
            let instruction = value.as_instruction().filter(|i| i.block().is_some_and(|b| part.blocks.contains(&b)));
            let Some(instruction) = instruction.filter(|_| seen.insert(value)) else { continue };
            if instruction.is_phi() || instruction.memory().is_some() {
                return true;
            }
            pending.extend(operands(instruction));
        }
        false
    }

    /// The array behind a pointer, and the bytes from its base if they are a polynomial.
    pub(in crate::extract) fn place(
        &mut self,
        pointer: Value<'ir>,
        element: crate::llvm::Type<'ir>,
        block: Block<'ir>,
    ) -> Result<(usize, Option<Polynomial>), Reason> {
        let varies = self.varies_inside(pointer, block);
        match self.address(pointer, element, block) {
            Ok((array, offset)) if !varies => {
                self.arrays[array].may_wrap |= !offset.exact;
                Ok((array, Some(offset.polynomial)))
            }
            Ok((array, _)) => {
                self.arrays[array].is_indirect = true;
                Ok((array, None))
            }
            Err(Reason::UnsupportedType { what }) => Err(Reason::UnsupportedType { what }),
            Err(reason) => {
                let base = self.base(pointer, block).ok_or(reason)?;
                let array = self.array_behind(base, element);
                self.arrays[array].is_indirect = true;
                Ok((array, None))
            }
        }
    }
}

impl<'ir> Opaque<'ir> {
    /// Whether control comes from the block out of the part.
    pub fn leads_on(&self, from: Block<'ir>) -> bool {
        from == self.start || self.blocks.contains(&from)
    }
}

impl<'ir> Domains<'ir> {
    /// The opaque part a block is in.
    pub fn opaque_of(&self, block: Block<'ir>) -> Option<&Opaque<'ir>> {
        self.opaque.iter().find(|part| part.blocks.contains(&block))
    }

    /// The opaque part through which control goes from one block to another.
    pub fn opaque_between(&self, from: Block<'ir>, to: Block<'ir>) -> Option<&Opaque<'ir>> {
        self.opaque.iter().find(|part| part.exit == to && part.leads_on(from))
    }
}
