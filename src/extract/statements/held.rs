//! Rows that a table of pointers holds, as one array of rows.
//!
//! ```c
//! void scale(int n, int m, double **a) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] *= 2; }
//! ```
//!
//! The pointer behind which `a[i][j]` is has been read from the table `a`, at `8 i`, and the element is `8 j` bytes further. If the region writes no
//! pointer into the table, and no two rows that it touches overlap, different `[i, j]` are different elements. So the rows are one array of the model, as
//! if they stood in memory one after the other, [`APART`] bytes for each byte of the table: at `2^44 (8 i) + 8 j`, of which the first part says which row it
//! is, `i`, and the second one where in it, which has a shape of its own. (In a table of structures every word is taken for a pointer, of which only some
//! are ever read.) Only what is within a row is ever computed as an offset; the row itself is read from the table, by a load that is part of the statement.
//!
//! That the rows are apart is tested before the loops (`Binding::rows`): from one another, and from all other arrays that they may overlap.

use super::builder::{StatementBuilder, Tree};
use super::drafts::{Draft, Drafts, Storage};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::Polynomial;
use crate::extract::refusal::Refusal;
use crate::llvm::{Block, Instruction, LoopId, Opcode, Type, Value};
use crate::scop::ArrayId;
use std::collections::BTreeSet;

/// How far apart rows are in these offsets, for each byte between their pointers: constants and factors of what is within a row are far below.
pub const APART: i128 = 1 << 44;

/// From one pointer of the table to the next.
pub const POINTER_BYTES: i128 = 8;

/// From one row to the next.
pub const ROW_BYTES: i128 = APART * POINTER_BYTES;

/// The number of the row's pointer in the table, of the bytes from the beginning of all.
pub fn row_of(offset: &Polynomial) -> Polynomial {
    offset.divided_to_nearest(APART).divided(POINTER_BYTES)
}

/// The bytes from the beginning of its row to an element, of those from the beginning of all.
pub fn within_row(offset: &Polynomial) -> Polynomial {
    let whole = offset.divided_to_nearest(APART);
    let rows = whole.scale(APART).expect("law: what was divided can be multiplied");
    offset.subtract(&rows).expect("law: a part of a polynomial is one")
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// The array of rows in one of which a pointer is, and where, if the pointer comes from a table that the region does not write.
    pub(super) fn in_row(
        &mut self,
        pointer: Value<'ir>,
        element: Type<'ir>,
        block: Block<'ir>,
    ) -> Option<(ArrayId, Number)> {
        let scope = self.domains.of_block(block);
        let is_row = |value: Value<'ir>| self.is_pointer_read_inside(value);
        let inside = self.origin(pointer, scope, &is_row).ok()?;
        let row = inside.form().0.as_instruction()?;
        let home = row.block()?;
        if self.made.members.contains(&row.value()) {
            return None;
        }
        let is_conditional = self.domains.opaque_of(home).is_some() || !self.domains.of_block(home).guards.is_empty();
        if is_conditional || self.varies_inside(pointer, block) || !self.same_scope(home, scope) {
            return None;
        }
        let at = row.memory().filter(|access| access.simple)?.pointer;
        let is_before = |value: Value<'ir>| self.affine.is_invariant(value);
        let place = self.origin(at, self.domains.of_block(home), &is_before).ok()?;
        let table = place.form().0;
        let is_word = place.form().1.polynomial.quotient(POINTER_BYTES).is_some();
        let are_known =
            [&inside, &place].into_iter().all(|part| part.form().1.exact && is_plain(&part.form().1.polynomial));
        if !are_known || !is_word || self.stored_to.contains(&table) {
            return None;
        }
        let (_, inside) = self.assumptions.accept(self.affine, inside).ok()?;
        let (_, place) = self.assumptions.accept(self.affine, place).ok()?;
        let offset = place.polynomial.scale(APART)?.add(&inside.polynomial)?;
        self.made.held.insert(pointer, row);
        let array = self.array_of_rows(table, element);
        Some((array, Number::exactly(offset, 64)))
    }

    /// Whether a value is a pointer that the region reads from memory.
    fn is_pointer_read_inside(&self, value: Value<'ir>) -> bool {
        let is_read = |i: Instruction<'ir>| i.opcode() == Opcode::Load && self.affine.region.contains_instruction(i);
        value.ty().is_pointer() && value.as_instruction().is_some_and(is_read)
    }

    fn array_of_rows(&mut self, table: Value<'ir>, element: Type<'ir>) -> ArrayId {
        if let Some(&array) = self.made.rows.get(&table) {
            return array;
        }
        let array = self.made.arrays.push(Draft {
            storage: Storage::Rows { table },
            element,
            is_written: false,
            is_live_out: true,
            is_indirect: false,
            may_wrap: false,
        });
        self.made.rows.insert(table, array);
        array
    }

    /// Has the statement read the pointer of the row in which an access is, if it is in one.
    pub(super) fn read_row(&mut self, pointer: Value<'ir>, tree: &mut Tree<'ir>) -> Result<(), Refusal<'ir>> {
        let Some(row) = self.made.held.get(&pointer).copied() else { return Ok(()) };
        if tree.leaves.contains_key(&row.value()) {
            return Ok(());
        }
        let refuse = |reason| Refusal::at(row.place(), reason);
        let access = row.memory().expect("law: a row's pointer is loaded");
        let home = row.block().expect("law: an instruction of the region is in a block");
        let (array, offset) = self.place(access.pointer, access.ty, home).map_err(refuse)?;
        let offset = offset.expect("law: where a row's pointer is has been a polynomial before");
        tree.leaves.insert(row.value(), Leaf::Load { array, offset });
        tree.loads.push(row);
        Ok(())
    }
}

impl<'ir> Drafts<'_, '_, 'ir> {
    /// The innermost loops that read the pointer to a row again in each iteration, as they may write it for all that LLVM knows: `unsigned char` may be
    /// anything.
    pub(in crate::extract) fn loops_that_read_again(&self) -> Vec<LoopId> {
        let analyses = self.affine.analyses;
        let reads_again = |row: &Instruction<'ir>| {
            let this = analyses.loop_(analyses.loop_of(row.block()?)?);
            let place = analyses.scev(row.memory()?.pointer)?;
            let is_the_same = this.children.is_empty() && analyses.is_invariant(place, this.id);
            let mut writers =
                this.blocks.iter().flat_map(|block| block.instructions()).filter(|i| i.may_write_memory());
            (is_the_same && writers.any(|writer| analyses.writes(writer, *row))).then_some(this.id)
        };
        let found: BTreeSet<LoopId> = self.held.values().filter_map(reads_again).collect();
        found.into_iter().collect()
    }
}

/// Whether steps are small enough for rows that are [`APART`], and no sizes of rows within a row.
fn is_plain(polynomial: &Polynomial) -> bool {
    polynomial.is_affine() && polynomial.terms().all(|(_, factor)| factor.abs() < 1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_within_a_row_is_what_no_table_says() {
        let offset = Polynomial::constant(3 * 8 * APART - 16);
        assert_eq!(within_row(&offset), Polynomial::constant(-16));
        assert_eq!(row_of(&offset), Polynomial::constant(3));
        assert_eq!(within_row(&Polynomial::constant(8)), Polynomial::constant(8));
    }
}
