//! From blocks to statements.
//!
//! A basic block is too large a unit: `A[i] = x; B[i] = y;` are two statements that a schedule may separate. So every *root*, a store or
//! a value that leaves its instance, becomes a statement together with the operand tree below it. For
//!
//!     double s = 0;  for (k) s += A[i][k] * x[k];  y[i] = s;
//!
//! the value that goes round the loop is a scalar array `s[i]` (its flow is exact: it has one element per execution of the loop), and the
//! statements are `s[i] = 0`, `s[i] = s[i] + A[i][k] * x[k]` and `y[i] = s[i]`. Four kinds of values get such an array:
//!
//! - *carried*: a phi of a loop header, one element per execution of the loop, written before the loop and at its latch;
//! - *merged*: another phi, one element per execution of its block, written at the end of each predecessor;
//! - *kept*: a value whose operands cannot be read again where it is used (a load from memory written in between), that is
//!   used deeper in the nest, or that is too expensive to compute twice: written where it is defined;
//! - *live out*: what code behind the region reads.
//!
//! Everything else is computed again in each statement that uses it. A call that may set `errno`, as `sqrt` does for negative numbers, is
//! computed where it stands, in the very iterations in which it stood: in a statement that has these, or kept by one of its own.
//!
//! Implements: 002 5.8

use super::drafts::{AtLatch, Drafts, Position, Statement};
use super::root::{LiveOut, Root};
use crate::extract::control::domain::Domains;
use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::assumptions::Assumptions;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::number::Number;
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::{Reason, Refusal, shown_name};
use crate::extract::ssa::sets_errno;
use crate::llvm::touched::Effects;
use crate::llvm::{Block, Instruction, Location, LoopId, Opcode, Type, Value, errno};
use crate::scop::ArrayId;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Statements beyond this many make every later stage slow.
const MOST_STATEMENTS: usize = 60;

/// Reads and writes of several nests at once: what is between them grows with the square, and each nest can still be looked at alone. Programs
/// of `llvm-tests/kernels` have up to 54, but for one that is made to be hard, which has 120.
const MOST_TOGETHER: usize = 160;

/// A pointer to an element of a type in a block.
type Addressed<'ir> = (Value<'ir>, Type<'ir>, Block<'ir>);

/// Statements and arrays under construction.
pub struct StatementBuilder<'b, 's, 'a, 'ir> {
    pub(in crate::extract) affine: &'s Affine<'s, 'a, 'ir>,
    pub(in crate::extract) domains: &'s Domains<'ir>,
    /// What is ready.
    pub(in crate::extract) made: Drafts<'s, 'a, 'ir>,
    /// Addresses and integer expressions of statements are accepted here.
    pub(in crate::extract) assumptions: &'b mut Assumptions,
    /// Number of the scalar array of each phi or kept value.
    pub(in crate::extract) scalars: HashMap<Value<'ir>, ArrayId>,
    /// Values whose array still needs its defining statement.
    pub(in crate::extract) pending: Vec<Value<'ir>>,
    /// Phis that are another carried phi under a second name (see `second_name` and [`super::accumulator`]).
    pub(in crate::extract) aliases: HashMap<Value<'ir>, Value<'ir>>,
    /// Carried phis that are written before the guard of their loop, not only in its preheader.
    pub(in crate::extract) early: HashMap<Value<'ir>, Block<'ir>>,
    /// Phis of a loop's header that are written together at its latch, and whether that is done already.
    pub(in crate::extract) at_latches: Vec<(AtLatch<'ir>, bool)>,
    /// Calls that may set `errno` and are in the operand tree of a statement that runs where they do.
    pub(in crate::extract) called: HashSet<Value<'ir>>,
    /// What is visited decides whether a statement does anything: it is read again where it can be, as in new loops that is asked before they begin.
    pub(super) is_asking: bool,
    /// Arrays behind these have no shape under which all offsets are affine.
    pub(super) shapeless: &'b [Value<'ir>],
    /// The pointers behind which the region writes; with the number of pointers that are read on the way, each behind the one before.
    pub(super) stored_to: HashSet<(Value<'ir>, usize)>,
    /// The array and bytes of each address that was asked for since that is known, which are asked for again and again.
    pub(super) addresses: HashMap<Addressed<'ir>, Result<(ArrayId, Number), Reason>>,
    /// Of each call in a block that is one statement: what it does, if that is known.
    pub(super) effects: HashMap<Instruction<'ir>, Option<Rc<Effects<'ir>>>>,
}

type Fallible<'ir, T> = Result<T, Refusal<'ir>>;

impl<'s, 'a, 'ir> Drafts<'s, 'a, 'ir> {
    /// All of a region. What addresses and integer expressions take for granted is accepted. Offsets from a base that is `shapeless` may be anything
    /// unless they are affine.
    ///
    /// # Errors
    /// If some instruction is none that a statement can have, or there are too many.
    pub fn of(
        affine: &'s Affine<'s, 'a, 'ir>,
        domains: &'s Domains<'ir>,
        assumptions: &mut Assumptions,
        shapeless: &[Value<'ir>],
    ) -> Fallible<'ir, Self> {
        let mut builder = StatementBuilder {
            affine,
            domains,
            made: Drafts::empty(affine, domains),
            assumptions,
            scalars: HashMap::new(),
            pending: Vec::new(),
            aliases: HashMap::new(),
            early: HashMap::new(),
            at_latches: Vec::new(),
            called: HashSet::new(),
            is_asking: false,
            shapeless,
            stored_to: HashSet::new(),
            addresses: HashMap::new(),
            effects: HashMap::new(),
        };
        builder.build()?;
        Ok(builder.made)
    }
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    fn build(&mut self) -> Fallible<'ir, ()> {
        self.check_instructions()?;
        self.find_members();
        self.find_memory()?;
        self.spread_writes();
        self.find_accumulators();
        self.find_second_names();
        self.find_groups();
        self.write_subregions()?;
        self.write_stores()?;
        self.write_live_out()?;
        self.write_pending()?;
        self.write_calls()?;
        self.drop_idle();
        self.made.statements.renumber(|all| all.sort_by_key(|statement| statement.position));
        Ok(())
    }

    pub(super) fn blocks(&self) -> Vec<Block<'ir>> {
        self.affine.region.blocks.clone()
    }

    /// Refuses what no statement can contain.
    fn check_instructions(&mut self) -> Fallible<'ir, ()> {
        let knows_errno = errno::is_known(self.affine.region.entry.function().module());
        for instruction in self.blocks().into_iter().flat_map(Block::instructions) {
            let refuse = |reason| Err(Refusal::at(instruction.place(), reason));
            if let Some(access) = instruction.memory() {
                if !access.simple {
                    return refuse(Reason::VolatileOrAtomic);
                }
                continue;
            }
            if instruction.is_marker() || instruction.is_terminator() {
                if instruction.opcode() == Opcode::Invoke {
                    return refuse(Reason::MayThrow);
                }
                continue;
            }
            if let Some(call) = instruction.call() {
                let is_number = instruction.ty().is_float() || instruction.ty().integer_width().is_some();
                let is_known = call.is_pure() || call.sets_errno() && knows_errno && is_number;
                if !is_known && self.effects(instruction).is_none() {
                    let reason = Reason::of_call(self.affine.analyses, instruction);
                    return Err(Refusal::at(instruction.place(), reason).with(self.some_access()));
                }
                continue;
            }
            match instruction.opcode() {
                Opcode::AtomicRmw | Opcode::AtomicCmpXchg | Opcode::Fence => return refuse(Reason::VolatileOrAtomic),
                Opcode::Alloca => {
                    return refuse(Reason::UnsupportedInstruction {
                        what: "memory reserved inside the loop (a variable-length array?)".into(),
                    });
                }
                _ if instruction.has_side_effects() || instruction.may_read_memory() => {
                    return refuse(Reason::UnsupportedInstruction { what: instruction.to_string() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a call that does anything may stand in the way of: the first store of the region, else its first load.
    fn some_access(&self) -> Option<(String, Location<'ir>)> {
        let accesses = || self.blocks().into_iter().flat_map(Block::instructions).filter(|i| i.memory().is_some());
        let is_store = |i: &Instruction<'ir>| i.memory().is_some_and(|access| access.stored.is_some());
        let access = accesses().find(is_store).or_else(|| accesses().next())?;
        let base = self.made.base(access.memory()?.pointer, access.block()?);
        let name = base.and_then(shown_name).map_or("an element".to_string(), |name| format!("'{name}'"));
        let does = if is_store(&access) { "written" } else { "read" };
        Some((format!("{name} is {does}"), access.place()?))
    }

    /// Numbers the arrays in memory and notes who writes them.
    fn find_memory(&mut self) -> Fallible<'ir, ()> {
        for (block, instruction) in
            self.blocks().into_iter().flat_map(|b| b.instructions().into_iter().map(move |i| (b, i)))
        {
            for site in self.sites(instruction).into_iter().filter(|site| site.kind.writes()) {
                let written = self.pointers_behind(site.pointer, block);
                self.stored_to.extend(written);
            }
        }
        self.addresses.clear();
        for block in self.blocks() {
            for (at, instruction) in block.instructions().into_iter().enumerate() {
                let placed = self.placed(instruction, block)?;
                for written in placed.into_iter().filter(|placed| placed.site.kind.writes()) {
                    self.made.arrays[written.array].is_written = true;
                    let position = self.made.inside(block, at);
                    self.made.stores.entry(written.array).or_default().push((instruction, position));
                }
            }
        }
        Ok(())
    }

    fn write_stores(&mut self) -> Fallible<'ir, ()> {
        for block in
            self.blocks().into_iter().filter(|block| self.domains.opaque_of(*block).is_none()).collect::<Vec<_>>()
        {
            for (at, instruction) in block.instructions().into_iter().enumerate() {
                let Some(access) = instruction.memory().filter(|access| access.stored.is_some()) else { continue };
                let refuse = |reason| Refusal::at(instruction.place(), reason);
                let (array, offset) = self.place(access.pointer, access.ty, block).map_err(refuse)?;
                let stored = access.stored.expect("law: a store stores a value");
                let (root, values) = match offset {
                    Some(offset) => (Root::Store { store: instruction, array, offset }, vec![stored]),
                    None => (Root::Scatter { store: instruction, array }, vec![stored, access.pointer]),
                };
                let scope = self.domains.of_block(block).clone();
                let position = self.made.inside(block, at);
                self.add_statement(root, &values, scope, block, position, instruction.place(), None)?;
            }
        }
        Ok(())
    }

    fn write_live_out(&mut self) -> Fallible<'ir, ()> {
        let region = self.affine.region;
        let from_region = |block: &Block<'ir>| *block == region.entry || region.contains(*block);
        for phi in region.exit.phis() {
            if phi.incoming().iter().any(|(_, from)| from_region(from)) {
                let array = self.scalar_array(phi.value(), Vec::new(), phi.ty());
                self.made.arrays[array].is_live_out = true;
                self.made.live_out.push(LiveOut { array, value: phi });
            }
        }
        for block in self.blocks() {
            for instruction in block.instructions() {
                let mut is_used = false;
                for user in instruction.users() {
                    let in_exit_phi = user.is_phi() && user.block() == Some(region.exit);
                    let behind = region.is_used_behind(instruction.value(), user);
                    let behind = behind.ok_or_else(|| Refusal::at(instruction.place(), Reason::SeveralExits))?;
                    is_used |= behind && !in_exit_phi;
                }
                if !is_used {
                    continue;
                }
                if !self.domains.of_block(block).loops.is_empty() {
                    return Err(Refusal::at(
                        instruction.place(),
                        Reason::IrregularControl { what: "a value of the last iteration is used later".into() },
                    ));
                }
                let array = self.scalar_array(instruction.value(), Vec::new(), instruction.ty());
                self.made.arrays[array].is_live_out = true;
                self.made.live_out.push(LiveOut { array, value: instruction });
            }
        }
        Ok(())
    }

    /// Has statements of their own compute the calls that may set `errno` and that no other statement computes where they run.
    fn write_calls(&mut self) -> Fallible<'ir, ()> {
        for block in self.blocks() {
            let is_idle = self.domains.of_block(block).domain.is_empty();
            if self.domains.opaque_of(block).is_some() || is_idle {
                continue;
            }
            for call in block.instructions().into_iter().filter(|i| sets_errno(*i)) {
                if !self.called.contains(&call.value()) {
                    let loops = self.domains.of_block(block).loops.clone();
                    self.scalar_array(call.value(), loops, call.ty());
                }
            }
        }
        self.write_pending()
    }

    pub(super) fn write_kept(&mut self, instruction: Instruction<'ir>, array: ArrayId) -> Fallible<'ir, ()> {
        let block = instruction.block().expect("law: an instruction of the region is in a block");
        let at = block.instructions().iter().position(|i| *i == instruction).unwrap_or(0);
        let scope = self.domains.of_block(block).clone();
        let subscripts = iterators(&scope.loops);
        let root = Root::Write { value: instruction.value(), array, subscripts };
        let position = self.made.inside(block, at);
        self.add_statement(root, &[instruction.value()], scope, block, position, instruction.place(), None)
    }

    /// `carried` is the phi of a loop's header that the statement, at the latch, gives its next value.
    #[allow(clippy::too_many_arguments)]
    pub(in crate::extract) fn add_statement(
        &mut self,
        root: Root<'ir>,
        values: &[Value<'ir>],
        scope: Scope,
        block: Block<'ir>,
        position: Position,
        location: Option<Location<'ir>>,
        carried: Option<Value<'ir>>,
    ) -> Fallible<'ir, ()> {
        if scope.domain.is_empty() {
            return Ok(());
        }
        let writes_itself = match &root {
            Root::Write { value, array, .. } => self.scalars.get(value) == Some(array),
            _ => false,
        };
        let mut tree = Tree { own: values.first().copied().filter(|_| writes_itself), ..Tree::default() };
        for value in values {
            self.visit(*value, &mut tree, &scope, position, carried)?;
        }
        if let Root::Store { store, .. } = &root {
            let access = store.memory().expect("law: a store accesses memory");
            self.read_row(access.pointer, &mut tree)?;
        }
        self.push_statement(root, tree, scope, block, position, location)
    }

    pub(in crate::extract) fn push_statement(
        &mut self,
        root: Root<'ir>,
        mut tree: Tree<'ir>,
        scope: Scope,
        block: Block<'ir>,
        position: Position,
        location: Option<Location<'ir>>,
    ) -> Fallible<'ir, ()> {
        let guards = self.domains.guards_of(&scope);
        self.is_asking = true;
        let asked = guards.iter().flat_map(|guard| &guard.answers);
        let visited =
            asked.into_iter().try_for_each(|(asked, _)| self.visit(*asked, &mut tree, &scope, position, None));
        self.is_asking = false;
        visited?;
        let accesses = || self.made.statements.iter().map(|statement| statement.loads.len() + 1).sum::<usize>();
        let limit = match () {
            _ if self.made.statements.len() >= MOST_STATEMENTS => Some(("statements in one region", MOST_STATEMENTS)),
            _ if self.affine.region.nests.len() > 1 && accesses() >= MOST_TOGETHER => {
                Some(("reads and writes in several nests", MOST_TOGETHER))
            }
            _ => None,
        };
        if let Some((what, limit)) = limit {
            return Err(Refusal::at(location, Reason::TooLarge { what, limit }));
        }
        let Tree { leaves, loads, operations, computed, sets_errno, .. } = tree;
        let statement = Statement {
            scope,
            block,
            position,
            root,
            guards,
            leaves,
            loads,
            operations,
            computed,
            sets_errno,
            location,
        };
        self.made.statements.push(statement);
        Ok(())
    }
}

/// What a statement computes its values from.
#[derive(Default)]
pub(in crate::extract) struct Tree<'ir> {
    pub(in crate::extract) leaves: HashMap<Value<'ir>, Leaf>,
    pub(super) loads: Vec<Instruction<'ir>>,
    pub(super) seen: HashSet<Value<'ir>>,
    pub(in crate::extract) operations: u32,
    /// What is computed.
    pub(super) computed: Vec<Instruction<'ir>>,
    /// It contains calls that may set `errno`.
    pub(in crate::extract) sets_errno: bool,
    /// The value the statement itself keeps, which it must compute.
    pub(super) own: Option<Value<'ir>>,
}

/// One subscript per loop: its iteration.
pub fn iterators(loops: &[LoopId]) -> Vec<Polynomial> {
    loops.iter().map(|id| Polynomial::atom(Atom::Iterator(*id))).collect()
}
