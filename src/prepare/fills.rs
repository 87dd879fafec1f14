//! Memory that is filled or copied as a whole, one element after the other.
//!
//!     int v[10] = {0};         call llvm.memset(%v, 0, 40)         ->         for (k = 0; k < 10; k++) v[k] = 0;
//!
//! A model knows elements, so that what clang writes for initialisers and structures is taken apart where it stands in a loop. The elements
//! are those that the other accesses to the same memory have; if these are of several sizes, as in a structure, its members are
//! written or copied one by one, provided that there are no gaps between them. Loops that are left as they are become calls again, and
//! copies of a few elements become moves of vectors: LLVM recognises them.

use super::touched;
use crate::llvm::instruction::{Address, Wrapping};
use crate::llvm::{
    Analyses, Block, Builder, Instruction, IntPredicate, Layout, Opcode, Promise, Type, TypeKind, Value,
};
use std::collections::BTreeMap;

/// So many members of a structure are written one by one.
const MOST_MEMBERS: usize = 16;

/// So few elements are copied one by one where both sides are known to be different memory; else as many as members.
const FEW: u64 = 4;

/// A pointer with more uses than this is not followed.
const MOST_USES: usize = 1_000;

/// A call that is to be replaced.
struct Fill<'ir> {
    call: Instruction<'ir>,
    to: Value<'ir>,
    what: What<'ir>,
    elements: Elements<'ir>,
}

#[derive(Clone, Copy)]
enum What<'ir> {
    /// Each byte becomes this one.
    Byte(i128),
    CopyOf(Value<'ir>),
}

enum Elements<'ir> {
    /// So many of a type, one after the other.
    Row(Type<'ir>, Count<'ir>),
    /// Types at offsets.
    Members(Vec<(Type<'ir>, u64)>),
}

enum Count<'ir> {
    Constant(u64),
    /// So many times a number.
    Multiple(u64, Value<'ir>),
}

/// Replaces calls inside of loops. Whether there were any.
pub fn take_apart(analyses: &Analyses<'_, '_>) -> bool {
    let blocks = analyses.function().blocks().into_iter().filter(|block| analyses.loop_of(*block).is_some());
    let fills: Vec<Fill<'_>> = blocks.flat_map(Block::instructions).filter_map(fill).collect();
    fills.iter().for_each(|fill| write(fill));
    !fills.is_empty()
}

fn fill(instruction: Instruction<'_>) -> Option<Fill<'_>> {
    let call = instruction.call()?;
    let arguments = call.arguments();
    let name = call.intrinsic()?;
    let is_fill = matches!(name.as_str(), "llvm.memset" | "llvm.memcpy") && !call.has_bundles();
    let &[to, second, length, is_volatile] = arguments.get(..4).filter(|_| is_fill)? else { return None };
    if is_volatile.as_integer() != Some(0) {
        return None;
    }
    let what = match name.as_str() {
        "llvm.memset" => What::Byte(second.as_integer()? & 0xff),
        _ => What::CopyOf(second),
    };
    if length.ty().integer_width() != Some(64) {
        return None;
    }
    let bytes = length.as_integer().map(|bytes| bytes as u64);
    let pointers = match what {
        What::Byte(_) => vec![to],
        What::CopyOf(from) => vec![to, from],
    };
    let elements = elements(instruction, &pointers, length, bytes)?;
    let elements = match what {
        What::Byte(value) => (value == 0 || elements.are_integers()).then_some(elements)?,
        What::CopyOf(from) => few_or_apart(elements, to, from, instruction.function()?.layout())?,
    };
    Some(Fill { call: instruction, to, what, elements })
}

/// The elements of a copy, one by one where there are few; `None` where they are many and both sides may be the same memory.
fn few_or_apart<'ir>(
    elements: Elements<'ir>,
    to: Value<'ir>,
    from: Value<'ir>,
    layout: Layout<'ir>,
) -> Option<Elements<'ir>> {
    let (a, b) = (to.underlying_object(), from.underlying_object());
    let is_variable = |value: Value<'_>| value.as_instruction().is_some_and(|i| i.opcode() == Opcode::Alloca);
    let are_apart = a != b && (is_variable(a) || is_variable(b));
    match elements {
        Elements::Row(ty, Count::Constant(count)) if count <= if are_apart { FEW } else { MOST_MEMBERS as u64 } => {
            Some(Elements::Members((0..count).map(|at| (ty, at * layout.alloc_size(ty))).collect()))
        }
        Elements::Row(..) if !are_apart => None,
        other => Some(other),
    }
}

impl Elements<'_> {
    fn are_integers(&self) -> bool {
        match self {
            Elements::Row(ty, _) => ty.is_integer(),
            Elements::Members(members) => members.iter().all(|(ty, _)| ty.is_integer()),
        }
    }
}

fn elements<'ir>(
    at: Instruction<'ir>,
    pointers: &[Value<'ir>],
    length: Value<'ir>,
    bytes: Option<u64>,
) -> Option<Elements<'ir>> {
    let layout = at.function()?.layout();
    let mut found: Vec<Type<'ir>> = Vec::new();
    for pointer in pointers {
        found.extend(accessed(pointer.underlying_object())?);
    }
    if found.is_empty() {
        found.extend(pointers.iter().filter_map(|pointer| named(*pointer)));
    }
    let size = |ty: &Type<'ir>| layout.store_size(*ty);
    let first = *found.first()?;
    let is_mixed = found.iter().any(|ty| ty.is_pointer()) && !found.iter().all(|ty| ty.is_pointer());
    let touched = bytes.and_then(|bytes| touched::members(at, pointers, bytes));
    let is_alike = |ty: &Type<'ir>| size(ty) == size(&first) && ty.is_pointer() == first.is_pointer();
    let is_row = touched.iter().flat_map(BTreeMap::values).all(is_alike);
    if !is_mixed && is_row && found.iter().all(|ty| size(ty) == size(&first)) {
        let element = size(&first);
        (is_number(first) && layout.alloc_size(first) == element).then_some(())?;
        return Some(Elements::Row(first, count(length, element)?));
    }
    let members = pointers.iter().find_map(|pointer| {
        let structure = structure(*pointer)?;
        let mut members = Vec::new();
        (Some(layout.alloc_size(structure)) == bytes && collect(structure, 0, layout, &mut members)).then_some(members)
    });
    let is_usable =
        |members: &Vec<(Type<'ir>, u64)>| members.len() <= MOST_MEMBERS && members.iter().all(|(ty, _)| is_number(*ty));
    let shown = || touched::with_gaps(touched?, bytes?, layout, at.context()).filter(is_usable);
    let members = members.or_else(shown)?;
    let covered: u64 = members.iter().map(|(ty, _)| size(ty)).sum();
    (Some(covered) == bytes).then_some(Elements::Members(members))
}

fn is_number(ty: Type<'_>) -> bool {
    ty.is_float() || ty.is_pointer() || ty.integer_width().is_some_and(|width| width >= 8 && width.is_power_of_two())
}

/// The types in which memory behind a pointer is accessed; `None` if there are too many uses.
fn accessed<'ir>(object: Value<'ir>) -> Option<Vec<Type<'ir>>> {
    let mut found: Vec<Type<'ir>> = Vec::new();
    let mut pending = vec![object];
    let mut count = 0;
    while let Some(pointer) = pending.pop() {
        for user in pointer.users() {
            count += 1;
            (count <= MOST_USES).then_some(())?;
            match user.memory() {
                Some(access) if access.pointer == pointer && !found.contains(&access.ty) => found.push(access.ty),
                Some(_) => {}
                None if user.address().is_some_and(|address| address.base == pointer) => pending.push(user.value()),
                None => {}
            }
        }
    }
    Some(found)
}

/// The type of the elements that the program's types suggest for a pointer.
fn named(pointer: Value<'_>) -> Option<Type<'_>> {
    let mut ty = aggregate(pointer)?;
    while let Some(element) = ty.element().filter(|_| ty.kind() == TypeKind::Array) {
        ty = element;
    }
    Some(ty)
}

/// The structure that a pointer leads to, as far as the program's types say.
fn structure(pointer: Value<'_>) -> Option<Type<'_>> {
    let mut ty = aggregate(pointer)?;
    while let Some(element) = ty.element().filter(|_| ty.kind() == TypeKind::Array) {
        ty = element;
    }
    (!ty.fields().is_empty()).then_some(ty)
}

fn aggregate(pointer: Value<'_>) -> Option<Type<'_>> {
    match Address::of_value(pointer) {
        Some(address) => Some(address.element),
        None => pointer.as_instruction().and_then(|i| i.alloca()).map(|variable| variable.ty),
    }
}

/// Adds the numbers that a structure consists of, with their offsets; false if there is something else.
fn collect<'ir>(ty: Type<'ir>, at: u64, layout: Layout<'ir>, members: &mut Vec<(Type<'ir>, u64)>) -> bool {
    if ty.kind() == TypeKind::Array {
        let (Some(element), Some(length)) = (ty.element(), ty.length()) else { return false };
        let bytes = layout.alloc_size(element);
        return length <= MOST_MEMBERS as u64 && (0..length).all(|i| collect(element, at + i * bytes, layout, members));
    }
    let fields = ty.fields();
    if fields.is_empty() {
        members.push((ty, at));
        return is_number(ty) && members.len() <= MOST_MEMBERS;
    }
    let mut fields = fields.into_iter().zip(0..);
    fields.all(|(field, number)| collect(field, at + layout.field_offset(ty, number), layout, members))
}

/// How many elements of so many bytes make up a length in bytes.
fn count(length: Value<'_>, element: u64) -> Option<Count<'_>> {
    let whole = |bytes: i128| u64::try_from(bytes).ok().filter(|bytes| bytes % element == 0).map(|b| b / element);
    if let Some(bytes) = length.as_integer() {
        return whole(bytes).filter(|count| *count > 0).map(Count::Constant);
    }
    if element == 1 {
        return Some(Count::Multiple(1, length));
    }
    let product = length.as_instruction()?;
    let Wrapping { nuw, nsw, .. } = product.wrapping();
    let factor = match product.opcode() {
        Opcode::Mul => product.operand(1).as_integer(),
        Opcode::Shl => product.operand(1).as_integer().filter(|by| (0..32).contains(by)).map(|by| 1 << by),
        _ => None,
    };
    let factor = factor.filter(|factor| *factor > 0 && (nuw || nsw)).and_then(whole)?;
    Some(Count::Multiple(factor, product.operand(0)))
}

fn write<'ir>(fill: &Fill<'ir>) {
    let builder = Builder::new(fill.call.context());
    builder.set_location(fill.call.location());
    match &fill.elements {
        Elements::Row(ty, count) => write_row(fill, *ty, count, &builder),
        Elements::Members(members) => {
            builder.before(fill.call);
            let byte = Type::integer(builder.context(), 8);
            let address =
                |base, at: u64| builder.gep(byte, base, &[builder.integer(64, i128::from(at))], Promise::Inbounds);
            let value = |(ty, at): &(Type<'ir>, u64)| match fill.what {
                What::Byte(value) => repeated(value, *ty),
                What::CopyOf(from) => {
                    let load = builder.load(*ty, address(from, *at), Some(1));
                    load.is_part_of(fill.call, *at);
                    load.value()
                }
            };
            let values: Vec<Value<'ir>> = members.iter().map(value).collect();
            for ((_, at), value) in members.iter().zip(values) {
                builder.store(value, address(fill.to, *at), Some(1)).is_part_of(fill.call, *at);
            }
        }
    }
    fill.call.remove();
}

fn write_row<'ir>(fill: &Fill<'ir>, ty: Type<'ir>, count: &Count<'ir>, builder: &Builder<'ir>) {
    let before = fill.call.block().expect("law: a call is in a block");
    let after = Block::cut_before(fill.call, "filled");
    let body = before.function().new_block("fill");
    body.move_after(before);
    builder.at_end(before);
    let count = match *count {
        Count::Constant(count) => {
            builder.jump(body);
            builder.integer(64, i128::from(count))
        }
        Count::Multiple(factor, number) => {
            let factor = builder.integer(64, i128::from(factor));
            let never_wraps = Wrapping { nuw: false, nsw: true, exact: false };
            let count = builder.binary_with(Opcode::Mul, number, factor, never_wraps);
            let is_any = builder.icmp(IntPredicate::Sgt, count, builder.integer(64, 0));
            builder.branch(is_any, body, after);
            count
        }
    };
    builder.at_end(body);
    let at = builder.phi(Type::integer(builder.context(), 64), "at");
    let address = |base| builder.gep(ty, base, &[at.value()], Promise::Inbounds);
    let value = match fill.what {
        What::Byte(value) => repeated(value, ty),
        What::CopyOf(from) => builder.load(ty, address(from), Some(1)).value(),
    };
    builder.store(value, address(fill.to), Some(1));
    let never_wraps = Wrapping { nuw: true, nsw: true, exact: false };
    let next = builder.binary_with(Opcode::Add, at.value(), builder.integer(64, 1), never_wraps);
    builder.branch(builder.icmp(IntPredicate::Slt, next, count), body, after);
    at.add_incoming(builder.integer(64, 0), before);
    at.add_incoming(next, body);
}

/// The number that consists of copies of one byte.
fn repeated(byte: i128, ty: Type<'_>) -> Value<'_> {
    match ty.integer_width() {
        Some(width) => Value::integer(ty, (0..width / 8).fold(0, |number, _| number << 8 | byte)),
        None => Value::zero(ty),
    }
}
