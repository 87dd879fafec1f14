//! Memory that is filled or copied as a whole, one element after the other.
//!
//!     int v[10] = {0};         call llvm.memset(%v, 0, 40)         ->         for (k = 0; k < 10; k++) v[k] = 0;
//!
//! A model knows elements, so that what clang writes for initialisers and structures is taken apart where it stands in a loop, and so are the calls of
//! `memcpy`, `memmove` and `memset` in the source. The elements are those that the other accesses to the same memory have; if these are of several sizes, as
//! in a structure, its members are written or copied one by one, and so are the bytes between them. If nothing tells, they are words. Loops that
//! are left as they are become calls again, and copies of a few elements become moves of vectors: LLVM recognises them.
//!
//! What `memcpy` copies does not overlap where it is copied to, unless it is the same: elements may be copied one after the other. What `memmove` copies may.
//! A few elements are all read before the first is written; more of them are copied from the end at which nothing is lost, if that is known.

use super::touched;
use crate::llvm::instruction::{Address, Wrapping};
use crate::llvm::{
    Analyses, Block, Builder, Instruction, IntPredicate, Layout, Opcode, Promise, Signedness, Type, TypeKind, Value,
};
use std::collections::BTreeMap;

/// So many members of a structure are written one by one.
const MOST_MEMBERS: usize = 16;

/// So few elements are copied one by one where both sides are known to be different memory; else as many as members.
const FEW: u64 = 4;

/// The bytes of the widest number that is copied where nothing tells what is in memory.
const WORD: u64 = 8;

/// A pointer with more uses than this is not followed.
const MOST_USES: usize = 1_000;

/// A call that is to be replaced.
struct Fill<'ir> {
    call: Instruction<'ir>,
    to: Value<'ir>,
    what: What<'ir>,
    elements: Elements<'ir>,
    way: Way,
}

#[derive(Clone, Copy)]
enum What<'ir> {
    /// Each byte becomes this one.
    Byte(i128),
    CopyOf(Value<'ir>),
}

/// In which order elements are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    FirstToLast,
    LastToFirst,
}

/// So many elements, one behind the other, each of which consists of numbers at offsets.
struct Elements<'ir> {
    members: Vec<(Type<'ir>, u64)>,
    bytes: u64,
    count: Count<'ir>,
}

#[derive(Clone, Copy)]
enum Count<'ir> {
    Constant(u64),
    /// So many times a number, which may have a sign or not.
    Multiple(u64, Value<'ir>, Signedness),
    /// The lowest bits of a number, so many.
    Low(u32, Value<'ir>),
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
    let is_fill = matches!(name.as_str(), "llvm.memset" | "llvm.memcpy" | "llvm.memmove") && !call.has_bundles();
    let &[to, second, length, is_volatile] = arguments.get(..4).filter(|_| is_fill)? else { return None };
    if is_volatile.as_integer() != Some(0) || length.ty().integer_width() != Some(64) {
        return None;
    }
    let layout = instruction.function()?.layout();
    if name == "llvm.memset" {
        let byte = second.as_integer()? & 0xff;
        let elements = elements(instruction, &[to], length)?;
        let elements = (byte == 0 || elements.are_integers()).then_some(elements)?;
        let elements = elements.together_up_to(1);
        return Some(Fill { call: instruction, to, what: What::Byte(byte), elements, way: Way::FirstToLast });
    }
    let elements = elements(instruction, &[to, second], length)?;
    let are_apart = are_apart(to, second);
    let elements = elements.together_up_to(if are_apart { FEW } else { MOST_MEMBERS as u64 });
    let way = match name.as_str() {
        "llvm.memmove" if !are_apart && !elements.is_one() => way(to, second, layout)?,
        _ => Way::FirstToLast,
    };
    Some(Fill { call: instruction, to, what: What::CopyOf(second), elements, way })
}

/// Whether two pointers lead to different memory: to different objects, each of which is known to be one.
fn are_apart<'ir>(a: Value<'ir>, b: Value<'ir>) -> bool {
    let (a, b) = (a.underlying_object(), b.underlying_object());
    let is_variable = |value: Value<'_>| value.as_instruction().is_some_and(|i| i.opcode() == Opcode::Alloca);
    let are_known = a.is_identified_object() && b.is_identified_object();
    a != b && (are_known || is_variable(a) && b.is_argument() || is_variable(b) && a.is_argument())
}

/// In which order elements can be copied that may overlap those they are copied to; `None` if it is not known which are further behind. Elements that are
/// copied towards the start are read before something is written to any of their bytes if the first comes first, and the other way round.
fn way<'ir>(to: Value<'ir>, from: Value<'ir>, layout: Layout<'ir>) -> Option<Way> {
    let ((to, mut to_by), (from, mut from_by)) = (place(to, layout)?, place(from, layout)?);
    let key = |(value, scale): &(Value<'ir>, i128)| (value.name(), *scale);
    to_by.1.sort_by_key(key);
    from_by.1.sort_by_key(key);
    let is_comparable = to == from && to_by.1 == from_by.1;
    is_comparable.then_some(if to_by.0 > from_by.0 { Way::LastToFirst } else { Way::FirstToLast })
}

/// What an address is relative to, and by how much it is behind that: a constant, and multiples of numbers.
type Place<'ir> = (Value<'ir>, (i128, Vec<(Value<'ir>, i128)>));

fn place<'ir>(pointer: Value<'ir>, layout: Layout<'ir>) -> Option<Place<'ir>> {
    let (mut base, mut constant, mut multiples) = (pointer, 0, Vec::new());
    while let Some(address) = Address::of_value(base) {
        let (more, scaled) = address.offset(layout)?;
        constant += more;
        multiples.extend(scaled);
        base = address.base;
    }
    Some((base, (constant, multiples)))
}

impl<'ir> Elements<'ir> {
    fn are_integers(&self) -> bool {
        self.members.iter().all(|(ty, _)| ty.is_integer())
    }

    /// Whether all of it is read before anything is written.
    fn is_one(&self) -> bool {
        matches!(self.count, Count::Constant(1))
    }

    /// All as one element, if there are no more numbers than this, or than members of a structure if each is one.
    fn together_up_to(self, most: u64) -> Self {
        let Count::Constant(count) = self.count else { return self };
        let n_members = self.members.len() as u64;
        let most = if n_members > 1 { MOST_MEMBERS as u64 } else { most };
        if count.saturating_mul(n_members) > most {
            return self;
        }
        let members = |at: u64| self.members.iter().map(move |(ty, offset)| (*ty, at * self.bytes + offset));
        let members = (0..count).flat_map(members).collect();
        Elements { members, bytes: self.bytes * count, count: Count::Constant(1) }
    }
}

fn elements<'ir>(at: Instruction<'ir>, pointers: &[Value<'ir>], length: Value<'ir>) -> Option<Elements<'ir>> {
    let layout = at.function()?.layout();
    let mut found: Vec<Type<'ir>> = Vec::new();
    for pointer in pointers {
        found.extend(accessed(pointer.underlying_object())?);
    }
    let size = |ty: &Type<'ir>| layout.store_size(*ty);
    let is_whole = |ty: Type<'ir>| is_number(ty) && layout.alloc_size(ty) == size(&ty);
    let row = |ty: Type<'ir>| {
        let bytes = size(&ty);
        let count = count(length, bytes).filter(|_| is_whole(ty))?;
        Some(Elements { members: vec![(ty, 0)], bytes, count })
    };
    let is_mixed = found.iter().any(|ty| ty.is_pointer()) && !found.iter().all(|ty| ty.is_pointer());
    let bytes = length.as_integer().and_then(|bytes| u64::try_from(bytes).ok());
    let touched = bytes.and_then(|bytes| touched::members(at, pointers, bytes));
    let are_like = |first: &Type<'ir>| {
        let is_like = |ty: &Type<'ir>| size(ty) == size(first) && ty.is_pointer() == first.is_pointer();
        found.iter().all(|ty| size(ty) == size(first)) && touched.iter().flat_map(BTreeMap::values).all(is_like)
    };
    let first = found.first().copied().filter(|first| !is_mixed && are_like(first));
    let as_accessed = first.and_then(row);
    let as_structure = || pointers.iter().find_map(|pointer| of_structure(structure(*pointer)?, length, layout));
    let as_named = || {
        let mut named = pointers.iter().filter_map(|pointer| named(*pointer));
        named.find_map(|ty| row(ty).filter(|_| found.is_empty() && size(&ty) > 1))
    };
    let as_words = || {
        let widths = std::iter::successors(Some(WORD), |bytes| (*bytes > 1).then_some(bytes / 2));
        let mut words = widths.map(|bytes| Type::integer(at.context(), 8 * bytes as u32));
        words.find_map(row).filter(|_| found.is_empty())
    };
    let as_touched = || {
        let members = touched::with_gaps(touched.clone()?, bytes?, layout, at.context())?;
        let is_usable = members.len() <= MOST_MEMBERS && members.iter().all(|(ty, _)| is_number(*ty));
        is_usable.then_some(Elements { members, bytes: bytes?, count: Count::Constant(1) })
    };
    as_accessed.or_else(as_structure).or_else(as_named).or_else(as_words).or_else(as_touched)
}

/// So many structures as are so many bytes, with what is between their members.
fn of_structure<'ir>(structure: Type<'ir>, length: Value<'ir>, layout: Layout<'ir>) -> Option<Elements<'ir>> {
    let bytes = layout.alloc_size(structure);
    let mut members = Vec::new();
    if bytes == 0 || !collect(structure, 0, layout, &mut members) {
        return None;
    }
    let members = members.into_iter().map(|(ty, at)| (at, ty)).collect();
    let all = touched::with_gaps(members, bytes, layout, structure.context())?;
    (all.len() <= MOST_MEMBERS).then_some(Elements { members: all, bytes, count: count(length, bytes)? })
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
    if element == 0 {
        return None;
    }
    if let Some(bytes) = length.as_integer() {
        return whole(bytes).filter(|count| *count > 0).map(Count::Constant);
    }
    if element == 1 {
        return Some(Count::Multiple(1, length, Signedness::Signed));
    }
    let (product, signedness) = widened(length.as_instruction()?);
    let product = product.filter(|i| matches!(i.opcode(), Opcode::Mul | Opcode::Shl))?;
    let Wrapping { nuw, nsw, .. } = product.wrapping();
    let is_wide = product.ty().integer_width() == Some(64);
    let never_wraps = match signedness {
        _ if is_wide => nuw || nsw,
        Signedness::Signed => nsw,
        Signedness::Unsigned => nuw,
    };
    let (opcode, by) = (product.opcode(), product.operand(1).as_integer()?);
    let factor = match opcode {
        Opcode::Mul => by,
        Opcode::Shl if (0..32).contains(&by) => 1 << by,
        _ => return None,
    };
    match (never_wraps, whole(factor).filter(|factor| *factor > 0)?) {
        (true, factor) => Some(Count::Multiple(factor, product.operand(0), signedness)),
        // Of a number without a sign, as `n * sizeof *a`, what is shifted out is not there.
        (false, 1) if is_wide && element.is_power_of_two() => {
            Some(Count::Low(64 - element.ilog2(), product.operand(0)))
        }
        _ => None,
    }
}

/// A product of numbers of a narrower type as it is before it becomes a length, and how it is widened.
fn widened(length: Instruction<'_>) -> (Option<Instruction<'_>>, Signedness) {
    let (opcode, narrow) = (length.opcode(), || length.operand(0).as_instruction());
    match opcode {
        Opcode::SExt => (narrow(), Signedness::Signed),
        // What is not negative is the same in both ways, and `n * sizeof *a` for an `int n` may come as either.
        Opcode::ZExt if length.is_nonnegative_cast() && narrow().is_some_and(|i| i.wrapping().nsw) => {
            (narrow(), Signedness::Signed)
        }
        Opcode::ZExt => (narrow(), Signedness::Unsigned),
        _ => (Some(length), Signedness::Signed),
    }
}

fn write<'ir>(fill: &Fill<'ir>) {
    let builder = Builder::new(fill.call.context());
    builder.set_location(fill.call.location());
    match fill.elements.count {
        Count::Constant(1) => {
            builder.before(fill.call);
            write_element(fill, &builder, |base| base);
        }
        count => write_row(fill, count, &builder),
    }
    fill.call.remove();
}

/// Writes the numbers of one element, all after the last that is read.
fn write_element<'ir>(fill: &Fill<'ir>, builder: &Builder<'ir>, of: impl Fn(Value<'ir>) -> Value<'ir>) {
    let byte = Type::integer(builder.context(), 8);
    let address = |base, at: u64| match at {
        0 => of(base),
        _ => builder.gep(byte, of(base), &[builder.integer(64, i128::from(at))], Promise::Inbounds),
    };
    let members = &fill.elements.members;
    let is_part = |access: Instruction<'ir>, at| {
        if fill.elements.is_one() {
            access.is_part_of(fill.call, at);
        }
    };
    let value = |(ty, at): &(Type<'ir>, u64)| match fill.what {
        What::Byte(value) => repeated(value, *ty),
        What::CopyOf(from) => {
            let load = builder.load(*ty, address(from, *at), Some(1));
            is_part(load, *at);
            load.value()
        }
    };
    let values: Vec<Value<'ir>> = members.iter().map(value).collect();
    for ((_, at), value) in members.iter().zip(values) {
        is_part(builder.store(value, address(fill.to, *at), Some(1)), *at);
    }
}

fn write_row<'ir>(fill: &Fill<'ir>, count: Count<'ir>, builder: &Builder<'ir>) {
    let before = fill.call.block().expect("law: a call is in a block");
    let after = Block::cut_before(fill.call, "filled");
    let body = before.function().new_block("fill");
    body.move_after(before);
    builder.at_end(before);
    let signed = Wrapping { nuw: false, nsw: true, exact: false };
    let from_one_on = |count| {
        builder.branch(builder.icmp(IntPredicate::Sgt, count, builder.integer(64, 0)), body, after);
        count
    };
    let count = match count {
        Count::Constant(count) => {
            builder.jump(body);
            builder.integer(64, i128::from(count))
        }
        Count::Multiple(factor, number, signedness) => {
            let number = builder.resize(number, Type::integer(builder.context(), 64), signedness);
            let count = builder.binary_with(Opcode::Mul, number, builder.integer(64, i128::from(factor)), signed);
            from_one_on(count)
        }
        Count::Low(bits, number) => {
            from_one_on(builder.binary(Opcode::And, number, builder.integer(64, (1 << bits) - 1)))
        }
    };
    builder.at_end(body);
    let turn = builder.phi(Type::integer(builder.context(), 64), "at");
    let one = builder.integer(64, 1);
    let at = match fill.way {
        Way::FirstToLast => turn.value(),
        Way::LastToFirst => {
            let last = builder.binary_with(Opcode::Sub, count, one, signed);
            builder.binary_with(Opcode::Sub, last, turn.value(), signed)
        }
    };
    let byte = Type::integer(builder.context(), 8);
    let bytes = builder.integer(64, i128::from(fill.elements.bytes));
    write_element(fill, builder, |base| match fill.elements.members[..] {
        [(ty, 0)] => builder.gep(ty, base, &[at], Promise::Inbounds),
        _ => builder.gep(byte, base, &[builder.binary_with(Opcode::Mul, at, bytes, signed)], Promise::Inbounds),
    });
    let never_wraps = Wrapping { nuw: true, nsw: true, exact: false };
    let next = builder.binary_with(Opcode::Add, turn.value(), one, never_wraps);
    builder.branch(builder.icmp(IntPredicate::Slt, next, count), body, after);
    turn.add_incoming(builder.integer(64, 0), before);
    turn.add_incoming(next, body);
}

/// The number that consists of copies of one byte.
fn repeated(byte: i128, ty: Type<'_>) -> Value<'_> {
    match ty.integer_width() {
        Some(width) => Value::integer(ty, (0..width / 8).fold(0, |number, _| number << 8 | byte)),
        None => Value::zero(ty),
    }
}
