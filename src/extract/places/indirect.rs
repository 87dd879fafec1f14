//! Places that data gives, as symbols of the model.
//!
//!     for (i = 0; i < n; i++)
//!         for (j = 0; j < 8; j++)
//!             count[row[i]][key[j] & 7]++;
//!
//! Which element of `count` an iteration updates nobody knows before, but some facts are known. Read and write go through one pointer, so
//! they touch the same element. It is the element `8 row[i] + (key[j] & 7)`: a sum of what is affine, and of multiples of numbers that
//! data gives, each a *symbol* of the iterators of the loops that it is computed in, `at0(i)` and `at1(j)`, the second one with the bounds
//! 0 and 7. So both accesses are `{ S[i, j] -> count[8 at0(i) + at1(j)] }`. That makes the statement the update of a reduction; with bounds
//! for all symbols the elements are few enough for copies; and `A[row[i]][j]` of different `j` never meet. Only arrays that are written
//! and have one dimension in the model are looked at.
//!
//! What is affine in no shape of the array, `A[i * i + j]`, is such a sum as well, with a symbol for the terms that multiply, by the loops
//! that they count: `{ S[i, j] -> A[j + at0(i)] }`. Of `at0`, which is a polynomial, more is known: it grows with `i`, so that no
//! two `A[i * i]` are one element.
//!
//! Implements: 001 indices

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::index::bounds_of_index;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::{Scope, deepened};
use crate::extract::statements::drafts::{Drafts, Statement, Storage};
use crate::extract::statements::root::Root;
use crate::ids::table_id;
use crate::llvm::instruction::Address;
use crate::llvm::{Instruction, LoopId, Value};
use crate::presburger::{DimKind, Id, Int, Map, PwAff, Set, Space};
use crate::scop::{Application, Applied, ArrayId, Symbol, Table};
use std::collections::BTreeMap;

/// Operands that a number is looked for through.
const MOST_OPERANDS: usize = 50;

/// Smaller numbers, times the size of an element, wrap nowhere.
const LARGE: i128 = 1 << 40;

/// Numbers that data gives and addresses made of them.
#[derive(Default)]
pub(in crate::extract) struct Places<'ir> {
    numbers: Table<NumberId, Number<'ir>>,
    places: Vec<IndirectAddress<'ir>>,
}

table_id! {
    /// A number that data gives and that some address is made of.
    pub(in crate::extract) struct NumberId
}

/// What is not affine in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given<'ir> {
    /// Data gives it.
    Value(Value<'ir>),
    /// Products of counters, or of counters and parameters.
    Product(Polynomial),
}

/// A number that data gives, or a product.
struct Number<'ir> {
    given: Given<'ir>,
    symbol: Symbol,
    /// Which of the loops around its computation it depends on, outermost first.
    loops: Vec<usize>,
}

/// An address made of such numbers.
struct IndirectAddress<'ir> {
    pointer: Value<'ir>,
    /// The affine part of the element's number, over the iterators of the first `depth` loops.
    known: PwAff,
    depth: usize,
    /// Which numbers are added, each how often.
    terms: Vec<(NumberId, i64)>,
    /// The last element of the object that it is in, where that is known.
    last: Option<Int>,
}

impl<'ir> Places<'ir> {
    /// The addresses from data of written arrays that are `flat`; each pointer once, in the order of the statements.
    pub fn of(
        affine: &Affine<'_, '_, 'ir>,
        drafts: &Drafts<'_, '_, 'ir>,
        assumptions: &mut Assumptions,
        is_flat: &dyn Fn(ArrayId) -> bool,
    ) -> Self {
        let mut all = Places::default();
        for statement in &drafts.statements {
            for (array, pointer) in indirect_accesses(statement) {
                let draft = &drafts.arrays[array];
                let Storage::Memory { base, .. } = &draft.storage else { continue };
                let is_known = all.places.iter().any(|place| place.pointer == pointer);
                let is_held = !affine.is_invariant(*base);
                if is_known || is_held || !draft.is_written || !is_flat(array) {
                    continue;
                }
                let element = affine.region.entry.function().layout().store_size(draft.element);
                let home = pointer.as_instruction().and_then(|i| i.block());
                let Some(home) = home.filter(|home| affine.region.contains(*home)) else { continue };
                let scope = drafts.domains.of_block(home);
                if let Some(parts) = parts_of(affine, assumptions, pointer, *base, i128::from(element), scope) {
                    all.add(affine, drafts, statement, pointer, &parts, scope);
                }
            }
        }
        all
    }

    fn add(
        &mut self,
        affine: &Affine<'_, '_, 'ir>,
        drafts: &Drafts<'_, '_, 'ir>,
        statement: &Statement<'ir>,
        pointer: Value<'ir>,
        parts: &Parts<'ir>,
        scope: &Scope,
    ) {
        let Ok(known) = affine.aff(&parts.known, scope) else { return };
        let mut terms = Vec::new();
        for (given, factor, bounds) in &parts.terms {
            let loops = match given {
                Given::Value(value) => loops_of(affine, drafts, statement, *value),
                Given::Product(product) => loops_counted(affine, product, scope),
            };
            let (Some(loops), Ok(factor)) = (loops, i64::try_from(*factor)) else { return };
            terms.push((self.number(affine, given, *bounds, loops), factor));
        }
        self.places.push(IndirectAddress { pointer, known, depth: scope.loops.len(), terms, last: parts.last.clone() });
    }

    fn number(
        &mut self,
        affine: &Affine<'_, '_, 'ir>,
        given: &Given<'ir>,
        Interval { low: lower, high: upper }: Interval,
        loops: Vec<usize>,
    ) -> NumberId {
        if let Some(at) = self.numbers.id_where(|number| number.given == *given) {
            return at;
        }
        let growth = match given {
            Given::Product(product) => growth(affine, product),
            Given::Value(_) => None,
        };
        let (injective, monotone) = (growth == Some(Growth::Strict), growth.is_some());
        let small = |bound: Option<i128>| bound.and_then(|bound| i64::try_from(bound).ok()).map(Int::from);
        let name = Id::new(&format!("at{}", self.numbers.len()));
        let (lower, upper) = (small(lower), small(upper));
        let symbol = Symbol { name, arity: loops.len(), lower, upper, injective, monotone };
        self.numbers.push(Number { given: given.clone(), symbol, loops })
    }

    /// The symbols that the model declares.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.numbers.iter().map(|number| number.symbol.clone()).collect()
    }

    fn place(&self, pointer: Value<'ir>) -> Option<&IndirectAddress<'ir>> {
        self.places.iter().find(|place| place.pointer == pointer)
    }

    /// What the instances of a statement apply, with the numbers behind it; `None` if it goes to none of the places.
    pub fn applied(&self, statement: &Statement<'ir>, domain: &Set, name: &Id) -> Option<(Applied, Vec<NumberId>)> {
        let mut own: Vec<NumberId> = Vec::new();
        let places = indirect_accesses(statement).into_iter().filter_map(|(_, pointer)| self.place(pointer));
        for (number, _) in places.flat_map(|place| &place.terms) {
            if !own.contains(number) {
                own.push(*number);
            }
        }
        if own.is_empty() {
            return None;
        }
        let n = domain.dim(DimKind::Out);
        let instances =
            domain.insert_dims(DimKind::Out, n, own.len()).set_tuple_name(DimKind::Out, Some(name.as_str()));
        let application = |number: &NumberId| {
            let Number { symbol, loops, .. } = &self.numbers[*number];
            let arguments = Set::universe(&Space::alloc_set(&[], None, loops.len()));
            let pairs = Map::from_domain_and_range(&Set::universe(instances.space()), &arguments);
            let equal = |pairs: Map, (at, d): (usize, &usize)| pairs.equate(DimKind::In, *d, DimKind::Out, at);
            let arguments = loops.iter().enumerate().fold(pairs, equal);
            Application { symbol: symbol.name.clone(), arguments }
        };
        let applications = own.iter().map(application).collect();
        let applied = Applied { applications, domain: instances.clone() }.within_bounds(&self.symbols());
        Some((applied, own))
    }

    /// `{ S[i, v] -> A[known + factors * v] }` for a place that `pointer` is the address of. Nothing outside of an object is ever accessed, which
    /// says nothing about other uses of the same numbers.
    pub fn element(&self, (applied, own): &(Applied, Vec<NumberId>), pointer: Value<'ir>, array: &str) -> Option<Map> {
        let place = self.place(pointer)?;
        let width = applied.domain.dim(DimKind::Out);
        let first = width - own.len();
        let space = Space::alloc_set(&[], None, width);
        let mut sum = deepened(&place.known, place.depth, width);
        for (number, factor) in &place.terms {
            let at = own.iter().position(|known| known == number)?;
            let value = PwAff::var_on_domain(&space, DimKind::Out, first + at);
            sum = sum.add(&value.scale(&Int::from(*factor)));
        }
        let name = applied.domain.space().tuple_name(DimKind::Out)?.clone();
        let relation = sum.as_map().set_tuple_name(DimKind::In, Some(name.as_str()));
        let relation = relation.set_tuple_name(DimKind::Out, Some(array)).intersect_domain(&applied.domain);
        Some(match &place.last {
            Some(last) => relation.lower_bound(DimKind::Out, 0, &Int::from(0)).upper_bound(DimKind::Out, 0, last),
            None => relation,
        })
    }

    /// Whether the array's element at the pointer is known as far as symbols go.
    pub fn knows(&self, pointer: Value<'ir>) -> bool {
        self.place(pointer).is_some_and(|place| !place.terms.is_empty())
    }
}

/// How a product changes from one iteration of its loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    Strict,
    /// It may stay as it is.
    Weak,
}

/// How a product of one loop's counter grows, if no power of that is taken away: counters are not negative.
fn growth(affine: &Affine<'_, '_, '_>, product: &Polynomial) -> Option<Growth> {
    let mut counters = product.atoms().filter(|atom| !atom.is_constant());
    let counter = counters.next().filter(|atom| matches!(atom, Atom::Iterator(_)))?;
    if counters.any(|other| other != counter) {
        return None;
    }
    let factors: Vec<i128> =
        product.powers_of(counter).values().map(|factor| affine.interval(factor).low).collect::<Option<_>>()?;
    let is_strict = factors.iter().any(|low| *low > 0);
    let grows = factors.iter().all(|low| *low >= 0);
    grows.then_some(if is_strict { Growth::Strict } else { Growth::Weak })
}

/// The places in the scope of the loops that a product counts.
fn loops_counted(affine: &Affine<'_, '_, '_>, product: &Polynomial, scope: &Scope) -> Option<Vec<usize>> {
    let mut counted: Vec<LoopId> = Vec::new();
    for atom in product.atoms() {
        match atom {
            Atom::Iterator(id) => counted.push(id),
            Atom::Quasi(at) => counted.extend(&affine.quasi_atoms()[at].0),
            Atom::Parameter(_) => {}
            Atom::Unknown(_) | Atom::Address(_) => return None,
        }
    }
    if !counted.iter().all(|id| scope.loops.contains(id)) {
        return None;
    }
    Some((0..scope.loops.len()).filter(|at| counted.contains(&scope.loops[*at])).collect())
}

/// The terms of a product, those together that count the same loops.
fn by_loops(affine: &Affine<'_, '_, '_>, product: &Polynomial, scope: &Scope) -> Option<Vec<Polynomial>> {
    let mut all: BTreeMap<Vec<usize>, Polynomial> = BTreeMap::new();
    for (atoms, factor) in product.terms() {
        let start = Polynomial::constant(factor);
        let term = atoms.iter().try_fold(start, |term, atom| term.multiply(&Polynomial::atom(*atom)))?;
        let sum = all.entry(loops_counted(affine, &term, scope)?).or_default();
        *sum = sum.add(&term)?;
    }
    Some(all.into_values().collect())
}

/// On which of the region's loops around its computation a value depends: on all of them, unless it is computed from numbers that are
/// affine in some and from memory that the region does not write.
fn loops_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
) -> Option<Vec<usize>> {
    let home = value.as_instruction()?.block().filter(|home| affine.region.contains(*home))?;
    let around = &drafts.domains.of_block(home).loops;
    let mut found: Vec<LoopId> = Vec::new();
    let is_known = depends_on(affine, drafts, statement, value, &mut Vec::new(), &mut found);
    let is_one = |id: &LoopId| !is_known || found.contains(id);
    Some(around.iter().enumerate().filter(|(_, id)| is_one(id)).map(|(at, _)| at).collect())
}

/// Adds the loops that a value depends on; false if that may be any.
fn depends_on<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    drafts: &Drafts<'_, '_, 'ir>,
    statement: &Statement<'ir>,
    value: Value<'ir>,
    seen: &mut Vec<Value<'ir>>,
    found: &mut Vec<LoopId>,
) -> bool {
    if affine.is_invariant(value) || seen.contains(&value) {
        return true;
    }
    seen.push(value);
    let is_followed = |i: &Instruction<'ir>| !i.is_phi() || statement.leaves.contains_key(&value);
    let Some(instruction) = value.as_instruction().filter(|i| is_followed(i) && seen.len() <= MOST_OPERANDS) else {
        return false;
    };
    let is_constant = |array: ArrayId| !drafts.arrays[array].is_written;
    let mut counted = |polynomial: &Polynomial| {
        for atom in polynomial.atoms() {
            match atom {
                Atom::Iterator(id) => found.push(id),
                Atom::Quasi(at) => found.extend(&affine.quasi_atoms()[at].0),
                Atom::Parameter(_) | Atom::Unknown(_) | Atom::Address(_) => {}
            }
        }
        true
    };
    let operands = match statement.leaves.get(&value) {
        Some(Leaf::Affine(number)) => return counted(number),
        Some(Leaf::Load { array, offset }) => return is_constant(*array) && counted(offset),
        Some(Leaf::Indirect { array }) if is_constant(*array) => instruction.operands(),
        None if instruction.memory().is_none() => crate::extract::ssa::operands(instruction),
        _ => return false,
    };
    operands.into_iter().all(|operand| depends_on(affine, drafts, statement, operand, seen, found))
}

/// Arrays and pointers of the loads and the store of a statement that go to places from data.
fn indirect_accesses<'ir>(statement: &Statement<'ir>) -> Vec<(ArrayId, Value<'ir>)> {
    let pointer = |i: &Instruction<'ir>| i.memory().map(|access| access.pointer);
    let load = |load: &Instruction<'ir>| match statement.leaves.get(&load.value()) {
        Some(Leaf::Indirect { array }) => Some((*array, pointer(load)?)),
        _ => None,
    };
    let others: Vec<(ArrayId, Value<'ir>)> = match &statement.root {
        Root::Scatter { store, array } => pointer(store).map(|pointer| (*array, pointer)).into_iter().collect(),
        Root::Opaque { accesses, .. } => accesses.iter().filter_map(|a| Some((a.array, a.place()?))).collect(),
        _ => Vec::new(),
    };
    statement.loads.iter().filter_map(load).chain(others).collect()
}

/// The number of an element: what is affine of it, and the rest with its factors and bounds.
struct Parts<'ir> {
    known: Polynomial,
    terms: Vec<(Given<'ir>, i128, Interval)>,
    /// The last element of the object, where its size is known.
    last: Option<Int>,
}

/// The number of the element, of so many bytes, that `pointer` is the address of, counted from `base`; `None` if it may lie across elements.
fn parts_of<'ir>(
    affine: &Affine<'_, '_, 'ir>,
    assumptions: &mut Assumptions,
    pointer: Value<'ir>,
    base: Value<'ir>,
    element: i128,
    scope: &Scope,
) -> Option<Parts<'ir>> {
    let layout = affine.region.entry.function().layout();
    let mut parts = Parts { known: Polynomial::default(), terms: Vec::new(), last: None };
    let (mut here, mut constant) = (pointer, 0);
    while here != base {
        let address = Address::of_value(here)?;
        let does_not_wrap = address.inbounds || address.nusw;
        let is_small = |index: &Value<'_>| {
            let Interval { low, high } =
                index.as_integer().map_or_else(|| bounds_of_index(*index), |index| Interval::new(index, index));
            low.is_some_and(|low| low > -LARGE) && high.is_some_and(|high| high < LARGE)
        };
        if !does_not_wrap && !address.indices.iter().all(is_small) {
            return None;
        }
        let mut ty = address.element;
        for (at, index) in address.indices.iter().enumerate() {
            if at > 0 {
                ty = ty.element()?;
            }
            let bytes = i128::from(layout.alloc_size(ty));
            if let Some(index) = index.as_integer() {
                constant += index * bytes;
                continue;
            }
            if bytes % element != 0 {
                return None;
            }
            let factor = bytes / element;
            match affine.at(scope).number_for_address(*index) {
                Ok(number) if number.form().exact => {
                    let (known, product) = assumptions.accept(affine, number).ok()?.polynomial.split_affine();
                    parts.known = parts.known.add(&known.scale(factor)?)?;
                    for own in by_loops(affine, &product, scope)? {
                        let bounds = affine.interval(&own).sensible();
                        parts.terms.push((Given::Product(own), factor, bounds));
                    }
                }
                _ => parts.terms.push((Given::Value(*index), factor, bounds_of_index(*index))),
            }
        }
        here = address.base;
    }
    if constant % element != 0 {
        return None;
    }
    parts.known = parts.known.add(&Polynomial::constant(constant / element))?;
    let is_object = base.is_own_global() || base.as_instruction().is_some();
    let size = is_object.then(|| base.object_size(layout)).flatten().map(i128::from);
    let last = size.filter(|size| *size >= element).and_then(|size| i64::try_from(size / element - 1).ok());
    parts.last = last.map(Int::from);
    Some(parts)
}
