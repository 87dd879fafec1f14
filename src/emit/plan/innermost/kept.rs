//! What instances that run one after the other in an iteration hand to each other, and what all iterations of a loop have in common.
//!
//!     for (j = k + 2; j < n; j++) {                // where k + 2 <= i
//!       A[i][j] = A[i][j] - A[i][k] * A[k][j];
//!       A[i][j] = A[i][j] - A[i][k + 1] * A[k + 1][j];
//!     }
//!
//! The first store is not needed: what it stores is what the second line works on, and nothing reads that element in between. `A[i][k]` and `A[i][k +
//! 1]` are the same in each iteration and can be loaded before the loop. LLVM sees neither, as for all it knows the rows `i`, `k` and
//! `k + 1` are one. The model knows better: in the loops around, `i > k + 1`.
//!
//! Elements are compared by their subscripts, as sums of the iterators and parameters of the new loops: two accesses are of one element if the
//! sums are the same, and of two if no values of the iterators for which the loops run and the conditions hold make them equal. Arrays some
//! accesses to which are neither, or whose elements are reached in another way, stay in memory.

use crate::ast::{Ast, Expr, Node};
use crate::emit::arith::linear::{Linear, inside_of, where_holds};
use crate::emit::plan::own::own_in_parts;
use crate::emit::plan::reduction::Reductions;
use crate::emit::plan::storage::Storage;
use crate::extract::binding::{Binding, BoundStatement};
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::statements::root::Root;
use crate::llvm::Value;
use crate::presburger::{BasicSet, Constraint, ConstraintKind, DimKind, Id, Int, Set, Space, within};
use crate::scop::{AccessKind, ArrayId, Scop, StatementId, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Work units for one loop; what is not known by then stays in memory.
const BUDGET: u64 = 4_000_000;

/// Loops with more instances in an iteration than this are left as they are: pairs of elements are compared.
const MOST_INSTANCES: usize = 64;

/// How many elements are loaded before a loop: as many as there are registers beside those that change.
const MOST_BEFORE: usize = 16;

/// An element, by its number among those that an iteration touches.
pub type Element = usize;

/// What is kept in registers in an innermost loop.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// For each instance of the loop's body.
    pub instances: Vec<KeptInstance>,
    /// What is loaded before the loop: instances, and the loads among theirs.
    pub before: Vec<(usize, usize)>,
}

/// What is kept of an instance.
#[derive(Clone, Debug, Default)]
pub struct KeptInstance {
    /// The elements of loads, by their number in [`BoundStatement::loads`].
    pub loads: BTreeMap<usize, Element>,
    pub store: Option<Element>,
    /// Another instance of the iteration stores the same element later.
    pub is_overwritten: bool,
}

/// For each loop by its iterator, if anything is kept there.
pub fn plan(
    scop: &Scop,
    ast: &Ast,
    binding: &Binding<'_>,
    storage: &Table<ArrayId, Option<Storage>>,
    reductions: &Reductions,
) -> BTreeMap<Id, Kept> {
    let mut elsewhere: BTreeSet<ArrayId> = reductions.private.values().flatten().map(|private| private.array).collect();
    elsewhere.extend(own_in_parts(storage, binding));
    elsewhere.extend(binding.entangled.iter().flat_map(|(a, b)| [*a, *b]));
    let mut search = Search { scop, binding, elsewhere, known: Vec::new(), around: Vec::new(), found: BTreeMap::new() };
    search.visit(&ast.root);
    search.found
}

/// An instance of the body of a loop.
struct Run<'s, 'ir> {
    statement: StatementId,
    bound: &'s BoundStatement<'ir>,
    /// The values of its iterators.
    arguments: Vec<Linear>,
}

/// An access of an instance: a load by its number, or the store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Load(usize),
    Store,
}

struct Touch {
    run: usize,
    which: Which,
    element: Element,
}

struct Search<'s, 'ir> {
    scop: &'s Scop,
    binding: &'s Binding<'ir>,
    /// Arrays that are not, or not always, where the model has them.
    elsewhere: BTreeSet<ArrayId>,
    /// What is not below 0 here.
    known: Vec<Linear>,
    /// Iterators of the loops around.
    around: Vec<Id>,
    found: BTreeMap<Id, Kept>,
}

impl<'s, 'ir> Search<'s, 'ir> {
    fn visit(&mut self, node: &Node) {
        let outside = self.known.len();
        match node {
            Node::For(each) => {
                self.around.push(each.iterator.clone());
                self.known.extend(inside_of(each));
                let runs = if each.degenerate { None } else { self.straight(&each.body) };
                match runs.map(|runs| within(BUDGET, || self.kept(&runs, &each.iterator))) {
                    Some(Ok(Some(kept))) => {
                        self.found.insert(each.iterator.clone(), kept);
                    }
                    Some(_) => {}
                    None => self.visit(&each.body),
                }
                self.around.pop();
            }
            Node::If { condition, then, otherwise } => {
                self.known.extend(where_holds(condition));
                self.visit(then);
                self.known.truncate(outside);
                otherwise.iter().for_each(|node| self.visit(node));
            }
            _ => node.children().into_iter().for_each(|child| self.visit(child)),
        }
        self.known.truncate(outside);
    }

    /// The instances of a body that is nothing else, all of which compute values and store one each.
    fn straight(&self, body: &Node) -> Option<Vec<Run<'s, 'ir>>> {
        let mut runs = Vec::new();
        let mut nodes = vec![body];
        while let Some(node) = nodes.pop() {
            match node {
                Node::User { statement, arguments } => runs.push(self.run(statement, arguments)?),
                Node::Block(_) | Node::Sections { .. } | Node::Mark { .. } => {
                    nodes.extend(node.children().into_iter().rev())
                }
                _ => return None,
            }
        }
        (runs.len() <= MOST_INSTANCES).then_some(runs)
    }

    fn run(&self, statement: &Id, arguments: &[Expr]) -> Option<Run<'s, 'ir>> {
        let binding = self.binding;
        let statement = binding.statements.id_where(|bound| bound.id == *statement)?;
        let bound = &binding.statements[statement];
        let is_decided = self.scop.statements[statement].applied.is_none();
        let is_simple = matches!(bound.root, Root::Store { .. } | Root::Write { .. }) && bound.picks.is_empty();
        let arguments = arguments.iter().map(Linear::of).collect::<Option<_>>()?;
        (is_simple && is_decided && bound.guards.is_empty()).then_some(Run { statement, bound, arguments })
    }

    /// What can be kept of the elements that these instances touch in an iteration, if that helps.
    fn kept(&self, runs: &[Run<'s, 'ir>], iterator: &Id) -> Option<Kept> {
        let mut kept = Kept { instances: vec![KeptInstance::default(); runs.len()], before: Vec::new() };
        let stored = runs.iter().filter_map(|run| match run.bound.root {
            Root::Store { array, .. } => Some(array),
            _ => None,
        });
        let arrays: BTreeSet<ArrayId> = stored.filter(|array| !self.elsewhere.contains(array)).collect();
        let mut first = 0;
        for array in arrays {
            first += self.keep(array, runs, iterator, first, &mut kept).unwrap_or(0);
        }
        let is_handed_on = |(at, instance): (usize, &KeptInstance)| {
            let later = &kept.instances[at + 1..];
            instance.store.is_some_and(|element| later.iter().any(|run| run.touches(element)))
        };
        let helps = !kept.before.is_empty() || kept.instances.iter().enumerate().any(is_handed_on);
        helps.then_some(kept)
    }

    /// Notes the elements of an array, numbered from `first`, and says how many there are; `None` if it stays in memory.
    fn keep(
        &self,
        array: ArrayId,
        runs: &[Run<'s, 'ir>],
        iterator: &Id,
        first: Element,
        kept: &mut Kept,
    ) -> Option<usize> {
        let bound = &self.binding.arrays[array];
        if bound.types.len() != 1 || bound.base.is_none() || self.scop.arrays[array].own > 0 {
            return None;
        }
        let (elements, touches) = self.elements(array, runs)?;
        let is_stored = |element: Element| touches.iter().any(|t| t.element == element && t.which == Which::Store);
        if elements.len() < 2 || !self.are_apart(&elements, &is_stored) {
            return None;
        }
        for Touch { run, which, element } in &touches {
            let instance = &mut kept.instances[*run];
            match which {
                Which::Load(load) => {
                    instance.loads.insert(*load, first + element);
                }
                Which::Store => {
                    let later = |t: &Touch| t.run > *run && t.which == Which::Store && t.element == *element;
                    instance.is_overwritten = touches.iter().any(later);
                    instance.store = Some(first + element);
                }
            }
        }
        for element in (0..elements.len()).filter(|element| !is_stored(*element)) {
            let touch = touches.iter().find(|touch| touch.element == element)?;
            let (Which::Load(load), true) = (touch.which, kept.before.len() < MOST_BEFORE) else { continue };
            let is_same = elements[element].iter().all(|subscript| !subscript.names(iterator));
            if is_same && can_be_before(self.binding, &runs[touch.run], load, iterator) {
                kept.before.push((touch.run, load));
            }
        }
        Some(elements.len())
    }

    /// The elements of an array that instances touch, by their subscripts, and which touch which.
    fn elements(&self, array: ArrayId, runs: &[Run<'s, 'ir>]) -> Option<(Vec<Vec<Linear>>, Vec<Touch>)> {
        let mut elements: Vec<Vec<Linear>> = Vec::new();
        let mut touches = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let own = accesses(run, array);
            let name = &self.binding.arrays[array].id;
            let all = self.scop.statements[run.statement].accesses.iter().filter(|access| access.array == *name);
            if all.count() != own.len() {
                return None;
            }
            for which in own {
                let subscripts = self.subscripts(run, which, array)?;
                let known = elements.iter().position(|element| *element == subscripts);
                let element = known.unwrap_or_else(|| {
                    elements.push(subscripts);
                    elements.len() - 1
                });
                touches.push(Touch { run: at, which, element });
            }
        }
        Some((elements, touches))
    }

    /// The subscripts of an access, over names of the tree.
    fn subscripts(&self, run: &Run<'s, 'ir>, which: Which, array: ArrayId) -> Option<Vec<Linear>> {
        let statement = &self.scop.statements[run.statement];
        let access = match which {
            Which::Load(load) => statement.accesses.get(load).filter(|access| access.kind == AccessKind::Read),
            Which::Store => statement.accesses.iter().find(|access| access.kind == AccessKind::MustWrite),
        }?;
        if access.array != self.binding.arrays[array].id || access.applied.is_some() {
            return None;
        }
        let pieces = access.relation.pieces();
        let [piece] = pieces.as_slice() else { return None };
        let space = piece.space();
        let params: Vec<Linear> = space.params().iter().map(Linear::name).collect();
        let (first, ins) = (space.offset(DimKind::Out), space.dim(DimKind::In));
        let names = || params.iter().chain(&run.arguments);
        let constraints = piece.constraints();
        let subscript = |at: usize| {
            let row = constraints.iter().find(|each| is_of_one(each, first..space.n_dim(), first + at))?;
            let factor = row.coefficients[first + at].as_i64()?;
            let mut sum = Linear::number(row.constant.as_i64()?);
            for (name, own) in names().zip(&row.coefficients) {
                sum = sum.plus(own.as_i64()?, name)?;
            }
            Linear::default().plus(-factor, &sum)
        };
        (run.arguments.len() == ins).then(|| (0..space.dim(DimKind::Out)).map(subscript).collect())?
    }

    /// Whether no stored element can be another one in the same iteration; nor in another one of this loop, if the other's subscripts are the same there.
    fn are_apart(&self, elements: &[Vec<Linear>], is_stored: &dyn Fn(Element) -> bool) -> bool {
        let mut known: BTreeMap<Vec<Linear>, bool> = BTreeMap::new();
        let mut domain = None;
        for (at, stored) in elements.iter().enumerate().filter(|(at, _)| is_stored(*at)) {
            for (_, other) in elements.iter().enumerate().filter(|(other, _)| *other != at) {
                let difference: Option<Vec<Linear>> = stored.iter().zip(other).map(|(a, b)| a.plus(-1, b)).collect();
                let Some(difference) = difference else { return false };
                if difference.iter().any(|each| each.known().is_some_and(|number| number != 0)) {
                    continue;
                }
                let domain = domain.get_or_insert_with(|| self.domain(elements));
                let is_apart = |known: &Vec<Linear>| {
                    let equal = |set: Set, each: &Linear| {
                        set.add_constraint(&constraint(set.space(), each, ConstraintKind::Equality, &self.around))
                    };
                    known.iter().fold(domain.clone(), equal).is_empty()
                };
                if !*known.entry(difference).or_insert_with_key(is_apart) {
                    return false;
                }
            }
        }
        true
    }

    /// The values of iterators and parameters for which the body runs, or more.
    fn domain(&self, elements: &[Vec<Linear>]) -> Set {
        let names = self.known.iter().chain(elements.iter().flatten()).flat_map(|each| each.terms.keys());
        let params: BTreeSet<&str> = names.filter(|name| !self.around.contains(name)).map(Id::as_str).collect();
        let params: Vec<&str> = params.into_iter().collect();
        let space = Space::alloc_set(&params, None, self.around.len());
        let row = |each| constraint(&space, each, ConstraintKind::Inequality, &self.around);
        let rows: Vec<Constraint> = self.known.iter().map(row).collect();
        Set::from_basic(&BasicSet::from_constraints(&space, &[], &rows)).intersect_params(&self.scop.trusted_context())
    }
}

impl KeptInstance {
    fn touches(&self, element: Element) -> bool {
        self.store == Some(element) || self.loads.values().any(|own| *own == element)
    }
}

/// The loads from an array and the store to it that an instance is written with.
fn accesses(run: &Run<'_, '_>, array: ArrayId) -> Vec<Which> {
    let is_own = |load: &usize| match run.bound.leaves.get(&run.bound.loads[*load]) {
        Some(Leaf::Load { array: own, .. }) => *own == array,
        _ => false,
    };
    let loads = (0..run.bound.loads.len()).filter(is_own).map(Which::Load);
    let store = matches!(run.bound.root, Root::Store { array: own, .. } if own == array).then_some(Which::Store);
    loads.chain(store).collect()
}

/// Whether a row is an equality with one subscript, the one at `at`, whose factor is 1 or -1, and no local.
fn is_of_one(row: &Constraint, subscripts: std::ops::Range<usize>, at: usize) -> bool {
    let zero = Int::from(0);
    let is_alone = |(column, factor): (usize, &Int)| match column {
        column if column == at => factor.as_i64().is_some_and(|factor| factor.abs() == 1),
        column => column < subscripts.start || *factor == zero,
    };
    row.kind == ConstraintKind::Equality && row.coefficients.iter().enumerate().all(is_alone)
}

/// `sum`, with the iterators as the dimensions of a set.
fn constraint(space: &Space, sum: &Linear, kind: ConstraintKind, around: &[Id]) -> Constraint {
    let factor = |name: &Id| Int::from(sum.terms.get(name).copied().unwrap_or(0));
    let coefficients = space.params().iter().chain(around).map(factor).collect();
    Constraint { kind, constant: Int::from(sum.constant), coefficients }
}

/// Whether the address of a load can be computed without the innermost iterator.
fn can_be_before(binding: &Binding<'_>, run: &Run<'_, '_>, load: usize, iterator: &Id) -> bool {
    let is_fixed = |atom: Atom| match atom {
        Atom::Parameter(_) => true,
        Atom::Iterator(id) => {
            let at = run.bound.loops.iter().position(|own| *own == id);
            at.is_some_and(|at| !run.arguments[at].names(iterator))
        }
        _ => false,
    };
    let is_fixed_sum = |offset: &Polynomial| offset.atoms().all(is_fixed);
    let is_fixed_load = |value: Value<'_>| {
        let leaf = run.bound.leaves.iter().find(|(own, _)| **own == value);
        matches!(leaf, Some((_, Leaf::Load { offset, .. })) if is_fixed_sum(offset))
    };
    let value = run.bound.loads[load];
    let pointer = value.as_instruction().and_then(|load| load.memory()).map(|access| access.pointer);
    let row = pointer.and_then(|pointer| binding.held.get(&pointer));
    is_fixed_load(value) && row.is_none_or(|row| is_fixed_load(row.value()))
}
