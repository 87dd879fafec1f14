//! Elements of arrays that are in registers while the instances of an iteration are written one after the other: what
//! [`crate::emit::plan::innermost::kept`] found.

use crate::emit::plan::innermost::kept::{Element, Kept};
use crate::llvm::Value;
use std::collections::HashMap;

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Memory,
    /// A later instance of the iteration stores it, or what becomes of it.
    Register,
}

/// What is in registers, and which instance comes next.
pub struct Keeping<'p, 'ir> {
    kept: Option<&'p Kept>,
    instance: usize,
    values: HashMap<Element, Value<'ir>>,
}

impl<'p, 'ir> Keeping<'p, 'ir> {
    pub fn nothing() -> Self {
        Keeping { kept: None, instance: 0, values: HashMap::new() }
    }

    pub fn of(kept: &'p Kept) -> Self {
        Keeping { kept: Some(kept), ..Keeping::nothing() }
    }

    pub fn next_instance(&mut self) {
        self.instance += 1;
    }

    /// The instance of this number comes next.
    pub fn at_instance(&mut self, instance: usize) {
        self.instance = instance;
    }

    /// The element that a load of the instance reads, if it is one of those that may be in registers.
    pub fn element(&self, load: usize) -> Option<Element> {
        self.kept?.instances.get(self.instance)?.loads.get(&load).copied()
    }

    pub fn value(&self, element: Element) -> Option<Value<'ir>> {
        self.values.get(&element).copied()
    }

    pub fn note(&mut self, element: Element, value: Value<'ir>) {
        self.values.insert(element, value);
    }

    /// Takes what the instance stores, and says whether that is enough.
    pub fn takes(&mut self, value: Value<'ir>) -> Place {
        let instance = self.kept.and_then(|kept| kept.instances.get(self.instance));
        let Some((element, instance)) = instance.and_then(|own| Some((own.store?, own))) else { return Place::Memory };
        self.note(element, value);
        if instance.is_overwritten { Place::Register } else { Place::Memory }
    }
}
