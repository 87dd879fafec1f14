//! Numbers that data gives, in polynomials, and what may be assumed of them.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   for (int j = 0; j < len[i]; j++)
//!     A[i][j] = 0;                                 // double A[][64]
//! ```
//!
//! The offset `512 i + 8 j` is a polynomial as soon as `j` has a name, `u0`, although nobody knows how far `j` goes: a polynomial *names* what
//! it cannot open. Around it are facts: `0 <= u0 < u1`, where `u1` is what `len[i]` holds. If `u1 <= 64` for all `i`, rows do not meet.
//! That is a [`Condition`] on data, which a test before the loops can find out, since `len` is not written in them: nothing is
//! read that the loops would not read.

use super::affine::{Affine, Number, Scope};
use super::polynomial::{Atom, Interval, Polynomial};
use crate::extract::binding::Leaf;
use crate::extract::refusal::Reason;
use crate::llvm::{Instruction, LoopId, Opcode, Value};
use crate::presburger::{Aff, DimKind, MultiAff, Set, Space};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// A number that data gives.
#[derive(Clone, Debug)]
pub struct Unknown<'ir> {
    pub value: Value<'ir>,
    /// The value is read as a number without a sign.
    pub is_unsigned: bool,
    pub interval: Interval,
    /// How it is computed, where that is possible before the loops.
    pub computed: Option<Computed<'ir>>,
}

/// What it takes to compute a number before the loops.
#[derive(Clone, Debug, Default)]
pub struct Computed<'ir> {
    /// Where the computation ends.
    pub leaves: HashMap<Value<'ir>, Leaf>,
    /// The loops compute it if these are so.
    pub conditions: Vec<(Value<'ir>, bool)>,
}

/// What has to hold for numbers that data gives, in all iterations of some loops.
#[derive(Clone, Debug)]
pub struct Condition {
    pub loops: Vec<LoopId>,
    /// The numbers, all of them known before the loops.
    pub unknowns: Vec<usize>,
    /// The iterations.
    pub domain: Set,
    /// Iterations and numbers with which it does not hold.
    pub bad: Set,
    pub why: String,
}

/// All such numbers of a region, and the conditions assumed.
#[derive(Default)]
pub(in crate::extract) struct Data<'ir> {
    trusts: bool,
    names: Cell<bool>,
    unknowns: RefCell<Vec<Unknown<'ir>>>,
    conditions: RefCell<Vec<Condition>>,
}

impl Data<'_> {
    pub fn new(trusts: bool) -> Self {
        Data { trusts, ..Data::default() }
    }

    pub fn is_naming(&self) -> bool {
        self.names.get()
    }

    /// Whether conditions may be assumed.
    pub fn is_trusted(&self) -> bool {
        self.trusts
    }
}

type Fallible<T> = Result<T, Reason>;

impl<'ir> Affine<'_, '_, 'ir> {
    /// Runs `f`, in which polynomials name what they cannot open.
    pub(in crate::extract) fn naming<R>(&self, f: impl FnOnce() -> R) -> R {
        let before = self.data.names.replace(true);
        let result = f();
        self.data.names.set(before);
        result
    }

    pub(in crate::extract) fn unknown(&self, at: usize) -> Unknown<'ir> {
        self.data.unknowns.borrow()[at].clone()
    }

    pub(in crate::extract) fn unknown_interval(&self, at: usize) -> Interval {
        self.data.unknowns.borrow()[at].interval
    }

    /// Says how a number is computed before the loops.
    pub(in crate::extract) fn found_readable(&self, at: usize, computed: Option<Computed<'ir>>) {
        self.data.unknowns.borrow_mut()[at].computed = computed;
    }

    pub(in crate::extract) fn conditions(&self) -> Vec<Condition> {
        self.data.conditions.borrow().clone()
    }

    /// The instruction's value where it can be opened, else a name for it.
    pub(in crate::extract) fn named_unless_known(
        &self,
        instruction: Instruction<'ir>,
        width: u32,
        scope: &Scope,
        depth: usize,
    ) -> Fallible<Number> {
        let home = instruction.block().and_then(|block| self.analyses.loop_of(block));
        let is_inside = home != self.place(scope) && !home.is_some_and(|home| scope.loops.contains(&home));
        let opened = match instruction.is_phi() && is_inside {
            true => None,
            false => self.of_instruction(instruction, width, scope, depth).ok(),
        };
        let operand = || instruction.operand(0);
        let is_extension = instruction.opcode() == Opcode::ZExt && operand().ty().integer_width() != Some(1);
        Ok(opened.unwrap_or_else(|| match is_extension && !self.is_invariant(operand()) {
            true => self.name(operand(), true, width),
            false => self.name(instruction.value(), false, width),
        }))
    }

    /// The value behind an expression of LLVM that says no more than that.
    pub(in crate::extract) fn named_scev(&self, value: Value<'ir>, scope: &Scope, depth: usize) -> Fallible<Number> {
        let width = value.ty().integer_width().unwrap_or(0);
        let instruction = value.as_instruction().filter(|_| (2..=64).contains(&width));
        let instruction = instruction.ok_or(Reason::NonAffineCondition { what: "a value from elsewhere".into() })?;
        match instruction.is_phi() {
            true => Ok(self.name(value, false, width)),
            false => self.named_unless_known(instruction, width, scope, depth + 1),
        }
    }

    pub(in crate::extract) fn name(&self, value: Value<'ir>, is_unsigned: bool, width: u32) -> Number {
        let known = self.data.unknowns.borrow().iter().position(|u| u.value == value && u.is_unsigned == is_unsigned);
        let at = known.unwrap_or_else(|| {
            let own = value.ty().integer_width().unwrap_or(width);
            let scev = self.analyses.scev(value);
            let range = scev.and_then(|scev| match is_unsigned {
                true => self.analyses.unsigned_range(scev),
                false => self.analyses.signed_range(scev),
            });
            let all = if is_unsigned { Interval::new(0, (1 << own) - 1) } else { Interval::signed(own) };
            let interval = range.map_or(all, |r| Interval::new(r.low, r.high).intersect(all));
            let (low, high) = crate::extract::places::indirect::range(value);
            let interval = if is_unsigned { interval } else { interval.intersect(Interval { low, high }) };
            let mut unknowns = self.data.unknowns.borrow_mut();
            unknowns.push(Unknown { value, is_unsigned, interval, computed: None });
            unknowns.len() - 1
        });
        Number { polynomial: Polynomial::atom(Atom::Unknown(at)), exact: true, width }
    }

    /// The same for a scope with numbers that data gives as [`Affine::require`]: assumes a condition on those that are known before the
    /// loops, under which all points satisfy `wanted`, if there is one that can hold in every iteration.
    pub(in crate::extract) fn require_of_data(&self, scope: &Scope, wanted: &Set, why: &str) -> Fallible<()> {
        let violated = self.trusted(scope).subtract(wanted).intersect_params(&self.context());
        if violated.is_empty() {
            return Ok(());
        }
        let refused = || Reason::NonAffineCondition { what: why.into() };
        let first = scope.loops.len();
        let kept: Vec<usize> =
            scope.unknowns.iter().copied().filter(|at| self.unknown(*at).computed.is_some()).collect();
        if !self.data.trusts || kept.is_empty() {
            return Err(refused());
        }
        let without = |set: &Set, dropped: &dyn Fn(&usize) -> bool| {
            let places = (0..scope.unknowns.len()).rev().filter(|at| dropped(&scope.unknowns[*at]));
            places.fold(set.clone(), |set, at| set.project_out(DimKind::Out, first + at, 1))
        };
        let is_hidden = |at: &usize| !kept.contains(at);
        let bad = without(&violated, &is_hidden).coalesce();
        let iterations = without(&scope.domain, &|_| true).coalesce();
        let condition =
            Condition { loops: scope.loops.clone(), unknowns: kept, domain: iterations, bad, why: why.into() };
        let holds = self.trusted(scope).subtract(&lifted(&condition, scope));
        let holds = holds.project_out(DimKind::Out, first, scope.unknowns.len());
        let trusted = self.context().intersect(&self.assumed());
        let always = condition.domain.params().subtract(&condition.domain.subtract(&holds).params());
        if always.intersect(&trusted).is_empty() {
            return Err(refused());
        }
        if !self.is_looking() {
            self.data.conditions.borrow_mut().push(condition);
        }
        Ok(())
    }

    /// The points of the scope for which all conditions hold that are assumed.
    pub(in crate::extract) fn trusted(&self, scope: &Scope) -> Set {
        let applies = |c: &&Condition| c.loops == scope.loops && c.unknowns.iter().all(|u| scope.unknowns.contains(u));
        let conditions = self.data.conditions.borrow();
        let all = conditions.iter().filter(applies);
        all.fold(scope.domain.clone(), |domain, condition| domain.subtract(&lifted(condition, scope))).coalesce()
    }
}

/// The points of a scope with which a condition on some of its numbers does not hold.
fn lifted(condition: &Condition, scope: &Scope) -> Set {
    let space = Space::alloc_set(&[], None, scope.width());
    let place = |u: &usize| {
        scope.unknowns.iter().position(|own| own == u).expect("law: a condition is on numbers of its scope")
    };
    let first = scope.loops.len();
    let dims = (0..first).chain(condition.unknowns.iter().map(|u| first + place(u)));
    let picked: Vec<Aff> = dims.map(|at| Aff::var_on_domain(&space, DimKind::Out, at)).collect();
    let to = first + condition.unknowns.len();
    condition.bad.preimage(&MultiAff::new(&Space::alloc_map(&[], scope.width(), to), picked))
}
