//! What a statement does: its root, above the operand tree.
//!
//! The root of `A[i] = A[i] * n;` is the store. A value that goes round a loop has a root that writes its scalar array; a part that stays as it is
//! has all its accesses and what it hands on.

use crate::extract::control::divergent::Divergent;
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::polynomial::{Atom, Polynomial, QuasiId};
use crate::extract::reductions::arg_reduction::Pick;
use crate::ids::table_id;
use crate::llvm::{Instruction, Type, Value};
use crate::scop::{AccessKind, ArrayId};
use std::collections::{BTreeSet, HashMap};

/// What a statement does.
pub enum Root<'ir> {
    /// A store, to `base + offset` bytes.
    Store { store: Instruction<'ir>, array: ArrayId, offset: Polynomial },
    /// A value into an element of a scalar array.
    Write { value: Value<'ir>, array: ArrayId, subscripts: Vec<Polynomial> },
    /// Values that are replaced together, each into an element of its scalar array.
    Pick { pick: Pick<'ir>, outputs: Vec<Output<'ir>> },
    /// Values that take each other's place, each into an element of its scalar array: all are read before one is written.
    Together { outputs: Vec<Output<'ir>> },
    /// A store to some element of an array, at an address that is computed from data.
    Scatter { store: Instruction<'ir>, array: ArrayId },
    /// All blocks of a part whose control is decided by data.
    Opaque { part: Opaque<'ir>, accesses: Vec<OpaqueAccess<'ir>>, outputs: Vec<Output<'ir>> },
}

/// The piecewise numbers that the accesses and values of a statement mention.
pub fn quasi_of<'ir>(leaves: &HashMap<Value<'ir>, Leaf>, root: &Root<'ir>) -> BTreeSet<QuasiId> {
    let own = leaves.values().flat_map(Leaf::polynomials).chain(root.polynomials());
    let in_part = match root {
        Root::Opaque { accesses, .. } => accesses.as_slice(),
        _ => &[],
    };
    let numbers = own.chain(in_part.iter().filter_map(|access| access.offset.as_ref()));
    let quasi = |atom: Atom| match atom {
        Atom::Quasi(at) => Some(at),
        _ => None,
    };
    numbers.flat_map(Polynomial::atoms).filter_map(quasi).collect()
}

impl<'ir> Root<'ir> {
    /// The numbers that say where it writes.
    pub fn polynomials(&self) -> Vec<&Polynomial> {
        match self {
            Root::Store { offset, .. } => vec![offset],
            Root::Write { subscripts, .. } => subscripts.iter().collect(),
            Root::Scatter { .. } => Vec::new(),
            Root::Opaque { outputs, .. } | Root::Pick { outputs, .. } | Root::Together { outputs } => {
                outputs.iter().flat_map(|output| &output.subscripts).collect()
            }
        }
    }

    /// The loop in it that can run side by side with those of other instances.
    pub fn divergent(&self) -> Option<&Divergent<'ir>> {
        match self {
            Root::Opaque { part, .. } => part.divergent.as_deref(),
            _ => None,
        }
    }
}

/// A load or store in an opaque part.
#[derive(Clone, Debug)]
pub struct OpaqueAccess<'ir> {
    /// The load or store, or a call that does it.
    pub instruction: Instruction<'ir>,
    /// Read, or certainly or possibly written.
    pub kind: AccessKind,
    /// Where, and as what. For a call this is the address that it is given.
    pub pointer: Value<'ir>,
    pub ty: Type<'ir>,
    pub array: ArrayId,
    /// Bytes from the base, where they do not depend on what happens inside.
    pub offset: Option<Polynomial>,
    /// It is in a loop of the part.
    pub is_repeated: bool,
}

impl<'ir> OpaqueAccess<'ir> {
    /// The address, if it is one that data gives and one alone.
    pub fn place(&self) -> Option<Value<'ir>> {
        let is_one = self.offset.is_none() && !self.is_repeated;
        is_one.then_some(self.pointer)
    }

    pub fn is_store(&self) -> bool {
        self.kind.writes()
    }
}

/// A value that an opaque part writes into an element of a scalar array: one that it computes, or a phi of its exit.
#[derive(Clone, Debug)]
pub struct Output<'ir> {
    pub value: Value<'ir>,
    pub array: ArrayId,
    pub subscripts: Vec<Polynomial>,
}

impl Output<'_> {
    /// Whether a leaf is the element that is written, as it was before.
    pub fn is_read_by(&self, leaf: &Leaf) -> bool {
        matches!(leaf, Leaf::Scalar { array, subscripts } if *array == self.array && *subscripts == self.subscripts)
    }
}

table_id! {
    /// A value of the region that is used behind it.
    pub struct LiveOutId
}

/// A value of the region that is used behind it: afterwards it is in the scalar array `array`, which has no dimension.
pub struct LiveOut<'ir> {
    pub array: ArrayId,
    /// A phi of the region's exit block, or an instruction inside the region.
    pub value: Instruction<'ir>,
}
