//! Operand trees of statements: what is computed again, and what is read from a scalar array.
//!
//! The tree of `y[i] = a * sqrt(x[i]);` goes from the store down to the loads. It ends at integer expressions over counters, at loads, and at
//! values that have an array: those that are too expensive to compute twice, or whose operands may have changed.

use super::builder::{StatementBuilder, Tree, iterators};
use super::drafts::Position;
use crate::extract::control::guards::has_one_answer;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::obligations::Conditional;
use crate::extract::numbers::offset::WHOLE;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::ssa::{cost, is_computation, is_copyable, operands, sets_errno};
use crate::llvm::{Block, Instruction, LoopId, Opcode, Value};
use crate::scop::TableId;
use std::collections::HashSet;

/// Operands beyond this many in one statement mean unrolled or generated code.
pub(super) const MOST_OPERANDS: usize = 400;

/// An operation that takes longer than this many additions is not computed twice.
const EXPENSIVE: u32 = 8;

/// A value used deeper in the nest is computed there again if it takes at most so many additions.
const CHEAP_TREE: u32 = 4;

type Fallible<'ir, T> = Result<T, Refusal<'ir>>;

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// Adds a value and what feeds it to the tree of a statement at `position`.
    pub(in crate::extract) fn visit(
        &mut self,
        value: Value<'ir>,
        tree: &mut Tree<'ir>,
        scope: &Scope,
        position: Position,
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, ()> {
        if self.affine.is_invariant(value) || !tree.seen.insert(value) {
            return Ok(());
        }
        let instruction = value.as_instruction().expect("law: what the region computes is an instruction");
        let refuse = |reason| Refusal::at(instruction.place(), reason);
        if tree.seen.len() > MOST_OPERANDS {
            return Err(refuse(Reason::TooLarge { what: "operands in one statement", limit: MOST_OPERANDS }));
        }
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if let Some(number) = self.integer_expression(value, scope, home) {
            let must_be = !is_computation(instruction) || !self.same_scope(home, scope);
            let polynomial = match number.proved(self.affine) {
                Ok(polynomial) => Some(polynomial),
                Err(number) if must_be => Some(self.assumptions.accept(self.affine, number).map_err(refuse)?),
                Err(_) => None,
            };
            if let Some(polynomial) = polynomial {
                tree.leaves.insert(value, Leaf::Affine(polynomial));
                return Ok(());
            }
        }
        if tree.own != Some(value)
            && let Some(leaf) = self.scalar_leaf(instruction, home, scope, position, carried)?
        {
            tree.leaves.insert(value, leaf);
            return Ok(());
        }
        if let Some(access) = instruction.memory() {
            let (array, offset) = self.place(access.pointer, access.ty, home).map_err(refuse)?;
            let leaf = offset.map_or(Leaf::Indirect { array }, |offset| Leaf::Load { array, offset });
            let is_indirect = matches!(leaf, Leaf::Indirect { .. });
            tree.leaves.insert(value, leaf);
            tree.loads.push(instruction);
            self.read_row(access.pointer, tree)?;
            if is_indirect {
                tree.operations += 1;
                self.visit(access.pointer, tree, scope, position, carried)?;
            }
            return Ok(());
        }
        if !is_computation(instruction) {
            return Err(refuse(Reason::UnsupportedInstruction { what: instruction.to_string() }));
        }
        if sets_errno(instruction) {
            tree.sets_errno = true;
            self.called.insert(value);
        }
        tree.operations += cost(instruction);
        tree.computed.push(instruction);
        for operand in operands(instruction) {
            self.visit(operand, tree, scope, position, carried)?;
        }
        Ok(())
    }

    /// Integer arithmetic over counters and parameters, if that is all the value is, in the scope of a statement.
    pub(super) fn integer_expression(
        &self,
        value: Value<'ir>,
        scope: &Scope,
        home: Block<'ir>,
    ) -> Option<Conditional<Polynomial>> {
        let width = value.ty().integer_width()?;
        if !(2..=64).contains(&width) {
            return None;
        }
        let own = if self.same_scope(home, scope) { self.domains.of_block(home) } else { scope };
        let number = self.affine.at(own).number(value).ok()?.map(|number| number.polynomial);
        let is_outside = |atom| matches!(atom, Atom::Iterator(id) if !scope.loops.contains(&id));
        let leaves_scope = number.form().atoms().any(is_outside);
        (!leaves_scope).then_some(number)
    }

    pub(in crate::extract) fn is_integer_expression(&self, value: Value<'ir>, home: Block<'ir>) -> bool {
        let scope = self.domains.of_block(home).clone();
        self.integer_expression(value, &scope, home).is_some()
    }

    /// The scalar array element to read instead of computing the value, if the value is not to be computed again here.
    pub(super) fn scalar_leaf(
        &mut self,
        instruction: Instruction<'ir>,
        home: Block<'ir>,
        scope: &Scope,
        position: Position,
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, Option<Leaf>> {
        let value = instruction.value();
        if self.domains.opaque_of(home).is_some() {
            let loops = self.domains.of_block(home).loops.clone();
            let array = self.scalar_array(value, loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&loops) }));
        }
        if let Some(alias) =
            self.aliases.get(&value).copied().or_else(|| self.final_value_if_outside(value, home, scope))
        {
            return Ok(Some(self.phi_leaf(alias)));
        }
        if instruction.is_phi() {
            if let [(inner, _)] = instruction.incoming()[..]
                && self.same_loops(inner, home)
            {
                return self.through(inner, scope, position, carried).map(Some);
            }
            return Ok(Some(self.phi_leaf(value)));
        }
        let home_loops = self.domains.of_block(home).loops.clone();
        let is_deeper = home_loops.len() < scope.loops.len();
        let is_read_too_late = instruction.memory().is_some() && self.is_clobbered(instruction, home, position);
        let is_kept = self.scalars.contains_key(&value);
        let is_expensive = cost(instruction) > EXPENSIVE && value.users().len() > 1;
        let must_keep = is_read_too_late || is_expensive || (is_deeper && !self.is_cheap(value, &mut 0));
        let is_elsewhere = sets_errno(instruction) && !self.runs_alike(home, scope);
        let is_asked_once = is_answer(instruction) && !has_one_answer(self.affine.region, value);
        if is_kept || must_keep || is_elsewhere || is_asked_once {
            let array = self.scalar_array(value, home_loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&home_loops) }));
        }
        let waits = self.reads_other_carried(value, carried, &mut HashSet::new());
        if waits && !carried.is_some_and(|own| self.is_update_of(value, own)) {
            let array = self.scalar_array(value, home_loops.clone(), instruction.ty());
            return Ok(Some(Leaf::Scalar { array, subscripts: iterators(&home_loops) }));
        }
        Ok(None)
    }

    pub(super) fn through(
        &mut self,
        inner: Value<'ir>,
        scope: &Scope,
        position: Position,
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, Leaf> {
        let instruction = inner.as_instruction().filter(|i| self.affine.region.contains_instruction(*i));
        let Some(instruction) = instruction else {
            return Err(Refusal::anywhere(Reason::IrregularControl {
                what: "a copy of a value from before the loops".into(),
            }));
        };
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if let Some(leaf) = self.scalar_leaf(instruction, home, scope, position, carried)? {
            return Ok(leaf);
        }
        let loops = self.domains.of_block(home).loops.clone();
        let array = self.scalar_array(inner, loops.clone(), instruction.ty());
        Ok(Leaf::Scalar { array, subscripts: iterators(&loops) })
    }

    /// Whether a block is in none but the loops of a scope.
    pub(super) fn same_scope(&self, home: Block<'ir>, scope: &Scope) -> bool {
        let home = &self.domains.of_block(home).loops;
        home.len() <= scope.loops.len() && *home == scope.loops[..home.len()]
    }

    /// Whether a statement with this scope has the instances that a block has.
    pub(super) fn runs_alike(&self, home: Block<'ir>, scope: &Scope) -> bool {
        let own = self.domains.of_block(home);
        own.has_dimensions_of(scope) && own.guards == scope.guards && own.domain.is_equal(&scope.domain)
    }

    pub(super) fn same_loops(&self, value: Value<'ir>, home: Block<'ir>) -> bool {
        let block =
            value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)).and_then(|i| i.block());
        block.is_some_and(|block| self.domains.of_block(block).loops == self.domains.of_block(home).loops)
    }

    /// Whether memory the load reads may be written between the load and a statement at `position` that would read it again.
    pub(super) fn is_clobbered(&mut self, load: Instruction<'ir>, home: Block<'ir>, position: Position) -> bool {
        let Some(access) = load.memory() else { return false };
        let Ok((array, offset)) = self.place(access.pointer, access.ty, home) else { return true };
        let Some(stores) = self.made.stores.get(&array).cloned() else { return false };
        let at = home.instructions().iter().position(|i| *i == load).unwrap_or(0);
        let from = self.made.inside(home, at);
        if position.block == from.block {
            let between = |(store, place): &(Instruction<'ir>, Position)| {
                *place > from
                    && *place < position
                    && !offset.as_ref().is_some_and(|offset| self.is_elsewhere(*store, offset, home))
            };
            return stores.iter().any(between);
        }
        let loops = &self.domains.of_block(home).loops;
        let shares_loops = self.block_at(position).is_some_and(|block| self.domains.of_block(block).loops == *loops);
        if !shares_loops {
            return !self.is_asking || self.is_written_before(&stores, (from, loops), position);
        }
        stores.iter().any(|(_, place)| *place > from && *place < position)
    }

    /// Whether a store happens after what is at a place in some loops, and before what is deeper in them in the same iterations of these.
    fn is_written_before(
        &self,
        stores: &[(Instruction<'ir>, Position)],
        (from, loops): (Position, &[LoopId]),
        position: Position,
    ) -> bool {
        let loops_at = |at: Position| self.block_at(at).map_or(&[][..], |block| &self.domains.of_block(block).loops);
        let Some(deeper) = loops_at(position).strip_prefix(loops) else { return true };
        stores.iter().any(|(_, place)| {
            let is_again = deeper.iter().any(|id| loops_at(*place).contains(id));
            *place > from && (*place < position || is_again)
        })
    }

    pub(super) fn block_at(&self, position: Position) -> Option<Block<'ir>> {
        self.affine.region.blocks.get(position.block.position().checked_sub(1)?).copied()
    }

    /// Whether a store in the same block certainly writes another element of the same array in the same iteration.
    pub(super) fn is_elsewhere(&mut self, store: Instruction<'ir>, offset: &Polynomial, home: Block<'ir>) -> bool {
        let Some(access) = store.memory() else { return false };
        let Ok((_, other)) = self.address(access.pointer, access.ty, home) else { return false };
        let layout = home.function().layout();
        let size = i128::from(layout.store_size(access.ty));
        let distance = other.polynomial.subtract(offset).and_then(|d| d.as_constant());
        let forwards = distance.map(|distance| distance.rem_euclid(WHOLE));
        forwards.is_some_and(|forwards| forwards >= size && WHOLE - forwards >= size)
    }

    /// Whether the value takes few operations and reads only memory that the region never writes.
    pub(super) fn is_cheap(&mut self, value: Value<'ir>, spent: &mut u32) -> bool {
        let Some(instruction) = value.as_instruction().filter(|i| self.affine.region.contains_instruction(*i)) else {
            return true;
        };
        let home = instruction.block().expect("law: an instruction of the region is in a block");
        if self.is_integer_expression(value, home) {
            return true;
        }
        if let Some(access) = instruction.memory() {
            let Ok((array, offset)) = self.place(access.pointer, access.ty, home) else { return false };
            let is_written = self.made.stores.contains_key(&array);
            return match offset {
                // Whether it may be read again is found out where it is visited.
                Some(_) => !is_written || self.is_asking,
                None => self.is_asking && !is_written && self.is_cheap(access.pointer, spent),
            };
        }
        *spent += cost(instruction);
        if instruction.is_phi() || *spent > CHEAP_TREE || !is_copyable(instruction) {
            return false;
        }
        operands(instruction).into_iter().all(|operand| self.is_cheap(operand, spent))
    }
}

/// Whether floating-point numbers decide about what several others are computed from: these have to go by one answer.
fn is_answer(instruction: Instruction<'_>) -> bool {
    let decides = matches!(instruction.opcode(), Opcode::FCmp | Opcode::FpToSi | Opcode::FpToUi);
    let mut users = instruction.users();
    // All that goes to one address goes there by one answer.
    while let [user] = users[..]
        && is_copyable(user)
        && user.opcode() != Opcode::GetElementPtr
    {
        users = user.users();
    }
    decides && users.len() > 1
}
