//! Where in a loop nest a number is looked at.
//!
//! In `for (i = 0; i < n; i++) for (j = 0; j < i; j++) S;` the scope of `S` has the loops `(i, j)` and the domain
//! `{ [i, j] : 0 <= i < n and 0 <= j < i }`. A number is read in a scope: `i + j` is a function of its points, and whether it fits its type is a
//! question about these points and no others.

use crate::extract::numbers::polynomial::UnknownId;
use crate::ids::table_id;
use crate::llvm::LoopId;
use crate::presburger::{Aff, DimKind, MultiAff, PwAff, Set, Space};

table_id! {
    /// A condition that data decides, by its number among those of a region that are asked around loops.
    pub struct GuardId
}

/// A condition with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub guard: GuardId,
    pub holds: bool,
}

/// Conditions after which a place is come to, asked one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It was answered so.
    So(Answer),
    /// Not all were answered so, as behind `a || b`: the first one that was not decided.
    NotAll(Vec<Answer>),
}

impl Answered {
    /// Behind ways come together: one on which conditions were answered `as_here`, and others on which they were as in `as_there`, after what is
    /// common to both.
    /// `None` if these are not all ways on from one of several conditions in a row but one.
    fn joined(as_here: &[Answered], as_there: &[Answered]) -> Option<Answered> {
        let [other] = as_here else { return None };
        let missed = match other {
            Answered::So(answer) => vec![Answer { holds: !answer.holds, ..*answer }],
            Answered::NotAll(answers) => answers.clone(),
        };
        let answers: Vec<Answer> = as_there.iter().map(Answered::answer).collect::<Option<_>>()?;
        let (last, before) = answers.split_last()?;
        let is_next = before == missed.as_slice();
        is_next.then(|| Answered::NotAll([missed, vec![Answer { holds: !last.holds, ..*last }]].concat()))
    }

    fn answer(&self) -> Option<Answer> {
        match self {
            Answered::So(answer) => Some(*answer),
            Answered::NotAll(_) => None,
        }
    }

    /// The conditions with the answers that were given, or not all of them.
    pub fn answers(&self) -> Vec<Answer> {
        match self {
            Answered::So(answer) => vec![*answer],
            Answered::NotAll(answers) => answers.clone(),
        }
    }
}

/// A position in the loop nest: the loops of the region around it, outermost first, and for which of their iterations it is reached.
#[derive(Clone, Debug)]
pub struct Scope {
    pub loops: Vec<LoopId>,
    /// Numbers that data gives, as further dimensions behind the loops.
    pub unknowns: Vec<UnknownId>,
    /// It is reached for no other points, and for those of them for which these conditions were answered so, outermost first.
    pub guards: Vec<Answered>,
    pub domain: Set,
}

impl Scope {
    pub fn new(loops: Vec<LoopId>, domain: Set) -> Self {
        Scope { loops, unknowns: Vec::new(), guards: Vec::new(), domain }
    }

    /// The same loops, with this domain, under the same conditions.
    pub fn with_domain(&self, domain: Set) -> Self {
        Scope { domain, ..self.clone() }
    }

    /// Where two ways come together, if what was asked on them can be said.
    pub fn joined(&self, other: &Scope) -> Option<Self> {
        let domain = self.domain.union(&other.domain);
        let both = self.guards.iter().zip(&other.guards);
        let common = both.take_while(|(a, b)| a == b).count();
        let (own, others) = (&self.guards[common..], &other.guards[common..]);
        if own.is_empty() && others.is_empty() {
            return Some(self.with_domain(domain));
        }
        let joined = Answered::joined(own, others).or_else(|| Answered::joined(others, own))?;
        let guards = self.guards[..common].iter().cloned().chain([joined]).collect();
        self.domain.is_equal(&other.domain).then(|| Scope { guards, ..self.with_domain(domain) })
    }

    /// The same points, as far as a further condition is answered so.
    pub fn after(&self, answered: Answered) -> Self {
        let mut scope = self.clone();
        scope.guards.push(answered);
        scope
    }

    /// Whether the dimensions of both domains mean the same, so that their points can be compared.
    pub fn has_dimensions_of(&self, other: &Scope) -> bool {
        self.loops == other.loops && self.unknowns == other.unknowns
    }

    /// Dimensions of the domain.
    pub fn width(&self) -> usize {
        self.loops.len() + self.unknowns.len()
    }

    /// The space of the points: one anonymous tuple.
    pub fn space(&self) -> Space {
        Space::alloc_set(&[], None, self.width())
    }
}

/// An expression over the iterators of the outer `from` loops, over those of `to` loops.
pub fn deepened(value: &PwAff, from: usize, to: usize) -> PwAff {
    if from == to {
        return value.clone();
    }
    let deep = Space::alloc_set(&[], None, to);
    let outer = (0..from).map(|at| Aff::var_on_domain(&deep, DimKind::Out, at)).collect();
    value.pullback(&MultiAff::new(&Space::alloc_map(&[], to, from), outer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TableId;

    #[test]
    fn an_expression_of_outer_loops_is_one_of_all_loops() {
        let outer = Space::alloc_set(&[], None, 1);
        let inner = deepened(&PwAff::var_on_domain(&outer, DimKind::Out, 0), 1, 3);
        let space = Space::alloc_set(&[], None, 3);
        assert!(inner.plain_is_equal(&PwAff::var_on_domain(&space, DimKind::Out, 0)), "{inner}");
    }

    fn after(answers: &[(usize, bool)]) -> Scope {
        let start = Scope::new(Vec::new(), Set::universe(&Space::alloc_set(&[], None, 0)));
        answers.iter().fold(start, |scope, (guard, holds)| {
            scope.after(Answered::So(Answer { guard: GuardId::new(*guard), holds: *holds }))
        })
    }

    #[test]
    fn ways_that_meet_behind_conditions_in_a_row_are_all_but_one() {
        // if (p || q || r) ...: ways on from p, from q behind !p, from r behind !p and !q.
        let (p, q) = (after(&[(0, true)]), after(&[(0, false), (1, true)]));
        let r = after(&[(0, false), (1, false), (2, true)]);
        let not = |guard| Answer { guard: GuardId::new(guard), holds: false };
        for either in [p.joined(&q), q.joined(&p)].into_iter().map(|joined| joined.expect("both are ways on")) {
            assert_eq!(either.guards, [Answered::NotAll(vec![not(0), not(1)])]);
            let any = either.joined(&r).expect("a third way on");
            assert_eq!(any.guards, [Answered::NotAll(vec![not(0), not(1), not(2)])]);
        }
        assert!(p.joined(&after(&[(1, true)])).is_none());
        assert!(p.joined(&after(&[(0, true), (1, true)])).is_none());
        assert_eq!(q.joined(&q).expect("the same").guards, q.guards);
    }
}
