//! Writes the pages on options and refusals, and holds them to the tables in the code.
//!
//! `UPDATE_EXPECT=1 cargo test guide` writes them anew.

use crate::extract::{Callee, Reason};
use crate::options::TABLE;
use expect_test::expect_file;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

/// What an option is good for, and how to see it: words for the compiler, and what comes of them.
struct Example {
    name: &'static str,
    text: &'static str,
    command: &'static str,
    /// What is printed, `...` standing for any text.
    shows: &'static str,
}

const fn example(name: &'static str, text: &'static str, command: &'static str, shows: &'static str) -> Example {
    Example { name, text, command, shows }
}

/// One for each option that is not hidden, in the order of the table.
const EXAMPLES: &[Example] = &[
    example(
        "parallel",
        "The outermost loop of the product runs on all cores. The program's own OpenMP pragmas stay unread; the link needs `-lomp`, which \
         `loopwright cc -floopwright=parallel` adds.",
        "loopwright cc -O3 -floopwright=parallel -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled ...",
    ),
    example(
        "no-parallel",
        "Loops run on one core, although the program's own pragmas are read.",
        "loopwright cc -O3 -fopenmp -floopwright=no-parallel -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled ...",
    ),
    example(
        "tile",
        "All tiles have sides of 64 iterations, whatever the model of the caches says. To find out whether another size is better on a machine.",
        "loopwright cc -O3 -floopwright=tile=64 -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled 64x64x64...",
    ),
    example(
        "no-tile",
        "Loops are interchanged, fused and vectorised, without tiles: to find out what tiles bring, or where loops are known to be short.",
        "loopwright cc -O3 -floopwright=no-tile -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "fuse",
        "`min` gives each statement loops of its own, `max` as few loops as can be; `smart` asks the model of time.",
        "loopwright cc -O3 -floopwright=fuse=min -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "budget",
        "After so many steps of work a loop nest is left alone. Less compiles faster; more is for nests that are refused as too hard.",
        "loopwright cc -O3 -floopwright=budget=1000 -Rpass-missed=loopwright -c product.c",
        "product.c:2:3: remark: loop nest left as it was: the analysis did not end within its step budget...",
    ),
    example(
        "only",
        "Other functions stay as they are: to find out which one matters, or misbehaves.",
        "loopwright cc -O3 -floopwright=only=nothing* -Rpass=loopwright -Rpass-missed=loopwright -c product.c",
        "",
    ),
    example(
        "position",
        "`late` looks at loops after LLVM has inlined and simplified: for libraries of templates whose loops are hidden in many small functions.",
        "loopwright cc -O3 -floopwright=position=late -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "check",
        "LLVM's verifier looks at each function that was changed. It never complains, unless there is a bug to report.",
        "loopwright cc -O3 -floopwright=check -c product.c",
        "",
    ),
    example(
        "validate",
        "The program runs new and original loops, compares, and ends with exit code 88 where they differ. It takes up to three times as long as without the plugin.",
        "loopwright cc -O3 -floopwright=validate product.c main.c -o product && ./product 100",
        "...",
    ),
    example(
        "no-read-ahead",
        "Searches such as `std::find` ask one by one: for tools that watch each access and complain of what is read behind the element that is found, in its page. Loops without a search, as these, \
         never read more than the program does.",
        "loopwright cc -O3 -floopwright=no-read-ahead -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled ...",
    ),
    example(
        "min-work",
        "Parallel loops with fewer operations run on one thread. What is faster on one core asks for as many operations as that takes by itself, which `print<loopwright-schedule>` shows; 0 lets all new loops run however few operations there are, as tests want it.",
        "loopwright cc -O3 '-floopwright=parallel;min-work=0' -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "vector-bits",
        "Vectors to plan for, instead of the target's. What LLVM makes of the loops depends on `-march`.",
        "loopwright cc -O3 -floopwright=vector-bits=512 -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "cache",
        "The second-level cache to plan for: tiles for 64 kB are smaller than those for 2 MB. For programs that run elsewhere than they are built.",
        "loopwright cc -O3 -floopwright=cache=65536 -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled ...",
    ),
    example(
        "cores",
        "Threads to plan for: how many there are when the program runs is OpenMP's business (`OMP_NUM_THREADS`).",
        "loopwright cc -O3 '-floopwright=parallel;cores=64' -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...",
    ),
    example(
        "time",
        "A table of what each stage of the optimizer took, for each function with loops.",
        "loopwright cc -O3 -floopwright=time -c product.c",
        "...product...",
    ),
    example(
        "stats",
        "What was found and done, in numbers.",
        "loopwright cc -O3 -floopwright=stats -c product.c",
        "...loopwright: product.c: 1 nests optimized...",
    ),
    example(
        "first",
        "The first N nests only; `loopwright bisect` finds the one that matters by such means.",
        "loopwright cc -O3 -floopwright=first=0 -Rpass-missed=loopwright -c product.c",
        "product.c:2:3: remark: loop nest left as it was: it is not among the loop nests that 'first' or 'regions' allow...",
    ),
    example(
        "regions",
        "Only the nests that a file names, a line each, as `list-regions` writes them.",
        "printf 'product.c product 1\\n' > wanted && loopwright cc -O3 -floopwright=regions=wanted -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: ...tiled ...",
    ),
    example(
        "schedules",
        "The order of these loops is the user's: a script, a schedule tree or a JSCOP file, proved to keep all dependences before it is written.",
        "printf 'function product\\ninterchange S5.1 S5.2\\n' > orders && loopwright cc -O3 -g -floopwright=schedules=orders -Rpass=loopwright -c product.c",
        "product.c:2:3: remark: as orders:2 says...",
    ),
    example(
        "list-regions",
        "The names of all nests that were rewritten are added to a file.",
        "loopwright cc -O3 -floopwright=list-regions=names -c product.c && cat names",
        "product.c product 1",
    ),
    example(
        "reproducers",
        "Where the file goes that shows an internal error again. The program is right all the same.",
        "loopwright cc -O3 '-floopwright=reproducers=.' -c product.c",
        "",
    ),
    example(
        "report",
        "What became of each loop nest, as data and as a page: source with verdicts, pictures of the iterations, dependences, predicted times.",
        "loopwright cc -O3 -g -floopwright=report=told -c product.c && loopwright report told -o told.html",
        "told.html: 1 loop nest of 1 file",
    ),
];

#[test]
fn the_page_on_options_has_each() {
    let effects = effects();
    let effect = |name: &str| *effects.get(name).unwrap_or_else(|| panic!("scripts/measure-options knows '{name}'"));
    let [clang, loopwright] = ["clang", "loopwright"].map(|name| said(effect(name)));
    let mut page = include_str!("options.head.md")
        .replace("CLANG", &format!("Plain clang: {clang}."))
        .replace("WITHOUT_OPTIONS", &format!("Loopwright without options: {loopwright}."));
    let visible: Vec<_> = TABLE.iter().filter(|row| !row.hidden).collect();
    let names: Vec<&str> = visible.iter().map(|row| row.name).collect();
    assert_eq!(EXAMPLES.iter().map(|example| example.name).collect::<Vec<_>>(), names, "one example for each option");
    for (row, Example { name, text, command, shows }) in visible.into_iter().zip(EXAMPLES) {
        let shown: String = shows.lines().map(|line| format!("    {line}\n")).collect();
        let (measured, help) = (said(effect(name)), capitalized(row.help));
        write!(page, "\n## `{row}`\n\n{help}.\n\n{text}\n\nMeasured: {measured}.\n\n    $ {command}\n{shown}")
            .expect("text");
    }
    expect_file!["options.md"].assert_eq(&page);
}

/// What `scripts/measure-options` found: by the name of an option, its words, seconds of the compiler and of the program.
fn effects() -> BTreeMap<&'static str, [&'static str; 3]> {
    let rows = include_str!("effects.txt").lines().map(|line| {
        let [name, words, compiled, ran] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row of effects.txt: {line}")
        };
        (name, [words, compiled, ran])
    });
    rows.collect()
}

/// In words: with `tile=64` 0.074 s to compile, 0.225 s to run.
fn said([words, compiled, ran]: [&str; 3]) -> String {
    let with = if words.is_empty() { String::new() } else { format!("with `{words}` ") };
    format!("{with}{compiled} s to compile, {ran} s to run")
}

#[test]
fn the_page_on_refusals_has_each() {
    let mut page = String::from(include_str!("refusals.head.md"));
    let all = every();
    let found: BTreeSet<String> = all.iter().map(variant).collect();
    assert_eq!(found, declared(), "the page has one of each reason");
    for reason in all {
        let (loops, cure) = told(&reason);
        let name = variant(&reason);
        let programs = programs(&name);
        assert_eq!(programs.is_empty(), loops != PROGRAM, "{name} has a program or a sketch");
        write!(page, "\n## {name}\n\n*{reason}*\n\n").expect("text");
        match &programs[..] {
            [] => write!(page, "{}\n{cure}\n", indented(loops)).expect("text"),
            [refused, cured @ ..] => {
                let threads = if ON_ONE_CORE.contains(&name.as_str()) { "" } else { " -fopenmp" };
                let says = format!("...remark: loop nest left as it was: ...{}...", without_names(&reason.to_string()));
                page += &compiled(refused, &format!("{threads} -Rpass-missed=loopwright"), &says);
                write!(page, "\n{cure}\n").expect("text");
                for each in cured {
                    page += &format!(
                        "\nThen the loops are done. {}",
                        compiled(each, " -fopenmp -Rpass=loopwright", "...remark: ...loop...")
                    );
                }
            }
        }
    }
    expect_file!["refusals.md"].assert_eq(&page);
}

/// In the place of a sketch, for reasons with a program in `refused/`.
const PROGRAM: &str = "";

/// Reasons that one core shows: threads need less, or have another one.
const ON_ONE_CORE: [&str; 4] = ["MultipliedCounter", "NonAffineSubscript", "OtherAddressSpace", "UnknownExtent"];

/// The names of the programs in `refused/` with a reason: with loops that have it, and as it is when the cure was followed, if it helps.
fn programs(reason: &str) -> Vec<String> {
    let is_there = |name: &String| folder().join(name).exists();
    let name = |end: &&str| format!("{reason}.{end}");
    ["c", "cpp", "cured.c", "cured.cpp"].iter().map(name).filter(is_there).collect()
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "src", "guide", "refused"].iter().collect()
}

/// A program, and the command that compiles it with what that prints.
fn compiled(name: &str, words: &str, says: &str) -> String {
    let text = std::fs::read_to_string(folder().join(name)).expect("it is there");
    let driver = if name.ends_with(".cpp") { "c++" } else { "cc" };
    let command = format!("$ loopwright {driver} -O3 -g{words} -c {name}\n{says}");
    format!("`{name}`:\n\n{}\n{}", indented(&text), indented(&command))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".into() } else { format!("    {line}\n") }).collect()
}

/// A reason as it is said of any names.
fn without_names(reason: &str) -> String {
    let parts = reason.split('\'').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part } else { "..." }).collect::<Vec<_>>().join("")
}

fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// The name of a reason's variant.
fn variant(reason: &Reason) -> String {
    format!("{reason:?}").split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string()
}

/// The variants that the enumeration has, by its text.
fn declared() -> BTreeSet<String> {
    let text = include_str!("../extract/refusal.rs");
    let (_, rest) = text.split_once("pub enum Reason {\n").expect("the enumeration is there");
    let (body, _) = rest.split_once("\n}\n").expect("it ends");
    let is_variant = |line: &&str| line.starts_with("    ") && line[4..].starts_with(|c: char| c.is_uppercase());
    let name = |line: &str| line.trim().chars().take_while(|c| c.is_alphanumeric()).collect();
    body.lines().filter(is_variant).map(name).collect()
}

/// Each reason, with what its text needs.
fn every() -> Vec<Reason> {
    let text = |text: &str| text.to_string();
    vec![
        Reason::CallWithEffects { callee: text("f"), kind: Callee::Elsewhere },
        Reason::DependsOnThread { what: text("what 'f' gives"), cure: "" },
        Reason::VolatileOrAtomic,
        Reason::MayThrow,
        Reason::UnknownTripCount,
        Reason::MultipliedCounter,
        Reason::SeveralExits,
        Reason::EndsByData,
        Reason::EndsByOwn,
        Reason::FollowsLinks,
        Reason::IrregularLoop,
        Reason::IrregularControl { what: text("the loop is entered or left by a jump") },
        Reason::NonAffineCondition { what: text("on what is read from 'x'") },
        Reason::NonAffineSubscript { array: text("x") },
        Reason::UnknownPointer { what: text("'p'") },
        Reason::OtherAddressSpace { array: text("x") },
        Reason::AlwaysOverlap { array: text("x"), other: text("y") },
        Reason::UnknownExtent { array: text("x") },
        Reason::BetweenLoops { what: text("'m'") },
        Reason::MixedElementTypes { array: text("x") },
        Reason::UnsupportedInstruction { what: text("va_arg") },
        Reason::UnsupportedType { what: text("<4 x i32>") },
        Reason::AlwaysViolated { assumption: text("'n * 4 does not wrap around'") },
        Reason::MayWrap { what: text("a subscript of 'x'") },
        Reason::TooLarge { what: "statements", limit: 100 },
        Reason::ManyStores,
        Reason::TooHard,
        Reason::NothingToDo,
        Reason::NotSelected,
        Reason::FixedBySource { what: text("vectorize(disable)") },
        Reason::NoScheduleGiven { file: text("orders") },
        Reason::GivenSchedule { what: text("orders:2: unknown transformation `revers`") },
        Reason::NoGain { why: text("no loop becomes parallel, tiled or vectorised"), besides: None },
        Reason::IllegalSchedule { what: text("a dependence runs backwards") },
        Reason::Storage { what: text("a value of a variable size") },
        Reason::CannotPrivatize { array: "x".into(), what: text("'x', whose size is not known") },
        Reason::Ordered { and: Box::new(Reason::NonAffineSubscript { array: text("x") }) },
        Reason::Broken { what: text("a law of the optimizer") },
    ]
}

/// Loops with that reason, and what can be done about it.
fn told(reason: &Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::CallWithEffects { .. } => (
            PROGRAM,
            "Split the loop, so that the call has one of its own. If it only computes, define it in the same file, or declare it `__attribute__((const))` (on one \
             core: threads need to see the body); mathematical functions of C are known. A function whose body is there is part of the loops once it is \
             marked `always_inline` and the option is `position=late`; memory is reserved before the loops and released behind them; virtual functions and function pointers are calls by name \
             where the class is `final` or the function is a parameter of a template (`impl Fn` in Rust).",
        ),
        Reason::DependsOnThread { .. } => (
            PROGRAM,
            "Define the function in the same file, so that its body shows what it does, or call it before the loops. With `no-parallel` nothing is in the way.",
        ),
        Reason::VolatileOrAtomic => {
            (PROGRAM, "Read or write it before or behind the loops, and let the loops use a plain variable.")
        }
        Reason::MayThrow => (PROGRAM, "Declare the function `noexcept`, or define it where the compiler sees it."),
        Reason::UnknownTripCount => (
            PROGRAM,
            "Count up to a limit that is known before the loop, with a signed counter: `for (int i = 0; i < n; i++)`. Where the data decides, look for the end \
             first and then work in a loop of its own.",
        ),
        Reason::MultipliedCounter => (
            PROGRAM,
            "Count the steps, and compute the value from them: `for (int s = 0; s < steps; s++) { int i = n >> s; ... }`. Of a signed counter that begins with a power of \
             two and is doubled, `for (int i = 1; i < n; i *= 2)`, that is done by itself. The loops inside are rewritten in any case.",
        ),
        Reason::SeveralExits => (
            PROGRAM,
            "Let the loop run to its end, or search in a loop of its own. Ways out that depend on counters and sizes alone, as those of `assert`, are no obstacle. Nor are those that data \
             decides, if the loop does much more than to ask, and writes nothing that is asked: the exit is found first, and then the loop runs up to it.",
        ),
        Reason::EndsByData => (
            PROGRAM,
            "Nothing need be done: a search ends where it finds something, and no other order would do. Where elements lie one behind the other and each iteration asks all of its \
             conditions, many are asked at once. Inside of other loops it keeps these as they are: do all searches first, in loops of their own, and keep what they find in an array.",
        ),
        Reason::EndsByOwn => (
            PROGRAM,
            "Nothing need be done: whether there is a next iteration is known when the one before has written what it asks, and no other order would do.",
        ),
        Reason::FollowsLinks => (
            PROGRAM,
            "Keep the elements in an array, one behind the other: where each is found is then known before any is read. Lists and trees stay as they are.",
        ),
        Reason::IrregularLoop => (
            "again: a[i]++;  if (i++ < n) goto again;  if (m--) goto middle;",
            "Write it as `for` or `while` loops with one way in.",
        ),
        Reason::IrregularControl { .. } => (
            "for (...) { if (x) goto inside; ... }  for (...) { inside: ... }",
            "Write it as loops and ifs inside of one another.",
        ),
        Reason::NonAffineCondition { .. } => (
            PROGRAM,
            "Decide by counters and sizes, choose between two values with `?:` where both are cheap, or read the bound into an array of begins and ends before the loops.",
        ),
        Reason::NonAffineSubscript { .. } => (
            PROGRAM,
            "Use subscripts that are sums of counters, times constants or sizes. Such a place may be any element of the array as far as the others are concerned, so that what \
             is written there keeps the loops in order; it is no obstacle where the array is only read, or where it is `x[i * i]`, which grows. \
             Subscripts that are read from arrays are another matter: they are handled where a test of the data can help.",
        ),
        Reason::UnknownPointer { .. } => {
            (PROGRAM, "Read pointers once before the loops. Lists and trees stay as they are.")
        }
        Reason::OtherAddressSpace { .. } => {
            (PROGRAM, "Nothing can be done in the source: memory of such a kind cannot be compared with other memory.")
        }
        Reason::AlwaysOverlap { .. } => (PROGRAM, "Use two arrays."),
        Reason::UnknownExtent { .. } => (PROGRAM, "Declare the pointers `restrict`, if they are."),
        Reason::BetweenLoops { .. } => {
            (PROGRAM, "Compute it before the first of the loops, or put the second loop into a function.")
        }
        Reason::MixedElementTypes { .. } => {
            (PROGRAM, "Access an array as one type. Members of structures and unions of one size are no obstacle.")
        }
        Reason::UnsupportedInstruction { .. } => {
            ("for (int i = 0; i < n; i++) a[i] = va_arg(list, int);", "Move it out of the loops.")
        }
        Reason::UnsupportedType { .. } => {
            (PROGRAM, "Use numbers: a vector of the compiler's is an array of them with a loop of its own.")
        }
        Reason::AlwaysViolated { .. } => {
            (PROGRAM, "Nothing need be done where the loop is right as it is; often a signed type says what is meant.")
        }
        Reason::MayWrap { .. } => (
            PROGRAM,
            "Use `int`, `ptrdiff_t` or `size_t` for sizes and counters: what has a sign does not wrap around, and what is as wide as addresses is tested.",
        ),
        Reason::TooLarge { .. } => (
            "for (...) { a[i] = ...; b[i] = ...;  /* a thousand such lines */ }",
            "Take the loops apart into functions.",
        ),
        Reason::ManyStores => (
            "for (int i = 0; i < n; i++) { x[i][0] = ...;  x[i][1] = ...;  /* forty such lines and more */ }",
            "Nothing need be done: such a page of stores runs as it is written, inside of loops that may be rewritten. It is told where conditions inside of it hide \
             what it writes.",
        ),
        Reason::TooHard => (
            "for (...) for (...) for (...) { ... }                  // a large nest with many conditions",
            "Raise the budget (`-mllvm -loopwright-budget=N`; `stats` tells what was used), or take the loops apart.",
        ),
        Reason::NothingToDo => (
            "for (int i = 0; i < n; i++) s += i;                   // in registers",
            "Nothing need be done: LLVM does what there is to do.",
        ),
        Reason::NotSelected => (
            "clang-22 ... -mllvm -loopwright-first=3",
            "Leave out the options `first` and `regions`, which `loopwright bisect` sets too.",
        ),
        Reason::FixedBySource { .. } => {
            (PROGRAM, "Take the pragma away to have the loops around it rewritten; those beside it are.")
        }
        Reason::NoScheduleGiven { .. } => (
            "clang-22 ... -mllvm -loopwright-schedules=orders      # which has schedules for other statements of the function",
            "Name the statements as the plugin does: `print<loopwright-scops>` shows them.",
        ),
        Reason::GivenSchedule { .. } => (
            "clang-22 ... -mllvm -loopwright-schedules=orders      # whose line 2 is wrong, or breaks a dependence",
            "Mend that line. `loopwright check` says the same of a model and a schedule, without a compiler.",
        ),
        Reason::NoGain { .. } => (
            PROGRAM,
            "The order of the program is as good as any other, as far as the model of time can tell. The remarks beside it say which lines keep loops in order; \
             `-ffast-math` lets sums change their order, and `print<loopwright-candidates>` shows all that was tried.",
        ),
        Reason::IllegalSchedule { .. } => (
            "(no loops are known for it)",
            "It is a bug of the optimizer that its own check has found, and the loops are as they were: please report it with the source.",
        ),
        Reason::Storage { .. } => (
            "for (int i = 0; i < n; i++) { t = f(a[i]);  ...  b[i] = t; }        // with t of a type that cannot be kept in an array",
            "Declare what is temporary inside of the loops.",
        ),
        Reason::CannotPrivatize { .. } => (
            "for (int i = 0; i < n; i++) { fill(x, i);  a[i] = x[k[i]]; }",
            "Declare the temporary array inside of the loop, with a size that is known there.",
        ),
        Reason::Ordered { .. } => (PROGRAM, "Each of two things is in the way: read on under the second one."),
        Reason::Broken { .. } => (
            "(no loops are known for it)",
            "The loops are as they were. The remark names a file that shows the error again: please report it.",
        ),
    }
}
