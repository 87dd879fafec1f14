//! The test before the new loops: whether what the model assumes is true in this execution.
//!
//! For `void f(int n, double *A, double *B) { for (i) A[i] = B[2 * i]; }` it reads
//!
//!     n <= 2^40  and  (A + 8 n <= B  or  B + 16 n - 8 <= A)
//!
//! and leads to the original loops when it fails. The limits of the parameters are tested on their own: where they hold, the
//! arithmetic of everything else is exact, where they fail, its wrapped results do not matter. Addresses are compared as integers
//! of 128 bits, in which no sum of offsets overflows. An array that no instance touches overlaps nothing, whatever its bounds say.

use crate::ast::Expr;
use crate::emit::arith::bounds::{Arithmetic, Bounds, Known, Range};
use crate::emit::plan::Plan;
use crate::emit::plan::guard::Guard;
use crate::emit::plan::storage::Storage;
use crate::emit::write::ends::{Buffer, Ends, address, apart};
use crate::extract::binding::{Binding, BoundArray};
use crate::extract::numbers::parameters::LONGEST_STRIDE;
use crate::extract::numbers::polynomial::{Atom, ParameterId, Polynomial};
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value, errno};
use crate::presburger::Id;
use crate::scop::{ArrayId, Table};
use std::collections::BTreeMap;

/// Bytes that all expanded scalars together may take; beyond, the original loops are better than a machine out of memory.
const MOST_BUFFER_BYTES: i128 = 1 << 30;

/// A number of elements is cut off here: more in one dimension is beyond [`MOST_BUFFER_BYTES`] anyway, and the product of two
/// such numbers still fits 64 bits.
const MANY: i128 = 1 << 31;

/// Bytes of `errno`, an `int`.
pub const ERRNO_BYTES: i128 = 4;

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

/// How often a number times factors goes into a stride of 64 bits; and whether that is at least once, without rest, and the stride no longer than strides
/// are. If it is not so, once.
///
/// Where the factors are what they are said to be, their product is an earlier value and does not wrap.
pub fn times<'ir>(
    builder: &Builder<'ir>,
    value: Value<'ir>,
    unit: i128,
    factors: &[Value<'ir>],
) -> (Value<'ir>, Value<'ir>) {
    let one = Value::integer(value.ty(), 1);
    let once = factors.iter().fold(Value::integer(value.ty(), unit), |product, next| builder.mul(product, *next));
    let divisor = builder.intrinsic("llvm.smax", &[value.ty()], &[once, one]).value();
    let count = builder.binary(Opcode::SDiv, value, divisor);
    let is_whole = builder.icmp(IntPredicate::Eq, builder.mul(count, once), value);
    let longest = Value::integer(value.ty(), LONGEST_STRIDE);
    let is_stride = builder.icmp(IntPredicate::Ult, builder.sub(value, one), longest);
    let is_so = builder.binary(Opcode::And, is_whole, is_stride);
    (builder.select(is_so, count, one), is_so)
}

/// The ends of all arrays with bounds that some test needs.
pub fn ends<'ir>(
    builder: &Builder<'ir>,
    guard: &Guard,
    binding: &Binding<'ir>,
    parameters: &Table<ParameterId, Known<'ir>>,
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> BTreeMap<ArrayId, Ends<'ir>> {
    let arithmetic = Arithmetic { builder, bounds: Bounds::Unproved };
    let bounded = guard.bounded.iter().map(|at| {
        let bound = guard.boxes[*at].as_ref().expect("law: a tested array has bounds");
        let (first, behind) = addresses(arithmetic, guard, &binding.arrays[*at], *at, parameters, names);
        (*at, Ends { first, behind, is_touched: arithmetic.truth(&bound.is_touched, names) })
    });
    bounded.collect()
}

/// So many pairs of arrays are tested before a branch. LLVM looks for vectors in all comparisons between two branches,
/// which takes it time that grows faster than with their square.
pub const PAIRS_AT_ONCE: usize = 8;

/// Writes the test of everything but the buffers, what is measured, and more than [`PAIRS_AT_ONCE`]. The parameters come with their limits.
pub fn test<'ir>(
    builder: &Builder<'ir>,
    guard: &Guard,
    binding: &Binding<'ir>,
    (parameters, limits): (&Table<ParameterId, Known<'ir>>, &Table<ParameterId, Range>),
    ends: &BTreeMap<ArrayId, Ends<'ir>>,
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> Value<'ir> {
    let arithmetic = Arithmetic { builder, bounds: Bounds::Unproved };
    let mut parts = Vec::new();
    for &at in &guard.limited {
        let (low, high) = (arithmetic.constant(limits[at].low).value, arithmetic.constant(limits[at].high).value);
        parts.push(builder.icmp(IntPredicate::Sge, parameters[at].value, low));
        parts.push(builder.icmp(IntPredicate::Sle, parameters[at].value, high));
    }
    parts.push(arithmetic.truth(&guard.assumed, names));
    parts.extend(guard.wrapping.iter().map(|at| fits(arithmetic, guard, &binding.arrays[*at], *at, parameters, names)));
    let first = guard.disjoint.iter().take(PAIRS_AT_ONCE);
    parts.extend(first.map(|(a, b)| apart(builder, &ends[a], &ends[b])));
    let flat = guard.not_errno.iter().map(|at| &binding.arrays[*at]).filter(|array| array.rows.is_none());
    let bases: Vec<Value<'ir>> = flat.filter_map(|array| array.base).collect();
    parts.extend(bases.into_iter().map(|base| is_elsewhere(builder, base)));
    parts.extend(guard.outside_errno.iter().map(|at| apart(builder, &ends[at], &ends_of_errno(builder))));
    let all = parts.into_iter().reduce(|a, b| builder.binary(Opcode::And, a, b));
    all.expect("law: the assumed context is one of the parts")
}

/// Whether all of some pairs of arrays do not overlap.
pub fn are_apart<'ir>(
    builder: &Builder<'ir>,
    pairs: &[(ArrayId, ArrayId)],
    ends: &BTreeMap<ArrayId, Ends<'ir>>,
) -> Value<'ir> {
    let tests = pairs.iter().map(|(a, b)| apart(builder, &ends[a], &ends[b]));
    tests.reduce(|a, b| builder.binary(Opcode::And, a, b)).unwrap_or_else(|| builder.integer(1, 1))
}

/// Whether a pointer does not point to the thread's `errno`.
pub fn is_elsewhere<'ir>(builder: &Builder<'ir>, pointer: Value<'ir>) -> Value<'ir> {
    let distance = builder.sub(builder.freeze(builder.address(pointer)), builder.address(errno::place(builder)));
    builder.icmp(IntPredicate::Ugt, distance, builder.integer(64, ERRNO_BYTES))
}

fn ends_of_errno<'ir>(builder: &Builder<'ir>) -> Ends<'ir> {
    let first = address(builder, errno::place(builder));
    let behind = builder.add(first, Value::integer(first.ty(), ERRNO_BYTES));
    Ends { first, behind, is_touched: builder.integer(1, 1) }
}

/// The first byte an array's accesses touch and the one behind the last, as integers of 128 bits.
fn addresses<'ir>(
    arithmetic: Arithmetic<'_, 'ir>,
    guard: &Guard,
    array: &BoundArray<'ir>,
    at: ArrayId,
    parameters: &Table<ParameterId, Known<'ir>>,
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
    at: ArrayId,
    parameters: &Table<ParameterId, Known<'ir>>,
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
    at: ArrayId,
    parameters: &Table<ParameterId, Known<'ir>>,
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

/// What is left of the polynomial in so many bits, in the range from `low` on, as a number of 64 bits.
pub fn remainder<'ir>(
    builder: &Builder<'ir>,
    polynomial: &Polynomial,
    parameters: &Table<ParameterId, Known<'ir>>,
    bits: u32,
    low: i128,
) -> Value<'ir> {
    let wide = Type::integer(builder.context(), 128);
    let constant = |value: i128| Value::integer(wide, value);
    let value = wide_polynomial(builder, polynomial, parameters);
    let rest = builder.binary(Opcode::And, builder.sub(value, constant(low)), constant((1 << bits) - 1));
    builder.cast(Opcode::Trunc, builder.add(rest, constant(low)), Type::integer(builder.context(), 64))
}

/// How many steps it takes to go a way, at least none and at most so many, as a number of 64 bits; of a step that does not go up, as if it were 1.
pub fn steps<'ir>(
    builder: &Builder<'ir>,
    [way, step]: [&Polynomial; 2],
    parameters: &Table<ParameterId, Known<'ir>>,
    most: i128,
) -> Value<'ir> {
    let word = Type::integer(builder.context(), 64);
    let constant = |value: i128| Value::integer(word, value);
    let number = |of: &Polynomial| builder.cast(Opcode::Trunc, wide_polynomial(builder, of, parameters), word);
    let greater = |value, than: i128| builder.intrinsic("llvm.smax", &[word], &[value, constant(than)]).value();
    let last = builder.sub(greater(number(way), 0), constant(1));
    let step = greater(number(step), 1);
    // The last one of no steps is -1, which the quotient, towards zero, would be 0 of.
    let count = builder.add(builder.binary(Opcode::SDiv, last, step), constant(1));
    let is_none = builder.icmp(IntPredicate::Slt, last, constant(0));
    let count = builder.select(is_none, constant(0), count);
    builder.intrinsic("llvm.smin", &[word], &[count, constant(most)]).value()
}

fn wide_polynomial<'ir>(
    builder: &Builder<'ir>,
    polynomial: &Polynomial,
    parameters: &Table<ParameterId, Known<'ir>>,
) -> Value<'ir> {
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
    plan: &Plan<'_, 'ir>,
    names: &dyn Fn(&Id) -> Known<'ir>,
) -> (Vec<(Value<'ir>, Buffer<'ir>)>, Value<'ir>) {
    let Plan { guard, binding, storage, .. } = plan;
    let arithmetic = Arithmetic { builder, bounds: Bounds::Unproved };
    let null = Value::zero(Type::pointer(builder.context()));
    let mut total = arithmetic.constant(0);
    let mut measured = Vec::new();
    for &at in &guard.buffers {
        let bound = guard.boxes[at].as_ref().expect("law: a buffer has bounds");
        let mut size = arithmetic.constant(i128::from(binding.arrays[at].element_bytes));
        let (mut low, mut strides) = (Vec::new(), Vec::new());
        for (subscript, (first, last)) in bound.bounds.iter().enumerate().rev() {
            if matches!(&storage[at], Some(Storage::Buffer { folded }) if folded.contains(&subscript)) {
                low.insert(0, arithmetic.constant(0));
                strides.insert(0, arithmetic.constant(0));
                continue;
            }
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
