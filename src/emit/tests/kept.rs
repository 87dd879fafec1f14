//! What iterations keep in registers: which elements, and that the programs compute the same.

use super::{SEQUENTIAL, check, compiled, in_order, original};
use crate::emit::plan::Plan;
use crate::emit::plan::innermost::kept::Kept;
use crate::llvm::session::with_ir;

/// Runs `f(n, m, A, B)`, which is this, in its original order, and compares what its loops keep: of each the stores that are left out and the loads
/// before it.
fn keeps(body: &str, expected: &[(usize, usize)]) {
    let source = format!(
        r#"
        typedef double row[24];
        __attribute__((noinline)) void f(long n, long m, row *restrict A, double *restrict B) {{ {body} }}
        int main() {{
            static double A[24][24], B[200];
            for (int i = 0; i < 576; i++) A[i / 24][i % 24] = 1.0 / (i * 37 % 101 + 1);
            for (int i = 0; i < 200; i++) B[i] = 1.0 / (i * 53 % 97 + 1);
            for (long n = 0; n <= 24; n += 4) for (long m = 0; m <= n; m++) f(n, m, A, B);
            show("A", A, sizeof A);
            show("B", B, sizeof B);
        }}"#
    );
    check(&source, &[], &original, SEQUENTIAL, &|_| {});
    let summary = |kept: &Kept| {
        let left_out = kept.instances.iter().filter(|instance| instance.is_overwritten).count();
        (left_out, kept.before.len())
    };
    let found: Vec<(usize, usize)> = with_ir(&compiled(&source, &[]), |session| {
        let function = session.module().function("f").expect("f");
        in_order(session, function, &original, SEQUENTIAL, |scop, tree, ast, binding| {
            let plan = Plan::of(scop, tree, &[], ast, binding, SEQUENTIAL).expect("a plan");
            plan.kept.values().map(summary).collect()
        })
    })
    .expect("a module");
    assert_eq!(found, expected, "{body}");
}

#[test]
fn rows_that_loops_around_keep_apart_are_apart() {
    let product = |i: &str| {
        format!(
            "for (long k = 0; k + 2 < n; k++)
               for (long i = {i}; i < n; i++)
                 for (long j = k + 2; j < n; j++) {{
                   A[i][j] -= A[i][k] * A[k][j];
                   A[i][j] -= A[i][k + 1] * A[k + 1][j];
                 }}"
        )
    };
    keeps(&product("k + 2"), &[(1, 2)]);
    keeps(&product("k + 1"), &[]);
}

#[test]
fn a_loop_that_writes_what_it_seems_to_have_in_common_loads_it_each_time() {
    keeps(
        "for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) A[i][j] = A[i][j] * 0.5 - A[i][m < n ? m : 0];",
        &[],
    );
    let behind = |j: &str| {
        format!("for (long i = 0; i < n; i++) for (long j = {j}; j < n; j++) A[i][j] = A[i][j] * 0.5 - A[i][m];")
    };
    keeps(&behind("m + 1"), &[(0, 1)]);
    keeps(&behind("m"), &[]);
}

#[test]
fn neighbours_are_handed_on_in_an_iteration_and_not_to_the_next() {
    keeps(
        "for (long j = 0; j < n; j++) { B[j] = B[j + 1] * 0.5; B[j + 1] = B[j] + B[j + 2]; B[j] += B[j + 1]; }",
        &[(1, 0)],
    );
    keeps(
        "for (long j = 0; j < n; j++) { B[2 * j] = B[j] * 0.5; B[2 * j + 1] = B[2 * j]; B[2 * j] = B[2 * j + 1] - 1; }",
        &[],
    );
    keeps(
        "for (long j = 1; j < n; j++) { B[2 * j] = B[2 * j - 1] * 0.5; B[2 * j + 1] = B[2 * j]; B[2 * j] += 1; }",
        &[(1, 0)],
    );
    keeps("for (long j = 0; j < n; j++) { B[j] = B[j] * 0.5; B[j + m] += B[j]; B[j] += 1; }", &[]);
}

#[test]
fn what_is_no_sum_of_iterators_stays_in_memory() {
    keeps("for (long j = 0; j < n; j++) { B[j / 2] *= 0.5; B[j / 2 + 40] += B[j / 2]; B[j / 2] += 1; }", &[]);
    keeps("for (long j = 0; j < n; j++) { B[j] *= 0.5; B[(long)B[3] & 63] += B[j]; B[j] += 1; }", &[]);
}
