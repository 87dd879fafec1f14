//! Why a model has no exact dataflow program: an expected no, in words that say what to change.

use std::fmt;

use crate::presburger::Id;

/// Why the exact model is not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The schedule adds instances.
    Extension,
    /// Instances that nothing orders.
    OpenOrder(Id),
    /// A statement without end.
    Unbounded(Id),
    /// An access whose element is not certain.
    MayWrite { statement: Id, access: Id },
    /// A statement whose domain or accesses apply symbols.
    Applied(Id),
    /// A read of too many elements at once.
    SeveralElements { statement: Id, access: Id },
    /// A condition evaluated elsewhere than earlier in an enclosing iteration.
    ConditionElsewhere { statement: Id, predicate: Id },
    /// A condition whose value is computed under another condition that its user does not have.
    ConditionMissing { statement: Id, predicate: Id },
    /// A condition that is no single affine function of the iteration.
    ConditionPieces { statement: Id, predicate: Id },
}

impl Refusal {
    /// The statement that it is about, and what of it: keys of the model's text form.
    pub fn place(&self) -> Option<(&Id, &'static [&'static str])> {
        const CONDITIONS: &[&str] = &["when", "unless"];
        match self {
            Self::Extension => None,
            Self::OpenOrder(statement) | Self::Unbounded(statement) | Self::Applied(statement) => {
                Some((statement, &[]))
            }
            Self::MayWrite { statement, .. } => Some((statement, &["may_write"])),
            Self::SeveralElements { statement, .. } => Some((statement, &["read"])),
            Self::ConditionElsewhere { statement, .. }
            | Self::ConditionMissing { statement, .. }
            | Self::ConditionPieces { statement, .. } => Some((statement, CONDITIONS)),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension => write!(f, "the schedule has an extension node; write its instances into the domain"),
            Self::OpenOrder(statement) => {
                write!(f, "the schedule leaves the order of instances of {statement} open; add a band or a sequence")
            }
            Self::Unbounded(statement) => {
                write!(
                    f,
                    "{statement} has infinitely many instances; give its loops bounds, and a condition to end early"
                )
            }
            Self::MayWrite { access, .. } => write!(
                f,
                "{access} may write or not, or any of several elements; say under which condition (`when`, `unless`) its statement runs, and which element it writes, and make it a `write`"
            ),
            Self::Applied(statement) => write!(
                f,
                "{statement} applies symbols in its domain or accesses; compute conditions by statements (`when`, `unless`)"
            ),
            Self::SeveralElements { access, .. } => {
                write!(f, "{access} reads too many elements at once, or one that data chooses; make it several reads")
            }
            Self::ConditionElsewhere { statement, predicate } => write!(
                f,
                "{statement} runs under the value of {predicate}, which is not computed earlier in an iteration around it"
            ),
            Self::ConditionMissing { statement, predicate } => write!(
                f,
                "{statement} runs under the value of {predicate}, but not under the conditions that {predicate} itself runs under"
            ),
            Self::ConditionPieces { statement, predicate } => write!(
                f,
                "{statement} runs under the value of {predicate} at an iteration that is not one affine function of its own"
            ),
        }
    }
}

impl std::error::Error for Refusal {}
