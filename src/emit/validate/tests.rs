//! Both versions of loops run, of which the new one is right, or wrong on purpose.

use super::report::EXIT_CODE;
use crate::emit::plan::Plan;
use crate::emit::tests::{Order, SEQUENTIAL, by_map, compiled, in_order, interpreted, original};
use crate::llvm::session::with_ir;

/// How the program ends whose `f` runs in this order and then in its own, and what it says.
fn ends(source: &str, order: Order<'_>) -> (i128, String) {
    let validated = with_ir(&compiled(source, &[]), |session| {
        let function = session.module().function("f").expect("f");
        in_order(session, function, order, SEQUENTIAL, |scop, tree, ast, binding| {
            let mut decisions = Plan::of(scop, tree, &[], ast, binding, SEQUENTIAL).expect("a plan").into_decisions();
            decisions.validate(scop, binding, "function f").expect("what is written is known");
            Plan::from_decisions(scop, ast, binding, SEQUENTIAL, decisions).build();
        });
        session.module().verify().expect("a valid module");
        session.module().to_string()
    });
    let output = interpreted(&validated.expect("a module"));
    let code = output.status.code().expect("no signal ends it");
    (code.into(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What says which array or value differs.
fn said(name: &str) -> String {
    format!("loopwright: '{name}' is not what the original loops leave there\nloopwright: function f\n")
}

/// Each element is needed by the next one but one.
const SUMS: &str = r#"
    __attribute__((noinline)) void f(int n, double A[]) {
        for (int i = 2; i < n; i++) A[i] += A[i - 2];
    }
    static double A[40];
    int main() {
        for (int i = 0; i < 40; i++) A[i] = i + 1;
        f(0, A);
        f(1, A);
        f(40, A);
        return A[39] != 420;
    }
"#;

#[test]
fn right_loops_are_found_to_be_right() {
    assert_eq!(ends(SUMS, &original), (0, String::new()));
}

#[test]
fn an_order_that_breaks_a_dependence_is_found_when_it_runs() {
    let backwards = by_map("{ S0[i] -> [-i] }");
    assert_eq!(ends(SUMS, &backwards), (EXIT_CODE, said("argument 2")));
}

/// What is right on arrays of their own is wrong where the last element of one is the first of the other.
#[test]
fn an_element_that_two_arrays_share_is_found() {
    let source = |shift: i32| {
        format!(
            r#"
    __attribute__((noinline)) void f(int n, double *restrict to, const double *restrict from) {{
        for (int i = 0; i < n; i++) to[i] = from[i] + 1;
    }}
    static double A[40];
    int main() {{ f(20, A, A + {shift}); return A[0] != 1; }}
"#
        )
    };
    let backwards = by_map("{ S0[i] -> [-i] }");
    assert_eq!(ends(&source(20), &backwards), (0, String::new()));
    assert_eq!(ends(&source(19), &backwards), (EXIT_CODE, said("argument 2")));
}
