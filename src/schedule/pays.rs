//! From where on loops are faster than the program's own: the model of time, asked at other sizes than the usual ones.
//!
//! ```text
//! for i < m { s = 0;  for j < n:  s += a[i][j];  x[i] = s; }
//! ```
//!
//! is faster in vectors over `i`. For two rows it is not, however long they are; nor for ten elements in all. So the new loops ask for [`Enough`]: so many
//! operations, as many as there are where all parameters are as small as the model allows, and for each parameter that says how long loops run
//! so many iterations, with the others of the usual size. Whoever emits the loops tests that before them, where it is not known.

use super::loops::costs::{self, Costs};
use super::loops::nest::Loops;
use super::loops::original;
use super::loops::time;
use super::model::extent::{self, Extents, Sizes};
use super::model::problem::Problem;
use super::model::vector;
use crate::presburger::Id;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How much there must be to do for loops to be faster than others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enough {
    /// Operations of all statements.
    pub operations: i128,
    /// What parameters must be at least that say how long loops run: short ones are slow however many there are.
    pub parameters: Vec<(Id, i64)>,
}

/// `from 20000 operations and n from 16 on`.
impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} operations", self.operations)?;
        self.parameters.iter().try_for_each(|(name, least)| write!(f, " and {name} from {least}"))?;
        f.write_str(" on")
    }
}

/// Where loops are faster than the program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pays {
    /// On one core; none if nowhere.
    pub alone: Option<Enough>,
    /// On several, once a parallel loop has enough to do to be shared: what parameters must be at least.
    pub shared: Vec<(Id, i64)>,
}

impl Pays {
    /// Wherever several cores share them.
    pub const SHARED: Pays = Pays { alone: None, shared: Vec::new() };

    /// However little there is to do.
    pub const ALWAYS: Pays = Pays { alone: Some(Enough { operations: 0, parameters: Vec::new() }), shared: Vec::new() };

    /// Whether they are faster on one core, however little there is to do.
    pub fn always(&self) -> bool {
        self.alone == Some(Enough::default())
    }
}

/// Two times of one nest in one unit, on one core, with what no number of cores makes shorter of it (Amdahl, "Validity of the single processor
/// approach to achieving large scale computing capabilities", 1967).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Of the program's own loops.
    pub before: i128,
    /// Of those that were found.
    pub after: i128,
    /// The part of `after` that is in no parallel loop.
    pub in_order: i128,
    /// The part of the rest in which lines come from memory, through one door for all cores.
    pub far: i128,
}

impl Times {
    /// How many thousandths as fast as the program's own loops what was found is, if so many cores share it: what is computed is divided among them,
    /// what comes from memory is not. `unseen` is the time of lines that both fetch and the model does not see.
    pub fn gain(self, cores: i64, unseen: i128) -> i128 {
        let before = self.before.saturating_add(unseen);
        let far = self.far.saturating_add(unseen).saturating_add(self.in_order);
        let shared = self.after.saturating_sub(self.far).saturating_sub(self.in_order) / i128::from(cores.max(1));
        before.saturating_mul(1000) / far.saturating_add(shared).max(1)
    }

    /// How much of the program's time is taken, in hundredths.
    pub fn percent(self) -> i128 {
        self.after.saturating_mul(100) / self.before.max(1)
    }

    /// What is found shared by so many cores, before on one.
    pub fn on(self, cores: i128) -> Times {
        let shared = self.after.saturating_sub(self.in_order);
        Times { after: self.in_order.saturating_add(shared / cores), ..self }
    }

    /// Whether what was found is faster by a margin, a sixteenth.
    pub fn is_faster(self) -> bool {
        self.after.saturating_mul(17) < self.before.saturating_mul(16)
    }

    /// Whether what was found is faster than what else was found for the same loops, by that margin.
    pub(super) fn is_faster_than(self, other: Times) -> bool {
        Times { before: other.after, ..self }.is_faster()
    }

    /// Whether it takes at most half the time.
    fn is_clearly_faster(self) -> bool {
        self.after.saturating_mul(2) <= self.before
    }

    /// Whether as much is gained as by others, but for a quarter.
    fn gains_nearly(self, others: Times) -> bool {
        let (own, usual) = (self.percent(), others.percent());
        own.saturating_mul(3) <= usual.saturating_mul(4)
    }

    /// Whether it is slower by that margin.
    pub(super) fn is_slower(self) -> bool {
        self.after.saturating_mul(16) > self.before.saturating_mul(17)
    }
}

/// What two orders of one nest take at usual sizes on one core, by what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The program's own loops.
    pub before: Costs,
    /// Those that were found.
    pub after: Costs,
    /// Operations of all instances.
    pub operations: i128,
}

/// At these sizes the model is asked. Above them loops are taken to pay that pay at what is usual.
const SIZES: [i64; 24] =
    [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];

/// Where all loops are shorter than this the prediction needs a margin: it knows little of branches and of bounds.
const SHORT: i64 = 64;

/// So many operations take microseconds, in which the tests before loops are lost.
const MANY_OPERATIONS: i128 = 20_000;

/// Loops that several cores share are shared by so many at least.
const FEWEST_CORES: i128 = 2;

/// How the program's own loops do.
pub(super) struct Before<'p> {
    /// How badly statements do in its innermost loops, each alone.
    pub vectors: BTreeMap<usize, vector::Penalty>,
    /// Statements that LLVM leaves in single steps all the same, by what they share their loops with.
    pub backward: BTreeSet<usize>,
    pub problem: &'p Problem,
    /// None if they are not of the form that the model of time knows.
    pub loops: Option<&'p Loops>,
    /// Whether data ends all of them. Whatever runs in their place is counted then, and as fast in LLVM's vectors as in ours.
    pub are_left_early: bool,
    /// Whether the loops that run in their place are those that they are without what they read again.
    pub read_before: bool,
    /// Whether some of them have borders, which are apart in whatever runs in their place.
    pub has_borders: bool,
}

impl Before<'_> {
    /// How badly a statement does in the program's innermost loop, if that runs in vectors.
    pub fn in_vectors(&self, s: &usize) -> Option<&vector::Penalty> {
        self.vectors.get(s).filter(|_| !self.backward.contains(s))
    }

    /// What is predicted for the program's loops and others at usual sizes.
    pub fn predicted(&self, problem: &Problem, loops: &Loops) -> Option<Prediction> {
        let own = extent::at(self.problem, Sizes::USUAL);
        let before = time::costs(self.problem, self.loops?, &own);
        let after = time::costs(problem, loops, &extent::at(problem, Sizes::USUAL));
        Some(Prediction { before, after, operations: costs::operations(self.problem, &own) })
    }

    /// Whether the program's own loops are easier for LLVM where they run in their place.
    pub fn is_easier(&self) -> bool {
        self.read_before || self.has_borders
    }

    /// Whether some statement is in several loops.
    pub fn has_nests(&self) -> bool {
        self.problem.statements.iter().any(|statement| statement.free.len() > 1)
    }

    /// What the program's own loops take as they are, and as they are counted, at usual sizes.
    pub fn counted(&self) -> Option<Times> {
        let own = self.loops.filter(|_| self.are_left_early || self.is_easier()).map(original::counted)?;
        Some(self.beside(self.problem, &own)?.at(Sizes::USUAL))
    }

    /// Instances of each statement at usual sizes.
    pub fn instances(&self) -> Vec<i128> {
        let count = |extents: &extent::Extents| {
            extents.values.iter().map(|extent| i128::from(*extent)).fold(1, i128::saturating_mul)
        };
        extent::at(self.problem, Sizes::USUAL).iter().map(count).collect()
    }

    /// The program's loops beside others; nothing if it is not known how long its own take.
    pub fn beside<'a>(&'a self, problem: &'a Problem, loops: &'a Loops) -> Option<Beside<'a>> {
        Some(Beside { own: self.problem, own_loops: self.loops?, problem, loops, known: RefCell::default() })
    }
}

/// The program's own loops, and others for them.
pub(super) struct Beside<'a> {
    own: &'a Problem,
    own_loops: &'a Loops,
    problem: &'a Problem,
    loops: &'a Loops,
    /// What they take, by the extents of both: above what is usual, all sizes are alike.
    known: RefCell<BTreeMap<[Vec<i64>; 2], Times>>,
}

impl Beside<'_> {
    /// What they take where parameters are of these sizes.
    pub fn at(&self, sizes: Sizes) -> Times {
        let (own, theirs) = (extent::at(self.own, sizes), extent::at(self.problem, sizes));
        let values = |all: &[Extents]| all.iter().flat_map(|extents| extents.values.iter().copied()).collect();
        let key = [values(&own), values(&theirs)];
        if let Some(times) = self.known.borrow().get(&key) {
            return *times;
        }
        let machine = &self.problem.machine;
        let before = time::costs(self.own, self.own_loops, &own).time(&self.own.machine);
        let after = time::costs(self.problem, self.loops, &theirs);
        let (count, of) = (costs::instances(&own), costs::instances(&theirs));
        let in_order = time::in_order(self.problem, self.loops, &theirs, after);
        let far = (after.far_lines - in_order.far_lines).max(0).saturating_mul(machine.far_line_time());
        let [after, far, in_order] =
            [after.time(machine), far, in_order.time(machine)].map(|time| of_instances(time, of, count));
        let times = Times { before, after, far, in_order };
        self.known.borrow_mut().insert(key, times);
        times
    }

    /// Where loops of these usual times are faster. As two cores may be all that run them, as many must do where that can be.
    pub fn pays(&self, usual: Times, cores: i128) -> Pays {
        let two = cores.min(FEWEST_CORES);
        let cores = if usual.on(two).is_faster() { two } else { cores };
        let alone = usual.is_faster().then(|| {
            let operations = self.least_operations(usual);
            Enough { operations, parameters: self.least_parameters(usual, 1) }
        });
        Pays { alone, shared: if cores > 1 { self.least_parameters(usual, cores) } else { Vec::new() } }
    }

    /// From how many operations on the loops are faster on one core. Where all extents are known the usual times are those of all that there is to do. Where all
    /// loops are short the new ones must be clearly faster, or nearly as good as for long ones, in a nest that has many iterations all the same: in a cube of 20 to
    /// the side no test before it counts.
    fn least_operations(&self, usual: Times) -> i128 {
        let operations = |sizes: Sizes| costs::operations(self.own, &extent::at(self.own, sizes));
        if operations(Sizes::up_to(SIZES[0])) == operations(Sizes::USUAL) {
            return 0;
        }
        let pays = |size: i64| {
            let times = self.at(Sizes::up_to(size));
            let is_safe = || times.gains_nearly(usual) && operations(Sizes::up_to(size)) >= MANY_OPERATIONS;
            times.is_faster() && (size >= SHORT || times.is_clearly_faster() || is_safe())
        };
        least_size(pays).map_or(0, |size| operations(Sizes::up_to(size)))
    }

    /// What each parameter must be at least that says how long loops run. Short loops must be clearly faster, or nearly as much faster as usual ones:
    /// of a number of steps that change nothing there may be few.
    fn least_parameters(&self, usual: Times, cores: i128) -> Vec<(Id, i64)> {
        let usual = usual.on(cores);
        let least = |at: usize| {
            let is_enough = |size: i64, times: Times| {
                let is_safe = size >= SHORT || times.is_clearly_faster() || times.gains_nearly(usual);
                times.is_faster() && is_safe
            };
            let pays = |size: i64| is_enough(size, self.at(Sizes::with_short(at, size)).on(cores));
            Some((self.problem.params[at].clone(), least_size(pays)?))
        };
        (0..self.problem.params.len()).filter(|at| extent::is_length(self.problem, *at)).filter_map(least).collect()
    }
}

/// What `count` instances take of a time that `own` ones take.
fn of_instances(all: i128, own: i128, count: i128) -> i128 {
    all.checked_mul(count).map_or((all / own).saturating_mul(count), |product| product / own)
}

/// The least of [`SIZES`], or one above all, from which on loops pay; none if they always do.
fn least_size(pays: impl Fn(i64) -> bool) -> Option<i64> {
    let fails = SIZES.iter().rposition(|size| !pays(*size))?;
    Some(SIZES.get(fails + 1).copied().unwrap_or(2 * SIZES[SIZES.len() - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_pay_from_behind_the_last_size_at_which_they_do_not() {
        assert_eq!(least_size(|_| true), None);
        assert_eq!(least_size(|size| size >= 48), Some(48));
        assert_eq!(least_size(|size| size != 32 && size > 4), Some(48), "what pays now and then does not");
        assert_eq!(least_size(|_| false), Some(8192));
    }

    #[test]
    fn a_margin_is_a_sixteenth() {
        let faster = |after| Times { before: 1700, after, far: 0, in_order: 0 }.is_faster();
        assert!(faster(1599) && !faster(1600));
        let times = Times { before: 200, after: 100, far: 0, in_order: 0 };
        assert_eq!(times.on(4).percent(), 12);
        assert_eq!(Times { in_order: 60, ..times }.on(4).percent(), 35);
    }

    #[test]
    fn cores_divide_what_is_computed_and_not_what_comes_from_memory() {
        let times = Times { before: 200, after: 100, far: 60, in_order: 0 };
        assert_eq!((times.gain(1, 0), times.gain(4, 0)), (2000, 200_000 / 70));
        assert_eq!(times.gain(4, 1_000_000), 1000, "who waits for memory gains nothing by cores");
        assert_eq!(Times { far: 0, ..times }.gain(4, 0), 8000);
        assert_eq!(Times { far: 20, in_order: 60, ..times }.gain(4, 0), 200_000 / 85);
    }
}
