//! Small programs for each part of emission, built with inkwell, compiled and run in this process: as they are, and as they are written anew.
//!
//! `for (c0 = 0; c0 < n; c0++) a0[c0] = a1[c0] + 5;` runs with arrays that are apart, that overlap and that are one, on one thread and on several; after each
//! run every byte of memory is what the program itself leaves. What was written is looked at as well: that the part at hand was there.

use crate::host::compare::{Verdict, compare, text_of, transformed};
use crate::host::program::{
    Affine, Array, Base, Condition, Content, Form, Function, Kind, LeaveTo, Loop, Operator, Program, Runtime,
    Statement, Subscript, Value, Variable, Way, Width,
};

/// Numbers of iterations: none, one, and the most that the arrays have room for.
const SIZES: [i64; 3] = [0, 1, 12];

fn array(kind: Kind, base: Base) -> Array {
    Array { kind, base, form: Form::Element, content: Content::Data }
}

fn argument(kind: Kind) -> Array {
    array(kind, Base::Argument { alone: true })
}

fn here(depth: usize) -> Subscript {
    Subscript::Affine(Affine::counter(depth))
}

fn load(array: usize, depth: usize) -> Value {
    Value::Load { array, at: here(depth) }
}

fn of(operator: Operator, a: Value, b: Value) -> Value {
    Value::Binary(operator, Box::new(a), Box::new(b))
}

fn counted(limit: Variable, body: Vec<Statement>) -> Statement {
    let to = Affine { terms: vec![(limit, 1)], constant: 0 };
    let from = Affine::constant(0);
    Statement::Loop(Loop {
        from,
        to,
        row: None,
        step: 1,
        width: Width::Bits64,
        leave: None,
        leave_first: false,
        leave_to: LeaveTo::Behind,
        body,
    })
}

/// Runs on one thread and on four, in another order with each number.
fn program(arrays: Vec<Array>, scalars: Vec<Kind>, body: Vec<Statement>) -> Program {
    let way = Way {
        words: "parallel min-work=0".to_string(),
        before: 1,
        after: 0,
        threads: vec![1, 4],
        runtime: Runtime::Turns { order: 5 },
    };
    let functions = vec![Function { scalars, sums: 0, body }];
    Program { arrays, functions, n: 12, m: 7, flags: true, in_table: false, at_end: true, contents: 3, way }
}

/// Runs it for each size, with LLVM's threads and ours, with validation and without. All that is `wanted` must have been written.
fn check(program: &Program, wanted: &[&str]) {
    let (text, changed) = transformed(&text_of(program), &program.way).expect("the plugin writes a valid module");
    assert!(changed, "{}", text_of(program));
    for part in wanted {
        assert!(text.contains(part), "no {part} in {text}");
    }
    for n in SIZES {
        for runtime in [program.way.runtime, Runtime::Library { new_thread: false }] {
            for words in [program.way.words.clone(), format!("{} validate", program.way.words)] {
                let way = Way { words, runtime, ..program.way.clone() };
                let verdict = compare(&Program { n, way: way.clone(), ..program.clone() });
                assert!(matches!(verdict, Verdict::Same { .. }), "n = {n}, {way:?}: {verdict:?}\n{}", text_of(program));
            }
        }
    }
}

/// `for c0: a0[c0] = a1[c0] + 5`
fn shifted(second: Base) -> Program {
    let value = of(Operator::Add, load(1, 0), Value::Constant(5));
    let body = counted(Variable::N, vec![Statement::Assign { array: 0, at: here(0), value }]);
    program(vec![array(Kind::I32, Base::Argument { alone: false }), array(Kind::I32, second)], vec![], vec![body])
}

#[test]
fn guards_tell_arrays_that_overlap() {
    check(&shifted(Base::Argument { alone: false }), &["__kmpc_fork_call"]);
    for shift in [0, 1, 40] {
        check(&shifted(Base::View { of: 0, shift }), &["__kmpc_fork_call"]);
    }
}

#[test]
fn guards_measure_what_data_says() {
    let bins = Subscript::Through { index: 1, at: Affine::counter(0), plus: 0 };
    let value = of(Operator::Add, Value::Load { array: 0, at: bins.clone() }, Value::Constant(1));
    let body = counted(Variable::N, vec![Statement::Assign { array: 0, at: bins, value }]);
    let index = Array { content: Content::Index, ..argument(Kind::I32) };
    check(&program(vec![argument(Kind::I64), index], vec![], vec![body]), &["__kmpc_fork_call"]);
}

#[test]
fn threads_have_copies_of_what_is_reduced() {
    let sum = Statement::Set { scalar: 0, value: of(Operator::Add, Value::Scalar(0), load(0, 0)) };
    let least = Statement::Set { scalar: 1, value: of(Operator::LeastCalled, Value::Scalar(1), load(0, 0)) };
    let body = counted(Variable::N, vec![sum, least]);
    check(&program(vec![argument(Kind::I64)], vec![Kind::I64, Kind::I64], vec![body]), &["__kmpc_fork_call"]);
}

#[test]
fn threads_have_local_arrays_of_their_own() {
    let fill = counted(
        Variable::M,
        vec![Statement::Assign { array: 1, at: here(1), value: of(Operator::Add, load(1, 1), load(0, 0)) }],
    );
    let last = Statement::Assign {
        array: 0,
        at: here(0),
        value: Value::Load { array: 1, at: Subscript::Affine(Affine::constant(3)) },
    };
    let scratch = Statement::Scratch { array: 1, value: 2, body: vec![fill, last] };
    let body = counted(Variable::N, vec![scratch]);
    check(
        &program(vec![argument(Kind::I64), array(Kind::I64, Base::Local)], vec![], vec![body]),
        &["__kmpc_fork_call"],
    );
}

#[test]
fn conditions_on_data_are_written_as_they_were() {
    let when = Condition::Data { kind: Kind::I32, a: load(0, 0), b: Value::Constant(40) };
    let then = vec![Statement::Assign {
        array: 1,
        at: here(0),
        value: of(Operator::Multiply, load(0, 0), Value::Constant(3)),
    }];
    let otherwise = vec![Statement::Assign { array: 1, at: here(0), value: Value::Constant(-1) }];
    let body = counted(Variable::N, vec![Statement::If { when, then, otherwise }]);
    check(&program(vec![argument(Kind::I32), argument(Kind::I32)], vec![], vec![body]), &["__kmpc_fork_call"]);
}

#[test]
fn scalars_that_cross_loops_are_handed_over() {
    let first = Statement::Set { scalar: 0, value: load(0, 0) };
    let second =
        Statement::Assign { array: 1, at: here(0), value: of(Operator::Xor, Value::Scalar(0), Value::Constant(9)) };
    let body = counted(Variable::N, vec![first, second]);
    check(&program(vec![argument(Kind::I32), argument(Kind::I32)], vec![Kind::I32], vec![body]), &["__kmpc_fork_call"]);
}

#[test]
fn validation_writes_both_versions_and_a_report() {
    let mut program = shifted(Base::Argument { alone: false });
    program.way.words.push_str(" validate");
    let (text, changed) = transformed(&text_of(&program), &program.way).expect("the plugin writes a valid module");
    assert!(changed && text.contains("@_exit") && text.contains("@write"), "{text}");
}
