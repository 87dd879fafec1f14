//! Where the numbers of a statement are of one piece each, and points have all their neighbours.

use super::accesses::Model;
use crate::extract::numbers::pieces::regular;
use crate::extract::numbers::polynomial::QuasiId;
use crate::extract::statements::root::quasi_of;
use crate::presburger::PwAff;
use crate::scop::Scop;

impl<'ir> Model<'_, '_, 'ir> {
    /// Says which instances of `o[i] = u[(i + 1) % n]` are regular, those with `i < n - 1`, and of `if (0 <= i + d && i + d < n) s += u[i + d]`, for `d` from -1 to 1, those with
    /// `0 < i < n - 1`; nothing where all are, or none.
    pub(super) fn note_regular(&self, scop: &mut Scop) {
        let all = self.affine.quasi_atoms();
        let context = scop.trusted_context();
        for (drafted, statement) in self.drafts.statements.iter().zip(scop.statements.iter_mut()) {
            let is_around = |at: &QuasiId| drafted.scope.loops.starts_with(&all[*at].0);
            let quasi = quasi_of(&drafted.leaves, &drafted.root).into_iter().filter(is_around);
            let numbers: Vec<&PwAff> = quasi.map(|at| &all[at].1).collect();
            statement.regular = regular(&numbers, &statement.domain.intersect_params(&context));
        }
    }
}
