//! Parts of a loop body whose control data decides about, as one statement each.
//!
//! In `for (i) { s = 0; for (k = p[i]; k < p[i + 1]; k++) s += v[k]; y[i] = s; }` the inner loop is one statement, with the accesses that happen
//! inside and what it hands on, `s` (see [`crate::extract::control::subregion`]).

use super::builder::{StatementBuilder, Tree, iterators};
use super::drafts::Statement;
use super::root::{OpaqueAccess, Output, Root};
use super::sites::{Placed, Site};
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::Refusal;
use crate::extract::ssa::{cost, decider, operands, sets_errno};
use crate::llvm::{Analyses, Block, LoopId, Value};
use crate::scop::{AccessKind, ArrayId};

/// A loop of unknown length is taken to run so often where work is estimated.
pub const ITERATIONS: u32 = 16;

/// An estimate larger than this says nothing more.
const MOST_OPERATIONS: u32 = 100_000;

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// A statement for each opaque part; what it hands on is added when asked for.
    pub(in crate::extract) fn write_subregions(&mut self) -> Result<(), Refusal<'ir>> {
        for part in self.domains.opaque.clone() {
            let scope = self.domains.of_block(part.start).clone();
            let position = self.made.inside(part.start, part.start.instructions().len());
            let is_inside = |value: Value<'ir>| {
                value.as_instruction().and_then(|i| i.block()).is_some_and(|block| part.blocks.contains(&block))
            };
            let (mut tree, mut accesses) = (Tree::default(), Vec::new());
            let mut used: Vec<Value<'ir>> = part.start.terminator().and_then(decider).into_iter().collect();
            for instruction in part.blocks.iter().flat_map(|block| block.instructions()) {
                let home = instruction.block().expect("law: an instruction of the region is in a block");
                let is_repeated = self.depth_inside(home, &scope) > 0;
                for Placed { site: Site { pointer, ty, kind, .. }, array, offset } in self.placed(instruction, home)? {
                    let is_certain = part.is_straight() && offset.is_some() || !kind.writes();
                    let kind = if is_certain { kind } else { AccessKind::MayWrite };
                    accesses.push(OpaqueAccess { instruction, kind, pointer, ty, array, offset, is_repeated });
                }
                if let Some(effects) = self.effects(instruction) {
                    tree.operations = tree.operations.saturating_add(effects.operations);
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
    pub(super) fn depth_inside(&self, block: Block<'ir>, scope: &Scope) -> u32 {
        let analyses: &Analyses<'_, 'ir> = self.affine.analyses;
        let Some(id) = analyses.loop_of(block) else { return 0 };
        analyses.around(id).take_while(|id: &LoopId| !scope.loops.contains(id)).count() as u32
    }

    /// Has the statement of a part hand on a value: one of its own, or a phi of its exit.
    pub(in crate::extract) fn hand_on(
        &mut self,
        part: &Opaque<'ir>,
        value: Value<'ir>,
        array: ArrayId,
        loops: &[LoopId],
    ) {
        let output = Output { value, array, subscripts: iterators(loops) };
        for statement in &mut self.made.statements {
            if let Root::Opaque { part: other, outputs, .. } = &mut statement.root
                && other.start == part.start
            {
                outputs.push(output.clone());
            }
        }
    }

    /// Forgets the parts that do nothing.
    pub(in crate::extract) fn drop_idle(&mut self) {
        let does_something = |statement: &Statement<'_>| match &statement.root {
            Root::Opaque { accesses, outputs, .. } => {
                statement.sets_errno || !outputs.is_empty() || accesses.iter().any(OpaqueAccess::is_store)
            }
            _ => true,
        };
        self.made.statements.renumber(|all| all.retain(does_something));
    }
}
