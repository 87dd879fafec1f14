//! What ties the model to the program: for each name in the [`Scop`](crate::scop::Scop), the values and instructions behind it.
//!
//! For `for (i) A[i] = A[i] * n + i;` the binding says that array `A` is the pointer `%A` with stride 8, that parameter `n` is the
//! value `%n`, and that statement `S0` is a store whose operand tree
//!
//!     store  <-  add  <-  mul  <-  load A + 8*i        (leaf: Load)
//!                     |       <-  %n                   (defined before the region: used as it is)
//!                     <-  i                            (leaf: Affine)
//!
//! is copied for each instance, down to the leaves, which are computed anew from the instance's iterators.

mod basis;
mod outside;
pub mod question;
pub mod runs;

use self::runs::Run;
use crate::extract::control::guards::BoundGuard;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::numbers::parameters::{Parameter, Source};
use crate::extract::numbers::polynomial::{ParameterId, Polynomial, QuasiId};
use crate::extract::numbers::unknown::Computed;
use crate::extract::reductions::arg_reduction::BoundPick;
use crate::extract::reductions::packing::BoundPacking;
use crate::extract::refusal::Refusal;
use crate::extract::region::detect::Region;
use crate::extract::statements::errno::Errno;
use crate::extract::statements::local::Life;
use crate::extract::statements::root::{LiveOut, LiveOutId, Root};
use crate::ids::table_id;
use crate::llvm::{Analyses, Block, Instruction, Location, LoopId, Signedness, Type, Value};
use crate::presburger::{Id, PwAff, Set};
use crate::scop::{ArrayId, StatementId, Table};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Everything emission needs besides the syntax tree.
pub struct Binding<'ir> {
    pub region: Region<'ir>,
    pub parameters: Table<ParameterId, Parameter<'ir>>,
    /// In the order of the model's arrays.
    pub arrays: Table<ArrayId, BoundArray<'ir>>,
    /// In the order of the model's statements.
    pub statements: Table<StatementId, BoundStatement<'ir>>,
    /// Piecewise quasi-affine atoms of polynomials: the loops whose iterations they are functions of, and their value.
    pub quasi: Table<QuasiId, (Vec<LoopId>, PwAff)>,
    /// Values that code behind the region reads.
    pub live_out: Table<LiveOutId, LiveOut<'ir>>,
    /// Pairs of arrays that must not overlap; those apart that are part of a measurement.
    pub disjoint: Vec<(ArrayId, ArrayId)>,
    /// Arrays of which no two rows may overlap, of two of which one is written; an array that is none of rows is one row.
    pub rows: Vec<ArrayId>,
    /// For each pointer into a row, the load of the row's own pointer.
    pub held: HashMap<Value<'ir>, Instruction<'ir>>,
    /// Pairs of arrays that may overlap: the model knows.
    pub entangled: Vec<(ArrayId, ArrayId)>,
    /// What is measured before the loops, in this order.
    pub measurements: Vec<Measurement<'ir>>,
    /// What can be measured after that, one array each: those that are only updated, by numbers that data gives.
    pub measurable: Vec<Measurement<'ir>>,
    /// What visits every access to an array of which data decides which elements are written, one array each, where that is possible; once all
    /// pairs of arrays are known not to overlap.
    pub visitable: Table<VisitId, Measurement<'ir>>,
    /// What is in the way if nothing is to be measured.
    pub unmeasured: Option<Refusal<'ir>>,
    /// What the assumed context assumes, in words.
    pub assumptions: Vec<String>,
    /// The arrays with offsets of which a test has to tell that they are numbers, not only congruent to some modulo 2^64.
    pub wrapping: Vec<ArrayId>,
    /// Why parts of it are opaque, or what it writes has no affine subscripts.
    pub opaque: Vec<Refusal<'ir>>,
    /// What data must be like.
    pub inspections: Vec<Inspection<'ir>>,
    /// Who sets `errno`, and what must be elsewhere.
    pub errno: Errno,
    /// Whether conditions on data might help, and none was to be assumed.
    pub wants_data: bool,
}

/// A condition on numbers that data gives, for all iterations of some loops: see [`crate::extract::numbers::unknown`] and [`crate::extract::places::rows`].
pub struct Inspection<'ir> {
    pub loops: Vec<LoopId>,
    /// The iterations.
    pub domain: Set,
    /// The numbers.
    pub values: Vec<Inspected<'ir>>,
    /// How they are computed; iterations in which the loops do not are left out.
    pub computed: Computed<'ir>,
    /// Iterations and numbers that must not be.
    pub bad: Option<Set>,
    /// Functions of iterations and numbers: the ranges between them must follow one another in the order of the iterations.
    pub ordered: Vec<(PwAff, PwAff)>,
    pub why: String,
}

/// A number that data gives, inspected before the loops.
pub struct Inspected<'ir> {
    pub value: Value<'ir>,
    pub signedness: Signedness,
    pub interval: Interval,
}

impl<'ir> Binding<'ir> {
    /// Whether statements have conditions on data that are around loops.
    pub fn has_guards(&self) -> bool {
        self.statements.iter().any(|statement| !statement.guards.is_empty())
    }

    /// Turns parameters that are expressions of LLVM into values, computed at the end of the region's entry, so that nothing later needs
    /// the analyses. Code for a parameter that ends up unused is removed by LLVM. Call once, before anything is changed.
    pub fn materialize(&mut self, analyses: &Analyses<'_, 'ir>) {
        let before = self.region.entry.terminator().expect("law: a complete block has a terminator");
        for parameter in &mut self.parameters {
            if let Source::Scev(scev) = parameter.source {
                parameter.source = Source::Value(analyses.expand(scev, before));
            }
        }
    }

    /// Whether each parameter can be computed where the region starts.
    pub fn can_materialize(&self, analyses: &Analyses<'_, 'ir>) -> bool {
        let before = self.region.entry.terminator().expect("law: a complete block has a terminator");
        let expandable = |parameter: &Parameter<'ir>| match parameter.source {
            Source::Scev(scev) => analyses.can_expand(scev, before),
            Source::Value(value) | Source::Exactly { value, .. } | Source::Times { value, .. } => {
                analyses.is_available(value, before)
            }
            Source::Distance { from, to, .. } => [from, to].iter().all(|end| analyses.is_available(*end, before)),
            Source::Address(pointer) => analyses.is_available(pointer, before),
            Source::Product(_) | Source::WrappedProduct(_) | Source::Remainder { .. } | Source::Steps { .. } => true,
        };
        self.parameters.iter().all(expandable)
    }
}

table_id! {
    /// One of the types of an array's elements, by its number in [`BoundArray::types`].
    pub struct TypeId
}

/// The memory, or the values in registers, behind an array of the model.
pub struct BoundArray<'ir> {
    pub id: Id,
    /// The address of element zero, or of the table of `rows`; `None` for a scalar, which emission stores where it likes.
    pub base: Option<Value<'ir>>,
    /// If it is an array of rows to which the pointers lead that stand in a table.
    pub rows: Option<BoundRows>,
    pub element: Type<'ir>,
    /// The types of its elements, all of one size: each access has its own, as with a union.
    pub types: Table<TypeId, Type<'ir>>,
    pub element_bytes: u64,
    /// Bytes between neighbours in each dimension, over parameters, none between those that iterations have of their own
    /// (`scop::Array::own`); a scalar has no strides.
    pub strides: Vec<Polynomial>,
    /// Smallest and largest subscript of each dimension over all accesses, as functions of the parameters; filled for arrays that
    /// take part in an overlap test and for scalars with dimensions.
    pub extent: Option<Vec<(PwAff, PwAff)>>,
    /// Some statement writes it.
    pub is_written: bool,
    /// Whether iterations may have its memory for themselves.
    pub life: Life,
    pub source_name: String,
}

/// Rows that pointers lead to; the strides of such an array but the first `depth` are those within a row. See [`crate::extract::statements::held`].
#[derive(Clone, Debug)]
pub struct BoundRows {
    /// How many pointers lead to a row, one behind the other: as many subscripts say which.
    pub depth: usize,
    /// Smallest and largest subscript of each dimension within a row over all accesses, as functions of the subscripts that say which row; filled where
    /// rows must not overlap.
    pub ends: Vec<(PwAff, PwAff)>,
}

impl<'ir> BoundArray<'ir> {
    /// How many of its subscripts are those of pointers.
    pub fn depth(&self) -> usize {
        self.rows.as_ref().map_or(0, |rows| rows.depth)
    }

    /// The strides as numbers, if these say where its elements are.
    pub fn constant_strides(&self) -> Option<Vec<i128>> {
        let strides = self.strides.iter().map(|stride| stride.as_constant()).collect::<Option<_>>();
        strides.filter(|_| self.rows.is_none())
    }

    /// The number of a type among those of its elements.
    fn type_number(&self, ty: Type<'ir>) -> TypeId {
        self.types.id_where(|own| *own == ty).expect("law: the types of all accesses are known")
    }
}

/// A statement: a root and the operand tree under it.
pub struct BoundStatement<'ir> {
    pub id: Id,
    /// Loops around it inside the region, outermost first: iterator `d` counts the iterations of `loops[d]` from 0.
    pub loops: Vec<LoopId>,
    pub block: Block<'ir>,
    pub root: Root<'ir>,
    /// The loads of its tree from arrays in memory, in the order of the model's accesses, which begin with these.
    pub loads: Vec<Value<'ir>>,
    /// Where the operand tree ends; values of the region that are not here are copied.
    pub leaves: HashMap<Value<'ir>, Leaf>,
    /// Conditions on data with the answers with which an instance does anything, in the order in which they are asked.
    pub guards: Vec<BoundGuard<'ir>>,
    /// Reductions of it that are split, but not reordered.
    pub picks: Vec<BoundPick<'ir>>,
    /// What it packs, if it does nothing else.
    pub packings: Vec<BoundPacking<'ir>>,
    pub location: Option<Location<'ir>>,
}

impl<'ir> BoundStatement<'ir> {
    /// By their numbers among the array's types: those of its accesses to an array.
    pub fn types_of(&self, array: ArrayId, bound: &BoundArray<'ir>) -> BTreeSet<TypeId> {
        if bound.base.is_none() {
            return bound.types.ids().collect();
        }
        let is_own = |leaf: &Leaf| matches!(leaf, Leaf::Load { array: own, .. } | Leaf::Indirect { array: own } if *own == array);
        let loads = self.leaves.iter().filter(|(_, leaf)| is_own(leaf)).map(|(value, _)| value.ty());
        let stored = |store: &Instruction<'ir>| store.memory().map(|access| access.ty).into_iter().collect();
        let others: Vec<Type<'ir>> = match &self.root {
            Root::Store { store, array: own, .. } | Root::Scatter { store, array: own } if *own == array => {
                stored(store)
            }
            Root::Opaque { accesses, .. } => {
                accesses.iter().filter(|access| access.array == array).map(|access| access.ty).collect()
            }
            _ => Vec::new(),
        };
        loads.chain(others).map(|ty| bound.type_number(ty)).collect()
    }
}

table_id! {
    /// What visits all accesses to an array, by its number in [`Binding::visitable`].
    pub struct VisitId
}

/// What the slice of a region finds out: see [`crate::extract::places::measure`].
pub struct Measurement<'ir> {
    /// Arrays with the loads and stores whose addresses are noted.
    pub arrays: Vec<(ArrayId, Vec<Instruction<'ir>>)>,
    /// What computes these addresses, and what decides where control goes.
    pub slice: HashSet<Instruction<'ir>>,
    /// Blocks at whose end nothing is decided, with where control goes from there: latches of loops that are run once, the beginnings of
    /// parts that touch nothing new, and blocks before loops that are looked at in runs.
    pub jumps: Vec<(Block<'ir>, Block<'ir>)>,
    /// The blocks of these parts and loops.
    pub left_out: Vec<Block<'ir>>,
    pub runs: Vec<Run<'ir>>,
    /// Pairs of arrays that must not overlap, of which now is known how far they reach.
    pub disjoint: Vec<(ArrayId, ArrayId)>,
}
