//! What is known of a loop whose exit can be found first, before anything is changed.

use super::slice::Slice;
use super::spans::Span;
use crate::llvm::{Block, Instruction};
use crate::prepare::apart::Apart;
use crate::prepare::apart::behind::Behind;
use crate::prepare::searches::{Conditions, Way};
use std::collections::HashMap;

/// A loop whose exit can be found first.
pub(super) struct Exit<'ir> {
    pub header: Block<'ir>,
    pub latch: Block<'ir>,
    pub preheader: Block<'ir>,
    /// In program order.
    pub blocks: Vec<Block<'ir>>,
    pub slice: Slice<'ir>,
    /// Inner loops of which the slice runs two iterations.
    pub spans: Vec<Span<'ir>>,
    /// By how many bytes each iteration moves the pointers that it hands on, where these are always the same.
    pub steps: HashMap<Instruction<'ir>, i128>,
    /// What has to be asked before the loop.
    pub apart: Apart,
    /// And as the slice runs.
    pub behind: Behind<'ir>,
    /// The innermost loops around the ways out, by their latches.
    pub left: Vec<Block<'ir>>,
    /// The ways out about which each iteration asks once, each by a condition of its own.
    pub always: Vec<Way<'ir>>,
    /// Lines of the ways out that data decides.
    pub lines: Vec<u32>,
    /// Whether it has no loops inside.
    pub is_innermost: bool,
    /// No iterations of it may be written out.
    pub is_kept: bool,
    /// How the exit is found, if the first iterations are to run as they are: there is so little in the loop that this is faster.
    pub begun: Option<Conditions<'ir>>,
}
