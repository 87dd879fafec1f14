//! The fuzzer, held to what it promises.

use super::compare::{Verdict, case, compare, text_of};
use super::program::{
    Affine, Array, Base, Content, Form, Function, Kind, LeaveTo, Loop, Operator, Program, Runtime, Statement,
    Subscript, Value, Variable, Way, Width,
};
use super::random;
use super::shrink::shrunk;
use super::standalone::standalone;
use super::tally::Tally;

/// Cases that every run of the tests tries.
const CASES: u64 = 60;

#[test]
fn what_the_plugin_makes_of_random_programs_does_the_same() {
    let wrong: Vec<String> = (0..CASES)
        .filter_map(|seed| match case(seed) {
            (program, Verdict::Different(how)) => Some(format!("seed {seed}: {how}\n{}", text_of(&program))),
            _ => None,
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_seed_is_a_program() {
    assert_eq!(random::program(7), random::program(7));
    let text = serde_json::to_string(&random::program(7)).expect("plain data");
    assert_eq!(serde_json::from_str::<Program>(&text).expect("as written"), random::program(7));
}

fn doubled(n: i64) -> Program {
    let at = Subscript::Affine(Affine::counter(0));
    let value =
        Value::Binary(Operator::Add, Box::new(Value::Load { array: 0, at: at.clone() }), Box::new(Value::Constant(5)));
    let to = Affine { terms: vec![(Variable::N, 1)], constant: 0 };
    let body = vec![Statement::Assign { array: 0, at, value }];
    let width = Width::Bits64;
    let from = Affine::constant(0);
    let nest =
        Loop { from, to, row: None, step: 1, width, leave: None, leave_first: false, leave_to: LeaveTo::Behind, body };
    let base = Base::Argument { alone: true };
    let array = Array { kind: Kind::I32, base, form: Form::Element, content: Content::Data };
    let runtime = Runtime::Turns { order: 1 };
    let words = "parallel min-work=0".to_string();
    Program {
        arrays: vec![array],
        functions: vec![Function { scalars: vec![], sums: 0, body: vec![Statement::Loop(nest)] }],
        n,
        m: 0,
        flags: true,
        at_end: true,
        contents: 1,
        in_table: false,
        way: Way { words, before: 1, after: 0, threads: vec![3, 1], runtime },
    }
}

#[test]
fn a_loop_that_can_be_parallel_is_changed() {
    assert!(matches!(compare(&doubled(9)), Verdict::Same { changed: true }));
}

#[test]
fn shrinking_keeps_the_fault_and_nothing_else() {
    let has_swap = |program: &Program| program.features().contains("reduction");
    let large = (0..).map(random::program).find(has_swap).expect("some program has a reduction");
    let small = shrunk(&large, has_swap);
    assert!(has_swap(&small) && format!("{small:?}").len() < format!("{large:?}").len());
}

#[test]
fn a_tally_goes_on_where_the_last_one_ended() {
    let path = std::env::temp_dir().join(format!("loopwright-tally-{}.json", std::process::id()));
    let mut tally = Tally::read(&path).expect("nothing is there yet");
    tally.note(7, &doubled(9), Ok(true));
    tally.note(8, &doubled(9), Err("memory".to_string()));
    tally.write(&path).expect("temporary files can be written");
    let mut again = Tally::read(&path).expect("as written");
    std::fs::remove_file(&path).expect("it was written");
    assert_eq!(again, tally);
    assert_eq!((again.next, again.cases, again.changed, again.failures.len()), (9, 2, 1, 1));
    again.note(9, &doubled(9), Ok(true));
    assert_eq!((again.features["parallel"], again.pairs["parallel"]["threads by turns"]), ((2, 2), 2));
    assert!(
        again.coverage().contains("36 of 36 pairs of 9 features met in one changed program"),
        "{}",
        again.coverage()
    );
}

#[test]
fn programs_that_run_alone_have_their_memory_with_them() {
    let texts = standalone(&doubled(9));
    let has = |part: &str| assert!(texts.surroundings.contains(part), "{part} in\n{}", texts.surroundings);
    has("@b0 = internal global [36 x i8] c\"");
    has("store ptr getelementptr (i8, ptr @b0, i64 0), ptr %a0");
    has("call void @entry(ptr %args, i32 3)");
    assert!(texts.module.contains("sanitize_thread") && texts.module.contains("loopwright<parallel;min-work=0>"));
}
