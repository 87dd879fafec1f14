//! What the scheduler may do, each choice in words.

use super::Fusion;
use crate::machine::Machine;
use crate::presburger::Id;

/// What the scheduler may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub parallelism: Parallelism,
    pub arrangement: Arrangement,
    pub tiling: Tiling,
    /// Side of all tiles; chosen by their footprints if there is none.
    pub tile_size: Option<i64>,
    /// What the loops will run on.
    pub machine: Machine,
    /// Steps of time in a tile of a stencil.
    pub time_tile: i64,
    pub blocking: Blocking,
    /// Iterations of a vector loop that one thread runs at a time where the same loop is vectorised and parallel.
    pub strip: i64,
    /// Which statements share loops.
    pub fusion: Fusion,
    pub reductions: ReductionOrder,
    /// Arrays whose reductions do not keep a loop from running in parallel: each thread will have a copy.
    pub privatised: Vec<Id>,
    /// Whether somebody wants to know what is predicted, by what for.
    pub explains: bool,
}

/// Whether threads will share loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// One thread runs all of them: no parallel loop is looked for.
    OneThread,
    /// Several may share parallel loops, which are looked for.
    Threads,
}

/// What becomes of bands once they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Their loops stay as they were found.
    AsFound,
    /// Their loops are arranged: tiles, vector loops, blocks.
    Arranged,
}

/// Whether bands are tiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    Never,
    /// Where the model expects data to be used again.
    WhereItPays,
}

/// Whether blocks of iterations are written out in the innermost loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    Never,
    /// Where the model expects registers to be used again.
    WhereItPays,
}

/// In which order a reduction is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReductionOrder {
    /// That of the program.
    Kept,
    /// Any.
    Free,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            parallelism: Parallelism::Threads,
            arrangement: Arrangement::Arranged,
            tiling: Tiling::WhereItPays,
            tile_size: None,
            machine: Machine::default(),
            time_tile: 16,
            blocking: Blocking::WhereItPays,
            strip: 512,
            fusion: Fusion::Model,
            reductions: ReductionOrder::Free,
            privatised: Vec::new(),
            explains: false,
        }
    }
}

impl Options {
    /// Whether parallel loops are looked for.
    pub fn is_parallel(&self) -> bool {
        self.parallelism == Parallelism::Threads
    }

    /// The cores that share a parallel loop.
    pub(super) fn cores(&self) -> i128 {
        if self.is_parallel() { self.machine.cores.into() } else { 1 }
    }

    /// Whether bands may be tiled.
    pub fn may_tile(&self) -> bool {
        self.tiling == Tiling::WhereItPays
    }

    /// Whether blocks of iterations may be written out.
    pub fn may_block(&self) -> bool {
        self.blocking == Blocking::WhereItPays
    }
}
