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
//! A table may itself be a row of another one, as for `double ***a`: `a[i][j][k]` is at `2^88 (8 i) + 2^44 (8 j) + 8 k`, in a row of rows of `a`, whose
//! pointers are elements of the rows of `a`.
//!
//! That the rows are apart is tested before the loops (`Binding::rows`): from one another, and from all other arrays that they may overlap.

use super::builder::{StatementBuilder, Tree};
use super::drafts::{Draft, Drafts, Storage};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::Refusal;
use crate::llvm::{Block, Instruction, LoopId, Opcode, Type, Value};
use crate::scop::marks::READ_BEFORE;
use crate::scop::{ArrayId, READ_AGAIN};
use std::collections::BTreeMap;

/// How far apart rows are in these offsets, for each byte between their pointers: constants and factors of what is within a row are far below.
pub const APART: i128 = 1 << 44;

/// From one pointer of the table to the next.
pub const POINTER_BYTES: i128 = 8;

/// So many pointers, one behind the other, may lead to a row: more offsets than these have no room in 128 bits.
pub const MOST_POINTERS: usize = 2;

/// From one row to the next, for each of `depth` pointers that lead to it.
pub fn row_bytes(depth: usize) -> Vec<i128> {
    let bytes = |at: u32| APART.pow(at) * POINTER_BYTES;
    (1..=depth).rev().map(|at| bytes(u32::try_from(at).expect("law: few pointers lead to a row"))).collect()
}

/// The numbers of the `depth` pointers that lead to a row in their tables, and the bytes from the beginning of that row to an element, of the bytes from the
/// beginning of all.
pub fn parts_of(offset: &Polynomial, depth: usize) -> (Vec<Polynomial>, Polynomial) {
    let mut rest = offset.clone();
    let numbers = row_bytes(depth).into_iter().map(|bytes| {
        let unit = bytes / POINTER_BYTES;
        let whole = rest.divided_to_nearest(unit);
        let rows = whole.scale(unit).expect("law: what was divided can be multiplied");
        rest = rest.subtract(&rows).expect("law: a part of a polynomial is one");
        whole.divided(POINTER_BYTES)
    });
    let numbers = numbers.collect();
    (numbers, rest)
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// The array of rows in one of which a pointer is, and where, if the pointer comes from a table that the region does not write. It may have been read in
    /// another loop inside of the same ones, where each iteration reads the same pointer.
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
        if is_conditional || self.varies_inside(pointer, block) || !is_known(inside.form()) {
            return None;
        }
        let loops = scope.loops.clone();
        let is_there = |atom: Atom| match atom {
            Atom::Iterator(this) => loops.contains(&this),
            atom => atom.is_constant(),
        };
        let is_alike = self.same_scope(home, scope);
        let (table, depth, place) = self.place_of_row(row, home)?;
        if !is_alike && !place.atoms().all(is_there) {
            return None;
        }
        if depth > MOST_POINTERS || (0..depth).any(|at| self.stored_to.contains(&(table, at))) {
            return None;
        }
        let (_, inside) = self.assumptions.accept(self.affine, inside).ok()?;
        let offset = place.scale(APART)?.add(&inside.polynomial)?;
        self.made.held.insert(pointer, row);
        let array = self.array_of_rows((table, depth), element);
        Some((array, Number::exactly(offset, 64)))
    }

    /// The table that the pointer to a row is read from, or that the first of several pointers is read from; how many these are; and the bytes to the last
    /// one's place, which is in a row itself if there are several.
    fn place_of_row(&mut self, row: Instruction<'ir>, home: Block<'ir>) -> Option<(Value<'ir>, usize, Polynomial)> {
        let access = row.memory().filter(|access| access.simple)?;
        let is_before = |value: Value<'ir>| self.affine.is_invariant(value);
        let Ok(place) = self.origin(access.pointer, self.domains.of_block(home), &is_before) else {
            let (array, place) = self.in_row(access.pointer, access.ty, home)?;
            let Storage::Rows { table, depth } = self.made.arrays[array].storage else { return None };
            let (_, inside) = parts_of(&place.polynomial, depth);
            return is_of_words(&inside).then_some((table, depth + 1, place.polynomial));
        };
        if !is_known(place.form()) || !is_of_words(&place.form().1.polynomial) {
            return None;
        }
        let (table, place) = self.assumptions.accept(self.affine, place).ok()?;
        Some((table, 1, place.polynomial))
    }

    /// The pointers that lead to what an address is computed from, each with the number of those behind it: the last one, which is from before the region or
    /// read in it, the one behind which that is read, and so on.
    pub(super) fn pointers_behind(&self, pointer: Value<'ir>, block: Block<'ir>) -> Vec<(Value<'ir>, usize)> {
        let next = |(base, depth): &(Value<'ir>, usize)| {
            let read = base.as_instruction().filter(|_| self.is_pointer_read_inside(*base))?;
            let before = self.made.base(read.memory()?.pointer, read.block()?)?;
            (*depth < MOST_POINTERS).then_some((before, depth + 1))
        };
        let first = self.made.base(pointer, block).map(|base| (base, 0));
        std::iter::successors(first, next).collect()
    }

    /// Whether a value is a pointer that the region reads from memory.
    fn is_pointer_read_inside(&self, value: Value<'ir>) -> bool {
        let is_read = |i: Instruction<'ir>| i.opcode() == Opcode::Load && self.affine.region.contains_instruction(i);
        value.ty().is_pointer() && value.as_instruction().is_some_and(is_read)
    }

    fn array_of_rows(&mut self, (table, depth): (Value<'ir>, usize), element: Type<'ir>) -> ArrayId {
        if let Some(&array) = self.made.rows.get(&(table, depth)) {
            return array;
        }
        let array = self.made.arrays.push(Draft {
            storage: Storage::Rows { table, depth },
            element,
            is_written: false,
            is_live_out: true,
            is_indirect: false,
            may_wrap: false,
        });
        self.made.rows.insert((table, depth), array);
        array
    }

    /// Has the statement read the pointers of the row in which an access is, if it is in one.
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
        self.read_row(access.pointer, tree)
    }
}

impl<'ir> Drafts<'_, '_, 'ir> {
    /// The innermost loops that read a bound, or the pointer to a row, again in each iteration, as they may write it for all that LLVM knows: `unsigned char` may be
    /// anything. With the mark that says whether that was read before them where the model holds.
    pub(in crate::extract) fn loops_that_read_again(&self) -> BTreeMap<LoopId, &'static str> {
        let analyses = self.affine.analyses;
        let reads_again = |row: &Instruction<'ir>| {
            let this = analyses.loop_(analyses.loop_of(row.block()?)?);
            let place = analyses.scev(row.memory()?.pointer)?;
            let is_the_same = this.children.is_empty() && analyses.is_invariant(place, this.id);
            let mut writers = this.instructions().filter(|i| i.may_write_memory());
            (is_the_same && writers.any(|writer| analyses.writes(writer, *row))).then_some((this.id, READ_AGAIN))
        };
        let marked = self.affine.region.loops(analyses).into_iter();
        let marked = marked.filter(|id| analyses.loop_(*id).latch.is_some_and(Block::reads_again));
        marked.map(|id| (id, READ_BEFORE)).chain(self.held.values().filter_map(reads_again)).collect()
    }
}

/// Whether what is between a pointer and an address is exactly known and [`is_plain`].
fn is_known((_, between): &(Value<'_>, Number)) -> bool {
    between.exact && is_plain(&between.polynomial)
}

/// Whether it counts whole pointers.
fn is_of_words(bytes: &Polynomial) -> bool {
    bytes.quotient(POINTER_BYTES).is_some()
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
        let of = |offset: i128, depth: usize| parts_of(&Polynomial::constant(offset), depth);
        let parts = |numbers: &[i128], inside: i128| {
            (
                numbers.iter().map(|number| Polynomial::constant(*number)).collect::<Vec<_>>(),
                Polynomial::constant(inside),
            )
        };
        assert_eq!(of(3 * 8 * APART - 16, 1), parts(&[3], -16));
        assert_eq!(of(8, 1), parts(&[0], 8));
        assert_eq!(of((5 * 8 * APART - 2 * 8) * APART + 24, 2), parts(&[5, -2], 24));
        assert_eq!(of(24, 0), parts(&[], 24));
    }
}
