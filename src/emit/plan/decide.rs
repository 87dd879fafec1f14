//! Everything that is decided before the first instruction changes.
//!
//! A [`Plan`] is data. Making it is where emission may refuse and where sets are computed (so it belongs inside a step
//! budget); building it can do neither.

use super::decisions::{Decisions, Plan, Settings, parameter_ranges};
use super::guard;
use super::innermost::{self, guarded, kept};
use super::library;
use super::own::{OWN_ALIGNMENT, own_alignment, own_arrays, own_on_stack};
use super::privatization::Extent;
use super::reduction;
use super::storage::{self, Storage};
use crate::ast::{Ast, Expr, For, Node};
use crate::emit::arith::bounds::Range;
use crate::emit::arith::formula;
use crate::emit::arith::pieces::{Pieces, quasi_around};
use crate::emit::arith::ranges::{Ranges, check_ranges, fits, iterator_range, unwritable};
use crate::extract::Threads;
use crate::extract::binding::Binding;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, ParameterId, Polynomial, QuasiId};
use crate::extract::refusal::{Reason, Refusal};
use crate::extract::statements::local::Life;
use crate::extract::statements::root::Root;
use crate::llvm::LoopId;
use crate::presburger::{DimKind, Id, Int, Set, Unbounded};
use crate::scop::{ArrayId, Scop, Table, Tree};
use std::collections::BTreeSet;

impl<'p, 'ir> Plan<'p, 'ir> {
    /// `tree` is what `ast` was made from, `relaxed` the arrays whose reductions its coincident members disregard.
    pub fn of(
        scop: &'p Scop,
        tree: &Tree,
        relaxed: &[Id],
        ast: &'p Ast,
        binding: &'p Binding<'ir>,
        settings: Settings,
    ) -> Result<Self, Refusal<'ir>> {
        let refuse = Refusal::anywhere;
        check_binding(binding)?;
        let trusted = scop.trusted_context();
        let limits = limits(binding, &trusted).map_err(refuse)?;
        let named = parameter_ranges(binding, &limits);
        check_ranges(&ast.root, &mut named.clone()).map_err(refuse)?;
        let quasi = Pieces::of(ast, binding, &trusted).ok_or_else(|| refuse(unwritable("a subscript")))?;
        check_statements(&ast.root, binding, &named, &quasi.everywhere, &mut named.clone()).map_err(refuse)?;
        check_inspections(binding)?;
        let function = binding.region.entry.function();
        let is_shared = settings.threads == Threads::Several && library::has_openmp(function);
        let may_flow = is_shared && relaxed.is_empty() && library::can_yield(function);
        let flowing = if may_flow { pipelined(&ast.root) } else { Vec::new() };
        let mut parallel = if is_shared { parallel_loops(&ast.root) } else { BTreeSet::new() };
        parallel.extend(flowing.iter().map(|shared| shared.iterator.clone()));
        let mut reductions = reduction::plan(scop, (tree, ast), binding, relaxed, &parallel, &named).map_err(refuse)?;
        let private = reductions.arrays();
        let storage = storage::plan(scop, tree, ast, binding, &parallel, &private).map_err(refuse)?;
        for last in storage.iter().flatten().filter_map(Storage::last) {
            fits(last, &named).map_err(refuse)?;
        }
        for shared in flowing {
            let on_stack = own_on_stack(scop, binding, &storage, shared);
            if let Some(array) = own_arrays(scop, binding, &storage, shared).find(|at| !on_stack.contains(at)) {
                let name = &binding.arrays[array].source_name;
                let what = format!("a copy of '{name}' for each thread of a pipeline, too large for its stack");
                return Err(refuse(Reason::Storage { what }));
            }
        }
        let shared = copies_of_own((scop, ast), binding, &parallel, &storage, &named).map_err(refuse)?;
        shared.into_iter().for_each(|(iterator, array, extent)| reductions.add_own(&iterator, array, extent));
        let mut guard = guard::plan(scop, binding, &limits, &named, &storage, reductions.measured()).map_err(refuse)?;
        if parallel.is_empty() && !binding.errno.is_set {
            guard.not_errno.clear();
            guard.outside_errno.clear();
        }
        let takes_memory = !reductions.private.is_empty() || !guard.buffers.is_empty() || !guard.rows.is_empty();
        if takes_memory && !library::has_allocator(binding.region.entry.function()) {
            return Err(refuse(Reason::Storage { what: "the program has a malloc or free of its own".into() }));
        }
        let kept = kept::plan(scop, ast, binding, &storage, &reductions);
        let guarded = guarded::plan((scop, ast), binding, &named, settings.minimal_work).map_err(refuse)?;
        let validation = None;
        let in_blocks = innermost::in_blocks(ast, binding);
        let decisions =
            Decisions { limits, guard, storage, quasi, parallel, reductions, kept, guarded, in_blocks, validation };
        Ok(Plan::from_decisions(scop, ast, binding, settings, decisions))
    }
}

/// The copies that parallel loops have of arrays that iterations have of their own, and for which there is no room on the stack of a thread: by the loop's
/// iterator, how much of which array.
fn copies_of_own(
    (scop, ast): (&Scop, &Ast),
    binding: &Binding<'_>,
    parallel: &BTreeSet<Id>,
    storage: &Table<ArrayId, Option<Storage>>,
    named: &Ranges,
) -> Result<Vec<(Id, ArrayId, Extent)>, Reason> {
    let (mut loops, mut found) = (Vec::new(), Vec::new());
    reduction::collect(&ast.root, &mut loops);
    for each in loops.into_iter().filter(|each| parallel.contains(&each.iterator)) {
        let on_stack = own_on_stack(scop, binding, storage, each);
        for array in own_arrays(scop, binding, storage, each).filter(|at| !on_stack.contains(at)) {
            if own_alignment(binding, array) > OWN_ALIGNMENT {
                let name = &binding.arrays[array].source_name;
                let what = format!(
                    "a copy of '{name}' for each thread, too large for its stack and aligned to more than a line of the cache"
                );
                return Err(Reason::Storage { what });
            }
            let extent = match binding.arrays[array].life {
                Life::Forgotten | Life::Kept | Life::Unknown => Extent::Whole,
                Life::Given => reduction::touched_own(scop, binding, &each.body.statements(), array, named)?,
            };
            found.push((each.iterator.clone(), array, extent));
        }
    }
    Ok(found)
}

/// What the rest relies on: addresses have 64 bits, and what is used behind the region is listed.
fn check_binding<'ir>(binding: &Binding<'ir>) -> Result<(), Refusal<'ir>> {
    let region = &binding.region;
    if region.entry.function().layout().pointer_width() != 64 {
        let what = "pointers that have not 64 bits".to_string();
        return Err(Refusal::anywhere(Reason::UnsupportedType { what }));
    }
    let broken = |what: &str| Err(Refusal::anywhere(Reason::Broken { what: what.into() }));
    for live in &binding.live_out {
        if !is_scalar_without_dimension(binding, live.array) {
            return broken("a value that is live behind the loops is not in a scalar");
        }
    }
    let listed: BTreeSet<ArrayId> = binding.live_out.iter().map(|live| live.array).collect();
    if listed.len() != binding.live_out.len() {
        return broken("two values that are live behind the loops share a scalar");
    }
    let is_listed = |value| binding.live_out.iter().any(|live| live.value == value);
    for phi in region.exit.phis() {
        let from_region = phi.incoming().iter().any(|(_, from)| *from == region.entry || region.contains(*from));
        if from_region && !is_listed(phi) {
            return broken("a value behind the loops has no source");
        }
    }
    for instruction in region.blocks.iter().flat_map(|block| block.instructions()) {
        let is_outside = |user: &crate::llvm::Instruction<'ir>| {
            let into_exit = user.is_phi() && user.block() == Some(region.exit);
            let edges = user.incoming().into_iter().filter(|(value, _)| *value == instruction.value());
            let all_from_region = edges.clone().all(|(_, from)| from == region.entry || region.contains(from));
            let is_behind = region.is_used_behind(instruction.value(), *user) != Some(false);
            is_behind && !(into_exit && all_from_region)
        };
        if instruction.users().iter().any(is_outside) && !is_listed(instruction) {
            return broken("a value of the loops is used behind them");
        }
    }
    Ok(())
}

fn is_scalar_without_dimension(binding: &Binding<'_>, array: ArrayId) -> bool {
    binding.statements.iter().all(|statement| match &statement.root {
        Root::Write { array: written, subscripts, .. } if *written == array => subscripts.is_empty(),
        Root::Opaque { outputs, .. } | Root::Pick { outputs, .. } | Root::Together { outputs } => {
            outputs.iter().all(|o| o.array != array || o.subscripts.is_empty())
        }
        _ => true,
    }) && binding.arrays[array].base.is_none()
}

/// What is known of each parameter where the new loops run: by its type and the code around, and by the trusted
/// context.
fn limits(binding: &Binding<'_>, trusted: &Set) -> Result<Table<ParameterId, Range>, Reason> {
    let limit = |parameter: &crate::extract::numbers::parameters::Parameter<'_>| {
        let known = Range::new(
            parameter.interval.low.unwrap_or(Range::WORD.low),
            parameter.interval.high.unwrap_or(Range::WORD.high),
        );
        let at = trusted.space().find_param(parameter.id.as_str());
        let bound = |value: Result<Option<Int>, Unbounded>| value.ok()??.as_i64().map(i128::from);
        let low = at.and_then(|at| bound(trusted.dim_min_val(DimKind::Param, at)));
        let high = at.and_then(|at| bound(trusted.dim_max_val(DimKind::Param, at)));
        let low = low.map_or(known.low, |low| low.max(known.low));
        let high = high.map_or(known.high, |high| high.min(known.high));
        Range::new(low, high).in_word().ok_or_else(|| unwritable(&format!("'{}'", parameter.id)))
    };
    binding.parameters.iter().map(limit).collect()
}

/// Whether 64 bits are enough for the floors in subscripts, at each instance.
fn check_statements(
    node: &Node,
    binding: &Binding<'_>,
    parameters: &Ranges,
    quasi: &Table<QuasiId, Expr>,
    ranges: &mut Ranges,
) -> Result<(), Reason> {
    if let Node::For(each) = node {
        let (lower, upper) = (fits(&each.lower, ranges)?, fits(&each.upper, ranges)?);
        ranges.insert(each.iterator.clone(), iterator_range(each, lower, upper));
    }
    if let Node::User { statement, arguments } = node {
        let bound = binding.statements.iter().find(|s| s.id == *statement);
        let bound = bound.ok_or_else(|| Reason::Broken { what: format!("no statement {statement}") })?;
        if bound.loops.len() != arguments.len() {
            return Err(Reason::Broken { what: format!("{statement} has not {} iterators", arguments.len()) });
        }
        let mut named = parameters.clone();
        for (at, argument) in arguments.iter().enumerate() {
            named.insert(formula::dimension_name(at), fits(argument, ranges)?);
        }
        let atoms = bound.leaves.values().flat_map(Leaf::polynomials).chain(bound.root.polynomials());
        for atom in atoms.flat_map(Polynomial::atoms) {
            check_atom(atom, &bound.loops, binding, &named, quasi)?;
        }
        quasi_around(bound, binding).into_iter().try_for_each(|at| fits(&quasi[at], &named).map(|_| ()))?;
    }
    node.children().into_iter().try_for_each(|child| check_statements(child, binding, parameters, quasi, ranges))
}

fn check_atom(
    atom: Atom,
    loops: &[LoopId],
    binding: &Binding<'_>,
    named: &Ranges,
    quasi: &Table<QuasiId, Expr>,
) -> Result<(), Reason> {
    let is_prefix = |inner: &[LoopId]| inner.len() <= loops.len() && *inner == loops[..inner.len()];
    let misplaced = || Err(Reason::Broken { what: "a subscript counts a loop that is not around it".into() });
    match atom {
        Atom::Iterator(id) if !loops.contains(&id) => misplaced(),
        Atom::Quasi(at) if !is_prefix(&binding.quasi[at].0) => misplaced(),
        Atom::Quasi(at) => fits(&quasi[at], named).map(|_| ()),
        _ => Ok(()),
    }
}

/// Whether what data gives can be computed before the loops.
fn check_inspections<'ir>(binding: &Binding<'ir>) -> Result<(), Refusal<'ir>> {
    let is_quasi = |atom: Atom| matches!(atom, Atom::Quasi(_));
    let leaves = binding.inspections.iter().flat_map(|inspection| inspection.computed.leaves.values());
    match leaves.flat_map(Leaf::polynomials).flat_map(Polynomial::atoms).any(is_quasi) {
        true => Err(Refusal::anywhere(unwritable("a test of data"))),
        false => Ok(()),
    }
}

/// Iterators of the outermost loops that may run in parallel; what is inside them is sequential.
fn parallel_loops(node: &Node) -> BTreeSet<Id> {
    match node {
        Node::For(each) if each.parallel && !each.degenerate => BTreeSet::from([each.iterator.clone()]),
        _ => node.children().into_iter().flat_map(parallel_loops).collect(),
    }
}

/// The loops that threads share in pipelines.
fn pipelined(node: &Node) -> Vec<&For> {
    match node {
        Node::For(each) if each.pipelined => each.shared_inside().into_iter().collect(),
        _ => node.children().into_iter().flat_map(pipelined).collect(),
    }
}
