//! Local variables that each iteration of a loop has anew.
//!
//!     for (i) { double v[9]; for (k) v[k] = A[i][k]; sort(v); B[i] = v[4]; }
//!
//! All of them lie in one place on the stack, but `llvm.lifetime.start`, at the declaration, says that what was there before is lost: a
//! value that one iteration of `i` leaves in `v` is never read in another one. That holds for every way through the iteration if the
//! marker comes before all uses of the variable; and since nobody else knows its address, whoever gives each iteration a variable of
//! its own changes nothing (see [`crate::scop::Scop::with_own`]).
//!
//! A variable that is declared before the loop, or memory that is reserved there, may have one for each iteration as well, where the values say so:
//!
//!     double *v = malloc(n * sizeof *v); for (i) { for (k) v[k] = A[i][k]; B[i] = v[4]; } free(v);
//!
//! Here it is said that nobody reads it behind the loops, nor knows where it is; the rest is a matter of dependences.

use super::drafts::{Draft, Drafts, Storage};
use crate::llvm::instruction::Address;
use crate::llvm::{Analyses, Block, Function, Instruction, LoopId, Opcode, Value};
use crate::scop::{ArrayId, Table};

/// Whether iterations may have the memory of an array for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It is known to nobody else, and what is there behind the region is not read.
    Forgotten,
    /// How large it is is known, and that it was there before the region; what is there behind the region may be read.
    Kept,
    /// It was there before the region, and no other array is in the same object as far as that is known: what of it is used, the accesses say.
    Given,
    /// It may change what it is, or be a part of something that is used otherwise.
    Unknown,
}

/// A variable that is used at more places is not looked at.
const MOST_USES: usize = 1_000;

/// Where a variable is read or written, and where its life begins.
struct Uses<'ir> {
    accesses: Vec<Instruction<'ir>>,
    starts: Vec<Instruction<'ir>>,
    /// Where it is asked whether there is any memory.
    asked: Vec<Instruction<'ir>>,
    /// What fills it or copies it as a whole, and whether that reads it.
    moves: Vec<(Instruction<'ir>, bool)>,
}

impl<'ir> Drafts<'_, '_, 'ir> {
    /// For each array: the loops, outermost first, each iteration of which has one of its own.
    pub fn own_loops(&self) -> Table<ArrayId, Vec<LoopId>> {
        let own = |draft: &Draft<'ir>| match draft.storage {
            Storage::Memory { base, .. } => self.loops_around_life(base),
            Storage::Rows { .. } | Storage::Scalar { .. } => None,
        };
        self.arrays.iter().map(|draft| own(draft).unwrap_or_default()).collect()
    }

    /// What becomes of the memory at `base` behind the region, if it was there before it, and whether it is a whole variable, or all that was reserved.
    pub fn life(&self, base: Value<'ir>) -> Life {
        let is_inside = |i: Instruction<'ir>| i.block().is_some_and(|block| self.affine.region.contains(block));
        if base.as_instruction().is_some_and(is_inside) || base.is_thread_dependent() {
            return Life::Unknown;
        }
        let is_whole = match base.as_instruction() {
            Some(i) => i.alloca().is_some() || is_reserved(self.affine.analyses, i),
            None => base.is_own_global(),
        };
        match is_whole && self.arrays.iter().all(|draft| is_itself_or_apart(draft, base)) {
            true if self.is_forgotten(base) => Life::Forgotten,
            true => Life::Kept,
            false if self.arrays.iter().all(|draft| is_itself_or_of_another(draft, base)) => Life::Given,
            false => Life::Unknown,
        }
    }

    /// Whether what is in the memory at `base` is lost behind the region, and nobody else knows of it: a variable, or what `malloc` gave, that is used in this
    /// function only and read in the region only. (A `static` variable keeps its values for the next call; but it is the same region that would read them, and
    /// reads only what it has written, or the variable stays as it is.)
    fn is_forgotten(&self, base: Value<'ir>) -> bool {
        let region = &self.affine.region;
        let is_inside = |i: &Instruction<'ir>| i.block().is_some_and(|block| region.contains(block));
        let is_known_here = match base.as_instruction() {
            Some(_) => true,
            None => base.is_internal_variable() && is_of_function(base, self.affine.analyses.function()),
        };
        let used = is_known_here.then(|| uses(self.affine.analyses, base)).flatten();
        let Some(Uses { accesses, asked, moves, .. }) = used else { return false };
        let mut read = accesses.iter().filter(|access| access.opcode() != Opcode::Store);
        read.all(is_inside)
            && !asked.iter().any(is_inside)
            && !moves.iter().any(|(each, is_read)| *is_read || is_inside(each))
    }

    fn loops_around_life(&self, base: Value<'ir>) -> Option<Vec<LoopId>> {
        let variable = base.as_instruction().filter(|i| i.opcode() == Opcode::Alloca)?;
        variable.alloca().filter(|a| a.count.as_integer() == Some(1))?;
        let Uses { accesses, starts, moves, .. } = uses(self.affine.analyses, base)?;
        if !moves.is_empty() || !self.arrays.iter().all(|draft| is_itself_or_apart(draft, base)) {
            return None;
        }
        let loops = |start: Instruction<'ir>| {
            let begin = start.block().filter(|block| self.affine.region.contains(*block))?;
            accesses.iter().all(|access| self.comes_before(start, *access)).then_some(())?;
            let around = &self.domains.of_block(begin).loops;
            let common = around.iter().take_while(|id| accesses.iter().all(|access| self.is_inside(*access, **id)));
            Some(common.copied().collect::<Vec<LoopId>>())
        };
        starts.into_iter().filter_map(loops).max_by_key(Vec::len)
    }

    /// Whether every way to `second` goes through `first`, and in each iteration of each loop around both.
    fn comes_before(&self, first: Instruction<'ir>, second: Instruction<'ir>) -> bool {
        match (first.block(), second.block()) {
            (Some(a), Some(b)) if a == b => position(a, first) < position(b, second),
            (Some(a), Some(b)) => self.affine.analyses.dominates(a, b),
            _ => false,
        }
    }

    fn is_inside(&self, instruction: Instruction<'ir>, id: LoopId) -> bool {
        let analyses = self.affine.analyses;
        let own = instruction.block().and_then(|block| analyses.loop_of(block));
        own.is_some_and(|own| analyses.is_within(own, id))
    }
}

fn position<'ir>(block: Block<'ir>, instruction: Instruction<'ir>) -> Option<usize> {
    block.instructions().iter().position(|each| *each == instruction)
}

/// Whether all that uses a variable is in this function.
fn is_of_function<'ir>(variable: Value<'ir>, function: Function<'ir>) -> bool {
    variable.users().iter().all(|user| user.function() == Some(function))
}

/// Whether an instruction is a call that reserves as many bytes as it is told.
fn is_reserved<'ir>(analyses: &Analyses<'_, 'ir>, instruction: Instruction<'ir>) -> bool {
    let is_length = |value: Value<'ir>| value.ty().integer_width() == Some(64);
    let arguments = instruction.call().map(|call| call.arguments()).unwrap_or_default();
    matches!(arguments[..], [bytes] if is_length(bytes))
        && analyses.library_function(instruction).is_some_and(|name| name == "malloc")
}

/// All loads, stores and markers of a variable, or of memory that was reserved; `None` if its address may be known elsewhere.
fn uses<'ir>(analyses: &Analyses<'_, 'ir>, variable: Value<'ir>) -> Option<Uses<'ir>> {
    let mut uses = Uses { accesses: Vec::new(), starts: Vec::new(), asked: Vec::new(), moves: Vec::new() };
    let mut pending = vec![variable];
    let mut count = 0;
    while let Some(pointer) = pending.pop() {
        for user in pointer.users() {
            count += 1;
            if count > MOST_USES {
                return None;
            }
            if let Some(access) = user.memory() {
                if access.stored == Some(pointer) || !access.simple {
                    return None;
                }
                uses.accesses.push(user);
            } else if user.address().is_some_and(|address| address.base == pointer) {
                pending.push(user.value());
            } else if user.icmp().is_some_and(|(_, a, b)| [a, b].contains(&Value::zero(pointer.ty()))) {
                uses.asked.push(user);
            } else if analyses.library_function(user).is_none_or(|name| name != "free") {
                let call = user.call()?;
                match call.intrinsic()?.as_str() {
                    "llvm.lifetime.start" => uses.starts.push(user),
                    "llvm.lifetime.end" => {}
                    "llvm.memset" => uses.moves.push((user, false)),
                    "llvm.memcpy" | "llvm.memmove" => uses.moves.push((user, call.arguments()[1] == pointer)),
                    _ => return None,
                }
            }
        }
    }
    Some(uses)
}

/// Whether an array is that of the variable as a whole, or has nothing to do with it.
fn is_itself_or_apart(draft: &Draft<'_>, variable: Value<'_>) -> bool {
    let Storage::Memory { base, .. } = draft.storage else { return true };
    base == variable || object(base) != variable
}

/// Whether an array begins at an address, or is in an object that this one is not computed from.
fn is_itself_or_of_another(draft: &Draft<'_>, address: Value<'_>) -> bool {
    let Storage::Memory { base, .. } = draft.storage else { return true };
    base == address || object(base) != object(address)
}

/// What an address is computed from.
fn object(address: Value<'_>) -> Value<'_> {
    let mut object = address;
    while let Some(address) = Address::of_value(object) {
        object = address.base;
    }
    object
}
