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
//!
//! Conditions around loops are rather those of the statements inside where that can be read: see [`super::guards`].
//!
//! Implements: 001 conditions

use super::divergent::{Divergent, divergent};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::ssa::decider;
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, Instruction, Opcode};

/// More blocks than this are a program of their own.
const MOST_BLOCKS: usize = 40;

/// The blocks between the terminator of `start` and `exit`, which every path comes to.
#[derive(Clone, Debug)]
pub struct Opaque<'ir> {
    pub start: Block<'ir>,
    /// In an order in which each comes before its successors except along back edges.
    pub blocks: Vec<Block<'ir>>,
    pub exit: Block<'ir>,
    /// Its loop, if those of several iterations can run side by side.
    pub divergent: Option<Box<Divergent<'ir>>>,
    /// Why it cannot be modelled.
    pub why: Refusal<'ir>,
}

impl<'ir> Opaque<'ir> {
    /// Whether some of its blocks are a loop.
    pub fn has_loop(&self, analyses: &Analyses<'_, 'ir>) -> bool {
        let mut loops = self.blocks.iter().filter_map(|block| analyses.loop_of(*block));
        loops.any(|id| self.blocks.contains(&analyses.loop_(id).header))
    }
}

/// The opaque part that begins at the end of a block with this scope, if its control is not affine.
pub fn starting_at<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    scope: &Scope,
    start: Block<'ir>,
) -> Result<Option<Opaque<'ir>>, Refusal<'ir>> {
    let analyses = affine.analyses;
    let Some(terminator) = start.terminator() else { return Ok(None) };
    let own = analyses.loop_of(start).map(|id| analyses.loop_(id));
    let is_latch = own.is_some_and(|own| own.latch == Some(start));
    let why = match terminator.branch() {
        None if terminator.opcode() != Opcode::Switch || is_latch => return Ok(None),
        None => Refusal::at(terminator.place(), Reason::IrregularControl { what: "a switch".into() })
            .decided_by(decider(terminator)),
        Some(Branch::Always(next)) if next.is_whole() => return Ok(whole(start, next)),
        Some(Branch::Always(next)) => {
            let Some(id) = analyses.loop_of(next).filter(|id| !affine.region.nests.contains(id)) else {
                return Ok(None);
            };
            let this = analyses.loop_(id);
            if this.header != next || this.preheader != Some(start) {
                return Ok(None);
            }
            match affine.region.is_regular(this).and_then(|()| affine.at(scope).backedges(id).map(|_| ())) {
                Ok(()) => return Ok(None),
                Err(reason) => Refusal::of_loop(analyses, this, reason),
            }
        }
        Some(Branch::If { then, otherwise, .. }) if then == otherwise => return Ok(None),
        Some(Branch::If { .. }) if is_latch => return Ok(None),
        Some(Branch::If { then, otherwise, .. })
            if [then, otherwise].iter().any(|next| affine.region.is_left_early(start, *next)) =>
        {
            return Ok(None);
        }
        Some(Branch::If { condition, .. }) => match affine.at(scope).condition(condition) {
            Ok(_) => return Ok(None),
            Err(reason) => Refusal::at(terminator.place(), reason).decided_by(Some(condition)),
        },
    };
    match extent(affine, start) {
        Some((blocks, exit)) => {
            let divergent = divergent(analyses, &blocks, [start, exit]).map(Box::new);
            Ok(Some(Opaque { start, blocks, exit, divergent, why }))
        }
        None => Err(why),
    }
}

/// A block that is marked as one thing.
fn whole<'ir>(start: Block<'ir>, block: Block<'ir>) -> Option<Opaque<'ir>> {
    let why = Refusal::at(block.first_instruction().and_then(|i| i.place()), Reason::ManyStores);
    let exit = block.successors().first().copied()?;
    Some(Opaque { start, blocks: vec![block], exit, divergent: None, why })
}

/// The blocks up to the first one, in the same loop, that every path comes to.
fn extent<'ir>(affine: &Affine<'_, '_, 'ir>, start: Block<'ir>) -> Option<(Vec<Block<'ir>>, Block<'ir>)> {
    let (analyses, region) = (affine.analyses, affine.region);
    let around = analyses.loop_of(start)?;
    let at = region.blocks.iter().position(|block| *block == start)?;
    let is_exit =
        |block: &&Block<'ir>| analyses.loop_of(**block) == Some(around) && affine.always_leads(start, **block);
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

impl<'ir> Opaque<'ir> {
    /// Whether all of it runs, and once, whenever control comes to it.
    pub fn is_straight(&self) -> bool {
        matches!(self.blocks[..], [only] if only.is_whole())
    }

    /// Whether control comes from the block out of the part.
    pub fn leads_on(&self, from: Block<'ir>) -> bool {
        from == self.start || self.blocks.contains(&from)
    }
}
