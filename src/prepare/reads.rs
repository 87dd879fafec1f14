//! What two nests read before them is read once: else it would be read between them, and a region of both would not know it.
//!
//!     for (i = 1; i < g->nx - 1; i++) ...          t = g->nx, before both
//!     for (i = 0; i < g->nx; i++) ...              t again, if nothing between writes g->nx
//!
//! LLVM does that too (`early-cse<memssa>`), but gives up where more than a hundred stores are between, and nests in a row soon have so many.

use super::hoist::is_read;
use crate::llvm::{Analyses, Block, Instruction, Type, Value};
use std::collections::{HashMap, HashSet};

/// Reads of one function that are looked at: each asks about all that the function writes.
const MOST_READS: usize = 200;

/// The blocks of a function, and from where each is come to.
struct Flow<'ir> {
    predecessors: HashMap<Block<'ir>, Vec<Block<'ir>>>,
    writers: Vec<Instruction<'ir>>,
}

/// Has a read before and around which nothing writes what it reads give what an earlier one gave. Whether there were any.
pub(super) fn same_reads<'ir>(analyses: &Analyses<'_, 'ir>) -> bool {
    let flow = Flow::of(analyses);
    let mut kept: HashMap<(Value<'ir>, Type<'ir>), Vec<Instruction<'ir>>> = HashMap::new();
    let mut changed = false;
    let blocks = analyses.function().reverse_postorder();
    let reads = blocks.into_iter().flat_map(|block| block.instructions()).filter(|i| is_read_of_number(*i));
    for read in reads.take(MOST_READS) {
        let Some(memory) = read.memory() else { continue };
        let earlier = kept.entry((memory.pointer, memory.ty)).or_default();
        let mut harmful = None;
        let same = earlier.iter().copied().find(|first| {
            is_before(analyses, *first, read)
                && !flow.is_written_between(*first, read, harmful.get_or_insert_with(|| flow.harmful(analyses, read)))
        });
        match same {
            Some(first) => {
                first.stands_for(read);
                changed = true;
            }
            None => earlier.push(read),
        }
    }
    changed
}

fn is_read_of_number(instruction: Instruction<'_>) -> bool {
    instruction.ty().is_integer() && is_read(instruction)
}

/// Whether control comes to `first` before it comes to `read`, in all loops that `first` is in.
fn is_before<'ir>(analyses: &Analyses<'_, 'ir>, first: Instruction<'ir>, read: Instruction<'ir>) -> bool {
    let (Some(a), Some(b)) = (first.block(), read.block()) else { return false };
    let around = analyses.loop_of(a);
    (a == b || analyses.dominates(a, b)) && around.is_none_or(|id| analyses.loop_(id).blocks.contains(&b))
}

impl<'ir> Flow<'ir> {
    fn of(analyses: &Analyses<'_, 'ir>) -> Self {
        let mut predecessors: HashMap<Block<'ir>, Vec<Block<'ir>>> = HashMap::new();
        let mut writers = Vec::new();
        for block in analyses.function().blocks() {
            block.successors().into_iter().for_each(|next| predecessors.entry(next).or_default().push(block));
            writers.extend(block.instructions().into_iter().filter(|i| i.may_write_memory()));
        }
        Flow { predecessors, writers }
    }

    /// What may write what is read.
    fn harmful(&self, analyses: &Analyses<'_, 'ir>, read: Instruction<'ir>) -> HashSet<Instruction<'ir>> {
        self.writers.iter().copied().filter(|writer| analyses.writes(*writer, read)).collect()
    }

    /// Whether one of `harmful` is on a way from `first`, which control comes to in any case, to `read`.
    fn is_written_between(
        &self,
        first: Instruction<'ir>,
        read: Instruction<'ir>,
        harmful: &HashSet<Instruction<'ir>>,
    ) -> bool {
        let (Some(start), Some(end)) = (first.block(), read.block()) else { return true };
        let is_harmful = |i: &Instruction<'ir>| harmful.contains(i);
        let before_read = |block: Block<'ir>| block.instructions().into_iter().take_while(move |i| *i != read);
        let behind_first = |all: Vec<Instruction<'ir>>| all.into_iter().skip_while(move |i| *i != first);
        if start == end {
            return behind_first(before_read(end).collect()).any(|i| is_harmful(&i));
        }
        if before_read(end).any(|i| is_harmful(&i)) {
            return true;
        }
        let mut pending = self.predecessors.get(&end).cloned().unwrap_or_default();
        let mut seen = HashSet::new();
        while let Some(block) = pending.pop() {
            if !seen.insert(block) {
                continue;
            }
            let written = match block == start {
                true => behind_first(block.instructions()).any(|i| is_harmful(&i)),
                false => block.instructions().iter().any(is_harmful),
            };
            if written {
                return true;
            }
            if block != start {
                pending.extend(self.predecessors.get(&block).into_iter().flatten());
            }
        }
        false
    }
}
