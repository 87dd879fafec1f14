//! What numbers of one region are made of.
//!
//! A value of `w` bits is read as a signed number. `%x = add nsw i32 %i, 1` is the polynomial `i + 1`; `%y = sext i32 %x to i64` is the same
//! polynomial, *because* `nsw` promises that the sum fits; without the promise, the sum fits if the bounds of `i` say so, or if
//! a condition on the parameters is assumed. So each value carries, besides its polynomial, whether the polynomial is known to be the
//! value and not only congruent to it:
//!
//!     %i = {0,+,1}<i-loop>          polynomial  i          exact
//!     %m = mul i64 %n, %i           polynomial  n*i        not exact (may wrap), yet usable as an address modulo 2^64
//!     %c = icmp slt i64 %m, 100     needs it exact: that is an obligation
//!
//! [`Affine`] is the dictionary of a region: which parameters and other atoms there are, what bounds they have, and what a polynomial is as an
//! affine expression. Words are added as they come up, which changes no answer. [`super::reading`] translates values with it.

use super::interval::Interval;
use super::number::Number;
use super::parameters::{Parameter, Pitches, Source, bounded, identifier, integer};
use super::polynomial::{Atom, Polynomial};
use super::scope::{Scope, deepened};
use super::unknown::Unknown;
use crate::extract::numbers::polynomial::{AddressId, ParameterId, QuasiId, UnknownId};
use crate::extract::refusal::Reason;
use crate::extract::region::detect::Region;
use crate::extract::region::leading::Leading;
use crate::llvm::{Analyses, Block, LoopId, ScevId, Value};
use crate::presburger::{Aff, DimKind, Id, Int, PwAff, Set, Space};
use crate::scop::Table;
use std::cell::RefCell;
use std::collections::HashMap;

/// More parameters than this make every set operation slow.
const MOST_PARAMETERS: usize = 40;

/// A value of more cases than this (a difference of minima and maxima over eight numbers each) is compared in so many that nothing comes of it.
const MOST_CASES: usize = 64;

/// The numbers of one region; see the file's header.
pub struct Affine<'s, 'a, 'ir> {
    pub analyses: &'s Analyses<'a, 'ir>,
    pub region: &'s Region<'ir>,
    parameters: RefCell<Table<ParameterId, Parameter<'ir>>>,
    /// What is known of the first so many parameters.
    context: RefCell<(usize, Set)>,
    quasi: RefCell<Table<QuasiId, (Vec<LoopId>, PwAff, Interval)>>,
    /// Values that were found to depend on data, in which loop, how deep in an expression, and why. They are asked for from many sides: as
    /// instructions, and as expressions of scalar evolution, at each step of a chain of operations.
    pub(super) hopeless: RefCell<HashMap<(Value<'ir>, Option<LoopId>), (usize, Reason)>>,
    /// Bounds of the numbers of iterations, where known already.
    pub(super) trip: RefCell<HashMap<LoopId, Interval>>,
    /// Where control always comes in an iteration of a loop, where known already.
    leading: RefCell<HashMap<Option<LoopId>, Leading<'ir>>>,
    /// Numbers that data gives.
    pub(super) unknowns: RefCell<Table<UnknownId, Unknown<'ir>>>,
    /// Pointers from before the region.
    pub(super) addresses: RefCell<Table<AddressId, Value<'ir>>>,
    /// Strides that are taken for something.
    pub(super) pitches: Pitches<'ir>,
    /// What strides would have to be taken for.
    pub(super) wishes: RefCell<Pitches<'ir>>,
}

type Fallible<T> = Result<T, Reason>;

/// Sums of numbers of so many bits may be the length of a row.
const MOST_BITS_OF_A_SIZE: u32 = 32;

impl<'s, 'a, 'ir> Affine<'s, 'a, 'ir> {
    pub fn new(analyses: &'s Analyses<'a, 'ir>, region: &'s Region<'ir>) -> Self {
        Affine {
            analyses,
            region,
            parameters: RefCell::default(),
            context: RefCell::new((0, Set::universe(&Space::params_only(&[])))),
            quasi: RefCell::default(),
            hopeless: RefCell::default(),
            trip: RefCell::default(),
            leading: RefCell::default(),
            unknowns: RefCell::default(),
            addresses: RefCell::default(),
            pitches: Pitches::new(),
            wishes: RefCell::default(),
        }
    }

    /// The same, with strides taken for something.
    pub fn with_pitches(self, pitches: &Pitches<'ir>) -> Self {
        Affine { pitches: pitches.clone(), ..self }
    }

    /// The loop that values of a scope are seen from: its innermost one, or the one around the region, of which the region runs in one iteration.
    /// Only a region outside of all loops sees nothing but their ends.
    pub fn place(&self, scope: &Scope) -> Option<LoopId> {
        let around = || self.region.nests.first().and_then(|nest| self.analyses.loop_(*nest).parent);
        scope.loops.last().copied().or_else(around)
    }

    /// Whether control comes from one block of the region to another one in the same iteration of the loop around the first, as long as it does not leave in
    /// the middle.
    pub fn always_leads(&self, from: Block<'ir>, to: Block<'ir>) -> bool {
        let around = self.analyses.loop_of(from);
        let mut known = self.leading.borrow_mut();
        let new = || Leading::of(self.analyses, self.region, around);
        known.entry(around).or_insert_with(new).always_leads(from, to)
    }

    /// The value as an expression of LLVM, as seen from the scope.
    pub(in crate::extract) fn scev_in(&self, value: Value<'ir>, scope: &Scope) -> Option<ScevId> {
        self.analyses.scev_at(value, self.place(scope))
    }

    pub fn parameters(&self) -> Table<ParameterId, Parameter<'ir>> {
        self.parameters.borrow().clone()
    }

    /// What the types and the code around the region say about the parameters.
    pub fn context(&self) -> Set {
        let parameters = self.parameters.borrow();
        let (n_known, context) = &mut *self.context.borrow_mut();
        for parameter in parameters.iter().skip(*n_known) {
            *context = context.intersect(&bounded(&parameter.id, parameter.interval));
        }
        *n_known = parameters.len();
        context.clone()
    }

    /// The quasi-affine atoms.
    pub fn quasi_atoms(&self) -> Table<QuasiId, (Vec<LoopId>, PwAff)> {
        self.quasi.borrow().map(|(_, (loops, value, _))| (loops.clone(), value.clone()))
    }

    /// Whether the value is computed before the region starts.
    pub fn is_invariant(&self, value: Value<'ir>) -> bool {
        value.as_instruction().is_none_or(|instruction| !self.region.contains_instruction(instruction))
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
        PwAff::constant_on_domain(&scope.space(), &integer(value))
    }

    /// Bounds of the polynomial from those of its atoms.
    pub fn interval(&self, polynomial: &Polynomial) -> Interval {
        polynomial.interval(&|atom| self.atom_interval(atom))
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
            Atom::Parameter(at) => self.parameters.borrow()[at].limited(),
            Atom::Iterator(id) => self.iteration_interval(id),
            Atom::Quasi(at) => self.quasi.borrow()[at].2,
            Atom::Unknown(at) => self.unknown_interval(at),
            Atom::Address(at) => self.address_interval(at),
        }
    }

    pub(super) fn atom_aff(&self, atom: Atom, scope: &Scope) -> Fallible<PwAff> {
        match atom {
            Atom::Parameter(at) => {
                let id = self.parameters.borrow()[at].id.clone();
                Ok(Aff::param_on_domain(&scope.space(), id.as_str()).to_pw_aff())
            }
            Atom::Iterator(id) => {
                let depth = scope.loops.iter().position(|l| *l == id);
                let depth = depth.ok_or(Reason::NonAffineCondition { what: "a counter outside its loop".into() })?;
                Ok(PwAff::var_on_domain(&scope.space(), DimKind::Out, depth))
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
                Ok(PwAff::var_on_domain(&scope.space(), DimKind::Out, scope.loops.len() + place))
            }
        }
    }

    pub(in crate::extract) fn is_exact(&self, number: &Number) -> bool {
        number.exact || self.interval(&number.polynomial).is_within(Interval::signed(number.width))
    }

    pub(super) fn has_parameter(&self, source: &Source<'ir>) -> bool {
        self.parameters.borrow().iter().any(|known| known.source == *source)
    }

    /// A new parameter for an expression that does not change; the same one for the same source.
    pub(super) fn parameter(
        &self,
        source: Source<'ir>,
        name: Option<String>,
        interval: Interval,
    ) -> Fallible<ParameterId> {
        if let Some(at) = self.parameters.borrow().id_where(|known| known.source == source) {
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
        Ok(parameters.push(Parameter { id: Id::new(&name), source, interval }))
    }

    /// The parameters among the atoms, and what they are called.
    pub(super) fn factors(&self, atoms: &[Atom]) -> (Vec<ParameterId>, Vec<String>) {
        let parameter = |atom: &Atom| match atom {
            Atom::Parameter(at) => Some(*at),
            _ => None,
        };
        let numbers: Vec<ParameterId> = atoms.iter().filter_map(parameter).collect();
        let names = numbers.iter().map(|at| self.parameters.borrow()[*at].id.to_string()).collect();
        (numbers, names)
    }

    pub(in crate::extract) fn product_parameter(&self, atoms: &[Atom]) -> Fallible<ParameterId> {
        let (numbers, names) = self.factors(atoms);
        let product = Polynomial::constant(1);
        let product = atoms.iter().try_fold(product, |p, atom| p.multiply(&Polynomial::atom(*atom)));
        let interval = product.map_or(Interval::ALL, |p| self.interval(&p));
        if !interval.is_within(Interval::signed(64)) {
            return Err(Reason::MayWrap { what: format!("the product {}", names.join(" * ")) });
        }
        self.parameter(Source::Product(numbers), Some(names.join("_times_")), interval)
    }

    /// The polynomial with the parameters in it replaced by one: what is left of them in so many bits, in a range of that size.
    pub(super) fn with_remainder(&self, polynomial: &Polynomial, bits: u32, range: Interval) -> Fallible<Polynomial> {
        let (constant, moving) = polynomial.split_constant();
        let number = Polynomial::constant(constant.number());
        let too_big = || Reason::MayWrap { what: "a sum of sizes".into() };
        let (of, rest) = (constant.subtract(&number).ok_or_else(too_big)?, moving.add(&number).ok_or_else(too_big)?);
        if of.is_zero() || self.interval(&of).is_within(range) {
            return Ok(polynomial.clone());
        }
        let low = range.low.unwrap_or(0);
        let at = self.parameter(Source::Remainder { of, bits, low }, None, range)?;
        Polynomial::atom(Atom::Parameter(at)).add(&rest).ok_or_else(too_big)
    }

    /// A sum of several parameters as a multiple of one, which is the sum as numbers of its width have it, whether that wraps around or not: `w + 2 p` of rows with
    /// a border is the length of a row, while products of counters with each part of it would be no strides. So is `2 r + 1` of a filter (but not `n + 2`, which is read from the
    /// products: see `memory::shape`).
    pub(super) fn as_one(&self, number: &Number) -> Option<Number> {
        let terms: Vec<(&[Atom], i128)> = number.polynomial.terms().filter(|(atoms, _)| !atoms.is_empty()).collect();
        let constant = number.polynomial.split_constant().0.number();
        let is_sum = match terms.as_slice() {
            [(_, factor)] => constant % factor != 0,
            _ => !terms.is_empty(),
        };
        // Strides of descriptors have 64 bits: of `a(k, k)` the sum is a step in two dimensions.
        let bits = number.width.min(MOST_BITS_OF_A_SIZE + 2);
        let is_small = || self.interval(&number.polynomial).is_within(Interval::signed(bits));
        let is_size = number.width <= MOST_BITS_OF_A_SIZE || is_small();
        if !is_sum || !is_size || !terms.iter().all(|(atoms, _)| matches!(atoms, [Atom::Parameter(_)])) {
            return None;
        }
        let unit = number.polynomial.terms().fold(0, |unit, (_, factor)| num_integer::gcd(unit, factor));
        let range = Interval::signed(bits);
        let of = number.polynomial.divided(unit);
        let source = Source::Remainder { of, bits, low: range.low? };
        let one = Polynomial::atom(Atom::Parameter(self.parameter(source, None, range).ok()?));
        Some(Number { polynomial: one.scale(unit)?, exact: unit == 1 || self.is_exact(number), ..*number })
    }

    pub(super) fn value_parameter(&self, value: Value<'ir>) -> Fallible<Polynomial> {
        if let Some(taken) = self.of_pitch(value) {
            return taken;
        }
        let width = value.ty().integer_width().ok_or(Reason::UnsupportedType { what: value.ty().to_string() })?;
        let range = self.analyses.scev(value).and_then(|scev| self.analyses.signed_range(scev));
        let interval = range.map_or(Interval::signed(width), Interval::from);
        let at = self.parameter(Source::Value(value), value.source_name(), interval)?;
        Ok(Polynomial::atom(Atom::Parameter(at)))
    }

    /// The only function of iterations in the polynomial, if it is the same in all of them.
    pub(super) fn only_unchanging(&self, polynomial: &Polynomial) -> Option<(Atom, PwAff)> {
        let mut quasi = polynomial.atoms().filter_map(|atom| match atom {
            Atom::Quasi(at) => Some((atom, self.quasi.borrow()[at].1.clone())),
            _ => None,
        });
        let only = quasi.next().filter(|_| quasi.next().is_none());
        only.filter(|(_, value)| !value.involves(DimKind::Out, 0, value.domain_space().dim(DimKind::Out)))
    }

    /// What an affine expression over parameters is as a polynomial, if it has no floors.
    pub(super) fn polynomial_of(&self, aff: &Aff) -> Option<Polynomial> {
        let space = aff.domain_space();
        let number = |value: Int| value.as_i64().map(i128::from);
        if aff.n_div() > 0 || aff.involves(DimKind::Out, 0, space.dim(DimKind::Out)) || number(aff.denominator())? != 1
        {
            return None;
        }
        let parameters = self.parameters.borrow();
        (0..space.dim(DimKind::Param)).try_fold(Polynomial::constant(number(aff.constant_value())?), |sum, position| {
            let factor = number(aff.coefficient(DimKind::Param, position))?;
            let name = space.dim_name(DimKind::Param, position)?;
            let at = parameters.id_where(|parameter| parameter.id == *name);
            if factor == 0 { Some(sum) } else { sum.add(&Polynomial::atom(Atom::Parameter(at?)).scale(factor)?) }
        })
    }

    /// The number of a function of the scope's iterations; that of the same formulas is the same.
    pub(super) fn quasi(&self, value: PwAff, interval: Interval, width: u32, scope: &Scope) -> Number {
        assert!(scope.unknowns.is_empty(), "law: an atom is a function of iterations alone");
        let value = value.coalesce();
        let mut known = self.quasi.borrow_mut();
        let is_same = |(loops, other, bounds): &(Vec<LoopId>, PwAff, Interval)| {
            *loops == scope.loops && *bounds == interval && other.plain_is_equal(&value)
        };
        let same = known.id_where(is_same);
        let at = same.unwrap_or_else(|| known.push((scope.loops.clone(), value, interval)));
        Number { polynomial: Polynomial::atom(Atom::Quasi(at)), exact: true, width }
    }
}

/// Refuses what has too many cases.
pub(super) fn at_most_cases(n: usize) -> Fallible<()> {
    if n > MOST_CASES { Err(Reason::TooLarge { what: "cases in one value", limit: MOST_CASES }) } else { Ok(()) }
}
