//! States, asked at one element: which write an element has its value from, before a point of the program.
//!
//! The state before `T` in
//!
//! ```text
//! do i = 0, n - 1 { do j = 0, n - 1 { S: a[j] = ..; T: .. = a[e(i, j)] } }
//! ```
//!
//! is `Seq(Seq(Seq(initial, E[i' < i]), E[j' < j]), E[S])`: a stack of *layers*, each hidden by those after it. As a function of the
//! element `q` it has far more cases than `T` ever meets. So the layers are kept as what they are, parts of the program, and asked for
//! the element `e(i, j)` alone, the latest one first, each only where no later one has written: of a lazy `Seq(t, term)` the tree `t`
//! is never built. A loop is asked at a new variable for its iteration, and `Fold` keeps the largest that has an answer; so the last
//! write is sought between the instances of the reader and of the writer, as in Feautrier's analysis, and not for each cell of memory.
//! (Klimov, sections 3, 4 and 8; Maslov, *Lazy array data-flow dependence analysis*, 1994.)
//!
//! Implements: 004 4.1

use crate::scop::{ArrayId, TableId};
use std::collections::{BTreeMap, BTreeSet};

use super::program::{Block, Shape};
use super::quast::{Quast, Term, function, selection, tuples};
use crate::presburger::budget::spend;
use crate::presburger::{Aff, DimKind, MultiAff, Set, Space};

/// A part of a program with what it writes.
pub struct Effected<'a> {
    /// The part.
    pub block: &'a Block,
    /// The arrays that it writes.
    pub arrays: BTreeSet<ArrayId>,
    /// For an assignment and an `if`, the write of each element over `[t, q]`.
    pub writes: BTreeMap<ArrayId, Quast>,
    /// What it consists of.
    pub parts: Vec<Effected<'a>>,
    /// The blenders of an `if`.
    pub blends: Vec<Blend>,
}

/// A blender that is not yet connected.
pub struct Blend {
    /// Its place in the graph.
    pub node: usize,
    /// The array that it writes.
    pub array: ArrayId,
    /// From its context to `[t, q]`.
    pub whole: MultiAff,
    /// What the branch writes if the condition holds.
    pub yes: Option<Term>,
    /// What the other one writes.
    pub no: Option<Term>,
}

/// What has run before a point, inside loops that are at one iteration.
#[derive(Clone, Copy)]
pub enum Layer<'b> {
    /// All that was before the program: the place of the first array's input, those of the others follow.
    Initial { inputs: usize },
    /// A part in front of it, in the same iteration of all loops around that part.
    Part(&'b Effected<'b>),
    /// The iterations of a loop around it before the one that it is in.
    Earlier(&'b Effected<'b>),
}

/// An element, at a time, for each point of a space.
#[derive(Clone)]
pub struct Question {
    /// The iteration of each loop around.
    pub times: Vec<Aff>,
    /// The element's index.
    pub element: Vec<Aff>,
}

/// The answers to a question, and where there is none.
pub struct Answer {
    /// The writes.
    pub found: Quast,
    /// Those asked for without a write.
    pub open: Set,
}

impl Question {
    /// The question whose value is `whole`, of which `depth` expressions are times.
    pub fn of(whole: &MultiAff, depth: usize) -> Question {
        let (times, element) = whole.affs().split_at(depth);
        Question { times: times.to_vec(), element: element.to_vec() }
    }

    /// The question for each element itself, at each time.
    pub fn all(space: &Space, depth: usize) -> Question {
        Question::of(&selection(space, 0..space.dim(DimKind::Out)), depth)
    }

    fn whole(&self, space: &Space) -> MultiAff {
        function(space, self.times.iter().chain(&self.element).cloned().collect())
    }

    /// Without the times of the loops inside `depth` others.
    fn outside(&self, depth: usize) -> Question {
        Question { times: self.times[..depth].to_vec(), element: self.element.clone() }
    }

    /// In any iteration of `nested` more loops: they are new dimensions at the end.
    fn inside(&self, inner: &MultiAff, nested: usize) -> Question {
        let space = inner.domain_space();
        let n = space.dim(DimKind::Out);
        let pulled = |affs: &[Aff]| affs.iter().map(|aff| aff.pullback(inner)).collect::<Vec<_>>();
        let own = (n - nested..n).map(|d| Aff::var_on_domain(&space, DimKind::Out, d));
        Question { times: pulled(&self.times).into_iter().chain(own).collect(), element: pulled(&self.element) }
    }
}

impl Answer {
    fn none(open: &Set) -> Answer {
        Answer { found: Quast::empty(open.space()), open: open.clone() }
    }

    /// Where a function is defined, and where not.
    fn of(found: Quast, open: &Set) -> Answer {
        let open = open.subtract(&found.domain()).coalesce();
        Answer { found, open }
    }

    /// The answers of the latest of some layers that has one.
    fn latest(open: &Set, layers: impl Iterator<Item = impl FnOnce(&Set) -> Answer>) -> Answer {
        let mut answers: Vec<Quast> = Vec::new();
        let mut open = open.clone();
        for layer in layers {
            if open.is_empty() {
                break;
            }
            let next = layer(&open);
            open = next.open;
            answers.push(next.found);
        }
        let cells = answers.iter().rev().flat_map(|found| found.cells().iter().cloned());
        Answer { found: Quast::from_cells(open.space(), cells), open }
    }
}

impl Layer<'_> {
    /// What a layer has written to `array`, asked at the points of `open`, a part of `region`.
    fn answer(&self, array: ArrayId, question: &Question, region: &Set, open: &Set) -> Answer {
        match self {
            Self::Initial { inputs } => {
                let term = Term { node: inputs + array.position(), args: question.element.clone() };
                Answer {
                    found: Quast::from_cells(open.space(), [(open.clone(), term)]),
                    open: Set::empty(open.space()),
                }
            }
            Self::Part(part) => part.answer(array, &question.outside(part.block.loops.len()), region, open),
            Self::Earlier(part) => {
                let depth = part.block.loops.len();
                part.iterations(array, &question.outside(depth), Some(&question.times[depth]), region, open)
            }
        }
    }
}

/// The state before a point: what `layers`, the latest last, have written to `array`.
pub fn state(layers: &[Layer<'_>], array: ArrayId, question: &Question, region: &Set) -> Quast {
    let asked = layers.iter().rev().map(|layer| |open: &Set| layer.answer(array, question, region, open));
    Answer::latest(region, asked).found
}

impl Effected<'_> {
    /// What the part has written to `array`, asked at the points of `open`, a part of `region`.
    pub fn answer(&self, array: ArrayId, question: &Question, region: &Set, open: &Set) -> Answer {
        spend(1);
        if !self.arrays.contains(&array) {
            return Answer::none(open);
        }
        match &self.block.shape {
            Shape::Run { .. } | Shape::If { .. } => {
                Answer::of(self.writes[&array].pullback(&question.whole(open.space())).restrict(open), open)
            }
            Shape::Sequence(_) => {
                let parts = self.parts.iter().rev();
                Answer::latest(open, parts.map(|part| |open: &Set| part.answer(array, question, region, open)))
            }
            Shape::Loop(_) => self.iterations(array, question, None, region, open),
        }
    }

    /// What the iterations of a loop have written, those before one of them if it is given.
    fn iterations(&self, array: ArrayId, question: &Question, end: Option<&Aff>, region: &Set, open: &Set) -> Answer {
        if !self.arrays.contains(&array) {
            return Answer::none(open);
        }
        let (innermost, nested) = self.nest();
        let n = open.dim(DimKind::Out);
        let wider = tuples(open.space().params(), n + nested);
        let projection = selection(&wider, 0..n);
        let mut anywhere = region.preimage(&projection);
        if let Some(end) = end {
            let own = Aff::var_on_domain(&wider, DimKind::Out, n);
            anywhere = anywhere.intersect(&own.lt_set(&end.pullback(&projection)));
        }
        let inside = innermost.answer(array, &question.inside(&projection, nested), &anywhere, &anywhere);
        let (found, open) = inside.found.fold(nested, open);
        Answer { found, open }
    }

    /// The body of the loops that have nothing but each other in them, from this one inwards, and how many they are: the last of their
    /// iterations is found at once.
    fn nest(&self) -> (&Self, usize) {
        match self.block.shape {
            Shape::Loop(_) => {
                let (innermost, nested) = self.parts[0].nest();
                (innermost, nested + 1)
            }
            _ => (self, 0),
        }
    }
}
