//! Which bytes a region may change, so that what its new loops leave there can be held against what the original ones leave.
//!
//!     for (i = 0; i < n; i++) for (j = 0; j <= i; j++) C[i][j] += A[i] * A[j];          { C[i, j] : 0 <= j <= i < n }
//!
//! These elements, and no byte between them, are scanned by loops of their own: what the program does not touch may be another thread's,
//! or not be there at all. So each of them must be one that the original loops access in any case: those that they certainly write, and of
//! those that they write under a condition on data the ones that they read in any case, as in `if (x > best[i]) best[i] = x`.
//! Where else data decides, as in `if (key[i] > 3) h[key[i]]++`, the slice of the original loops that computes addresses can visit the
//! elements (see [`crate::extract::places::measure`]), if it reads nothing that the loops write. Nothing of all this depends on the new loops.
//! What cannot be visited is not validated, for a reason that the user is told.

use super::library;
use crate::ast::{self, Ast};
use crate::emit::arith::ranges::{Ranges, check_ranges};
use crate::extract::binding::{Binding, BoundStatement, Measurement, VisitId};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::statements::root::{LiveOutId, Root};
use crate::llvm::{Instruction, Value};
use crate::presburger::{Set, UnionMap};
use crate::scop::{Access, AccessKind, ArrayId, Scop, Statement};
use std::collections::HashSet;

/// What is compared after the loops.
#[derive(Clone)]
pub struct Validation {
    /// The arrays in memory that are written, and of which the model says where.
    pub written: Vec<Written>,
    /// The other ones, with what visits them.
    pub visited: Vec<(ArrayId, VisitId)>,
    /// The values for the code behind that are compared: those that are numbers in any case.
    pub values: Vec<LiveOutId>,
    /// Says to the user which loops these are, and what was done to them.
    pub what: String,
}

/// What is written of an array.
#[derive(Clone)]
pub struct Written {
    pub array: ArrayId,
    /// Loops over its elements, each once; their statement has the subscripts.
    pub scan: Ast,
    /// Each of the elements is written in any case: otherwise some may be only read, by other threads as well.
    pub is_certain: bool,
}

/// What can be compared, given the values that parameters have.
///
/// # Errors
/// Why the region is not validated, in the user's words.
pub fn validation(scop: &Scop, binding: &Binding<'_>, ranges: &Ranges, what: &str) -> Result<Validation, String> {
    let region = &binding.region;
    if !library::has_allocator(region.entry.function()) || !library::has_last_words(region.entry.function()) {
        return Err("the program has functions of its own that are called malloc, free, write or _exit".into());
    }
    if region.blocks.iter().flat_map(|block| block.instructions()).any(is_free_to_differ) {
        return Err("flags such as -ffast-math let results of floating-point arithmetic differ".into());
    }
    let own = |at: &ArrayId| scop.arrays[*at].own > 0;
    let in_memory = |at: &ArrayId| binding.arrays[*at].base.is_some() && binding.arrays[*at].is_written;
    let (mut known, mut visited) = (Vec::new(), Vec::new());
    for array in binding.arrays.ids().filter(|at| in_memory(at) && !own(at)) {
        match (written(scop, binding, ranges, array), visiting(binding, array)) {
            (Ok(written), _) => known.push(written),
            (Err(_), Some(at)) => visited.push((array, at)),
            (Err(why), None) => return Err(why),
        }
    }
    let is_number = |at: &LiveOutId| is_number(binding, binding.live_out[*at].value);
    let values: Vec<LiveOutId> = binding.live_out.ids().filter(is_number).collect();
    if known.is_empty() && visited.is_empty() && values.is_empty() {
        return Err("nothing that it computes can be compared".into());
    }
    Ok(Validation { written: known, visited, values, what: what.into() })
}

/// What visits all accesses to an array. What it reads must not change, so that nothing may be entangled.
fn visiting(binding: &Binding<'_>, array: ArrayId) -> Option<VisitId> {
    let visits = |m: &Measurement<'_>| m.arrays.iter().any(|(visited, _)| *visited == array);
    binding.visitable.id_where(visits).filter(|_| binding.entangled.is_empty())
}

/// Whether LLVM may compute something else each time that it meets the same operation.
fn is_free_to_differ(instruction: Instruction<'_>) -> bool {
    let flags = instruction.fast_math();
    flags.reassoc || flags.no_signed_zeros || flags.reciprocal || flags.contract || flags.approximate
}

fn written(scop: &Scop, binding: &Binding<'_>, ranges: &Ranges, array: ArrayId) -> Result<Written, String> {
    let bound = &binding.arrays[array];
    let name = &bound.source_name;
    let base = bound.base.and_then(Value::as_instruction);
    if base.is_some_and(|base| binding.region.contains_instruction(base)) {
        return Err(format!("where '{name}' begins is computed in the loops"));
    }
    let trusted = scop.trusted_context();
    let touched = |wanted: &dyn Fn(&Statement, &BoundStatement<'_>, usize) -> bool| {
        let mut all: Option<Set> = None;
        for (statement, bound_statement) in scop.statements.iter().zip(&binding.statements) {
            let own = statement.accesses.iter().enumerate().filter(|(_, access)| access.array == bound.id);
            for (_, access) in own.filter(|(at, _)| wanted(statement, bound_statement, *at)) {
                let elements = statement.touched(access, &trusted).range();
                all = Some(all.map_or(elements.clone(), |all| all.union(&elements)).coalesce());
            }
        }
        all
    };
    let writes = touched(&|statement, _, at| statement.accesses[at].kind.writes());
    let writes = writes.ok_or_else(|| format!("'{name}' is written in ways that the model does not show"))?;
    let certain = touched(&|statement, _, at| is_certain(statement, &statement.accesses[at], AccessKind::MustWrite));
    let is_certain_write = certain.as_ref().is_some_and(|certain| writes.is_subset(certain));
    if !is_certain_write {
        let accessed = touched(&|statement, bound, at| {
            let access = &statement.accesses[at];
            is_certain(statement, access, AccessKind::MustWrite)
                || at < n_certain_reads(bound, statement) && is_certain(statement, access, AccessKind::Read)
        });
        if !accessed.is_some_and(|accessed| writes.is_subset(&accessed)) {
            return Err(format!("data decides which elements of '{name}' are written"));
        }
    }
    let scan = scanned(&writes, &trusted).ok_or_else(|| format!("the elements of '{name}' have no bounds"))?;
    check_ranges(&scan.root, &mut ranges.clone()).map_err(|_| format!("64 bits are too few to scan '{name}'"))?;
    Ok(Written { array, scan, is_certain: is_certain_write })
}

/// Whether all that the access says is done, of this kind, whatever the data.
fn is_certain(statement: &Statement, access: &Access, kind: AccessKind) -> bool {
    let is_open = statement.is_conditional() || statement.applied.is_some();
    access.kind == kind && !is_open && access.relation.is_single_valued()
}

/// So many of a statement's accesses, which begin with the loads of its operand tree, are there in each of its instances; what is loaded in
/// an opaque part need not be.
fn n_certain_reads(bound: &BoundStatement<'_>, statement: &Statement) -> usize {
    match &bound.root {
        _ if !bound.guards.is_empty() => 0,
        Root::Opaque { .. } => {
            bound.leaves.values().filter(|leaf| matches!(leaf, Leaf::Load { .. } | Leaf::Indirect { .. })).count()
        }
        _ => statement.accesses.len(),
    }
}

/// Loops over the elements, if these have bounds.
fn scanned(elements: &Set, trusted: &Set) -> Option<Ast> {
    if !elements.is_bounded() {
        return None;
    }
    Ast::of_map(&UnionMap::from_map(&elements.identity()), trusted, &ast::Options::default()).ok()
}

/// Whether a value for the code behind is of a type that has bits to compare, and never something that LLVM may take for anything.
fn is_number<'ir>(binding: &Binding<'ir>, value: Instruction<'ir>) -> bool {
    let ty = value.ty();
    let is_ours = |i: &Instruction<'ir>| binding.region.contains_instruction(*i) || i.is_phi() && *i == value;
    let mut seen: HashSet<Value<'ir>> = HashSet::from([value.value()]);
    let mut pending = vec![value];
    while let Some(next) = pending.pop() {
        for operand in next.operands() {
            if operand.is_undefined() {
                return false;
            }
            pending.extend(operand.as_instruction().filter(|i| is_ours(i) && seen.insert(operand)));
        }
    }
    ty.is_integer() || ty.is_float() || ty.is_pointer()
}
