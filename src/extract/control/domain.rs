//! For which iterations each block of a region runs.
//!
//! In
//!
//!     for (i = 0; i < n; i++) { if (i > 2) T: ...; U: ...; }
//!
//! the block of `U` runs for `{ [i] : 0 <= i < n }` and that of `T` for `{ [i] : 2 < i < n }`. Blocks are visited in reverse postorder. What
//! enters a loop's header is what enters the loop, times `0 <= iteration <= backedges`; what leaves the loop is what entered it, since loops
//! here end; everything else follows the branch conditions. A block that every path from its immediate dominator reaches runs exactly when
//! the dominator does, which saves joining what a condition has split. Blocks that data decides about are left to [`subregion`].
//! A block that could leave the loops in the middle is taken not to do so ([`early`]).
//!
//! Implements: 000 2.3.1, 2.3.2

use super::early;
use super::guards::{BoundGuard, Guard};
use super::subregion::{self, Opaque};
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::scope::{Answer, Answered, GuardId, Scope, deepened};
use crate::extract::refusal::{Reason, Refusal};
use crate::llvm::instruction::Branch;
use crate::llvm::{Analyses, Block, LoopId, Opcode};
use crate::presburger::{DimKind, PwAff, Set, Space};
use crate::scop::Table;
use std::collections::HashMap;

/// A block is reached by unions of more pieces than this only in code that no set operation gets through.
const MOST_PIECES: usize = 12;

/// What becomes of a condition that data decides, if there are loops inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guards {
    /// Each statement inside has it for its own: see [`super::guards`].
    OfStatements,
    /// It is one statement, with all that is inside.
    OfParts,
}

/// The scopes of all blocks, and what enters each loop.
#[derive(Clone)]
pub struct Domains<'ir> {
    pub scopes: HashMap<Block<'ir>, Scope>,
    /// For each loop: the scope of its preheader, and the backedge count there.
    pub loops: HashMap<LoopId, (Scope, PwAff)>,
    /// Parts whose control is not affine: their blocks have the scope of where they start.
    pub opaque: Vec<Opaque<'ir>>,
    /// Conditions on data that are those of the statements behind them.
    pub guards: Table<GuardId, Guard<'ir>>,
}

impl<'ir> Domains<'ir> {
    /// The scopes of the region's entry (at its terminator) and of all its blocks. What conditions and numbers of iterations take for granted is
    /// accepted.
    pub fn of(
        affine: &Affine<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        guards: Guards,
    ) -> Result<Self, Refusal<'ir>> {
        let region = affine.region;
        let nothing = Scope::new(Vec::new(), Set::universe(&Space::alloc_set(&[], None, 0)));
        let mut result = Domains {
            scopes: HashMap::from([(region.entry, nothing)]),
            loops: HashMap::new(),
            opaque: Vec::new(),
            guards: Table::default(),
        };
        result.visit(affine, assumptions, guards, None)?;
        Ok(result)
    }

    /// Finds the scopes of all blocks, or of those of a part that is read as statements under its condition.
    fn visit(
        &mut self,
        affine: &Affine<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        guards: Guards,
        within: Option<&Opaque<'ir>>,
    ) -> Result<(), Refusal<'ir>> {
        for &block in within.map_or(&affine.region.blocks, |part| &part.blocks) {
            if self.scopes.contains_key(&block) {
                continue;
            }
            let scope = self.scope_of(affine, assumptions, block)?;
            self.scopes.insert(block, scope.clone());
            early::stays_inside(affine, assumptions, block, &scope, &self.loops)?;
            let part = match subregion::starting_at(affine, &scope, block) {
                // The ways on from further conditions of the part may meet elsewhere.
                Err(why) if within.is_some() => {
                    let guard = Guard::at((affine.analyses, affine.region), block, &scope.loops, &why).ok_or(why)?;
                    self.guards.push(guard);
                    continue;
                }
                part => part?,
            };
            let Some(part) = part else { continue };
            if guards == Guards::OfStatements && self.guarded(affine, assumptions, &part) {
                continue;
            }
            self.scopes.extend(part.blocks.iter().map(|inside| (*inside, scope.clone())));
            self.opaque.push(part);
        }
        Ok(())
    }

    /// Reads a part as statements under its condition, if it is loops that can be read, or the innermost loop around does not change the condition and
    /// hands on nothing from behind it, and says whether it is. Otherwise nothing changes.
    fn guarded(&mut self, affine: &Affine<'_, '_, 'ir>, assumptions: &mut Assumptions, part: &Opaque<'ir>) -> bool {
        let loops = self.of_block(part.start).loops.clone();
        let guard = Guard::at((affine.analyses, affine.region), part.start, &loops, &part.why);
        let has_loop = part.has_loop(affine.analyses);
        let is_outer = |guard: &Guard<'ir>| guard.depth < loops.len() && part.exit.phis().is_empty();
        let Some(guard) = guard.filter(|guard| has_loop || is_outer(guard)) else { return false };
        let mut inside = self.clone();
        let mut assumed = assumptions.clone();
        inside.guards.push(guard);
        let read = inside.visit(affine, &mut assumed, Guards::OfStatements, Some(part));
        let is_header = |id: &LoopId| part.blocks.contains(&affine.analyses.loop_(*id).header);
        let is_read = read.is_ok() && (!has_loop || inside.loops.keys().any(is_header));
        if is_read {
            *self = inside;
            *assumptions = assumed;
        }
        is_read
    }

    /// The condition that data decides at the end of a block.
    fn guard_at(&self, block: Block<'ir>) -> Option<GuardId> {
        self.guards.id_where(|guard| guard.start == block)
    }

    /// The conditions on data under which a scope is come to.
    pub fn guards_of(&self, scope: &Scope) -> Vec<BoundGuard<'ir>> {
        let bound = |answered: &Answered| {
            let answers = answered.answers();
            let first = &self.guards[answers[0].guard];
            let scope = self.of_block(first.start);
            let asked = match scope.unknowns[..] {
                [] => scope.domain.project_out(DimKind::Out, first.depth, scope.loops.len() - first.depth),
                // Which iterations there are is only known with those numbers.
                _ => scope.domain.clone(),
            };
            let answers = answers.iter().map(|answer| (self.guards[answer.guard].condition, answer.holds)).collect();
            BoundGuard { answers, wanted: matches!(answered, Answered::So(_)), asked }
        };
        scope.guards.iter().map(bound).collect()
    }

    /// Where ways come together under conditions that are not those of one place before.
    fn not_joined(&self, block: Block<'ir>) -> Refusal<'ir> {
        let why = self.guards.iter().last().map(|guard| guard.why.clone());
        let what = || "ways that meet under several conditions on data".to_string();
        let at = block.first_instruction().and_then(|i| i.place());
        why.unwrap_or_else(|| Refusal::at(at, Reason::IrregularControl { what: what() }))
    }

    /// The opaque part a block is in.
    pub fn opaque_of(&self, block: Block<'ir>) -> Option<&Opaque<'ir>> {
        self.opaque.iter().find(|part| part.blocks.contains(&block))
    }

    /// The opaque part through which control goes from one block to another.
    pub fn opaque_between(&self, from: Block<'ir>, to: Block<'ir>) -> Option<&Opaque<'ir>> {
        self.opaque.iter().find(|part| part.exit == to && part.leads_on(from))
    }

    pub fn of_block(&self, block: Block<'ir>) -> &Scope {
        self.scopes.get(&block).expect("law: every block of the region has a scope")
    }

    /// The points for which control goes from `from` to `to`, in the scope of `from`.
    pub fn edge(
        &self,
        affine: &Affine<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        from: Block<'ir>,
        to: Block<'ir>,
    ) -> Result<Scope, Refusal<'ir>> {
        let scope = self.of_block(from);
        let terminator = from.terminator().expect("law: a complete block has a terminator");
        let refuse = |reason| Refusal::at(terminator.place(), reason);
        let leaves = |next: Block<'ir>| affine.region.is_left_early(from, next);
        let Some(branch) = terminator.branch() else {
            let what = match terminator.opcode() {
                Opcode::Switch => "a switch".to_string(),
                Opcode::Invoke => return Err(refuse(Reason::MayThrow)),
                _ => terminator.to_string(),
            };
            return Err(refuse(Reason::IrregularControl { what }));
        };
        match branch {
            Branch::Always(_) => Ok(scope.clone()),
            Branch::If { then, otherwise, .. } if then == otherwise => Ok(scope.clone()),
            Branch::If { then, otherwise, .. } if [then, otherwise].iter().any(|next| leaves(*next)) => {
                Ok(scope.clone())
            }
            Branch::If { then, .. } if let Some(guard) = self.guard_at(from) => {
                Ok(scope.after(Answered::So(Answer { guard, holds: then == to })))
            }
            Branch::If { condition, then, .. } => {
                if let Some(id) = self.loop_left(affine.analyses, from, to) {
                    return Ok(self.last_iteration(id, scope));
                }
                let holds = affine.at(scope).condition(condition);
                let holds = holds.and_then(|holds| assumptions.accept(affine, holds)).map_err(refuse)?;
                let taken = match then == to {
                    true => scope.domain.intersect(&holds),
                    false => scope.domain.subtract(&holds),
                };
                Ok(scope.with_domain(taken.coalesce()))
            }
        }
    }

    /// The loop whose latch is `from`, if the edge leaves it.
    fn loop_left(&self, analyses: &Analyses<'_, 'ir>, from: Block<'ir>, to: Block<'ir>) -> Option<LoopId> {
        let id = analyses.loop_of(from)?;
        let this = analyses.loop_(id);
        (this.latch == Some(from) && !this.blocks.contains(&to) && self.loops.contains_key(&id)).then_some(id)
    }

    /// The points of `scope` that are in the last iteration of its innermost loop, which is `id`.
    fn last_iteration(&self, id: LoopId, scope: &Scope) -> Scope {
        let (outside, count) = &self.loops[&id];
        let depth = outside.loops.len();
        let iteration = PwAff::var_on_domain(&Space::alloc_set(&[], None, depth + 1), DimKind::Out, depth);
        let last = iteration.eq_set(&deepened(count, depth, depth + 1));
        scope.with_domain(scope.domain.intersect(&last))
    }

    fn scope_of(
        &mut self,
        affine: &Affine<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        block: Block<'ir>,
    ) -> Result<Scope, Refusal<'ir>> {
        let analyses = affine.analyses;
        let inner = analyses.loop_of(block).filter(|id| affine.region.loops(analyses).contains(id));
        if let Some(id) = inner.filter(|id| analyses.loop_(*id).header == block) {
            return self.enter_loop(affine, assumptions, id);
        }
        if let Some(dominator) = analyses.immediate_dominator(block) {
            let same_loop = self.scopes.contains_key(&dominator)
                && (dominator == affine.region.entry || analyses.loop_of(dominator) == analyses.loop_of(block));
            if same_loop && dominator != affine.region.entry && affine.always_leads(dominator, block) {
                return Ok(self.of_block(dominator).clone());
            }
        }
        let depth = inner.map_or(0, |id| affine.loops_around(id).len() + 1);
        let mut union: Option<Scope> = None;
        for predecessor in block.predecessors() {
            if predecessor != affine.region.entry && !affine.region.contains(predecessor) {
                continue;
            }
            let opaque = self.opaque_between(predecessor, block).map(|part| self.of_block(part.start).clone());
            let scope = match self.loop_left(analyses, predecessor, block) {
                _ if opaque.is_some() => opaque.expect("law: just seen"),
                Some(id) => self.loops[&id].0.clone(),
                None => self.edge(affine, assumptions, predecessor, block)?,
            };
            if scope.loops.len() != depth {
                let at = predecessor.terminator().and_then(|t| t.place());
                return Err(Refusal::at(at, Reason::SeveralExits));
            }
            union = Some(match union {
                None => scope,
                Some(all) => all.joined(&scope).ok_or_else(|| self.not_joined(block))?,
            });
        }
        let all = union.expect("law: every block of the region is reached");
        let domain = all.domain.coalesce();
        if domain.n_pieces() > MOST_PIECES {
            let at = block.first_instruction().and_then(|i| i.place());
            return Err(Refusal::at(at, Reason::TooLarge { what: "cases in a condition", limit: MOST_PIECES }));
        }
        Ok(all.with_domain(domain))
    }

    fn enter_loop(
        &mut self,
        affine: &Affine<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        id: LoopId,
    ) -> Result<Scope, Refusal<'ir>> {
        let this = affine.analyses.loop_(id);
        let refuse = |reason| Refusal::of_loop(affine.analyses, this, reason);
        affine.region.is_regular(this).map_err(refuse)?;
        let preheader = this.preheader.ok_or_else(|| refuse(Reason::IrregularLoop))?;
        let outside = self.edge(affine, assumptions, preheader, this.header)?;
        let count = affine.at(&outside).backedges(id);
        let count = count.and_then(|count| assumptions.accept(affine, count)).map_err(refuse)?;
        let depth = outside.loops.len();
        let inside = Space::alloc_set(&[], None, depth + 1);
        let iteration = PwAff::var_on_domain(&inside, DimKind::Out, depth);
        let bounds = iteration.le_set(&deepened(&count, depth, depth + 1)).lower_bound(DimKind::Out, depth, &0.into());
        let domain = outside.domain.insert_dims(DimKind::Out, depth, 1).intersect(&bounds).coalesce();
        let loops = outside.loops.iter().copied().chain([id]).collect();
        let scope = Scope { loops, domain, ..outside.clone() };
        self.loops.insert(id, (outside, count));
        Ok(scope)
    }
}
