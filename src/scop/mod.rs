//! The model: a static control part as sets and relations of integers, with nothing of the program it came from.
//!
//! The loop
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   S: s += A[i];
//! ```
//!
//! is a [`Scop`] with one parameter `n`, two arrays (`A`, and `s` with no dimension), and one [`Statement`] `S` whose
//! *domain* `[n] -> { S[i] : 0 <= i < n }` names its instances and whose *accesses* say which elements an instance touches:
//! read `{ S[i] -> A[i] }`, read and write `{ S[i] -> s[] }`, both marked as the two halves of a reduction by `+`. The
//! *original schedule* is a schedule [`Tree`]: here a band over `{ S[i] -> [(i)] }`.
//!
//! What an instance computes may be said too ([`Expression`]), and an instance may depend on data: a statement that computes a
//! truth value writes it to a scalar `p`, and the access `when: "{ S[i] -> p[i] }"` of another one says that `S[i]` runs only if
//! that value is true (`unless`: false). Such a statement's writes are certain only under its conditions ([`Statement::effect`]). So are loops that data ends ([`steps`]).
//!
//! Arrays that live within one iteration of a loop have a subscript that counts its iterations ([`Scop::with_own`]).
//!
//! Subscripts and conditions may apply uninterpreted functions, `{ S[i] -> A[f(i)] }`: see [`applied`].
//!
//! Facts come in two kinds. The *known context* holds in every execution; the *assumed context* is what a run-time test will
//! have to establish before the model may be believed. Both are sets of parameters.
//!
//! Everything here is plain data with a text form ([`parse`](parse::parse), `Display`): a YAML document whose strings are sets
//! in isl notation. [`verify`](verify::verify) states the laws that every model keeps; [`pm`] and [`jscop`] read what other
//! tools write. The terms are those of Verdoolaege, *Presburger Formulas and Polyhedral Compilation*, chapter 5.
//!
//! Implements: 001 basis; 002 5.1, 5.2.1, 5.7

pub mod applied;
mod drawing;
pub mod expression;
mod flow;
pub mod jscop;
pub mod labels;
pub mod marks;
mod own;
pub mod parse;
mod place;
pub mod pm;
mod predicates;
pub mod prefix;
mod print;
pub mod several;
pub mod steps;
#[cfg(test)]
mod tests;
pub mod thick;
pub mod tree;
mod turns;
mod update;
pub mod verify;
pub mod yaml;

pub use crate::ids::{Table, TableId};
pub use applied::{Application, Applied};
pub use expression::Expression;
pub use parse::{parse, read};
pub use place::{located, located_in_program};
pub use steps::Steps;
pub use thick::is_thick;
pub use tree::Tree;
pub use update::Update;
pub use verify::{Violation, verify};

use crate::ids::table_id;
use crate::presburger::{Id, Int, Map, PwAff, Set, Space, UnionMap, UnionSet};

table_id! {
    /// An array, by its number in [`Scop::arrays`].
    pub struct ArrayId
}

table_id! {
    /// A statement, by its number in [`Scop::statements`].
    pub struct StatementId
}

/// A static control part.
#[derive(Clone, Debug)]
pub struct Scop {
    /// What a message calls it: the function's name, a file's name.
    pub name: String,
    /// Symbolic constants, in the order in which the program passes them.
    pub params: Vec<Id>,
    /// What is known of the parameters: a parameter set that holds in every execution.
    pub context: Set,
    /// What is assumed of the parameters: a parameter set that a run-time test establishes.
    pub assumed: Set,
    /// Memory and scalars that statements touch.
    pub arrays: Table<ArrayId, Array>,
    /// Uninterpreted functions that domains and accesses mention.
    pub symbols: Vec<Symbol>,
    /// Statements, in textual order.
    pub statements: Table<StatementId, Statement>,
    /// The order in which the program runs the instances.
    pub schedule: Tree,
}

/// A named piece of memory with integer-indexed elements; with no dimension, a scalar.
#[derive(Clone, Debug)]
pub struct Array {
    /// The tuple name of its elements: `A` in `{ S[i] -> A[i] }`.
    pub name: Id,
    /// What one element is.
    pub element: ElementType,
    /// Bytes that one element occupies.
    pub size_bytes: u64,
    /// Extent of each dimension over the parameters; `None` where it is not known (as for the first dimension of a pointer).
    pub shape: Vec<Option<PwAff>>,
    /// Where its elements live.
    pub kind: ArrayKind,
    /// Whether code after the model may read what is in it.
    pub live_out: bool,
    /// What the source calls it.
    pub source_name: Option<String>,
    /// How many of its first subscripts count iterations each of which has an array of its own: see [`Scop::with_own`].
    pub own: usize,
}

/// Type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementType {
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number of so many bits.
    Float(u32),
    /// An address.
    Pointer,
    /// So many bits that no arithmetic is done on.
    Opaque(u32),
}

/// Where an array's elements live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrayKind {
    /// In memory.
    Memory,
    /// In a register: a value that is written and read as a whole.
    Scalar,
}

/// An uninterpreted function: equal arguments give equal values, and nothing else is known but what the fields say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name under which formulas apply it.
    pub name: Id,
    /// Number of arguments.
    pub arity: usize,
    /// Smallest value, if known.
    pub lower: Option<Int>,
    /// Largest value, if known.
    pub upper: Option<Int>,
    /// Whether different arguments are known to give different values.
    pub injective: bool,
    /// Whether it is known never to decrease (for one argument).
    pub monotone: bool,
}

/// A set of instances that do the same to different elements.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The tuple name of its instances.
    pub name: Id,
    /// Its instances.
    pub domain: Set,
    /// What an instance touches. It reads before it writes.
    pub accesses: Vec<Access>,
    /// Whether an instance outside the domain may run without harm, as long as its writes are suppressed.
    pub speculatable: bool,
    /// Where it stands in the source.
    pub location: Option<Location>,
    /// Arithmetic operations in one instance, as many additions as take their time: a weight for cost models.
    pub operations: u32,
    /// Sixty-fourths of an addition that an instance takes in a vector of instances; none if it is as much less as there are elements in a vector.
    pub vector_time: Option<u32>,
    /// Whether an instance runs a loop of its own, as often as data says: several of them are in no vector that LLVM makes.
    pub has_loop: bool,
    /// Whether such loops of several instances can run side by side, in the lanes of vectors.
    pub side_by_side: bool,
    /// Whether data decides which way control takes in an instance.
    pub branches: bool,
    /// Whether one condition, which the value at hand is a part of, tells if an instance replaces what it updates, and few do: the best so far. A loop
    /// may ask for many instances at once whether one does.
    pub seldom_replaces: bool,
    /// How many stores it has to places that it counts, if it does nothing else and the processor can put what a vector of instances stores together: 0 otherwise.
    pub packed: u32,
    /// Where the subscripts of its accesses are plain, and points have all their neighbours, if that is not so in all of its domain: what a cost model should look at, and what is worth loops of its own.
    pub regular: Option<Set>,
    /// The value that it writes, if the model says so.
    pub compute: Option<Expression>,
    /// The symbols that it applies, if it does; the domain is then that for some values.
    pub applied: Option<Applied>,
}

/// Marks a loop of the program's in which pointers to rows are read in each iteration, as what it writes might change them: it runs in single steps.
pub const READ_AGAIN: &str = "rows read again";

/// [`Statement::vector_time`] counts such parts of an addition.
pub const VECTOR_TIME: u32 = 64;

impl Statement {
    /// A statement of one operation that touches nothing yet.
    pub fn bare(name: Id, domain: Set) -> Statement {
        Statement {
            name,
            domain,
            accesses: Vec::new(),
            speculatable: false,
            location: None,
            operations: 1,
            vector_time: None,
            has_loop: false,
            side_by_side: false,
            branches: false,
            seldom_replaces: false,
            packed: 0,
            regular: None,
            compute: None,
            applied: None,
        }
    }
}

/// What one reference in a statement touches.
#[derive(Clone, Debug)]
pub struct Access {
    /// Names the reference within the whole model.
    pub id: Id,
    /// What it does there.
    pub kind: AccessKind,
    /// The array touched.
    pub array: Id,
    /// From instances to elements.
    pub relation: Map,
    /// From instances with the values of what the statement applies to elements, if it applies anything.
    pub applied: Option<Map>,
    /// The operator, if this is the read or the write half of `x = x op ...` and the program allows reordering by `op`.
    pub reduction: Option<ReductionOperator>,
    /// For a read of a truth value: the instance runs only if it is this.
    pub condition: Option<bool>,
    /// Where it stands in the source.
    pub location: Option<Location>,
}

/// What an access does to the elements it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessKind {
    /// May read them.
    Read,
    /// May overwrite them.
    MayWrite,
    /// Overwrites each of them.
    MustWrite,
    /// Ends their life: no value passes through them at this point.
    Kill,
}

/// An associative operator; all but the last three are commutative as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReductionOperator {
    /// `+`, also for a chain of `-=`.
    Add,
    /// `*`
    Mul,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// The smaller one, read without sign.
    UnsignedMin,
    /// The larger one, read without sign.
    UnsignedMax,
    /// The smaller one of keys, and what goes with it: runs of instances may be worked on apart, but in their order.
    ArgMin,
    /// The same for the larger one.
    ArgMax,
    /// The last one that is written: likewise.
    Last,
}

impl ReductionOperator {
    /// All, in the order of their declaration.
    pub const ALL: [Self; 12] = [
        Self::Add,
        Self::Mul,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Min,
        Self::Max,
        Self::UnsignedMin,
        Self::UnsignedMax,
        Self::ArgMin,
        Self::ArgMax,
        Self::Last,
    ];

    /// Its word in texts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Mul => "*",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Min => "min",
            Self::Max => "max",
            Self::UnsignedMin => "umin",
            Self::UnsignedMax => "umax",
            Self::ArgMin => "argmin",
            Self::ArgMax => "argmax",
            Self::Last => "last",
        }
    }

    /// Whether the order of its instances may change, and not only be cut into runs.
    pub fn is_commutative(self) -> bool {
        match self {
            Self::Add | Self::Mul | Self::And | Self::Or | Self::Xor => true,
            Self::Min | Self::Max | Self::UnsignedMin | Self::UnsignedMax => true,
            Self::ArgMin | Self::ArgMax | Self::Last => false,
        }
    }
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl AccessKind {
    /// Whether it changes the element, or may do so.
    pub fn writes(self) -> bool {
        matches!(self, Self::MayWrite | Self::MustWrite)
    }
}

impl Statement {
    /// Whether instances of the domain run only if a condition on data holds, as far as the model says which.
    pub fn is_conditional(&self) -> bool {
        self.accesses.iter().any(|a| a.condition.is_some())
    }

    /// What `access`, one of its own, touches in instances of the domain, for parameters in `trusted`.
    pub fn touched(&self, access: &Access, trusted: &Set) -> Map {
        access.relation.intersect_domain(&self.domain).intersect_params(trusted)
    }

    /// What `access`, one of its own, touches, as a cost model should see it: see [`Applied::typical`].
    pub fn typical(&self, access: &Access) -> Map {
        // What is packed lies side by side.
        let distance = if self.packed > 0 && access.kind.writes() { 1 } else { applied::FAR_APART };
        let both = self.applied.as_ref().zip(access.applied.as_ref());
        let typical = both.and_then(|(own, full)| own.typical(full, distance));
        let relation = typical.unwrap_or_else(|| access.relation.clone());
        self.regular.as_ref().map_or(relation.clone(), |regular| relation.intersect_domain(regular))
    }

    /// What `access`, one of its own, does for each instance of the domain, whether that runs or not: under a condition nothing is
    /// certain. `None` if that is nothing that may be relied on.
    pub fn effect(&self, access: &Access) -> Option<AccessKind> {
        let is_open = self.is_conditional() || self.applied.is_some();
        match access.kind {
            AccessKind::MustWrite if is_open => Some(AccessKind::MayWrite),
            AccessKind::Kill if is_open => None,
            kind => Some(kind),
        }
    }
}

impl Scop {
    /// The statement whose instances are called `name`.
    pub fn statement(&self, name: &Id) -> Option<&Statement> {
        self.statements.iter().find(|s| s.name == *name)
    }

    /// The array whose elements are called `name`.
    pub fn array(&self, name: &Id) -> Option<&Array> {
        self.arrays.iter().find(|a| a.name == *name)
    }

    /// The access called `id`, with its statement.
    pub fn access(&self, id: &Id) -> Option<(&Statement, &Access)> {
        self.statements.iter().find_map(|s| Some((s, s.accesses.iter().find(|a| a.id == *id)?)))
    }

    /// All instances.
    pub fn domain(&self) -> UnionSet {
        self.statements.iter().fold(UnionSet::empty(&self.params), |all, s| all.union(&UnionSet::from_set(&s.domain)))
    }

    /// The same model with all its sets and relations over the parameters in its own order, followed by any others they mention.
    pub fn aligned(mut self) -> Self {
        let space = Space::params_only(&self.params);
        let sets = [&self.context, &self.assumed].into_iter().chain(self.statements.iter().map(|s| &s.domain));
        let relations = self.statements.iter().flat_map(|s| &s.accesses).map(|a| a.relation.space());
        let space = sets.map(Set::space).chain(relations).fold(space, |all, each| all.align_params(each));
        self.params = space.params().to_vec();
        self.context = self.context.align_params(&space);
        self.assumed = self.assumed.align_params(&space);
        for statement in &mut self.statements {
            statement.domain = statement.domain.align_params(&space);
            if let Some(applied) = &mut statement.applied {
                applied.domain = applied.domain.align_params(&space);
                for application in &mut applied.applications {
                    application.arguments = application.arguments.align_params(&space);
                }
            }
            for access in &mut statement.accesses {
                access.relation = access.relation.align_params(&space);
                access.applied = access.applied.as_ref().map(|relation| relation.align_params(&space));
            }
        }
        self
    }

    /// What is known and what is assumed of the parameters.
    pub fn trusted_context(&self) -> Set {
        self.context.intersect(&self.assumed)
    }

    /// `{ S[i] -> A[..] }` for all reads.
    pub fn reads(&self) -> UnionMap {
        self.accesses_of(|k| k == AccessKind::Read)
    }

    /// `{ S[i] -> A[..] }` for all writes that certainly happen.
    pub fn must_writes(&self) -> UnionMap {
        self.accesses_of(|k| k == AccessKind::MustWrite)
    }

    /// `{ S[i] -> A[..] }` for all writes that may not happen.
    pub fn may_writes(&self) -> UnionMap {
        self.accesses_of(|k| k == AccessKind::MayWrite)
    }

    /// `{ S[i] -> A[..] }` for all writes.
    pub fn writes(&self) -> UnionMap {
        self.accesses_of(AccessKind::writes)
    }

    /// `{ S[i] -> A[..] }` for all kills.
    pub fn kills(&self) -> UnionMap {
        self.accesses_of(|k| k == AccessKind::Kill)
    }

    fn accesses_of(&self, wanted: impl Fn(AccessKind) -> bool) -> UnionMap {
        let accesses = self.statements.iter().flat_map(|s| s.accesses.iter().map(move |a| (s.effect(a), a)));
        let wanted = accesses.filter(|(effect, _)| effect.is_some_and(&wanted));
        wanted.fold(UnionMap::empty(&self.params), |all, (_, a)| all.union(&UnionMap::from_map(&a.relation)))
    }
}
