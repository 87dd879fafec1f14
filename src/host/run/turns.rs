//! An OpenMP runtime in which one thread runs at a time, in an order that a number says.
//!
//! Threads hand over where the runtime is called: when a loop's shares are dealt, at barriers, where they give way to others, at the end. With order 5 the last share may run before
//! the first, another time the program's own thread is the last to begin: a loop whose threads are not independent ends differently, and does so
//! each time. The threads are real ones, so that `errno` and thread-local variables are their own.

use super::{IS_FIRST, SET_THREADS};
use crate::host::program::Runtime;
use fastrand::Rng;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Threads besides the first.
const MOST_HELPERS: usize = 7;

/// Shares of fixed size, dealt in turn.
const CHUNKED: i32 = 33;

type Outlined = extern "C" fn(*const i32, *const i32, usize);

#[derive(Clone, Copy)]
struct Task {
    function: Outlined,
    frame: usize,
}

/// The iterations of a loop that are not dealt yet.
#[derive(Clone, Copy)]
struct Rest {
    next: i64,
    last: i64,
    step: i64,
}

struct Team {
    rng: Option<Rng>,
    wanted: usize,
    task: Option<Task>,
    alive: Vec<bool>,
    at_barrier: Vec<bool>,
    turn: Option<usize>,
    n_helpers: usize,
    /// Loops that were dealt in shares, in the order in which threads come to them.
    loops: VecDeque<Rest>,
    /// Where static shares end, in 64ths of the iterations.
    cuts: Vec<i64>,
}

static TEAM: Mutex<Team> = Mutex::new(Team {
    rng: None,
    wanted: 1,
    task: None,
    alive: Vec::new(),
    at_barrier: Vec::new(),
    turn: None,
    n_helpers: 0,
    loops: VecDeque::new(),
    cuts: Vec::new(),
});
static CHANGED: Condvar = Condvar::new();

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(0) };
    static SIZE: Cell<usize> = const { Cell::new(1) };
    /// How many loops this thread has come to, and what is left of one that it has for itself.
    static COME_TO: Cell<usize> = const { Cell::new(0) };
    static ALONE: RefCell<Option<Rest>> = const { RefCell::new(None) };
}

fn team() -> MutexGuard<'static, Team> {
    super::locked(&TEAM)
}

/// A program begins.
pub(super) fn begin(runtime: Runtime) {
    if let Runtime::Turns { order } = runtime {
        team().rng = Some(Rng::with_seed(order));
    }
}

impl Team {
    fn chosen(&mut self, most: usize) -> usize {
        self.rng.get_or_insert_with(|| Rng::with_seed(0)).usize(..most)
    }

    /// Some thread that can go on has its turn.
    fn hand_over(&mut self) {
        if self.alive.iter().zip(&self.at_barrier).all(|(alive, waits)| !alive || *waits) {
            self.at_barrier.iter_mut().for_each(|waits| *waits = false);
        }
        let ready: Vec<usize> = (0..self.alive.len()).filter(|at| self.alive[*at] && !self.at_barrier[*at]).collect();
        self.turn = if ready.is_empty() { None } else { Some(ready[self.chosen(ready.len())]) };
        CHANGED.notify_all();
    }
}

fn wait_until(mut team: MutexGuard<'static, Team>, holds: impl Fn(&Team) -> bool) -> MutexGuard<'static, Team> {
    while !holds(&team) {
        team = super::keeping_errno(|| CHANGED.wait(team).unwrap_or_else(PoisonError::into_inner));
    }
    team
}

/// Others may go on before this thread does.
fn hand_on() {
    if SIZE.get() < 2 {
        return;
    }
    let own = NUMBER.get();
    let mut team = team();
    team.hand_over();
    drop(wait_until(team, |team| team.turn == Some(own)));
}

fn run_share(task: Task, number: usize, size: usize) {
    let before = (NUMBER.replace(number), SIZE.replace(size), COME_TO.replace(0));
    let number = number as i32;
    (task.function)(&raw const number, &raw const number, task.frame);
    NUMBER.set(before.0);
    SIZE.set(before.1);
    COME_TO.set(before.2);
}

fn help(number: usize) {
    IS_FIRST.set(false);
    loop {
        let team = wait_until(team(), |team| team.turn == Some(number));
        let (task, size) = (team.task, team.alive.len());
        drop(team);
        if let Some(task) = task {
            run_share(task, number, size);
        }
        let mut team = self::team();
        team.alive[number] = false;
        team.hand_over();
    }
}

extern "C" fn fork(_: usize, _: i32, function: Outlined, frame: usize) {
    let task = Task { function, frame };
    let mut team = team();
    let size = if SIZE.get() > 1 { 1 } else { team.wanted.clamp(1, MOST_HELPERS + 1) };
    if size == 1 {
        drop(team);
        return run_share(task, 0, 1);
    }
    while team.n_helpers + 1 < size {
        team.n_helpers += 1;
        let number = team.n_helpers;
        std::thread::spawn(move || help(number));
    }
    team.task = Some(task);
    team.alive = vec![true; size];
    team.at_barrier = vec![false; size];
    team.loops.clear();
    let mut cuts: Vec<i64> = (1..size as i64).map(|at| 64 * at / size as i64).collect();
    if team.chosen(2) == 0 {
        cuts.iter_mut().for_each(|cut| *cut = team.chosen(65) as i64);
        cuts.sort_unstable();
    }
    team.cuts = [vec![0], cuts, vec![64]].concat();
    team.hand_over();
    drop(wait_until(team, |team| team.turn == Some(0)));
    run_share(task, 0, size);
    let mut team = self::team();
    team.alive[0] = false;
    team.hand_over();
    drop(wait_until(team, |team| team.turn.is_none()));
    super::disturb_errno();
}

/// What `__kmpc_for_static_init_8` and `__kmpc_dispatch_next_8` write to.
#[repr(C)]
struct Shared<T>(*mut T);

impl<T> Shared<T> {
    fn set(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: compiled code passes the address of a variable of this type of its own, which lives during the call.
            unsafe { *self.0 = value };
        }
    }
}

impl<T: Copy> Shared<T> {
    fn get(&self) -> T {
        // SAFETY: as above, and it has been written: the runtime's interface says so.
        unsafe { *self.0 }
    }
}

#[allow(clippy::too_many_arguments)]
extern "C" fn static_init(
    _: usize,
    _: i32,
    schedule: i32,
    is_last: Shared<i32>,
    lower: Shared<i64>,
    upper: Shared<i64>,
    stride: Shared<i64>,
    step: i64,
    chunk: i64,
) {
    hand_on();
    let (number, size) = (NUMBER.get() as i64, SIZE.get() as i64);
    let (first, last) = (lower.get(), upper.get());
    let n = if last < first { 0 } else { (last - first) / step + 1 };
    if schedule == CHUNKED {
        let chunk = chunk.max(1);
        lower.set(first + number * chunk * step);
        upper.set(first + (number * chunk + chunk - 1) * step);
        stride.set(size * chunk * step);
        is_last.set(i32::from(n > 0 && (n - 1) / chunk % size == number));
        return;
    }
    let cut = |at: i64| if size == 1 { n * at } else { n * team().cuts[at as usize] / 64 };
    let (from, to) = (cut(number), cut(number + 1));
    lower.set(first + from * step);
    upper.set(first + (to - 1) * step);
    stride.set(n.max(1) * step);
    is_last.set(i32::from(from < to && to == n));
}

#[allow(clippy::too_many_arguments)]
extern "C" fn dispatch_init(_: usize, _: i32, _: i32, lower: i64, upper: i64, step: i64, _: i64) {
    let rest = Rest { next: lower, last: upper, step };
    if SIZE.get() == 1 {
        ALONE.set(Some(rest));
        return;
    }
    let mut team = team();
    if team.loops.len() <= COME_TO.get() {
        team.loops.push_back(rest);
    }
}

extern "C" fn dispatch_next(
    _: usize,
    _: i32,
    is_last: Shared<i32>,
    lower: Shared<i64>,
    upper: Shared<i64>,
    stride: Shared<i64>,
) -> i32 {
    hand_on();
    let share = if SIZE.get() == 1 {
        ALONE.take().filter(|rest| rest.next <= rest.last).map(|rest| (rest.next, rest.last, rest))
    } else {
        let at = COME_TO.get();
        let mut team = team();
        let most = |rest: Rest| ((rest.last - rest.next) / rest.step + 1).clamp(1, 8) as usize;
        let rest = team.loops[at];
        if rest.next > rest.last {
            None
        } else {
            let n = 1 + team.chosen(most(rest)) as i64;
            let end = (rest.next + (n - 1) * rest.step).min(rest.last);
            team.loops[at].next = rest.next + n * rest.step;
            Some((rest.next, end, rest))
        }
    };
    let Some((from, to, rest)) = share else {
        COME_TO.set(COME_TO.get() + 1);
        return 0;
    };
    lower.set(from);
    upper.set(to);
    stride.set(rest.step);
    is_last.set(i32::from(to + rest.step > rest.last));
    1
}

extern "C" fn barrier(_: usize, _: i32) {
    if SIZE.get() < 2 {
        return;
    }
    let own = NUMBER.get();
    let mut team = team();
    team.at_barrier[own] = true;
    team.hand_over();
    drop(wait_until(team, |team| team.turn == Some(own)));
}

extern "C" fn critical(_: usize, _: i32, _: usize) {
    hand_on();
}

/// Who waits for another thread gives way to it, as in pipelines.
extern "C" fn give_way() -> i32 {
    hand_on();
    0
}

extern "C" fn nothing(_: usize, _: i32) {}

extern "C" fn end_critical(_: usize, _: i32, _: usize) {}

extern "C" fn thread_number(_: usize) -> i32 {
    NUMBER.get() as i32
}

extern "C" fn set_threads(wanted: i32) {
    team().wanted = wanted.max(1) as usize;
}

extern "C" fn push_threads(_: usize, _: i32, wanted: i32) {
    set_threads(wanted);
}

extern "C" fn most_threads() -> i32 {
    team().wanted as i32
}

/// What modules call, by the names of LLVM's library.
pub(super) fn entries() -> [(&'static str, usize); 13] {
    [
        (SET_THREADS, set_threads as *const () as usize),
        ("__kmpc_fork_call", fork as *const () as usize),
        ("__kmpc_global_thread_num", thread_number as *const () as usize),
        ("__kmpc_for_static_init_8", static_init as *const () as usize),
        ("__kmpc_for_static_fini", nothing as *const () as usize),
        ("__kmpc_dispatch_init_8", dispatch_init as *const () as usize),
        ("__kmpc_dispatch_next_8", dispatch_next as *const () as usize),
        ("__kmpc_barrier", barrier as *const () as usize),
        ("__kmpc_critical", critical as *const () as usize),
        ("__kmpc_end_critical", end_critical as *const () as usize),
        ("__kmpc_push_num_threads", push_threads as *const () as usize),
        ("omp_get_max_threads", most_threads as *const () as usize),
        ("sched_yield", give_way as *const () as usize),
    ]
}
