//! Loops over windows: see [`crate::emit::plan::window`].
//!
//!     for (i = 32 * c0; i <= 32 * c0 + 31; i++)        ->        for (at = 0; at <= 31; at++) i = 32 * c0 + at
//!
//! so that what is in place `i - 32 * c0` is in place `at`: a constant in each iteration, once LLVM has written the loop out.

use super::loops::{Entered, Loop, Names};
use super::writer::Writer;
use crate::ast::For;
use crate::emit::arith::bounds::Known;
use crate::emit::arith::linear::Linear;
use crate::emit::arith::ranges::iterator_range;
use crate::emit::plan::storage::Storage;
use crate::emit::plan::window::Window;
use crate::llvm::{Promise, Type, Value};
use crate::scop::ArrayId;

impl<'p, 'ir> Writer<'p, 'ir> {
    /// The window that a loop goes over from its first place to its last one, if there is one.
    fn over_window(&self, each: &For) -> Option<&'p Window> {
        if self.plan.in_blocks.contains_key(&each.iterator) || each.step.as_i64() != Some(1) {
            return None;
        }
        let (lower, upper) = (Linear::of(&each.lower)?, Linear::of(&each.upper)?);
        let is_all = |window: &&Window| {
            let first = Linear::default().plus(window.size, &Linear::name(&window.iterator));
            let last = first.as_ref().and_then(|first| first.plus(window.size - 1, &Linear::number(1)));
            first.as_ref() == Some(&lower) && last.as_ref() == Some(&upper)
        };
        let mut windows = self.plan.storage.iter().filter_map(|storage| match storage {
            Some(Storage::Window(window)) => Some(window),
            _ => None,
        });
        windows.find(is_all)
    }

    /// Enters a loop from `lower` to `upper`, and gives what counts its iterations, and the number behind the last one of these.
    pub(super) fn enter(&mut self, each: &For, lower: Known<'ir>, upper: Known<'ir>) -> Entered<'ir> {
        let window = self.over_window(each);
        let ends = window.map(|window| [0, window.size - 1].map(|end| self.arithmetic().constant(end.into())));
        let [first, last] = ends.unwrap_or([lower, upper]);
        let names = Names { body: "loop", after: "after", counter: each.iterator.as_str() };
        let behind = self.one_behind(last);
        let written = Loop::enter(&self.builder, self.function(), names, first.value, last.value);
        let counter = Known { value: written.counter(), range: iterator_range(each, first.range, last.range) };
        let iterator = match window {
            Some(window) => {
                let iterator = self.arithmetic().add(lower, counter);
                self.places.insert((iterator.value, window.iterator.clone(), window.size), counter);
                iterator
            }
            None => counter,
        };
        self.names.insert(each.iterator.clone(), iterator);
        Entered { written, counter, behind }
    }

    /// The place of an element with this subscript.
    pub(super) fn in_window(&mut self, array: ArrayId, window: &Window, subscript: Known<'ir>) -> Value<'ir> {
        let bound = &self.plan.binding.arrays[array];
        let (element, bytes) = (bound.element, bound.element_bytes);
        let places = self.private_slot(array, Type::array(element, window.size as u64));
        let place = match self.places.get(&(subscript.value, window.iterator.clone(), window.size)) {
            Some(place) => *place,
            None => {
                let current = self.named(&window.iterator);
                let arithmetic = self.arithmetic();
                let first = arithmetic.mul(arithmetic.constant(window.size.into()), current);
                arithmetic.sub(subscript, first)
            }
        };
        let arithmetic = self.arithmetic();
        let offset = arithmetic.mul(place, arithmetic.constant(i128::from(bytes)));
        self.builder.gep(Type::integer(self.builder.context(), 8), places, &[offset.value], Promise::Inbounds)
    }
}
