//! The test before the new loops: whether what the model assumes is true in this execution.
//!
//! For `void f(int n, double *A, double *B) { for (i) A[i] = B[2 * i]; }` it reads
//!
//!     n <= 2^40  and  (A + 8 n <= B  or  B + 16 n - 8 <= A)
//!
//! and leads to the original loops when it fails. The limits of the parameters are tested on their own: where they hold, the
//! arithmetic of everything else is exact, where they fail, its wrapped results do not matter. Addresses are compared as integers
//! of 128 bits, in which no sum of offsets overflows. An array that no instance touches overlaps nothing, whatever its bounds say.

use super::inspection;
use crate::ast::Expr;
use crate::emit::arith::bounds::{Arithmetic, Known, Range, range_of};
use crate::emit::arith::formula;
use crate::emit::plan::storage::Storage;
use crate::emit::plan::{Ranges, unwritable};
use crate::extract::binding::{Binding, BoundArray};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::refusal::Reason;
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value};
use crate::presburger::{Id, PwAff, Set};
use crate::scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that all expanded scalars together may take; beyond, the original loops are better than a machine out of memory.
const MOST_BUFFER_BYTES: i128 = 1 << 30;

/// A number of elements is cut off here: more in one dimension is beyond [`MOST_BUFFER_BYTES`] anyway, and the product of two
/// such numbers still fits 64 bits.
const MANY: i128 = 1 << 31;

/// What must hold for the new loops to run.
#[derive(Clone)]
pub struct Guard {
    /// Parameters whose limits are not known to hold.
    pub limited: Vec<usize>,
    /// The rest of the assumed context.
    pub assumed: Expr,
    /// Pairs of arrays, by number.
    pub disjoint: Vec<(usize, usize)>,
    /// Numbers of the arrays that take part in some test for overlap and have bounds, be it only for some accesses.
    pub bounded: Vec<usize>,
    /// Whether anything is measured for a test.
    pub measures: bool,
    /// Numbers of the arrays that are measured, after all tests, for private copies.
    pub copied: BTreeSet<usize>,
    /// Subscript bounds of the arrays that need them, by number.
    pub boxes: Vec<Option<Box>>,
    /// Numbers of the scalar arrays that get a buffer.
    pub buffers: Vec<usize>,
    /// What is found out about data.
    pub inspections: Vec<inspection::Test>,
    /// Numbers of the arrays whose bases must not point to `errno`.
    pub not_errno: Vec<usize>,
    /// Numbers of the arrays whose offsets must not wrap around.
    pub wrapping: Vec<usize>,
}

/// The elements of an array that are touched, or some more.
#[derive(Clone)]
pub struct Box {
    /// Whether any is.
    pub is_touched: Expr,
    /// First and last subscript of each dimension.
    pub bounds: Vec<(Expr, Expr)>,
}

/// Where an expanded scalar lives: elements are `bytes` apart in the last dimension.
#[derive(Clone)]
pub struct Buffer<'ir> {
    pub memory: Value<'ir>,
    /// First subscript of each dimension.
    pub low: Vec<Known<'ir>>,
    /// Bytes between neighbours in each dimension.
    pub strides: Vec<Known<'ir>>,
}

impl Guard {
    /// Nothing to test.
    pub fn is_trivial(&self) -> bool {
        self.limited.is_empty()
            && self.disjoint.is_empty()
            && self.buffers.is_empty()
            && self.inspections.is_empty()
            && self.not_errno.is_empty()
            && self.wrapping.is_empty()
            && !self.measures
            && self.copied.is_empty()
            && self.assumed.is_constant(1)
    }
}

pub fn plan(
    scop: &Scop,
    binding: &Binding<'_>,
    limits: &[Range],
    ranges: &Ranges,
    storage: &[Option<Storage>],
    copied: BTreeSet<usize>,
) -> Result<Guard, Reason> {
    let names = |name: &Id| ranges.get(name).copied();
    let known = |at: &usize| {
        let interval = binding.parameters[*at].interval;
        let low = interval.low.unwrap_or(Range::WORD.low);
        Range::new(low, interval.high.unwrap_or(Range::WORD.high)).is_within(limits[*at])
    };
    let assumed = scop.assumed.gist(&scop.context).coalesce();
    let assumed = formula::condition(&assumed).ok_or_else(|| unwritable("the run-time test"))?;
    if assumed.is_constant(0) {
        return Err(Reason::AlwaysViolated { assumption: binding.assumptions.join(" and ") });
    }
    range_of(&assumed, &names).ok_or_else(|| unwritable("the run-time test"))?;
    let buffers: Vec<usize> = (0..storage.len()).filter(|at| matches!(storage[*at], Some(Storage::Buffer))).collect();
    let trusted = scop.trusted_context();
    let pairs = binding.disjoint.iter().chain(binding.measurements.iter().flat_map(|m| &m.disjoint));
    let tested: BTreeSet<usize> = pairs.flat_map(|(a, b)| [*a, *b]).collect();
    let bounded: Vec<usize> = tested.into_iter().filter(|at| binding.arrays[*at].extent.is_some()).collect();
    let wrapping = binding.wrapping.clone();
    let is_needed = |at: usize| buffers.contains(&at) || bounded.contains(&at) || wrapping.contains(&at);
    let plan_box = |at: usize| is_needed(at).then(|| box_of(&binding.arrays[at], &trusted, &names)).transpose();
    let boxes = (0..binding.arrays.len()).map(plan_box).collect::<Result<Vec<_>, _>>()?;
    for at in bounded.iter().chain(&wrapping) {
        let bound = boxes[*at].as_ref().expect("law: a tested array has bounds");
        check_offsets(&binding.arrays[*at], bound, &names, limits)?;
    }
    let inspections = inspection::plan(binding, &trusted, ranges)?;
    let limited = (0..limits.len()).filter(|at| !known(at)).collect();
    let measures = !binding.measurements.is_empty();
    let not_errno = binding.errno.elsewhere.clone();
    Ok(Guard {
        limited,
        assumed,
        disjoint: binding.disjoint.clone(),
        bounded,
        measures,
        copied,
        boxes,
        buffers,
        inspections,
        not_errno,
        wrapping,
    })
}

fn box_of(array: &BoundArray<'_>, trusted: &Set, names: &dyn Fn(&Id) -> Option<Range>) -> Result<Box, Reason> {
    let what = || unwritable(&format!("the bounds of '{}'", array.source_name));
    box_around(array.extent.as_ref().ok_or_else(what)?, &array.source_name, trusted, names)
}

/// The elements between first and last subscripts as functions of the parameters; functions that are defined nowhere mean that no element is
/// ever touched.
pub fn box_around(
    extent: &[(PwAff, PwAff)],
    name: &str,
    trusted: &Set,
    names: &dyn Fn(&Id) -> Option<Range>,
) -> Result<Box, Reason> {
    let what = || unwritable(&format!("the bounds of '{name}'"));
    let domains = extent.iter().flat_map(|(low, high)| [low.domain(), high.domain()]);
    let touched: Option<Set> = domains.reduce(|a, b| a.intersect(&b));
    if touched.as_ref().is_some_and(|set| set.intersect(trusted).is_empty()) {
        let nothing = || (Expr::from(0), Expr::from(0));
        return Ok(Box { is_touched: Expr::from(0), bounds: extent.iter().map(|_| nothing()).collect() });
    }
    let bound = |function: &PwAff| {
        let expr = formula::value(&function.gist_params(trusted).coalesce()).ok_or_else(what)?;
        range_of(&expr, names).map(|_| expr).ok_or_else(what)
    };
    let bounds = extent.iter().map(|(low, high)| Ok((bound(low)?, bound(high)?))).collect::<Result<_, Reason>>()?;
    let is_touched = match touched {
        Some(set) => formula::condition(&set.gist(trusted).coalesce()).ok_or_else(what)?,
        None => Expr::from(1),
    };
    range_of(&is_touched, names).ok_or_else(what)?;
    Ok(Box { is_touched, bounds })
}

/// Whether 128 bits hold all offsets.
fn check_offsets(
    array: &BoundArray<'_>,
    bound: &Box,
    names: &dyn Fn(&Id) -> Option<Range>,
    limits: &[Range],
) -> Result<(), Reason> {
    let what = || unwritable(&format!("the addresses of '{}'", array.source_name));
    let room = Range::new(-(1 << 125), 1 << 125);
    let mut sum = Range::WORD;
    for (stride, (low, high)) in array.strides.iter().zip(&bound.bounds) {
        let stride = polynomial_range(stride, limits).ok_or_else(what)?;
        for end in [low, high] {
            let term = range_of(end, names).and_then(|range| range.times(stride)).ok_or_else(what)?;
            sum = sum.hull(sum.plus(term).ok_or_else(what)?);
        }
    }
    if sum.is_within(room) && array.strides.len() == bound.bounds.len() { Ok(()) } else { Err(what()) }
}

fn polynomial_range(polynomial: &Polynomial, limits: &[Range]) -> Option<Range> {
    polynomial.terms().try_fold(Range::new(0, 0), |sum, (atoms, factor)| {
        let product = atoms.iter().try_fold(Range::new(factor, factor), |product, atom| match atom {
            Atom::Parameter(at) => product.times(limits[*at]),
            _ => None,
        });
        sum.plus(product?)
    })
}

/// The first byte that accesses to an array touch and the one behind the last, as integers of 128 bits; and whether any is.
#[derive(Clone, Copy)]
pub struct Ends<'ir> {
    pub first: Value<'ir>,
    pub behind: Value<'ir>,
    pub is_touched: Value<'ir>,
}

/// Whether no byte of one is a byte of the other.
pub fn apart<'ir>(builder: &Builder<'ir>, a: &Ends<'ir>, b: &Ends<'ir>) -> Value<'ir> {
    let before = builder.icmp(IntPredicate::Sle, a.behind, b.first);
    let behind = builder.icmp(IntPredicate::Sle, b.behind, a.first);
    let untouched = [a, b].map(|ends| builder.not(ends.is_touched));
    [behind, untouched[0], untouched[1]].into_iter().fold(before, |any, next| builder.binary(Opcode::Or, any, next))
}

/// A pointer as an integer of 128 bits.
pub fn address<'ir>(builder: &Builder<'ir>, pointer: Value<'ir>) -> Value<'ir> {
    let pointer = builder.cast(Opcode::PtrToInt, builder.freeze(pointer), Type::integer(builder.context(), 64));
    builder.cast(Opcode::ZExt, pointer, Type::integer(builder.context(), 128))
}

/// How often `unit` bytes fit between two addresses, in 64 bits; and whether that is so, without rest, of the addresses as numbers without a sign.
pub fn distance<'ir>(builder: &Builder<'ir>, from: Value<'ir>, to: Value<'ir>, unit: i128) -> (Value<'ir>, Value<'ir>) {
    let wide = Type::integer(builder.context(), 128);
    let extended = |address: Value<'ir>| builder.cast(Opcode::ZExt, address, wide);
    let bytes = builder.sub(to, from);
    let count = builder.binary(Opcode::SDiv, bytes, Value::integer(bytes.ty(), unit));
    let again = builder.mul(builder.cast(Opcode::SExt, count, wide), Value::integer(wide, unit));
    let apart = builder.sub(extended(to), extended(from));
    (count, builder.icmp(IntPredicate::Eq, apart, again))
}

/// The ends of all arrays with bounds that some test needs, by number.
pub fn ends<'ir>(
    builder: &Builder<'ir>,
    guard: &Guard,
    binding: &Binding<'ir>,
    parameters: &[Known<'ir>],
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> BTreeMap<usize, Ends<'ir>> {
    let arithmetic = Arithmetic { builder, promises: false };
    let bounded = guard.bounded.iter().map(|at| {
        let bound = guard.boxes[*at].as_ref().expect("law: a tested array has bounds");
        let (first, behind) = addresses(arithmetic, guard, &binding.arrays[*at], *at, parameters, names);
        (*at, Ends { first, behind, is_touched: arithmetic.truth(&bound.is_touched, names) })
    });
    bounded.collect()
}

/// Writes the test of everything but the buffers and what is measured.
pub fn test<'ir>(
    builder: &Builder<'ir>,
    guard: &Guard,
    binding: &Binding<'ir>,
    limits: &[Range],
    parameters: &[Known<'ir>],
    ends: &BTreeMap<usize, Ends<'ir>>,
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> Value<'ir> {
    let arithmetic = Arithmetic { builder, promises: false };
    let mut parts = Vec::new();
    for &at in &guard.limited {
        let (low, high) = (arithmetic.constant(limits[at].low).value, arithmetic.constant(limits[at].high).value);
        parts.push(builder.icmp(IntPredicate::Sge, parameters[at].value, low));
        parts.push(builder.icmp(IntPredicate::Sle, parameters[at].value, high));
    }
    parts.push(arithmetic.truth(&guard.assumed, names));
    parts.extend(guard.wrapping.iter().map(|at| fits(arithmetic, guard, &binding.arrays[*at], *at, parameters, names)));
    parts.extend(guard.disjoint.iter().map(|(a, b)| apart(builder, &ends[a], &ends[b])));
    let bases: Vec<Value<'ir>> = guard.not_errno.iter().filter_map(|at| binding.arrays[*at].base).collect();
    parts.extend(bases.into_iter().map(|base| crate::emit::threads::errno::is_elsewhere(builder, base)));
    let all = parts.into_iter().reduce(|a, b| builder.binary(Opcode::And, a, b));
    all.expect("law: the assumed context is one of the parts")
}

/// The first byte an array's accesses touch and the one behind the last, as integers of 128 bits.
fn addresses<'ir>(
    arithmetic: Arithmetic<'_, 'ir>,
    guard: &Guard,
    array: &BoundArray<'ir>,
    at: usize,
    parameters: &[Known<'ir>],
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> (Value<'ir>, Value<'ir>) {
    let builder = arithmetic.builder;
    let wide = Type::integer(builder.context(), 128);
    let base = address(builder, array.base.expect("law: only memory is tested for overlap"));
    let (first, last) = offsets(arithmetic, guard, array, at, parameters, names);
    let behind = builder.add(last, Value::integer(wide, i128::from(array.element_bytes)));
    (builder.add(base, first), builder.add(base, behind))
}

/// Whether 64 bits hold all offsets of an array's accesses, if there are any.
fn fits<'ir>(
    arithmetic: Arithmetic<'_, 'ir>,
    guard: &Guard,
    array: &BoundArray<'ir>,
    at: usize,
    parameters: &[Known<'ir>],
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> Value<'ir> {
    let builder = arithmetic.builder;
    let wide = |value: i128| Value::integer(Type::integer(builder.context(), 128), value);
    let (first, last) = offsets(arithmetic, guard, array, at, parameters, names);
    let low = builder.icmp(IntPredicate::Sge, first, wide(Range::WORD.low));
    let high = builder.icmp(IntPredicate::Sle, last, wide(Range::WORD.high));
    let bound = guard.boxes[at].as_ref().expect("law: a tested array has bounds");
    let untouched = builder.not(arithmetic.truth(&bound.is_touched, names));
    builder.binary(Opcode::Or, untouched, builder.binary(Opcode::And, low, high))
}

/// The smallest and the largest offset of an array's accesses, or some beyond, as integers of 128 bits.
fn offsets<'ir>(
    arithmetic: Arithmetic<'_, 'ir>,
    guard: &Guard,
    array: &BoundArray<'ir>,
    at: usize,
    parameters: &[Known<'ir>],
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> (Value<'ir>, Value<'ir>) {
    let builder = arithmetic.builder;
    let wide = Type::integer(builder.context(), 128);
    let extended = |value: Value<'ir>| builder.cast(Opcode::SExt, value, wide);
    let bound = guard.boxes[at].as_ref().expect("law: a tested array has bounds");
    let (mut first, mut last) = (Value::integer(wide, 0), Value::integer(wide, 0));
    for (stride, (low, high)) in array.strides.iter().zip(&bound.bounds) {
        let stride = wide_polynomial(builder, stride, parameters);
        let term = |end: &Expr| builder.mul(stride, extended(arithmetic.value(end, names).value));
        let (low, high) = (term(low), term(high));
        let pick = |intrinsic| builder.intrinsic(intrinsic, &[wide], &[low, high]).value();
        first = builder.add(first, pick("llvm.smin"));
        last = builder.add(last, pick("llvm.smax"));
    }
    (first, last)
}

fn wide_polynomial<'ir>(builder: &Builder<'ir>, polynomial: &Polynomial, parameters: &[Known<'ir>]) -> Value<'ir> {
    let wide = Type::integer(builder.context(), 128);
    let term = |(atoms, factor): (&[Atom], i128)| {
        atoms.iter().fold(Value::integer(wide, factor), |product, atom| match atom {
            Atom::Parameter(at) => builder.mul(product, builder.cast(Opcode::SExt, parameters[*at].value, wide)),
            _ => unreachable!("law: strides are over parameters"),
        })
    };
    let zero = Value::integer(wide, 0);
    polynomial.terms().map(term).fold(zero, |sum, next| builder.add(sum, next))
}

/// Sizes of the buffers in bytes, with what addresses them, and whether they are small enough. The memory is yet to be reserved.
pub fn measure<'ir>(
    builder: &Builder<'ir>,
    guard: &Guard,
    binding: &Binding<'ir>,
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> (Vec<(Value<'ir>, Buffer<'ir>)>, Value<'ir>) {
    let arithmetic = Arithmetic { builder, promises: false };
    let null = Value::zero(Type::pointer(builder.context()));
    let mut total = arithmetic.constant(0);
    let mut measured = Vec::new();
    for &at in &guard.buffers {
        let bound = guard.boxes[at].as_ref().expect("law: a buffer has bounds");
        let mut size = arithmetic.constant(i128::from(binding.arrays[at].element_bytes));
        let (mut low, mut strides) = (Vec::new(), Vec::new());
        for (first, last) in bound.bounds.iter().rev() {
            let first = arithmetic.value(first, names);
            let distance = arithmetic.sub(arithmetic.value(last, names), first);
            let count = arithmetic.add(distance, arithmetic.constant(1));
            let count = arithmetic.choose("llvm.smax", count, arithmetic.constant(0));
            let count = arithmetic.choose("llvm.smin", count, arithmetic.constant(MANY));
            low.insert(0, first);
            strides.insert(0, size);
            size = arithmetic.choose("llvm.smin", arithmetic.mul(size, count), arithmetic.constant(MANY));
        }
        let size = arithmetic.choose("llvm.smax", size, arithmetic.constant(1));
        total = arithmetic.add(total, size);
        measured.push((size.value, Buffer { memory: null, low, strides }));
    }
    let limit = arithmetic.constant(MOST_BUFFER_BYTES).value;
    (measured, builder.icmp(IntPredicate::Sle, total.value, limit))
}
