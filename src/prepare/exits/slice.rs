//! What the exits of a loop need of it.
//!
//! ```c
//! for (i = 0; i < n; i++) { b[i] = f(c[i]);  if (a[i] < 0) break;  for (j...) d[i][j] = g(i, j); }
//! ```
//!
//! needs `a[i] < 0`, `i < n`, and what these are computed from, to know in which iteration it is left: the slice. It is closed under operands and under
//! control: where a way decides whether something of the slice runs, or which value it has, the condition of that way belongs to it. All other ways lead at once to
//! where they meet again, the inner loops among them.

use crate::llvm::{Analyses, Block, Instruction, Loop, Value};
use std::collections::{HashMap, HashSet};

/// Blocks of a loop: sets of them are bits of a number, whose highest one is what is behind an iteration, and the one before it belongs to nothing.
const MOST_BLOCKS: usize = 126;
const NOTHING: usize = 126;
const BEHIND: usize = 127;

/// What has to be computed to know in which iteration a loop is left.
pub(super) struct Slice<'ir> {
    pub instructions: HashSet<Instruction<'ir>>,
    /// Of blocks with several ways, of which none matters: where these meet again.
    pub straight: HashMap<Block<'ir>, Block<'ir>>,
    /// The blocks that are come to, in program order.
    pub blocks: Vec<Block<'ir>>,
}

/// The blocks of one iteration as numbers, in program order.
struct Flow<'ir> {
    blocks: Vec<Block<'ir>>,
    number: HashMap<Block<'ir>, usize>,
    /// Where each leads: out of the iteration, the next one included, is [`BEHIND`].
    next: Vec<Vec<usize>>,
    /// For each which blocks all ways from it to the end of the iteration pass.
    passed: Vec<u128>,
}

impl<'ir> Slice<'ir> {
    /// With addresses that are to be watched. None of loops with too many blocks, or whose iterations may not end.
    pub(super) fn of(
        analyses: &Analyses<'_, 'ir>,
        this: &Loop<'ir>,
        addresses: &[Instruction<'ir>],
    ) -> Option<Slice<'ir>> {
        let flow = Flow::of(analyses, this)?;
        let branching: Vec<usize> = (0..flow.blocks.len()).filter(|at| flow.next[*at].len() > 1).collect();
        let meets: HashMap<usize, usize> =
            branching.iter().map(|at| Some((*at, flow.meeting(*at)?))).collect::<Option<_>>()?;
        let between: HashMap<usize, u128> = meets.iter().map(|(at, meet)| (*at, flow.between(*at, *meet))).collect();
        let mut instructions: HashSet<Instruction<'ir>> = HashSet::new();
        addresses.iter().for_each(|address| add(this, address.value(), &mut instructions));
        let mut needed: HashSet<usize> = HashSet::new();
        loop {
            let touched = instructions.iter().filter_map(|i| Some((i, *flow.number.get(&i.block()?)?)));
            let all = touched.clone().fold(0, |all, (_, at)| all | flag(at));
            let meeting = touched.filter(|(i, _)| i.is_phi()).fold(0, |all, (_, at)| all | flag(at));
            let matters = |at: &usize| meets[at] == BEHIND || between[at] & all != 0 || flag(meets[at]) & meeting != 0;
            let Some(at) = branching.iter().copied().find(|at| !needed.contains(at) && matters(at)) else { break };
            needed.insert(at);
            let end = flow.blocks[at].terminator()?;
            end.operands().into_iter().for_each(|operand| add(this, operand, &mut instructions));
        }
        let straight: HashMap<usize, usize> = meets.into_iter().filter(|(at, _)| !needed.contains(at)).collect();
        let (mut reached, mut pending) = (0, vec![0]);
        while let Some(at) = pending.pop() {
            if at != BEHIND && reached & flag(at) == 0 {
                reached |= flag(at);
                pending.extend(straight.get(&at).map_or(flow.next[at].clone(), |meet| vec![*meet]));
            }
        }
        let of = |at: usize| flow.blocks[at];
        let blocks = (0..flow.blocks.len()).filter(|at| reached & flag(*at) != 0).map(of).collect();
        Some(Slice { instructions, straight: straight.into_iter().map(|(at, to)| (of(at), of(to))).collect(), blocks })
    }
}

/// Adds what a value is computed from in a loop.
fn add<'ir>(this: &Loop<'ir>, value: Value<'ir>, found: &mut HashSet<Instruction<'ir>>) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        let inside = value.as_instruction().filter(|i| this.holds(*i));
        if let Some(instruction) = inside
            && found.insert(instruction)
        {
            pending.extend(instruction.operands());
        }
    }
}

fn flag(at: usize) -> u128 {
    1 << at
}

impl<'ir> Flow<'ir> {
    fn of(analyses: &Analyses<'_, 'ir>, this: &Loop<'ir>) -> Option<Flow<'ir>> {
        let mut blocks = this.blocks.clone();
        blocks.sort_by_key(|block| analyses.places().get(block));
        if blocks.len() > MOST_BLOCKS || blocks.first() != Some(&this.header) {
            return None;
        }
        let number: HashMap<Block<'ir>, usize> = blocks.iter().enumerate().map(|(at, block)| (*block, at)).collect();
        let place = |block: &Block<'ir>| match number.get(block) {
            Some(0) | None => BEHIND,
            Some(at) => *at,
        };
        let next: Vec<Vec<usize>> = blocks.iter().map(|block| block.successors().iter().map(place).collect()).collect();
        let mut passed = vec![u128::MAX; blocks.len()];
        let of = |passed: &[u128], at: usize| if at == BEHIND { flag(BEHIND) } else { passed[at] };
        loop {
            let mut changed = false;
            for at in (0..blocks.len()).rev() {
                let all = next[at].iter().fold(u128::MAX, |all, to| all & of(&passed, *to)) | flag(at);
                changed |= passed[at] != all;
                passed[at] = all;
            }
            if !changed {
                break;
            }
        }
        let ends = passed.iter().all(|all| all & flag(NOTHING) == 0);
        ends.then_some(Flow { blocks, number, next, passed })
    }

    /// Where all ways from a block meet: the first block that they all pass.
    fn meeting(&self, at: usize) -> Option<usize> {
        let all = self.passed[at] & !flag(at);
        if all == flag(BEHIND) {
            return Some(BEHIND);
        }
        (0..self.blocks.len()).find(|meet| all & flag(*meet) != 0 && self.passed[*meet] == all)
    }

    /// The blocks on ways from a block to where these meet.
    fn between(&self, at: usize, meet: usize) -> u128 {
        let (mut found, mut pending) = (0, self.next[at].clone());
        while let Some(here) = pending.pop() {
            if here != meet && here != BEHIND && found & flag(here) == 0 {
                found |= flag(here);
                pending.extend(&self.next[here]);
            }
        }
        found
    }
}
