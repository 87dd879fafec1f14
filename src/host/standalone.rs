//! A program as modules that run without the fuzzer, for tools that watch whole processes.
//!
//! Two texts: the program itself, as the plugin would meet it, and its surroundings, with the memory that [`Arena`] would give it as globals:
//!
//! ```text
//! @b0 = internal global [24 x i8] c"\01\00...", align 16
//! @g3 = alias i8, getelementptr (i8, ptr @b0, i64 8)
//! define i32 @main() { ... call void @entry(ptr %args, i32 3) ... }
//! ```
//!
//! They are for two object files, so that nobody who optimizes the program knows what is in its memory.

use super::compare::before;
use super::lower::lowered;
use super::program::{Base, Program};
use super::run::{Arena, CONSTANT, Contents, READING, SET_THREADS, TICK, global_name, thread_local_name};
use std::fmt::Write;

/// Threads that parallel loops run on: more than a test machine has cores, and no divisor of most numbers of iterations.
const THREADS: usize = 3;

/// Alignment of memory: that of the largest kind of element.
const ALIGNMENT: usize = 16;

/// The texts of a program.
pub struct Standalone {
    /// The functions; the first line names the passes that make of it what is to be run: `; passes: ...`.
    pub module: String,
    /// Memory, what is called, and `main`.
    pub surroundings: String,
}

/// The texts. What checks for races wants to watch is marked with the attribute `sanitize_thread`, as a front end does.
pub fn standalone(program: &Program) -> Standalone {
    let words = program.way.words.replace(' ', ";");
    let module = lowered(program).replace("{ noinline nounwind", "{ noinline nounwind sanitize_thread");
    let passes = format!("; passes: {},loopwright<{words}>", before(&program.way));
    let surroundings = surroundings(program, &Arena::new(program).contents());
    Standalone { module: format!("{passes}\n{module}"), surroundings }
}

fn surroundings(program: &Program, contents: &Contents) -> String {
    let is_own = |block: usize| program.arrays[block].base == Base::ThreadLocal;
    let mut text = String::new();
    let mut line = |args: std::fmt::Arguments<'_>| writeln!(text, "{args}").expect("law: texts grow");
    for (at, block) in &contents.blocks {
        let own = if is_own(*at) { "thread_local " } else { "" };
        let bytes = escaped(block);
        line(format_args!("@b{at} = internal {own}global [{} x i8] c\"{bytes}\", align {ALIGNMENT}", block.len()));
    }
    for (at, array) in program.arrays.iter().enumerate() {
        let place = place(contents.zeros[at]);
        match array.base {
            Base::Global => line(format_args!("@{} = alias i8, {place}", global_name(at))),
            Base::ThreadLocal => line(format_args!("@{} = thread_local alias i8, {place}", thread_local_name(at))),
            _ => {}
        }
    }
    line(format_args!("@results = internal global [{} x i8] zeroinitializer, align {ALIGNMENT}", contents.n_results));
    line(format_args!("@table = internal global [{} x ptr] zeroinitializer", contents.table.len()));
    line(format_args!("define void @{TICK}(i64 %x) {{\n  ret void\n}}"));
    line(format_args!("define i64 @{CONSTANT}(i64 %x) {{\n  %y = mul i64 %x, 5\n  ret i64 %y\n}}"));
    line(format_args!("define i64 @{READING}(i64 %x) {{\n  %y = xor i64 %x, 5\n  ret i64 %y\n}}"));
    line(format_args!("declare void @omp_set_num_threads(i32)\ndeclare void @entry(ptr, i32)"));
    line(format_args!("define void @{SET_THREADS}(i32 %n) {{"));
    line(format_args!("  call void @omp_set_num_threads(i32 %n)\n  ret void\n}}"));
    line(format_args!("define i32 @main() {{"));
    let n = program.arrays.len();
    line(format_args!("  %args = alloca [{} x i64]", n + 4));
    let mut store = |array: &str, at: usize, value: &str| {
        line(format_args!(
            "  %{array}{at} = getelementptr i64, ptr {}, i64 {at}",
            if array == "a" { "%args" } else { "@table" }
        ));
        line(format_args!("  store {value}, ptr %{array}{at}"));
    };
    contents.table.iter().enumerate().for_each(|(at, pointer)| store("t", at, &place(*pointer)));
    contents.zeros.iter().enumerate().for_each(|(at, zero)| store("a", at, &place(*zero)));
    let rest = [
        "ptr @table".to_string(),
        "ptr @results".to_string(),
        format!("i64 {}", program.n),
        format!("i64 {}", program.m),
    ];
    rest.iter().enumerate().for_each(|(at, value)| store("a", n + at, value));
    line(format_args!("  call void @entry(ptr %args, i32 {THREADS})\n  ret i32 0\n}}"));
    text
}

/// A place in a block.
fn place(at: Option<(usize, i64)>) -> String {
    at.map_or("ptr null".to_string(), |(block, offset)| format!("ptr getelementptr (i8, ptr @b{block}, i64 {offset})"))
}

fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "\\{byte:02X}").expect("law: texts grow");
        text
    })
}
