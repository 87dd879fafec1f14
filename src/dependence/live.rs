//! What is written and may be read after the model, found out when somebody asks for it.
//!
//! ```c
//! for (int i = 0; i < n; i++) { S: A[0] = i; T: B[i] = A[0]; }
//! ```
//!
//! `S[n - 1] -> A[0]` and all of `T` live; `S[i]` with `i < n - 1` are overwritten. To know that takes as much work as
//! the memory-based dependences, each write with each later one, and no schedule asks: only those who print do.
//!
//! Implements: 002 6.6

use std::cell::OnceCell;

use super::dataflow::{self, Reference};
use super::{Accesses, Order, union_of};
use crate::presburger::{Id, UnionMap};
use crate::scop::{AccessKind, Scop};

/// `{ source -> element }`: writes whose value may be read after the model.
#[derive(Clone, Debug)]
pub struct LiveOut {
    found: OnceCell<UnionMap>,
    params: Vec<Id>,
    order: Order,
    /// The writes to arrays that are read later.
    writes: Vec<Reference>,
    /// Certain writes and kills.
    enders: Vec<Reference>,
}

impl LiveOut {
    /// Of the accesses of a model in this order.
    pub(super) fn of(scop: &Scop, accesses: &Accesses, order: &Order) -> Self {
        let is_read_later = |array: &Id| scop.arrays.iter().any(|a| a.live_out && a.name == *array);
        let all = &accesses.all;
        let writes = all.iter().filter(|e| e.kind.writes()).filter(|e| is_read_later(super::array_of(scop, e.at)));
        let enders = all.iter().filter(|e| matches!(e.kind, AccessKind::MustWrite | AccessKind::Kill));
        Self {
            found: OnceCell::new(),
            params: scop.params.clone(),
            order: order.clone(),
            writes: writes.map(|e| e.reference.clone()).collect(),
            enders: enders.map(|e| e.reference.clone()).collect(),
        }
    }

    /// Where it is known without a model.
    pub fn known(relation: UnionMap) -> Self {
        let nothing = Order::nothing();
        Self { found: relation.into(), params: Vec::new(), order: nothing, writes: Vec::new(), enders: Vec::new() }
    }

    /// The relation.
    pub fn relation(&self) -> &UnionMap {
        self.found.get_or_init(|| {
            let mut alive = Vec::new();
            for write in &self.writes {
                let ended = self.enders.iter().filter_map(|ender| dataflow::overwritten(&self.order, write, ender));
                let left = ended.fold(write.relation.clone(), |left, ended| left.subtract(&ended));
                if !left.is_empty() {
                    alive.push(left);
                }
            }
            union_of(&self.params, alive.iter())
        })
    }
}
