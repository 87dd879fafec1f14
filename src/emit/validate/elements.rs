//! The elements that a region may write, one after the other, each with its place on the heap.
//!
//!     for (c0 = 0; c0 <= n - 1; c0++) for (c1 = 0; c1 <= c0; c1++)
//!       visit (C + 8 n c0 + 8 c1), (kept + cursor);   cursor += 8
//!
//! Values are moved as integers, which no register changes, but for pointers, of which LLVM wants to know what they point into.

use crate::ast::Node;
use crate::emit::arith::bounds::Known;
use crate::emit::guards::rows::row_of;
use crate::emit::plan::validation::Written;
use crate::emit::write::writer::Writer;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::llvm::{Promise, Type, Value};
use crate::scop::ArrayId;

/// Elements on the heap stand close together.
const ALIGNMENT: u32 = 1;

/// How values of an array are moved.
#[derive(Clone, Copy)]
pub struct Cells<'ir> {
    pub array: ArrayId,
    ty: Type<'ir>,
    /// The type of the program's numbers, if that is one of floats.
    pub float: Option<Type<'ir>>,
}

impl<'ir> Cells<'ir> {
    /// Those of an array.
    pub fn of(writer: &Writer<'_, 'ir>, array: ArrayId) -> Self {
        let bound = &writer.plan.binding.arrays[array];
        let (first, types) = (bound.element, &bound.types);
        let ty = if types.iter().all(|ty| ty.is_pointer()) { first } else { word(writer, array) };
        Cells { array, ty, float: Some(first).filter(|ty| ty.is_float() && types.len() == 1) }
    }

    /// What is at an address, of the program or on the heap.
    pub fn load(&self, writer: &Writer<'_, 'ir>, place: Value<'ir>) -> Value<'ir> {
        writer.builder.load(self.ty, place, Some(ALIGNMENT)).value()
    }

    /// Writes to an address, of the program or on the heap.
    pub fn store(&self, writer: &Writer<'_, 'ir>, value: Value<'ir>, place: Value<'ir>) {
        writer.builder.store(value, place, Some(ALIGNMENT));
    }
}

/// An element that is visited.
pub struct Element<'ir> {
    pub cells: Cells<'ir>,
    /// Its address, and that of its place on the heap.
    pub cell: Value<'ir>,
    pub kept: Value<'ir>,
    /// It is written in any case.
    pub is_certain: bool,
}

/// What is done to each element.
type Visit<'w, 'p, 'ir> = &'w mut dyn FnMut(&mut Writer<'p, 'ir>, &Element<'ir>);

/// All elements that are compared.
pub struct Elements<'v, 'ir> {
    written: Vec<&'v Written>,
    /// Where the function keeps how many bytes of them it has visited.
    cursor: Value<'ir>,
}

impl<'v, 'ir> Elements<'v, 'ir> {
    /// What is `written`, but for variables that are `dead`.
    pub fn of(writer: &Writer<'_, 'ir>, written: &'v [Written], dead: &[Value<'ir>]) -> Self {
        let base = |written: &Written| writer.plan.binding.arrays[written.array].base;
        let is_alive = |written: &&Written| !base(written).is_some_and(|base| dead.contains(&base.underlying_object()));
        let cursor = writer.reserve(Type::integer(writer.builder.context(), 64), "cursor");
        Elements { written: written.iter().filter(is_alive).collect(), cursor }
    }

    /// The numbers of their arrays.
    pub fn arrays(&self) -> Vec<ArrayId> {
        self.written.iter().map(|written| written.array).collect()
    }

    /// Bytes of those that have been visited.
    pub fn position(&self, writer: &Writer<'_, 'ir>) -> Value<'ir> {
        writer.builder.load(Type::integer(writer.builder.context(), 64), self.cursor, None).value()
    }

    /// Visits all, of which `memory` is the place on the heap.
    pub fn each<'p>(&self, writer: &mut Writer<'p, 'ir>, memory: Value<'ir>, visit: Visit<'_, 'p, 'ir>) {
        let byte = Type::integer(writer.builder.context(), 8);
        writer.builder.store(writer.builder.integer(64, 0), self.cursor, None);
        for written in &self.written {
            let cells = Cells::of(writer, written.array);
            scan(writer, &written.scan.root, &mut |writer, subscripts| {
                let at = self.position(writer);
                let kept = writer.builder.gep(byte, memory, &[at], Promise::Inbounds);
                let cell = cell(writer, written.array, subscripts);
                visit(writer, &Element { cells, cell, kept, is_certain: written.is_certain });
                self.advance(writer, at, written.array);
            });
        }
    }

    /// Bytes for all, and one more: no memory for nothing would look as if there were none left.
    pub fn size(&self, writer: &mut Writer<'_, 'ir>) -> Value<'ir> {
        writer.builder.store(writer.builder.integer(64, 1), self.cursor, None);
        for written in &self.written {
            scan(writer, &written.scan.root, &mut |writer, _| {
                let at = self.position(writer);
                self.advance(writer, at, written.array);
            });
        }
        self.position(writer)
    }

    fn advance(&self, writer: &Writer<'_, 'ir>, at: Value<'ir>, array: ArrayId) {
        let bytes = i128::from(writer.plan.binding.arrays[array].element_bytes);
        let next = writer.builder.add(at, writer.builder.integer(64, bytes));
        writer.builder.store(next, self.cursor, None);
    }
}

/// An integer with the bits of an element.
pub fn word<'ir>(writer: &Writer<'_, 'ir>, array: ArrayId) -> Type<'ir> {
    let bytes = writer.plan.binding.arrays[array].element_bytes;
    Type::integer(writer.builder.context(), 8 * u32::try_from(bytes).expect("law: an element is one value"))
}

/// The loops of `node`, with what `visit` writes for each instance.
fn scan<'p, 'ir>(
    writer: &mut Writer<'p, 'ir>,
    node: &Node,
    visit: &mut dyn FnMut(&mut Writer<'p, 'ir>, &[Known<'ir>]),
) {
    match node {
        Node::User { arguments, .. } => {
            let subscripts = writer.arguments(arguments);
            visit(writer, &subscripts);
        }
        _ => writer.walk(node, &mut |writer, inside| scan(writer, inside, visit)),
    }
}

/// The address of an element.
fn cell<'ir>(writer: &mut Writer<'_, 'ir>, array: ArrayId, subscripts: &[Known<'ir>]) -> Value<'ir> {
    let at = array;
    let array = &writer.plan.binding.arrays[at];
    let (numbers, inside) = subscripts.split_at(array.depth());
    let numbers: Vec<Value<'ir>> = numbers.iter().map(|number| number.value).collect();
    let row = array.rows.as_ref().map(|_| row_of(writer, at, &numbers));
    let mut offset = writer.builder.integer(64, 0);
    for (stride, subscript) in array.strides.iter().skip(numbers.len()).zip(inside) {
        let bytes = stride_value(writer, stride);
        offset = writer.builder.add(offset, writer.builder.mul(bytes, subscript.value));
    }
    let base = row.or(array.base).expect("law: what is compared is in memory");
    writer.builder.gep(Type::integer(writer.builder.context(), 8), base, &[offset], Promise::Nothing)
}

fn stride_value<'ir>(writer: &mut Writer<'_, 'ir>, stride: &Polynomial) -> Value<'ir> {
    let mut sum = writer.builder.integer(64, 0);
    for (atoms, factor) in stride.terms() {
        let mut product = writer.builder.integer(64, factor);
        for atom in atoms {
            let Atom::Parameter(at) = atom else { unreachable!("law: strides are over parameters") };
            let id = writer.plan.binding.parameters[*at].id.clone();
            let value = writer.named(&id).value;
            product = writer.builder.mul(product, value);
        }
        sum = writer.builder.add(sum, product);
    }
    sum
}
