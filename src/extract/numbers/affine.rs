//! From values of LLVM to integers of mathematics.
//!
//! A value of `w` bits is read as a signed number. `%x = add nsw i32 %i, 1` is the polynomial `i + 1`; `%y = sext i32 %x to i64` is the same
//! polynomial, *because* `nsw` promises that the sum fits; without the promise, the sum fits if the bounds of `i` say so, or if
//! a condition on the parameters is assumed, which [`Affine::require`] collects and the emitted code checks once before the nest.
//! So each value carries, besides its polynomial, whether the polynomial is known to be the value and not only congruent to it:
//!
//!     %i = {0,+,1}<i-loop>          polynomial  i          exact
//!     %m = mul i64 %n, %i           polynomial  n*i        not exact (may wrap), yet usable as an address modulo 2^64
//!     %c = icmp slt i64 %m, 100     needs it exact: refused or assumed
//!
//! Integer divisions and remainders by constants, masks, minima, maxima and selects become piecewise quasi-affine atoms.
//! What does not change during the region and is not affine becomes a parameter of its own.

use super::polynomial::{Atom, Interval, Polynomial};
use crate::extract::refusal::Reason;
use crate::extract::region::detect::Region;
use crate::llvm::scev::CountKind;
use crate::llvm::{Analyses, Instruction, IntPredicate, LoopId, Opcode, ScevId, ScevKind, Value};
use crate::presburger::budget::spend;
use crate::presburger::{Aff, DimKind, Id, Int, MultiAff, PwAff, Set, Space};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Parameters of 64 bits are assumed to lie within plus or minus this bound, checked at run time, so that sums and products of
/// sizes and counters provably fit 64 bits. No array has more elements.
const LARGEST_PARAMETER: i128 = 1 << 40;

/// Operands of operands are followed so deep; beyond, a value counts as not affine.
const DEEPEST_EXPRESSION: usize = 64;

/// More parameters than this make every set operation slow.
const MOST_PARAMETERS: usize = 40;

/// A value of more cases than this (a difference of minima and maxima over eight numbers each) is compared in so many that nothing comes of it.
const MOST_CASES: usize = 64;

/// Where parameters violate an assumption in more ways than this, it is assumed that they are in none of the region around all of these: each
/// way would multiply the cases of what remains.
const MOST_VIOLATIONS: usize = 8;

/// Work units for reading one operand: LLVM's analyses are asked, which takes as long as some ten rows of numbers.
const READING: u64 = 30;

/// Where a parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source<'ir> {
    /// A value defined before the region.
    Value(Value<'ir>),
    /// An expression over such values.
    Scev(ScevId),
    /// A product of other parameters, by number.
    Product(Vec<usize>),
    /// How often `unit` bytes fit between two pointers, as numbers without a sign; without rest.
    Distance { from: Value<'ir>, to: Value<'ir>, unit: i128 },
    /// The address of a pointer.
    Address(Value<'ir>),
}

/// A value that does not change during the region.
#[derive(Clone, Debug)]
pub struct Parameter<'ir> {
    pub id: Id,
    pub source: Source<'ir>,
    pub interval: Interval,
}

/// A position in the loop nest: the loops of the region around it, outermost first, and for which of their iterations it is reached.
#[derive(Clone, Debug)]
pub struct Scope {
    pub loops: Vec<LoopId>,
    /// Numbers that data gives, as further dimensions behind the loops.
    pub unknowns: Vec<usize>,
    pub domain: Set,
}

impl Scope {
    pub fn new(loops: Vec<LoopId>, domain: Set) -> Self {
        Scope { loops, unknowns: Vec::new(), domain }
    }

    /// Whether the dimensions of both domains mean the same, so that their points can be compared.
    pub fn has_dimensions_of(&self, other: &Scope) -> bool {
        self.loops == other.loops && self.unknowns == other.unknowns
    }

    /// Dimensions of the domain.
    pub fn width(&self) -> usize {
        self.loops.len() + self.unknowns.len()
    }
}

/// An integer value: see the file's header.
#[derive(Clone, Debug)]
pub struct Number {
    pub polynomial: Polynomial,
    /// The polynomial's value is the value, not only congruent to it.
    pub exact: bool,
    pub width: u32,
}

/// Translator for one region; see the file's header.
pub struct Affine<'s, 'a, 'ir> {
    pub analyses: &'s Analyses<'a, 'ir>,
    pub region: &'s Region<'ir>,
    parameters: RefCell<Vec<Parameter<'ir>>>,
    quasi: RefCell<Vec<(Vec<LoopId>, PwAff, Interval)>>,
    /// Values that were found to depend on data, in which loop, how deep in an expression, and why. They are asked for from many sides: as
    /// instructions, and as expressions of scalar evolution, at each step of a chain of operations.
    hopeless: RefCell<HashMap<(Value<'ir>, Option<LoopId>), (usize, Reason)>>,
    trip: RefCell<HashMap<LoopId, Interval>>,
    assumed: RefCell<Set>,
    /// While bounds are only looked at, nothing is assumed.
    only_looking: Cell<bool>,
    /// While it is watched whether something would be assumed: whether something was.
    would_assume: Cell<Option<bool>>,
    why_assumed: RefCell<Vec<String>>,
    pub(in crate::extract) data: super::unknown::Data<'ir>,
    /// Pointers from before the region, by the number of their atom.
    pub(in crate::extract) addresses: RefCell<Vec<Value<'ir>>>,
}

type Fallible<T> = Result<T, Reason>;

impl<'s, 'a, 'ir> Affine<'s, 'a, 'ir> {
    /// With `trusts_data`, conditions on data may be assumed that a test before the loops can find out.
    pub fn new(analyses: &'s Analyses<'a, 'ir>, region: &'s Region<'ir>, trusts_data: bool) -> Self {
        Affine {
            analyses,
            region,
            parameters: RefCell::default(),
            quasi: RefCell::default(),
            hopeless: RefCell::default(),
            trip: RefCell::default(),
            assumed: RefCell::new(Set::universe(&Space::params_only(&[]))),
            only_looking: Cell::new(false),
            would_assume: Cell::new(None),
            why_assumed: RefCell::default(),
            data: super::unknown::Data::new(trusts_data),
            addresses: RefCell::default(),
        }
    }

    /// The loop that values of a scope are seen from: its innermost one, or the one around the region, of which the region runs in one iteration.
    /// Only a region outside of all loops sees nothing but their ends.
    pub fn place(&self, scope: &Scope) -> Option<LoopId> {
        let around = || self.region.nests.first().and_then(|nest| self.analyses.loop_(*nest).parent);
        scope.loops.last().copied().or_else(around)
    }

    /// The value as an expression of LLVM, as seen from the scope.
    pub(in crate::extract) fn scev_in(&self, value: Value<'ir>, scope: &Scope) -> Option<ScevId> {
        self.analyses.scev_at(value, self.place(scope))
    }

    pub fn parameters(&self) -> Vec<Parameter<'ir>> {
        self.parameters.borrow().clone()
    }

    /// What the types and the code around the region say about the parameters.
    pub fn context(&self) -> Set {
        let parameters = self.parameters.borrow();
        let mut context = Set::universe(&Space::params_only(&[]));
        for parameter in parameters.iter() {
            context = context.intersect(&bounded(&parameter.id, parameter.interval));
        }
        context
    }

    /// The parameter values for which the model is right.
    pub fn assumed(&self) -> Set {
        self.assumed.borrow().clone()
    }

    /// What is assumed, in words.
    pub fn assumptions(&self) -> Vec<String> {
        self.why_assumed.borrow().clone()
    }

    /// The quasi-affine atoms, by number.
    pub fn quasi_atoms(&self) -> Vec<(Vec<LoopId>, PwAff)> {
        self.quasi.borrow().iter().map(|(loops, value, _)| (loops.clone(), value.clone())).collect()
    }

    /// Whether the value is computed before the region starts.
    pub fn is_invariant(&self, value: Value<'ir>) -> bool {
        value.as_instruction().is_none_or(|instruction| !self.region.contains_instruction(instruction))
    }

    /// Assumes that in `scope` all points satisfy `condition` (over the same iterators), unless that is proved.
    pub fn require(&self, scope: &Scope, condition: &Set, why: &str) {
        if self.only_looking.get() && self.would_assume.get() != Some(false) {
            return;
        }
        let violated = scope.domain.subtract(condition);
        if self.only_looking.get() {
            self.would_assume.set(Some(!violated.intersect_params(&self.context()).is_empty()));
            return;
        }
        if !violated.intersect_params(&self.context()).is_empty() {
            let parameters = violated.params();
            let parameters = match parameters.n_pieces() > MOST_VIOLATIONS {
                true => Set::from_basic(&parameters.simple_hull()),
                false => parameters,
            };
            let allowed = self.assumed.borrow().subtract(&parameters);
            *self.assumed.borrow_mut() = allowed.coalesce();
            let mut reasons = self.why_assumed.borrow_mut();
            if !reasons.iter().any(|known| known == why) {
                reasons.push(why.to_string());
            }
        }
    }

    /// Assumes that the parameters allow a point of `domain`, unless with all else that is assumed they never could. Where loops do not
    /// run at all, the original code is as good as any, and without that case bounds and tests are simpler.
    pub fn expect_points(&self, domain: &Set) {
        let context = self.context();
        let allowed = self.assumed.borrow().intersect(&domain.params()).intersect(&context).coalesce().gist(&context);
        if allowed.n_pieces() == 1 && !allowed.intersect(&context).is_empty() {
            *self.assumed.borrow_mut() = allowed;
        }
    }

    /// Times the loop goes back, as an affine expression in the scope of its preheader.
    pub fn backedges(&self, id: LoopId, scope: &Scope) -> Fallible<PwAff> {
        let count = self.analyses.backedges(id, CountKind::Exact).ok_or(Reason::UnknownTripCount)?;
        let number = self.of_scev(count, scope, 0).map_err(|_| Reason::UnknownTripCount)?;
        let value = self.exact_aff(&number, scope, "the number of iterations")?;
        let nonnegative = value.ge_set(&self.constant_aff(scope, 0));
        self.require(scope, &nonnegative, "the number of iterations of a loop is below 2^63");
        Ok(value)
    }

    /// The value as a polynomial; `Err` for what depends on data.
    pub fn number(&self, value: Value<'ir>, scope: &Scope) -> Fallible<Number> {
        self.of_value(value, scope, 0).and_then(|number| self.settled(number))
    }

    /// Runs `f` without assuming anything.
    pub fn quietly<R>(&self, f: impl FnOnce() -> R) -> R {
        let was_looking = self.only_looking.replace(true);
        let result = f();
        self.only_looking.set(was_looking);
        result
    }

    /// Whether nothing is to be assumed now.
    pub(in crate::extract) fn is_looking(&self) -> bool {
        self.only_looking.get()
    }

    /// Runs `f` without assuming anything; and whether nothing would have to be assumed.
    pub fn proves<R>(&self, f: impl FnOnce() -> R) -> (R, bool) {
        let before = self.would_assume.replace(Some(false));
        let result = self.quietly(f);
        let assumes = self.would_assume.replace(before);
        (result, assumes == Some(false))
    }

    /// An index of an address: exact where a narrower type would show a wrap, modulo 2^64 where the address itself is computed so.
    pub fn number_for_address(&self, value: Value<'ir>, scope: &Scope) -> Fallible<Number> {
        let number = self.number(value, scope)?;
        match number.width {
            64 => Ok(Number { exact: self.is_exact(&number), ..number }),
            _ => self.exact(number, scope, "an index"),
        }
    }

    /// The expression as a polynomial.
    pub fn number_of_scev(&self, scev: ScevId, scope: &Scope) -> Fallible<Number> {
        self.of_scev(scev, scope, 0).and_then(|number| self.settled(number))
    }

    /// The value as a piecewise affine expression equal to it.
    pub fn affine(&self, value: Value<'ir>, scope: &Scope) -> Fallible<PwAff> {
        let number = self.number(value, scope)?;
        self.exact_aff(&number, scope, "an integer expression")
    }

    /// The points of the scope's space where the one-bit value is true.
    pub fn condition(&self, value: Value<'ir>, scope: &Scope) -> Fallible<Set> {
        self.condition_at(value, scope, 0)
    }

    /// The polynomial as an affine expression over the scope's iterators; `Err` if it is not affine.
    pub fn aff(&self, polynomial: &Polynomial, scope: &Scope) -> Fallible<PwAff> {
        let not_affine =
            || Reason::NonAffineCondition { what: "a product of loop counters or of a counter and a parameter".into() };
        let mut sum = self.constant_aff(scope, 0);
        for (atoms, factor) in polynomial.terms() {
            let term = match atoms {
                [] => self.constant_aff(scope, 1),
                [atom] => self.atom_aff(*atom, scope)?,
                several if several.iter().all(|atom| atom.is_constant()) => {
                    let product = self.product_parameter(several)?;
                    self.atom_aff(Atom::Parameter(product), scope)?
                }
                _ => return Err(not_affine()),
            };
            at_most_cases(sum.n_pieces() * term.n_pieces())?;
            sum = sum.add(&term.scale(&integer(factor)));
        }
        Ok(sum)
    }

    pub fn constant_aff(&self, scope: &Scope, value: i128) -> PwAff {
        PwAff::constant_on_domain(&scope_space(scope), &integer(value))
    }

    /// Bounds of the polynomial from those of its atoms.
    pub fn interval(&self, polynomial: &Polynomial) -> Interval {
        polynomial.interval(&|atom| self.atom_interval(atom))
    }

    /// Bounds of the number of an iteration.
    pub fn iteration_interval(&self, id: LoopId) -> Interval {
        if let Some(known) = self.trip.borrow().get(&id) {
            return *known;
        }
        let maximum = self.analyses.backedges(id, CountKind::ConstantMaximum);
        let constant = maximum.and_then(|scev| self.analyses.unsigned_range(scev)).map(|range| range.high);
        let mut high = constant.unwrap_or(i128::from(u64::MAX));
        if let Some(count) = self.analyses.backedges(id, CountKind::Exact) {
            let loops = self.loops_around(id);
            let domain = Set::universe(&Space::alloc_set(&[], None, loops.len()));
            let number = self.quietly(|| self.of_scev(count, &Scope::new(loops, domain), 0));
            if let Ok(number) = number
                && let Some(bound) = self.interval(&number.polynomial).high
            {
                high = high.min(bound.max(0));
            }
        }
        let interval = Interval::new(0, high);
        self.trip.borrow_mut().insert(id, interval);
        interval
    }

    /// The loops of the region around a loop, outermost first, itself left out.
    pub fn loops_around(&self, id: LoopId) -> Vec<LoopId> {
        let nest = self.region.nests.iter().copied().find(|nest| self.analyses.is_within(id, *nest));
        let mut around: Vec<LoopId> = self.analyses.around(id).skip(1).collect();
        let inside = nest.map_or(0, |nest| around.iter().filter(|a| self.analyses.is_within(**a, nest)).count());
        around.truncate(inside);
        around.reverse();
        around
    }

    fn atom_interval(&self, atom: Atom) -> Interval {
        match atom {
            Atom::Parameter(at) => {
                let parameter = &self.parameters.borrow()[at];
                limit(&parameter.source).map_or(parameter.interval, |limit| parameter.interval.intersect(limit))
            }
            Atom::Iterator(id) => self.iteration_interval(id),
            Atom::Quasi(at) => self.quasi.borrow()[at].2,
            Atom::Unknown(at) => self.unknown_interval(at),
            Atom::Address(at) => self.address_interval(at),
        }
    }

    fn atom_aff(&self, atom: Atom, scope: &Scope) -> Fallible<PwAff> {
        match atom {
            Atom::Parameter(at) => {
                let id = self.parameters.borrow()[at].id.clone();
                Ok(Aff::param_on_domain(&scope_space(scope), id.as_str()).to_pw_aff())
            }
            Atom::Iterator(id) => {
                let depth = scope.loops.iter().position(|l| *l == id);
                let depth = depth.ok_or(Reason::NonAffineCondition { what: "a counter outside its loop".into() })?;
                Ok(PwAff::var_on_domain(&scope_space(scope), DimKind::Out, depth))
            }
            Atom::Quasi(at) => {
                let (loops, value, _) = self.quasi.borrow()[at].clone();
                match loops.len() <= scope.loops.len() && loops == scope.loops[..loops.len()] {
                    true => Ok(deepened(&value, loops.len(), scope.width())),
                    false => Err(Reason::NonAffineCondition { what: "an expression outside its loop".into() }),
                }
            }
            Atom::Address(at) => self.atom_aff(Atom::Parameter(self.address_parameter(at)?), scope),
            Atom::Unknown(at) => {
                let place = scope.unknowns.iter().position(|unknown| *unknown == at);
                let place = place.ok_or(Reason::NonAffineCondition { what: "a number that data gives".into() })?;
                Ok(PwAff::var_on_domain(&scope_space(scope), DimKind::Out, scope.loops.len() + place))
            }
        }
    }

    pub(in crate::extract) fn is_exact(&self, number: &Number) -> bool {
        number.exact || self.interval(&number.polynomial).is_within(Interval::signed(number.width))
    }

    pub(in crate::extract) fn has_parameter(&self, source: &Source<'ir>) -> bool {
        self.parameters.borrow().iter().any(|known| known.source == *source)
    }

    /// A new parameter for an expression that does not change; the same one for the same source.
    pub(in crate::extract) fn parameter(
        &self,
        source: Source<'ir>,
        name: Option<String>,
        interval: Interval,
    ) -> Fallible<usize> {
        if let Some(at) = self.parameters.borrow().iter().position(|known| known.source == source) {
            return Ok(at);
        }
        let mut parameters = self.parameters.borrow_mut();
        let at = parameters.len();
        if at >= MOST_PARAMETERS {
            return Err(Reason::TooLarge { what: "parameters", limit: MOST_PARAMETERS });
        }
        let wanted = name.map(|name| identifier(&name)).filter(|name| !name.is_empty());
        let mut name = wanted.clone().unwrap_or_else(|| format!("p{at}"));
        while parameters.iter().any(|known| known.id.to_string() == name) {
            name = format!("{}_{at}", wanted.as_deref().unwrap_or("p"));
        }
        let id = Id::new(&name);
        if let Some(limit) = limit(&source).filter(|limit| !interval.is_within(*limit)) {
            let allowed = self.assumed.borrow().intersect(&bounded(&id, limit));
            *self.assumed.borrow_mut() = allowed;
        }
        parameters.push(Parameter { id, source, interval });
        Ok(at)
    }

    fn product_parameter(&self, atoms: &[Atom]) -> Fallible<usize> {
        let numbers: Vec<usize> = atoms
            .iter()
            .filter_map(|atom| match atom {
                Atom::Parameter(at) => Some(*at),
                _ => None,
            })
            .collect();
        let names: Vec<String> = numbers.iter().map(|at| self.parameters.borrow()[*at].id.to_string()).collect();
        let product = Polynomial::constant(1);
        let product = atoms.iter().try_fold(product, |p, atom| p.multiply(&Polynomial::atom(*atom)));
        let interval = product.map_or(Interval::ALL, |p| self.interval(&p));
        if !interval.is_within(Interval::signed(64)) {
            return Err(Reason::MayWrap { what: format!("the product {}", names.join(" * ")) });
        }
        self.parameter(Source::Product(numbers), Some(names.join("_times_")), interval)
    }

    fn value_parameter(&self, value: Value<'ir>) -> Fallible<Polynomial> {
        let width = value.ty().integer_width().ok_or(Reason::UnsupportedType { what: value.ty().to_string() })?;
        let range = self.analyses.scev(value).and_then(|scev| self.analyses.signed_range(scev));
        let interval = range.map_or(Interval::signed(width), |r| Interval::new(r.low, r.high));
        let at = self.parameter(Source::Value(value), value.source_name(), interval)?;
        Ok(Polynomial::atom(Atom::Parameter(at)))
    }

    fn of_value(&self, value: Value<'ir>, scope: &Scope, depth: usize) -> Fallible<Number> {
        spend(READING);
        let Some(width) = value.ty().integer_width().filter(|width| *width <= 64) else {
            return Err(Reason::UnsupportedType { what: value.ty().to_string() });
        };
        if depth > DEEPEST_EXPRESSION {
            return Err(Reason::NonAffineCondition { what: "a very deep expression".into() });
        }
        if let Some(constant) = value.as_integer() {
            return Ok(Number { polynomial: Polynomial::constant(constant), exact: true, width });
        }
        if value.is_undefined() {
            return Err(Reason::UnsupportedInstruction { what: "an undefined value".into() });
        }
        if self.is_invariant(value) {
            return self.of_invariant(value, width, scope, depth);
        }
        let instruction = value.as_instruction().ok_or_else(|| data_dependent(value))?;
        if self.data.is_naming() {
            return self.named_unless_known(instruction, width, scope, depth);
        }
        let key = (value, scope.loops.last().copied());
        if let Some((above, reason)) = self.hopeless.borrow().get(&key)
            && *above <= depth
        {
            return Err(reason.clone());
        }
        let number = self.of_instruction(instruction, width, scope, depth).or_else(|reason| {
            let scev = self.scev_in(value, scope);
            let known = scev.filter(|scev| self.analyses.node(*scev).kind != ScevKind::Unknown);
            known.map_or(Err(reason.clone()), |scev| self.of_scev(scev, scope, depth + 1)).map_err(|_| reason)
        });
        if let Err(reason @ Reason::NonAffineCondition { .. }) = &number {
            self.hopeless.borrow_mut().insert(key, (depth, reason.clone()));
        }
        number
    }

    /// A value from before the region: opened up while it stays linear, so that `n - 1` and `n` share a parameter.
    fn of_invariant(&self, value: Value<'ir>, width: u32, scope: &Scope, depth: usize) -> Fallible<Number> {
        if let Some(scev) = self.analyses.scev(value) {
            let node = self.analyses.node(scev);
            let linear = matches!(
                node.kind,
                ScevKind::Add
                    | ScevKind::ZeroExtend
                    | ScevKind::SignExtend
                    | ScevKind::Constant
                    | ScevKind::Mul
                    | ScevKind::PtrToInt
            );
            if linear
                && depth < DEEPEST_EXPRESSION / 2
                && let Ok(number) = self.of_scev(scev, scope, depth + 1)
                && (number.polynomial.atoms().any(|atom| matches!(atom, Atom::Address(_))) || self.is_exact(&number))
            {
                return Ok(number);
            }
        }
        if let Some(number) = self.exact_quotient(value, scope, depth) {
            return Ok(number);
        }
        Ok(Number { polynomial: self.value_parameter(value)?, exact: true, width })
    }

    pub(in crate::extract) fn of_instruction(
        &self,
        instruction: Instruction<'ir>,
        width: u32,
        scope: &Scope,
        depth: usize,
    ) -> Fallible<Number> {
        let operand = |at: usize| self.of_value(instruction.operand(at), scope, depth + 1);
        let constant = |at: usize| instruction.operand(at).as_integer();
        let flags = instruction.wrapping();
        let too_big = || Reason::MayWrap { what: "a constant expression".into() };
        let ring = |a: &Number, b: &Number, polynomial: Option<Polynomial>| {
            let exact = a.exact && b.exact && flags.nsw;
            let polynomial = self.paired(polynomial.ok_or_else(too_big)?)?;
            Ok(Number { polynomial, exact, width })
        };
        match instruction.opcode() {
            Opcode::Add => {
                let (a, b) = (operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.add(&b.polynomial))
            }
            Opcode::Or if instruction.is_disjoint_or() => {
                let (a, b) = (operand(0)?, operand(1)?);
                let exact = a.exact && b.exact;
                a.polynomial
                    .add(&b.polynomial)
                    .map(|polynomial| Number { polynomial, exact, width })
                    .ok_or_else(too_big)
            }
            Opcode::Sub => {
                let (a, b) = (operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.subtract(&b.polynomial))
            }
            Opcode::Mul => {
                let (a, b) = (operand(0)?, operand(1)?);
                ring(&a, &b, a.polynomial.multiply(&b.polynomial))
            }
            Opcode::Shl => {
                let shift =
                    constant(1).filter(|s| (0..63).contains(s)).ok_or_else(|| data_dependent(instruction.value()))?;
                let a = operand(0)?;
                ring(&a, &a, a.polynomial.scale(1 << shift))
            }
            Opcode::Xor if constant(1) == Some(-1) => {
                let a = operand(0)?;
                let polynomial = a.polynomial.scale(-1).and_then(|p| p.add(&Polynomial::constant(-1)));
                polynomial.map(|polynomial| Number { polynomial, exact: a.exact, width }).ok_or_else(too_big)
            }
            Opcode::PtrToInt if width == 64 => self.address_number(instruction.operand(0), scope, depth + 1),
            Opcode::SExt => {
                let a = self.exact(operand(0)?, scope, "a 32-bit index")?;
                Ok(Number { width, ..a })
            }
            Opcode::ZExt => {
                if instruction.operand(0).ty().integer_width() == Some(1) {
                    return self.of_condition(instruction.operand(0), 1, width, scope, depth);
                }
                let a = match instruction.is_nonnegative_cast() {
                    true => self.exact(operand(0)?, scope, "an unsigned index")?,
                    false => self.unsigned(operand(0)?, scope, "an unsigned index")?,
                };
                Ok(Number { width, ..a })
            }
            Opcode::Trunc => {
                let a = operand(0)?;
                let exact = self.is_exact(&a) && self.interval(&a.polynomial).is_within(Interval::signed(width));
                Ok(Number { polynomial: a.polynomial, exact, width })
            }
            Opcode::SDiv | Opcode::SRem | Opcode::UDiv | Opcode::URem | Opcode::And | Opcode::LShr | Opcode::AShr => {
                self.of_division(instruction, width, scope, depth)
            }
            Opcode::Select => {
                let condition = self.condition_at(instruction.operand(0), scope, depth + 1)?;
                let a = self.exact_aff(&operand(1)?, scope, "a selected value")?;
                let b = self.exact_aff(&operand(2)?, scope, "a selected value")?;
                let value = a.intersect_domain(&condition).union_add(&b.subtract_domain(&condition));
                Ok(self.quasi(value, Interval::signed(width), width, scope))
            }
            Opcode::Phi => {
                let scev = self.scev_in(instruction.value(), scope);
                let scev = scev.ok_or_else(|| data_dependent(instruction.value()))?;
                self.of_scev(scev, scope, depth + 1)
            }
            Opcode::Freeze => operand(0),
            Opcode::Call => self.of_extremum(instruction, width, scope, depth),
            _ => Err(data_dependent(instruction.value())),
        }
    }

    fn of_extremum(&self, instruction: Instruction<'ir>, width: u32, scope: &Scope, depth: usize) -> Fallible<Number> {
        let name = instruction.call().and_then(|call| call.intrinsic()).unwrap_or_default();
        let (is_maximum, is_unsigned) = match name.as_str() {
            "llvm.smax" => (true, false),
            "llvm.smin" => (false, false),
            "llvm.umax" => (true, true),
            "llvm.umin" => (false, true),
            _ => return Err(data_dependent(instruction.value())),
        };
        let a = self.of_value(instruction.operand(0), scope, depth + 1)?;
        let b = self.of_value(instruction.operand(1), scope, depth + 1)?;
        self.extremum(vec![a, b], is_maximum, is_unsigned, width, scope)
    }

    fn extremum(
        &self,
        numbers: Vec<Number>,
        is_maximum: bool,
        is_unsigned: bool,
        width: u32,
        scope: &Scope,
    ) -> Fallible<Number> {
        if is_unsigned && let Some(number) = self.extreme_address(&numbers, is_maximum, scope)? {
            return Ok(number);
        }
        let mut result: Option<PwAff> = None;
        let mut bounds: Option<Interval> = None;
        for number in numbers {
            let what = "an operand of a minimum or maximum";
            let number = match is_unsigned {
                true => self.unsigned(number, scope, what)?,
                false => self.exact(number, scope, what)?,
            };
            let here = self.interval(&number.polynomial);
            let value = self.aff(&number.polynomial, scope)?;
            result = Some(match &result {
                None => value,
                Some(best) => {
                    at_most_cases(best.n_pieces() * value.n_pieces())?;
                    if is_maximum { best.max(&value) } else { best.min(&value) }.coalesce()
                }
            });
            bounds = Some(bounds.map_or(here, |b| hull(b, here)));
        }
        let value = result.ok_or(Reason::UnsupportedInstruction { what: "an empty minimum".into() })?;
        let bounds = bounds.unwrap_or(Interval::ALL);
        if is_unsigned && super::narrow::is_narrow(width) {
            return Ok(Number { exact: false, ..self.quasi(value, bounds, width, scope) });
        }
        Ok(self.quasi(value, bounds.intersect(Interval::signed(width)), width, scope))
    }

    fn of_division(&self, instruction: Instruction<'ir>, width: u32, scope: &Scope, depth: usize) -> Fallible<Number> {
        let no = || data_dependent(instruction.value());
        let operand = self.of_value(instruction.operand(0), scope, depth + 1)?;
        let by = instruction.operand(1).as_integer().ok_or_else(no)?;
        let (divisor, wants_remainder, is_unsigned) = match instruction.opcode() {
            Opcode::SDiv => (by, false, false),
            Opcode::UDiv => (by, false, true),
            Opcode::SRem => (by, true, false),
            Opcode::URem => (by, true, true),
            Opcode::LShr if (0..62).contains(&by) => (1 << by, false, true),
            Opcode::AShr if (0..62).contains(&by) => (1 << by, false, false),
            Opcode::And if by > 0 && (by + 1) & by == 0 => (by + 1, true, false),
            _ => return Err(no()),
        };
        if divisor <= 0 {
            return Err(no());
        }
        if divisor == 1 && !wants_remainder {
            return Ok(operand);
        }
        let rounds_down = matches!(instruction.opcode(), Opcode::AShr | Opcode::And);
        let counts_bits = divisor & (divisor - 1) == 0;
        if wants_remainder && counts_bits && (is_unsigned || rounds_down) {
            return self.lowest_bits(&operand, divisor.trailing_zeros(), width, scope);
        }
        if matches!(instruction.opcode(), Opcode::AShr | Opcode::LShr)
            && let Some(polynomial) = operand.polynomial.quotient(divisor)
        {
            let exact = self.is_exact(&operand);
            let rest = Number { polynomial, exact, width: width - divisor.trailing_zeros() };
            let rest = match is_unsigned {
                true => self.unsigned(rest, scope, "a shifted value")?,
                false => self.exact(rest, scope, "a shifted value")?,
            };
            return Ok(Number { width, ..rest });
        }
        let operand = match is_unsigned {
            true => self.unsigned(operand, scope, "a dividend")?,
            false => self.exact(operand, scope, "a dividend")?,
        };
        if !wants_remainder && let Some(polynomial) = operand.polynomial.quotient(divisor) {
            return Ok(Number { polynomial, exact: true, width });
        }
        let interval = self.interval(&operand.polynomial);
        let value = self.aff(&operand.polynomial, scope)?;
        let nonnegative = interval.low.is_some_and(|low| low >= 0) || is_unsigned || rounds_down;
        let divisor_int = integer(divisor);
        let (result, bounds) = match (wants_remainder, nonnegative) {
            (true, true) => (value.mod_val(&divisor_int), Interval::new(0, divisor - 1)),
            (true, false) => (value.tdiv_r(&divisor_int), Interval::new(1 - divisor, divisor - 1)),
            (false, true) => (value.scale_down(&divisor_int).floor(), quotient(interval, divisor)),
            (false, false) => (value.tdiv_q(&divisor_int), quotient(interval, divisor)),
        };
        Ok(self.quasi(result, bounds.intersect(Interval::signed(width)), width, scope))
    }

    fn of_condition(&self, value: Value<'ir>, one: i128, width: u32, scope: &Scope, depth: usize) -> Fallible<Number> {
        let condition = self.condition_at(value, scope, depth + 1)?;
        let yes = self.constant_aff(scope, one).intersect_domain(&condition);
        let no = self.constant_aff(scope, 0).subtract_domain(&condition);
        Ok(self.quasi(yes.union_add(&no), Interval::new(one.min(0), one.max(0)), width, scope))
    }

    /// The number of a function of the scope's iterations; that of the same formulas is the same.
    pub(in crate::extract) fn quasi(&self, value: PwAff, interval: Interval, width: u32, scope: &Scope) -> Number {
        assert!(scope.unknowns.is_empty(), "law: an atom is a function of iterations alone");
        let value = value.coalesce();
        let mut known = self.quasi.borrow_mut();
        let is_same = |(loops, other, bounds): &(Vec<LoopId>, PwAff, Interval)| {
            *loops == scope.loops && *bounds == interval && other.plain_is_equal(&value)
        };
        let at = known.iter().position(is_same).unwrap_or(known.len());
        if at == known.len() {
            known.push((scope.loops.clone(), value, interval));
        }
        Number { polynomial: Polynomial::atom(Atom::Quasi(at)), exact: true, width }
    }

    pub(in crate::extract) fn of_scev(&self, scev: ScevId, scope: &Scope, depth: usize) -> Fallible<Number> {
        spend(READING);
        let node = self.analyses.node(scev);
        let width = node.width;
        let no = || Reason::NonAffineCondition { what: self.analyses.text(scev) };
        if depth > DEEPEST_EXPRESSION || node.is_pointer || width == 0 || width > 64 {
            return Err(no());
        }
        let operand = |at: usize| self.of_scev(node.operands[at], scope, depth + 1);
        match node.kind {
            ScevKind::Constant => {
                let value = node.constant.ok_or_else(no)?;
                Ok(Number { polynomial: Polynomial::constant(value), exact: true, width })
            }
            ScevKind::Unknown => {
                let value = node.value.ok_or_else(no)?;
                match self.is_invariant(value) {
                    false if self.data.is_naming() => self.named_scev(value, scope, depth),
                    true => match self.exact_quotient(value, scope, depth) {
                        Some(number) => Ok(number),
                        None => Ok(Number { polynomial: self.value_parameter(value)?, exact: true, width }),
                    },
                    false if depth < DEEPEST_EXPRESSION / 2 && !value.as_instruction().is_some_and(|i| i.is_phi()) => {
                        self.of_instruction(value.as_instruction().ok_or_else(no)?, width, scope, depth + 1)
                    }
                    false => Err(data_dependent(value)),
                }
            }
            ScevKind::Add | ScevKind::Mul => {
                let mut sum = operand(0)?;
                for at in 1..node.operands.len() {
                    let next = operand(at)?;
                    let polynomial = match node.kind {
                        ScevKind::Add => sum.polynomial.add(&next.polynomial),
                        _ => sum.polynomial.multiply(&next.polynomial),
                    };
                    let exact = sum.exact && next.exact && node.nsw;
                    sum = Number { polynomial: polynomial.ok_or_else(no)?, exact, width };
                }
                Ok(Number { polynomial: self.paired(sum.polynomial)?, ..sum })
            }
            ScevKind::PtrToInt => self.address_of_scev(node.operands[0], scope, depth + 1),
            ScevKind::AddRec => self.of_recurrence(scev, scope, depth),
            ScevKind::SignExtend => Ok(Number { width, ..self.exact(operand(0)?, scope, "a 32-bit index")? }),
            ScevKind::ZeroExtend => {
                let extended = || Ok(Number { width, ..self.unsigned(operand(0)?, scope, "an unsigned index")? });
                match self.analyses.node(node.operands[0]).value.filter(|v| !self.is_invariant(*v)) {
                    Some(value) if self.data.is_naming() => {
                        extended().or_else(|_: Reason| Ok(self.name(value, true, width)))
                    }
                    _ => extended(),
                }
            }
            ScevKind::Truncate => {
                let a = operand(0)?;
                let exact = self.is_exact(&a) && self.interval(&a.polynomial).is_within(Interval::signed(width));
                Ok(Number { polynomial: a.polynomial, exact, width })
            }
            ScevKind::UDiv => {
                let divisor = self.analyses.node(node.operands[1]).constant.filter(|d| *d > 0).ok_or_else(no)?;
                let a = self.unsigned(operand(0)?, scope, "a dividend")?;
                if let Some(polynomial) = a.polynomial.quotient(divisor) {
                    return Ok(Number { polynomial, exact: true, width });
                }
                let value = self.aff(&a.polynomial, scope)?.scale_down(&integer(divisor)).floor();
                Ok(self.quasi(value, quotient(self.interval(&a.polynomial), divisor), width, scope))
            }
            ScevKind::SMax | ScevKind::SMin | ScevKind::UMax | ScevKind::UMin => {
                let numbers = (0..node.operands.len()).map(operand).collect::<Fallible<Vec<_>>>()?;
                let is_maximum = matches!(node.kind, ScevKind::SMax | ScevKind::UMax);
                let is_unsigned = matches!(node.kind, ScevKind::UMax | ScevKind::UMin);
                self.extremum(numbers, is_maximum, is_unsigned, width, scope)
            }
            _ => Err(no()),
        }
    }

    /// `{start,+,step}` of a loop around the scope is `start + step * iteration`; of a loop before the region, a parameter.
    fn of_recurrence(&self, scev: ScevId, scope: &Scope, depth: usize) -> Fallible<Number> {
        let node = self.analyses.node(scev);
        let no = || Reason::NonAffineCondition { what: self.analyses.text(scev) };
        let id = node.in_loop.ok_or_else(no)?;
        if !self.region.nests.iter().any(|nest| self.analyses.is_within(id, *nest)) {
            let range = self.analyses.signed_range(scev);
            let interval = range.map_or(Interval::signed(node.width), |r| Interval::new(r.low, r.high));
            let at = self.parameter(Source::Scev(scev), None, interval)?;
            return Ok(Number { polynomial: Polynomial::atom(Atom::Parameter(at)), exact: true, width: node.width });
        }
        if node.operands.len() != 2 || !scope.loops.contains(&id) {
            return Err(no());
        }
        let start = self.of_scev(node.operands[0], scope, depth + 1)?;
        let step = self.of_scev(node.operands[1], scope, depth + 1)?;
        let moved = step.polynomial.multiply(&Polynomial::atom(Atom::Iterator(id)));
        let polynomial = moved.and_then(|moved| start.polynomial.add(&moved)).ok_or_else(no)?;
        let exact = start.exact && step.exact && node.nsw;
        Ok(Number { polynomial, exact, width: node.width })
    }

    fn condition_at(&self, value: Value<'ir>, scope: &Scope, depth: usize) -> Fallible<Set> {
        let space = scope_space(scope);
        if let Some(constant) = value.as_integer() {
            return Ok(if constant != 0 { Set::universe(&space) } else { Set::empty(&space) });
        }
        let no = || Reason::NonAffineCondition { what: described(value) };
        let instruction = value.as_instruction().ok_or_else(no)?;
        if depth > DEEPEST_EXPRESSION {
            return Err(no());
        }
        let side = |at: usize| self.condition_at(instruction.operand(at), scope, depth + 1);
        match instruction.opcode() {
            Opcode::And => Ok(side(0)?.intersect(&side(1)?)),
            Opcode::Or => Ok(side(0)?.union(&side(1)?).coalesce()),
            Opcode::Xor => {
                let (a, b) = (side(0)?, side(1)?);
                Ok(a.subtract(&b).union(&b.subtract(&a)).coalesce())
            }
            Opcode::Select => {
                let (c, a, b) = (side(0)?, side(1)?, side(2)?);
                Ok(a.intersect(&c).union(&b.subtract(&c)).coalesce())
            }
            Opcode::Freeze => side(0),
            Opcode::Trunc => {
                let number = self.of_value(instruction.operand(0), scope, depth + 1)?;
                let bit = self.lowest_bits(&number, 1, 1, scope)?;
                Ok(self.aff(&bit.polynomial, scope)?.eq_set(&self.constant_aff(scope, 1)))
            }
            Opcode::ICmp => {
                let (predicate, a, b) = instruction.icmp().ok_or_else(no)?;
                let compared = match a.ty().is_pointer() {
                    true => self.pointer_comparison(predicate, a, b, scope, depth + 1),
                    false if a.ty().integer_width().is_none_or(|width| width > 64) => Err(no()),
                    false => self.comparison(predicate, a, b, scope, depth),
                };
                compared.map_err(|reason| match reason {
                    Reason::NonAffineCondition { .. } => no(),
                    other => other,
                })
            }
            _ => Err(no()),
        }
    }

    fn comparison(
        &self,
        predicate: IntPredicate,
        a: Value<'ir>,
        b: Value<'ir>,
        scope: &Scope,
        depth: usize,
    ) -> Fallible<Set> {
        use IntPredicate::*;
        if a.ty().integer_width() == Some(1) {
            let (x, y) = (self.condition_at(a, scope, depth + 1)?, self.condition_at(b, scope, depth + 1)?);
            let differ = x.subtract(&y).union(&y.subtract(&x));
            return match predicate {
                Ne => Ok(differ.coalesce()),
                Eq => Ok(Set::universe(&scope_space(scope)).subtract(&differ).coalesce()),
                _ => Err(Reason::NonAffineCondition { what: described(a) }),
            };
        }
        let number = |v: Value<'ir>| {
            let number = self.of_value(v, scope, depth + 1)?;
            let number = match super::narrow::is_narrow(number.width) && matches!(predicate, Ult | Ule | Ugt | Uge) {
                true => self.unsigned(number, scope, "a compared value")?,
                false => self.exact(number, scope, "a compared value")?,
            };
            Ok((
                self.aff(&number.polynomial, scope)?,
                self.interval(&number.polynomial).low.is_some_and(|low| low >= 0),
            ))
        };
        let ((x, x_nonnegative), (y, y_nonnegative)) = (number(a)?, number(b)?);
        let zero = self.constant_aff(scope, 0);
        let both_signs_agree = x_nonnegative && y_nonnegative;
        match predicate {
            Eq => Ok(x.eq_set(&y)),
            Ne => Ok(x.ne_set(&y)),
            Slt => Ok(x.lt_set(&y)),
            Sle => Ok(x.le_set(&y)),
            Sgt => Ok(x.gt_set(&y)),
            Sge => Ok(x.ge_set(&y)),
            Ult if both_signs_agree => Ok(x.lt_set(&y)),
            Ule if both_signs_agree => Ok(x.le_set(&y)),
            Ugt if both_signs_agree => Ok(x.gt_set(&y)),
            Uge if both_signs_agree => Ok(x.ge_set(&y)),
            _ => {
                let (small, large, is_strict, is_negated) = match predicate {
                    Ult => (&x, &y, true, false),
                    Ule => (&x, &y, false, false),
                    Ugt => (&x, &y, false, true),
                    _ => (&x, &y, true, true),
                };
                let large_is_nonnegative = large.ge_set(&zero);
                self.require(scope, &large_is_nonnegative, "an unsigned bound is below half its range");
                let below = if is_strict { small.lt_set(large) } else { small.le_set(large) };
                let inside = below.intersect(&small.ge_set(&zero));
                Ok(if is_negated { Set::universe(&scope_space(scope)).subtract(&inside) } else { inside })
            }
        }
    }
}

/// An expression over the iterators of the outer `from` loops, over those of `to` loops.
pub fn deepened(value: &PwAff, from: usize, to: usize) -> PwAff {
    if from == to {
        return value.clone();
    }
    let deep = Space::alloc_set(&[], None, to);
    let outer = (0..from).map(|at| Aff::var_on_domain(&deep, DimKind::Out, at)).collect();
    value.pullback(&MultiAff::new(&Space::alloc_map(&[], to, from), outer))
}

/// The space of the iterators of a scope: one anonymous tuple.
pub fn scope_space(scope: &Scope) -> Space {
    Space::alloc_set(&[], None, scope.width())
}

pub fn integer(value: i128) -> Int {
    Int::from(num_bigint::BigInt::from(value))
}

/// The parameter values within the interval.
pub fn bounded(id: &Id, interval: Interval) -> Set {
    let space = Space::params_only(std::slice::from_ref(id));
    let mut set = Set::universe(&space);
    if let Some(low) = interval.low {
        set = set.lower_bound(DimKind::Param, 0, &integer(low));
    }
    if let Some(high) = interval.high {
        set = set.upper_bound(DimKind::Param, 0, &integer(high));
    }
    set
}

pub(in crate::extract) fn hull(a: Interval, b: Interval) -> Interval {
    let low = a.low.zip(b.low).map(|(x, y)| x.min(y));
    let high = a.high.zip(b.high).map(|(x, y)| x.max(y));
    Interval { low, high }
}

fn quotient(interval: Interval, divisor: i128) -> Interval {
    Interval {
        low: interval.low.map(|x| x.div_euclid(divisor)),
        high: interval.high.map(|x| x.div_euclid(divisor).max(x / divisor)),
    }
}

/// The name with what isl's notation does not allow in an identifier left out.
pub fn identifier(name: &str) -> String {
    let mut clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if clean.starts_with(|c: char| c.is_ascii_digit()) {
        clean.insert(0, 'v');
    }
    clean.trim_end_matches('_').to_string()
}

fn described(value: Value<'_>) -> String {
    let quoted = |name: String| format!("'{name}'");
    let read = || {
        let pointer = crate::extract::refusal::read_by(value)?.memory()?.pointer;
        let name = crate::extract::refusal::shown_name(pointer.underlying_object()).map(quoted);
        Some(format!("on what is read from {}", name.unwrap_or_else(|| "memory".into())))
    };
    let own = value.source_name().map(quoted);
    own.or_else(read).unwrap_or_else(|| "on what is computed inside the loops".into())
}

/// The limits within which a parameter is assumed to lie; a product lies where its factors make it.
fn limit(source: &Source<'_>) -> Option<Interval> {
    match source {
        Source::Product(_) => None,
        Source::Address(_) => Some(super::pointers::ADDRESSES),
        _ => Some(Interval::new(-LARGEST_PARAMETER, LARGEST_PARAMETER)),
    }
}

/// Refuses what has too many cases.
fn at_most_cases(n: usize) -> Fallible<()> {
    if n > MOST_CASES { Err(Reason::TooLarge { what: "cases in one value", limit: MOST_CASES }) } else { Ok(()) }
}

pub(in crate::extract) fn data_dependent(value: Value<'_>) -> Reason {
    Reason::NonAffineCondition { what: described(value) }
}
