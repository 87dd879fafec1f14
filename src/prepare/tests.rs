//! A row of a matrix, read as the source has it and as it is left for the model.

use super::{Means, count_exits, find_exits, inline_small_calls, make_countable, take_turns, turns};
use crate::llvm::Opcode;
use crate::llvm::scev::CountKind;
use crate::llvm::session::with_ir;
use crate::llvm::{Function, Loop, Session};

fn make_readable<'ir>(session: &mut Session<'ir>, function: Function<'ir>) {
    make_countable(session, function);
    let all = turns(&session.analyses(function));
    take_turns(session, function, &all);
}

/// `for (i = 0; i < m->rows; i++) m->row[i] = twice(m->row[i])`, as it is before anything was done to it; with the
/// second store, the row may overlap the matrix header.
fn rows(stored: &str) -> String {
    format!(
        r#"
    define void @rows(ptr %m) {{
    entry:
      br label %head
    head:
      %i = phi i32 [ 0, %entry ], [ %next, %body ]
      %rows = load i32, ptr %m, align 8, !tbaa !3
      %more = icmp slt i32 %i, %rows
      br i1 %more, label %body, label %exit
    body:
      %field = getelementptr i8, ptr %m, i64 8
      %row = load ptr, ptr %field, align 8, !tbaa !5
      %wide = sext i32 %i to i64
      %cell = getelementptr inbounds double, ptr %row, i64 %wide
      %old = load double, ptr %cell, align 8, !tbaa !1
      %new = call double @twice(double %old)
      store double %new, ptr %cell, align 8, !tbaa {stored}
      %next = add nsw i32 %i, 1
      br label %head
    exit:
      ret void
    }}
    define internal double @twice(double %x) {{
      %y = fadd double %x, %x
      ret double %y
    }}
    !0 = !{{!"root"}}
    !1 = !{{!2, !2, i64 0}}
    !2 = !{{!"double", !7}}
    !3 = !{{!4, !4, i64 0}}
    !4 = !{{!"int", !7}}
    !5 = !{{!6, !6, i64 0}}
    !6 = !{{!"pointer", !7}}
    !7 = !{{!"char", !0}}
    !8 = !{{!7, !7, i64 0}}
"#
    )
}

#[test]
fn bounds_and_rows_are_read_once_and_small_calls_disappear() {
    with_ir(&rows("!1"), |session| {
        let function = session.module().function("rows").expect("it is there");
        assert!(inline_small_calls(session, function) && !inline_small_calls(session, function));
        make_readable(session, function);
        assert_eq!(function.verify(), Ok(()));
        let analyses = session.analyses(function);
        let [only] = analyses.loops() else { panic!("one loop") };
        let inside = only.instructions();
        let reads: Vec<_> = inside.filter_map(|i| i.memory()).filter(|memory| memory.stored.is_none()).collect();
        assert!(matches!(reads[..], [read] if read.ty.is_float()), "{function}");
        assert!(only.simplified && only.rotated && only.has_single_exit());
        assert!(analyses.backedges(only.id, CountKind::Exact).is_some());
    })
    .expect("the text is a module");
}

#[test]
fn what_a_loop_may_write_is_read_again() {
    with_ir(&rows("!8"), |session| {
        let function = session.module().function("rows").expect("it is there");
        inline_small_calls(session, function);
        make_readable(session, function);
        let analyses = session.analyses(function);
        let [only] = analyses.loops() else { panic!("one loop") };
        let inside = only.instructions();
        assert_eq!(inside.filter(|i| i.opcode() == Opcode::Load).count(), 3, "{function}");
        assert!(analyses.backedges(only.id, CountKind::Exact).is_none());
    })
    .expect("the text is a module");
}

#[test]
fn the_end_of_a_loop_leads_elsewhere_than_its_middle() {
    let text = r#"
    define i32 @filled(i32 %n, i32 %m, ptr %x) {
    entry:
      %some = icmp sgt i32 %n, 0
      br i1 %some, label %body, label %end
    body:
      %i = phi i32 [ 0, %entry ], [ %next, %inside ]
      %over = icmp sge i32 %i, %m
      br i1 %over, label %end, label %inside
    inside:
      %cell = getelementptr inbounds i32, ptr %x, i32 %i
      store i32 %i, ptr %cell
      %next = add nsw i32 %i, 1
      %more = icmp slt i32 %next, %n
      br i1 %more, label %body, label %end
    end:
      %result = phi i32 [ 0, %entry ], [ -1, %body ], [ %next, %inside ]
      ret i32 %result
    }
"#;
    with_ir(text, |session| {
        let function = session.module().function("filled").expect("it is there");
        make_readable(session, function);
        assert_eq!(function.verify(), Ok(()));
        let analyses = session.analyses(function);
        let [only] = analyses.loops() else { panic!("one loop") };
        let exit = only.exit_of_latch().expect("it is left at its end");
        assert!(only.exits.len() == 2 && only.simplified && !only.has_single_exit(), "{function}");
        assert!(exit.is_entered_only_from(|from| Some(from) == only.latch), "{function}");
        assert!(analyses.backedges(only.id, CountKind::Exact).is_some(), "that of the end counts");
    })
    .expect("the text is a module");
}

/// `for (t) { for (i) g->v[i] = g->u[i]; swap(g->u, g->v); late }`, where `late` may write a number elsewhere, by its type alone.
fn swapping(late: &str) -> String {
    format!(
        r#"
    define void @swapping(i32 %steps, i32 %n, ptr %g) {{
    entry:
      br label %step
    step:
      %t = phi i32 [ 0, %entry ], [ %t.next, %swap ]
      %u.at = getelementptr i8, ptr %g, i64 8
      %v.at = getelementptr i8, ptr %g, i64 16
      %u = load ptr, ptr %u.at, !tbaa !3
      %v = load ptr, ptr %v.at, !tbaa !3
      br label %copy
    copy:
      %i = phi i32 [ 0, %step ], [ %i.next, %copy ]
      %from = getelementptr inbounds double, ptr %u, i32 %i
      %to = getelementptr inbounds double, ptr %v, i32 %i
      %x = load double, ptr %from, !tbaa !1
      store double %x, ptr %to, !tbaa !1
      %i.next = add nsw i32 %i, 1
      %more = icmp slt i32 %i.next, %n
      br i1 %more, label %copy, label %swap
    swap:
      store ptr %v, ptr %u.at, !tbaa !3
      store ptr %u, ptr %v.at, !tbaa !3
      {late}
      %t.next = add nsw i32 %t, 1
      %again = icmp slt i32 %t.next, %steps
      br i1 %again, label %step, label %end
    end:
      ret void
    }}
    declare void @seen(ptr)
    !0 = !{{!"root"}}
    !1 = !{{!2, !2, i64 0}}
    !2 = !{{!"double", !5}}
    !3 = !{{!4, !4, i64 0}}
    !4 = !{{!"pointer", !5}}
    !5 = !{{!"char", !0}}
"#
    )
}

/// How many pointers are read inside of loops, and how many loops the outermost one has inside of it.
fn pointers_and_loops(text: &str) -> (usize, usize) {
    with_ir(text, |session| {
        let function = session.module().function("swapping").expect("it is there");
        make_readable(session, function);
        assert_eq!(function.verify(), Ok(()));
        let analyses = session.analyses(function);
        let outermost = &analyses.loops()[0];
        let inside = outermost.instructions();
        let is_pointer = |i: &crate::llvm::Instruction<'_>| i.opcode() == Opcode::Load && i.ty().is_pointer();
        (inside.filter(is_pointer).count(), outermost.children.len())
    })
    .expect("the text is a module")
}

#[test]
fn what_is_handed_on_by_memory_takes_turns_in_registers() {
    assert_eq!(pointers_and_loops(&swapping("")), (0, 2));
    assert_eq!(pointers_and_loops(&swapping("store i8 0, ptr %g")), (0, 2), "another byte");
}

#[test]
fn what_something_else_may_touch_stays_in_memory() {
    let one_loop = (2, 1);
    assert_eq!(pointers_and_loops(&swapping("store double 0.0, ptr %u, !tbaa !1")), one_loop, "the memory used anew");
    assert_eq!(pointers_and_loops(&swapping("call void @seen(ptr %g)")), one_loop, "a call may look");
    assert_eq!(pointers_and_loops(&swapping("store i8 0, ptr %u")), one_loop, "any byte");
}

/// A function that reads `n`, does what `between` says, and reads it again; more stores than LLVM looks through.
fn two_reads(between: &str) -> String {
    let stores: String =
        (0..150).map(|at| format!("store double 0.0, ptr getelementptr (double, ptr @a, i64 {at})\n")).collect();
    format!(
        "@n = global i32 7
        @a = global [150 x double] zeroinitializer
        define i32 @twice(i1 %c) {{
        entry:
          %first = load i32, ptr @n
          {stores}
          {between}
          %second = load i32, ptr @n
          %sum = add i32 %first, %second
          ret i32 %sum
        }}"
    )
}

#[test]
fn a_number_is_read_once_where_nothing_writes_it_in_between() {
    let read_in_a_loop = "br label %loop
        loop:
          %in_loop = load i32, ptr @n
          STORE
          br i1 %c, label %loop, label %behind
        behind:";
    let stored_elsewhere = "br i1 %c, label %elsewhere, label %behind
        elsewhere:
          store i32 1, ptr @n
          ret i32 0
        behind:";
    let stored = "store i32 1, ptr @n";
    let cases = [
        (String::new(), 1),
        (stored.to_string(), 2),
        (stored_elsewhere.to_string(), 1),
        (stored_elsewhere.replace("ret i32 0", "br label %behind"), 2),
        (read_in_a_loop.replace("STORE", ""), 1),
        (read_in_a_loop.replace("STORE", stored), 3),
        (format!("{stored} {}", read_in_a_loop.replace("STORE", "")), 3),
    ];
    for (between, left) in cases {
        with_ir(&two_reads(&between), |session| {
            let function = session.module().function("twice").expect("it is there");
            super::reads::same_reads(&session.analyses(function));
            assert_eq!(function.verify(), Ok(()));
            let reads = function.instructions().into_iter().filter(|i| i.opcode() == Opcode::Load);
            assert_eq!(reads.count(), left, "{between}");
        })
        .expect("the text is a module");
    }
}

/// `for (x, y) in a.iter().zip(b.iter_mut()) { *y += *x; }` as it is when `next` has become part of it: each step asks whether there is a further one.
const ZIPPED: &str = r#"
    define void @zipped(ptr %a, ptr %b, i64 %n) {
    entry:
      %any = icmp ne i64 %n, 0
      br i1 %any, label %loop, label %exit
    loop:
      %from = phi ptr [ %a, %entry ], [ %next.from, %loop ]
      %to = phi ptr [ %b, %entry ], [ %next.to, %loop ]
      %k = phi i64 [ 1, %entry ], [ %next.k, %loop ]
      %x = load double, ptr %from, align 8
      %y = load double, ptr %to, align 8
      %sum = fadd double %y, %x
      store double %sum, ptr %to, align 8
      %more = icmp ult i64 %k, %n
      %next.from = getelementptr inbounds double, ptr %a, i64 %k
      %further = getelementptr inbounds double, ptr %b, i64 %k
      %next.to = select i1 %more, ptr %further, ptr undef
      %one = zext i1 %more to i64
      %next.k = add i64 %k, %one
      br i1 %more, label %loop, label %exit
    exit:
      ret void
    }
"#;

#[test]
fn what_a_loop_hands_on_does_not_ask_whether_it_goes_on() {
    with_ir(ZIPPED, |session| {
        let function = session.module().function("zipped").expect("it is there");
        make_readable(session, function);
        let analyses = session.analyses(function);
        let all = analyses.loops();
        assert!(all.iter().all(|l| analyses.backedges(l.id, CountKind::Exact).is_some()), "{function}");
        let opcodes = function.instructions().into_iter().map(|i| i.opcode());
        assert!(opcodes.into_iter().all(|opcode| opcode != Opcode::Select), "{function}");
        assert_eq!(function.verify(), Ok(()));
    })
    .expect("the text is a module");
}

/// The way round is the one where the condition does not hold, and what is handed on is what belongs to that.
#[test]
fn the_opposite_of_a_condition_is_known_as_well() {
    let opposite = ZIPPED
        .replace("%more = icmp ult i64 %k, %n", "%more = icmp uge i64 %k, %n")
        .replace("select i1 %more, ptr %further, ptr undef", "select i1 %more, ptr undef, ptr %further")
        .replace("%one = zext i1 %more to i64", "%less = icmp ult i64 %k, %n\n      %one = zext i1 %less to i64")
        .replace("br i1 %more, label %loop, label %exit", "br i1 %more, label %exit, label %loop");
    with_ir(&opposite, |session| {
        let function = session.module().function("zipped").expect("it is there");
        make_readable(session, function);
        let analyses = session.analyses(function);
        let all = analyses.loops();
        assert!(all.iter().all(|l| analyses.backedges(l.id, CountKind::Exact).is_some()), "{function}");
    })
    .expect("the text is a module");
}

/// `for (i = 0; i < n; i++) { if (a[i] < 0) return -1;  b[i + behind] = 1 / (1 / a[i]); }  return i;`, and what is behind the names is apart or not.
fn left_by_data(apart: &str, b: &str, behind: i64) -> String {
    format!(
        r#"
    define i64 @left(i64 %n, ptr {apart} %a, ptr {apart} %b) {{
    entry:
      %some = icmp sgt i64 %n, 0
      br i1 %some, label %body, label %end
    body:
      %i = phi i64 [ 0, %entry ], [ %next, %inside ]
      %from = getelementptr inbounds double, ptr %a, i64 %i
      %x = load double, ptr %from
      %bad = fcmp olt double %x, 0.0
      br i1 %bad, label %end, label %inside
    inside:
      %once = fdiv double 1.0, %x
      %y = fdiv double 1.0, %once
      %far = add nsw i64 %i, {behind}
      %to = getelementptr inbounds double, ptr {b}, i64 %far
      store double %y, ptr %to
      %next = add nuw nsw i64 %i, 1
      %more = icmp slt i64 %next, %n
      br i1 %more, label %body, label %end
    end:
      %result = phi i64 [ 0, %entry ], [ -1, %body ], [ %next, %inside ]
      ret i64 %result
    }}
    "#
    )
}

/// How many loops of it have exits that can be found first; and how many loops there are when they are.
fn found_first(text: &str) -> (usize, usize) {
    with_ir(text, |session| {
        let function = session.module().function("left").expect("it is there");
        make_countable(session, function);
        let count = count_exits(&session.analyses(function), Means::on(4));
        let all: Vec<usize> = (0..count).collect();
        find_exits(session, function, &all, Means::on(4));
        assert_eq!(function.verify(), Ok(()));
        let analyses = session.analyses(function);
        let counted = |l: &&Loop<'_>| l.latch.is_some_and(|latch| latch.counted().is_some());
        let all: Vec<_> = analyses.loops().iter().filter(counted).collect();
        assert_eq!(all.len(), count, "{function}");
        assert!(all.iter().all(|l| l.has_single_exit() && analyses.backedges(l.id, CountKind::Exact).is_some()));
        (count, analyses.loops().len())
    })
    .expect("the text is a module")
}

#[test]
fn an_exit_is_found_first_where_what_it_asks_is_not_written() {
    // The slice and the loop that runs up to it; where something is asked before, a copy of the whole loop, too.
    assert_eq!(found_first(&left_by_data("noalias", "%b", 0)), (1, 2));
    assert_eq!(found_first(&left_by_data("", "%b", 0)), (1, 3));
    // In place, and behind what is read.
    assert_eq!(found_first(&left_by_data("", "%a", 0)), (1, 2));
    assert_eq!(found_first(&left_by_data("", "%a", -3)), (1, 2));
    // Ahead of it: each iteration writes what the next one asks.
    assert_eq!(found_first(&left_by_data("", "%a", 1)), (0, 1));
    assert_eq!(found_first(&left_by_data("", "%a", 5)), (0, 1));
}

#[test]
fn what_finds_an_exit_asks_several_times_in_an_iteration() {
    let asked = |text: &str| {
        with_ir(text, |session| {
            let function = session.module().function("left").expect("it is there");
            make_countable(session, function);
            find_exits(session, function, &[0], Means::on(4));
            assert_eq!(function.verify(), Ok(()));
            function.to_string().matches("fcmp olt").count()
        })
        .expect("the text is a module")
    };
    let text = left_by_data("noalias", "%b", 0);
    // The last one is that of the iteration that leaves.
    assert_eq!(asked(&text), 4 + 1);
    let kept = text.replace("label %body, label %end\n    end:", "label %body, label %end, !llvm.loop !0\n    end:");
    assert_eq!(asked(&(kept + "\n !0 = distinct !{!0, !1}\n !1 = !{!\"llvm.loop.unroll.disable\"}")), 1 + 1);
}

#[test]
fn an_exit_is_not_found_first_where_that_could_be_noticed() {
    let text = left_by_data("noalias", "%b", 0);
    let with = |what: &str| text.replace("%far = add", &format!("{what}\n      %far = add"));
    let declared = |what: &str| with(what) + "\n declare void @f()";
    assert_eq!(found_first(&with("fence seq_cst")), (0, 1));
    assert_eq!(found_first(&with("%v = load volatile double, ptr %from")), (0, 1));
    assert_eq!(found_first(&declared("call void @f()")), (0, 1));
    assert_eq!(
        found_first(
            &text.replace("%bad = fcmp olt double %x, 0.0", "%z = freeze double %x\n %bad = fcmp olt double %z, 0.0")
        ),
        (0, 1)
    );
    assert_eq!(
        found_first(&text.replace("load double, ptr %from", "load atomic double, ptr %from unordered, align 8")),
        (0, 1)
    );
    // To ask is most of what it does; to ask whether numbers are equal takes longer than which is less.
    assert_eq!(found_first(&text.replace("fdiv", "fadd")), (0, 1));
    let light = text.replace("%once = fdiv double 1.0, %x", "%once = fmul double %x, %x");
    assert_eq!([found_first(&light), found_first(&light.replace("fcmp olt", "fcmp oeq"))], [(1, 2), (0, 1)]);
}
