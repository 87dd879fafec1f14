//! What a model rests on.
//!
//! Whoever uses a number accepts what it owes (see [`super::obligations`]): what is not proved is assumed from then on. In the end the
//! parameter values for which all of it holds are the model's *assumed* set, tested before the loops, with the original loops as the other
//! branch; and conditions on numbers that data gives are inspected there (see [`super::unknown`]). Nothing else changes what is assumed:
//! who has no `&mut Assumptions` can ask, and not assume.
//!
//! Implements: 002 5.7

use super::affine::Affine;
use super::obligations::{Conditional, Obligation};
use super::parameters::bounded;
use super::scope::Scope;
use super::unknown::Condition;
use crate::extract::numbers::polynomial::UnknownId;
use crate::extract::refusal::Reason;
use crate::presburger::{Aff, DimKind, MultiAff, Set, Space};

/// Where parameters violate an assumption in more ways than this, it is assumed that they are in none of the region around all of these: each
/// way would multiply the cases of what remains.
const MOST_VIOLATIONS: usize = 8;

type Fallible<T> = Result<T, Reason>;

/// What is done with conditions on numbers that data gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfData {
    /// They may be assumed, as a test before the loops finds out whether they hold.
    Tested,
    Refused,
}

/// All that is assumed for one region.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Parameter values for which what was accepted holds.
    assumed: Set,
    /// The limits of so many parameters are part of it.
    n_limited: usize,
    /// What was accepted, in words.
    reasons: Vec<String>,
    /// Conditions on numbers that data gives.
    conditions: Vec<Condition>,
    of_data: OfData,
}

impl Assumptions {
    /// Nothing assumed yet.
    pub fn new(of_data: OfData) -> Self {
        Assumptions {
            assumed: Set::universe(&Space::params_only(&[])),
            n_limited: 0,
            reasons: Vec::new(),
            conditions: Vec::new(),
            of_data,
        }
    }

    /// Whether conditions on data may be assumed.
    pub fn trusts_data(&self) -> bool {
        self.of_data == OfData::Tested
    }

    /// The value, with all that it owes proved or assumed.
    ///
    /// # Errors
    /// If it owes something about data that no test can find out, or that never holds. Then nothing of what it owes is assumed.
    pub fn accept<T>(&mut self, affine: &Affine<'_, '_, '_>, conditional: Conditional<T>) -> Fallible<T> {
        let (value, obligations) = conditional.parts();
        let mut with_these: Option<Assumptions> = None;
        for obligation in obligations {
            let all = with_these.get_or_insert_with(|| self.clone());
            match obligation.scope.unknowns.is_empty() {
                true => all.assume(affine, &obligation),
                false => all.assume_of_data(affine, &obligation)?,
            }
        }
        if let Some(all) = with_these {
            *self = all;
        }
        Ok(value)
    }

    /// The parameter values for which the model is right.
    pub fn assumed(&self, affine: &Affine<'_, '_, '_>) -> Set {
        let mut all = self.clone();
        all.limit_parameters(affine);
        all.assumed
    }

    /// What is assumed, in words.
    pub fn in_words(&self) -> Vec<String> {
        self.reasons.clone()
    }

    /// The conditions on data that are assumed.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Assumes the limits of the parameters that have come up since.
    fn limit_parameters(&mut self, affine: &Affine<'_, '_, '_>) {
        let parameters = affine.parameters();
        for parameter in parameters.iter().skip(self.n_limited) {
            if let Some(limit) = parameter.assumed_limit() {
                self.assumed = self.assumed.intersect(&bounded(&parameter.id, limit));
            }
        }
        self.n_limited = parameters.len();
    }

    fn assume(&mut self, affine: &Affine<'_, '_, '_>, obligation: &Obligation) {
        let violated = obligation.violated();
        if violated.intersect_params(&affine.context()).is_empty() {
            return;
        }
        self.limit_parameters(affine);
        let mut parameters = violated.params();
        if parameters.n_pieces() > MOST_VIOLATIONS {
            // Most ways may be ruled out by what is assumed already.
            let context = affine.context();
            parameters = parameters.intersect(&context).intersect(&self.assumed).coalesce().gist(&context);
        }
        if parameters.n_pieces() > MOST_VIOLATIONS {
            parameters = Set::from_basic(&parameters.simple_hull());
        }
        // Arrays of the same shape ask the same of the same loops.
        if !self.assumed.is_disjoint(&parameters) {
            self.assumed = self.assumed.subtract(&parameters).coalesce();
        }
        if !self.reasons.contains(&obligation.why) {
            self.reasons.push(obligation.why.clone());
        }
    }

    /// Assumes that the parameters allow a point of `domain`, unless with all else that is assumed they never could. Where loops do not
    /// run at all, the original code is as good as any, and without that case bounds and tests are simpler.
    pub fn assume_executes(&mut self, affine: &Affine<'_, '_, '_>, domain: &Set) {
        self.limit_parameters(affine);
        let context = affine.context();
        let allowed = self.assumed.intersect(&domain.params()).intersect(&context).coalesce().gist(&context);
        if allowed.n_pieces() == 1 && !allowed.intersect(&context).is_empty() {
            self.assumed = allowed;
        }
    }

    /// For a scope with numbers that data gives: assumes a condition on those that are known before the loops, under which all points are as
    /// they should be, if there is one that can hold in every iteration.
    fn assume_of_data(&mut self, affine: &Affine<'_, '_, '_>, obligation: &Obligation) -> Fallible<()> {
        let Obligation { scope, wanted, why } = obligation;
        let violated = self.trusted(scope).subtract(wanted).intersect_params(&affine.context());
        if violated.is_empty() {
            return Ok(());
        }
        let refused = || Reason::NonAffineCondition { what: why.clone() };
        let first = scope.loops.len();
        let kept: Vec<UnknownId> =
            scope.unknowns.iter().copied().filter(|at| affine.unknown(*at).computed.is_some()).collect();
        if !self.trusts_data() || kept.is_empty() {
            return Err(refused());
        }
        let without = |set: &Set, dropped: &dyn Fn(&UnknownId) -> bool| {
            let places = (0..scope.unknowns.len()).rev().filter(|at| dropped(&scope.unknowns[*at]));
            places.fold(set.clone(), |set, at| set.project_out(DimKind::Out, first + at, 1))
        };
        let is_hidden = |at: &UnknownId| !kept.contains(at);
        let bad = without(&violated, &is_hidden).coalesce();
        let iterations = without(&scope.domain, &|_| true).coalesce();
        let condition =
            Condition { loops: scope.loops.clone(), unknowns: kept, domain: iterations, bad, why: why.clone() };
        let holds = self.trusted(scope).subtract(&lifted(&condition, scope));
        let holds = holds.project_out(DimKind::Out, first, scope.unknowns.len());
        let trusted = affine.context().intersect(&self.assumed(affine));
        let always = condition.domain.params().subtract(&condition.domain.subtract(&holds).params());
        if always.intersect(&trusted).is_empty() {
            return Err(refused());
        }
        self.conditions.push(condition);
        Ok(())
    }

    /// The points of the scope for which all conditions on data hold that are assumed.
    pub fn trusted(&self, scope: &Scope) -> Set {
        let applies = |c: &&Condition| c.loops == scope.loops && c.unknowns.iter().all(|u| scope.unknowns.contains(u));
        let all = self.conditions.iter().filter(applies);
        all.fold(scope.domain.clone(), |domain, condition| domain.subtract(&lifted(condition, scope))).coalesce()
    }
}

/// The points of a scope with which a condition on some of its numbers does not hold.
fn lifted(condition: &Condition, scope: &Scope) -> Set {
    let space = scope.space();
    let place = |u: &UnknownId| {
        scope.unknowns.iter().position(|own| own == u).expect("law: a condition is on numbers of its scope")
    };
    let first = scope.loops.len();
    let dims = (0..first).chain(condition.unknowns.iter().map(|u| first + place(u)));
    let picked: Vec<Aff> = dims.map(|at| Aff::var_on_domain(&space, DimKind::Out, at)).collect();
    let to = first + condition.unknowns.len();
    condition.bad.preimage(&MultiAff::new(&Space::alloc_map(&[], scope.width(), to), picked))
}
