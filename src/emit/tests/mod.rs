//! New loops against the original ones: C functions are compiled, emitted in their original or another order, and both programs run.

#[cfg(feature = "host")]
mod in_process;
mod kept;
mod windows;

use super::{Emitted, Settings, emit};
use crate::ast::{self, Ast};
use crate::emit::Verification;
use crate::extract::binding::Binding;
use crate::extract::{ModelOptions, Threads, candidates, extract};
use crate::llvm::session::with_ir;
use crate::llvm::{Function, Session};
use crate::prepare;
use crate::presburger::UnionMap;
use crate::scop::tree::Node;
use crate::scop::{Scop, Tree};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) const SEQUENTIAL: Settings =
    Settings { threads: Threads::One, minimal_work: 1, verification: Verification::Wanted, provoked: None };
const PARALLEL: Settings =
    Settings { threads: Threads::Several, minimal_work: 1, verification: Verification::Wanted, provoked: None };

/// Prints every bit of an array.
const PRELUDE: &str = r#"
    int printf(const char *, ...);
    static void show(const char *name, const void *p, long bytes) {
        unsigned long h = 1469598103934665603ul;
        for (long i = 0; i < bytes; i++) h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211ul;
        printf("%s %016lx\n", name, h);
    }
"#;

/// What `scop` runs in, given the model.
pub(super) type Order<'o> = &'o dyn Fn(&Scop) -> Tree;

pub(super) fn original(scop: &Scop) -> Tree {
    scop.schedule.clone()
}

pub(super) fn compiled(source: &str, flags: &[&str]) -> String {
    let mut clang = Command::new("clang-22")
        .args([
            "-O1",
            "-fno-vectorize",
            "-fno-slp-vectorize",
            "-fno-unroll-loops",
            "-S",
            "-emit-llvm",
            "-o",
            "-",
            "-xc",
            "-",
        ])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("clang-22 is installed");
    let text = format!("{PRELUDE}\n{source}");
    clang.stdin.take().expect("piped").write_all(text.as_bytes()).expect("clang reads");
    let output = clang.wait_with_output().expect("clang ends");
    assert!(output.status.success(), "the test's program is C");
    String::from_utf8(output.stdout).expect("IR is text")
}

fn run(ir: &str) -> String {
    let output = interpreted(ir);
    assert!(output.status.success(), "{}\nin {ir}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("programs print text")
}

/// How the program ends, with four threads for parallel loops.
pub(super) fn interpreted(ir: &str) -> Output {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("loopwright-emit-{}-{number}.ll", std::process::id()));
    std::fs::write(&path, ir).expect("the temporary directory is writable");
    let output = Command::new("lli-22")
        .args(["--load=/usr/lib/llvm-22/lib/libomp.so", path.to_str().expect("a plain path")])
        .env("OMP_NUM_THREADS", "4")
        .output()
        .expect("lli-22 is installed");
    std::fs::remove_file(&path).expect("the file is ours");
    output
}

/// Emits the first region of a function in an order.
fn rewrite<'ir>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    order: Order<'_>,
    settings: Settings,
) -> Emitted<'ir> {
    in_order(session, function, order, settings, |scop, tree, ast, binding| {
        emit(scop, tree, &[], ast, binding, settings).expect("a plan")
    })
}

/// What `with` makes of the first region of a function in an order.
pub(super) fn in_order<'ir, R>(
    session: &mut Session<'ir>,
    function: Function<'ir>,
    order: Order<'_>,
    settings: Settings,
    with: impl FnOnce(&Scop, &Tree, &Ast, &Binding<'ir>) -> R,
) -> R {
    prepare::make_countable(session, function);
    let turns = prepare::turns(&session.analyses(function));
    prepare::take_turns(session, function, &turns);
    let analyses = session.analyses(function);
    let candidate = candidates(&analyses, None).remove(0);
    let region = candidate.region.expect("a region");
    let (scop, mut binding) = extract(&analyses, &region, ModelOptions::default()).expect("a model");
    assert!(binding.can_materialize(&analyses));
    binding.materialize(&analyses);
    let tree = order(&scop);
    let separation = ast::Separation::Innermost;
    let options =
        ast::Options { parallel: settings.threads == Threads::Several, separation, ..ast::Options::default() };
    let ast = Ast::of(&tree, &scop.trusted_context(), &options).expect("bounded loops");
    let result = with(&scop, &tree, &ast, &binding);
    session.invalidate(function);
    result
}

/// Runs `f` of the program as it is and rewritten; gives the new module's text.
fn check(source: &str, flags: &[&str], order: Order<'_>, settings: Settings, facts: &dyn Fn(&Emitted<'_>)) -> String {
    let ir = compiled(source, flags);
    let rewritten = with_ir(&ir, |session| {
        let function = session.module().function("f").expect("f");
        facts(&rewrite(session, function, order, settings));
        session.module().verify().expect("a valid module");
        session.module().to_string()
    })
    .expect("a module");
    assert_eq!(run(&rewritten), run(&ir), "{rewritten}");
    rewritten
}

const GEMM: &str = r#"
    __attribute__((noinline)) void f(int n, int m, double a, double A[][20], double B[][24], double C[][24]) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double s = 0;
                for (int k = 0; k < 20; k++) s += A[i][k] * B[k][j];
                C[i][j] = a * s + i;
            }
    }
    static double A[30][20], B[20][24], C[30][24];
    int main() {
        for (int i = 0; i < 30; i++) for (int k = 0; k < 20; k++) A[i][k] = 1.0 / (i + 2 * k + 1);
        for (int k = 0; k < 20; k++) for (int j = 0; j < 24; j++) B[k][j] = k - j * 0.25;
        f(30, 24, 1.5, A, B, C);
        show("C", C, sizeof C);
        f(0, 24, 2.5, A, B, C);
        f(7, -1, 2.5, A, B, C);
        f(3, 24, 2.5, A, B, C);
        show("C", C, sizeof C);
        f(10, 20, 0.5, (void *)C, B, C);
        show("C", C, sizeof C);
    }
"#;

#[test]
fn the_original_order_gives_the_original_bits() {
    check(GEMM, &[], &original, SEQUENTIAL, &|emitted| {
        assert!(emitted.is_guarded && emitted.functions.is_empty() && emitted.buffers == 0);
    });
}

#[test]
fn debug_information_stays_valid() {
    check(GEMM, &["-g"], &original, PARALLEL, &|_| {});
}

#[test]
fn values_live_behind_the_loops_are_handed_over() {
    let source = r#"
        __attribute__((noinline)) double f(int n, const double *A, long *count) {
            double s = 1; long c = 0;
            for (int i = 0; i < n; i++) { s = s * A[i] + 0.5; c += i ^ 3; }
            *count = c;
            return s;
        }
        int main() {
            double A[50]; long c;
            for (int i = 0; i < 50; i++) A[i] = 1 - 1.0 / (i + 3);
            for (int n = -1; n < 50; n += 17) { double s = f(n, A, &c); show("s", &s, 8); show("c", &c, 8); }
        }
    "#;
    check(source, &[], &original, SEQUENTIAL, &|_| {});
    check(source, &["-g"], &original, SEQUENTIAL, &|_| {});
}

/// The order of a map, with the outermost member of each of its bands coincident.
pub(super) fn by_map(text: &'static str) -> impl Fn(&Scop) -> Tree {
    move |scop| {
        let map = UnionMap::parse(text).expect("a map").intersect_domain(&scop.domain());
        let mut root = Tree::from_map(&map).expect("a schedule").root().clone();
        make_outermost_coincident(&mut root);
        Tree::from_root(root)
    }
}

fn make_outermost_coincident(node: &mut Node) {
    match node {
        Node::Band { band, .. } => band.coincident[0] = true,
        Node::Domain { child, .. } | Node::Filter { child, .. } => make_outermost_coincident(child),
        Node::Sequence(children) => children.iter_mut().for_each(make_outermost_coincident),
        _ => {}
    }
}

#[test]
fn threads_share_the_outermost_loop_and_keep_scalars_to_themselves() {
    let order = by_map("{ S0[i,j] -> [i,j,0,0]; S1[i,j,k] -> [i,j,1,k]; S2[i,j] -> [i,j,2,0] }");
    for flags in [&[][..], &["-g"][..]] {
        let text = check(GEMM, flags, &order, PARALLEL, &|emitted| {
            assert!(emitted.parallel_loops == 1 && emitted.functions.len() == 3 && emitted.buffers == 0);
        });
        assert!(text.contains("__kmpc_fork_call") && text.contains("__kmpc_for_static_init_8"));
    }
}

#[test]
fn distributed_statements_pass_scalars_through_a_buffer() {
    let order = by_map("{ S0[i,j] -> [0,i,j,0]; S1[i,j,k] -> [1,i,k,j]; S2[i,j] -> [2,j,i,0] }");
    check(GEMM, &[], &order, SEQUENTIAL, &|emitted| assert_eq!(emitted.buffers, 1));
    check(GEMM, &["-g"], &order, PARALLEL, &|emitted| {
        assert_eq!((emitted.buffers, emitted.parallel_loops), (1, 3));
    });
}

#[test]
fn tiles_and_reversed_loops_run_each_instance_once() {
    let order = by_map(
        "{ S0[i,j] -> [floor(i/4), floor(j/8), i, -j, 0, 0]; S1[i,j,k] -> [floor(i/4), floor(j/8), i, -j, 1, k]; \
           S2[i,j] -> [floor(i/4), floor(j/8), i, -j, 2, 0] }",
    );
    check(GEMM, &[], &order, PARALLEL, &|emitted| assert_eq!((emitted.buffers, emitted.parallel_loops), (0, 1)));
}

#[test]
fn uneven_iterations_are_dealt_on_demand() {
    let source = r#"
        __attribute__((noinline)) void f(int n, double A[][40]) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++) A[i][j] = A[i][j] * 2 + j;
        }
        int main() {
            static double A[40][40];
            for (int i = 0; i < 1600; i++) A[i / 40][i % 40] = i;
            for (int n = -1; n <= 40; n++) f(n, A);
            show("A", A, sizeof A);
        }
    "#;
    let text = check(source, &[], &by_map("{ S0[i,j] -> [i,j] }"), PARALLEL, &|_| {});
    assert!(text.contains("__kmpc_dispatch_next_8"));
}

#[test]
fn overlapping_arrays_take_the_original_loops() {
    let source = r#"
        __attribute__((noinline)) void f(long n, long m, float *A, float *B) {
            for (long i = 0; i < n; i++)
                for (long j = 0; j < m; j++) A[i * m + j] = B[j * n + i] + 1;
        }
        int main() {
            static float M[400];
            for (int i = 0; i < 400; i++) M[i] = i * 0.5f;
            for (long d = -3; d < 200; d += 29) { f(9, 11, M + 100, M + 100 + d); show("M", M, sizeof M); }
            f(0, 1l << 62, M, M); f(-7, 3, M, M);
            show("M", M, sizeof M);
        }
    "#;
    check(source, &[], &by_map("{ S0[i,j] -> [j,i] }"), SEQUENTIAL, &|emitted| assert!(emitted.is_guarded));
}
