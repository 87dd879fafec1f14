//! Random programs, the same for the same seed: `program(7)` has arrays ([`memory`]), functions over them ([`body`]), and a way to run.

mod body;
mod memory;
mod shapes;

use super::program::{Function, Kind, MOST, Program, Runtime, Way};
use crate::options::STAGES;
use body::Invention;
use fastrand::Rng;

/// Functions of a program, at most.
const MOST_FUNCTIONS: usize = 2;

/// Units of work for most programs: most that are changed at all are so within it, and a case takes a fifth of the time.
const USUAL_BUDGET: u64 = 200_000;

/// The program of a case.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let arrays = memory::arrays(&mut rng);
    let n_functions = if rng.u8(..4) == 0 { MOST_FUNCTIONS } else { 1 };
    let functions = (0..n_functions).map(|_| function(&mut rng, &arrays)).collect();
    let mut number = || if rng.u8(..8) == 0 { rng.i64(0..3) } else { rng.i64(2..=MOST) };
    let (n, m) = (number(), number());
    Program {
        arrays,
        functions,
        n,
        m,
        flags: rng.bool(),
        in_table: rng.u8(..3) == 0,
        at_end: rng.bool(),
        contents: rng.u64(..),
        way: way(&mut rng),
    }
}

fn function(rng: &mut Rng, arrays: &[super::program::Array]) -> Function {
    let mut invention = Invention::new(rng, arrays);
    let favourite = invention.kind();
    for _ in 0..invention.rng.usize(0..5) {
        let kind = if invention.chance(2, 3) { favourite } else { invention.kind() };
        invention.scalars.push(kind);
    }
    invention.sums = usize::from(invention.chance(1, 6));
    let n_nests = invention.rng.usize(1..3);
    let body = (0..n_nests).map(|_| invention.nest()).collect();
    Function { scalars: invention.scalars, sums: invention.sums, body }
}

/// A kind, the common ones more often.
fn kind(rng: &mut Rng) -> Kind {
    match rng.u8(..4) {
        0 => Kind::ALL[rng.usize(..Kind::ALL.len())],
        1 => [Kind::I8, Kind::I16, Kind::I64][rng.usize(..3)],
        _ => [Kind::I32, Kind::F64, Kind::F32][rng.usize(..3)],
    }
}

fn way(rng: &mut Rng) -> Way {
    let mut words = vec![if rng.u8(..5) < 2 { "no-parallel" } else { "parallel" }.to_string()];
    match rng.u8(..10) {
        0 => words.push("no-tile".to_string()),
        1..=5 => words.push(format!("tile={}", rng.u8(2..6))),
        _ => {}
    }
    match rng.u8(..10) {
        0 => words.push("fuse=max".to_string()),
        1 => words.push("fuse=min".to_string()),
        _ => {}
    }
    if rng.u8(..8) > 0 {
        words.push(format!("budget={USUAL_BUDGET}"));
    }
    if rng.u8(..40) == 0 {
        words.push(format!("provoke-panic={}", STAGES[rng.usize(..STAGES.len())]));
    }
    let threads = (0..rng.usize(1..3)).map(|_| rng.i32(1..5)).collect();
    let runtime = match rng.u8(..8) {
        0 => Runtime::Library { new_thread: rng.bool() },
        _ => Runtime::Turns { order: rng.u64(..) },
    };
    let (before, after) = (rng.usize(..16), rng.usize(..16));
    if rng.u8(..8) == 0 {
        words.push("validate".to_string());
    }
    // Mostly the new loops run however little there is to do; else the test whether there is enough is met, too.
    words.push(format!("min-work={}", if rng.u8(..8) == 0 { 200 } else { 0 }));
    Way { words: words.join(" "), before, after, threads, runtime }
}
