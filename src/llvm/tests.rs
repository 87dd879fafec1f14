//! The door, tried on small programs in LLVM's text form.

use super::analysis::{LoopId, Overlap};
use super::build::{Builder, Promise};
use super::instruction::{Branch, Wrapping};
use super::metadata::{LoopHint, Metadata};
use super::opcode::{IntPredicate, Opcode};
use super::openmp::{self, Entry};
use super::scev::{CountKind, ScevKind};
use super::session::{Session, with_ir};
use super::types::{Type, TypeKind};
use super::value::{Value, ValueKind};

/// `for (i = 0; i < n; i++) for (j = 0; j < 8; j++) A[i][j] = A[i][j] * x`
const NEST: &str = r#"
    target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
    define void @nest(ptr noalias dereferenceable(64) %A, ptr %B, i64 %n, double %x) "target-cpu"="znver3" {
    entry:
      %any = icmp sgt i64 %n, 0
      br i1 %any, label %outer, label %exit
    outer:
      %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
      br label %inner
    inner:
      %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
      %cell = getelementptr inbounds [8 x double], ptr %A, i64 %i, i64 %j
      %old = load double, ptr %cell, align 8
      %new = fmul reassoc nsz double %old, %x
      store double %new, ptr %cell, align 8
      %j.next = add nuw nsw i64 %j, 1
      %more.j = icmp ult i64 %j.next, 8
      br i1 %more.j, label %inner, label %outer.latch
    outer.latch:
      %i.next = add nsw i64 %i, 1
      %more.i = icmp slt i64 %i.next, %n
      br i1 %more.i, label %outer, label %exit, !llvm.loop !0
    exit:
      ret void
    }
    @table = global [4 x [5 x i32]] zeroinitializer
    declare double @llvm.fmuladd.f64(double, double, double)
    declare double @sin(double)
    declare double @log(double) nounwind willreturn memory(errnomem: write)
    define double @calls(double %a) {
      %f = call double @llvm.fmuladd.f64(double %a, double %a, double 1.0)
      %s = call double @sin(double %f)
      %l = call double @log(double %f)
      ret double %s
    }
    !llvm.module.flags = !{!2}
    !0 = distinct !{!0, !1}
    !1 = !{!"llvm.loop.mustprogress"}
    !2 = !{i32 7, !"openmp", i32 51}
"#;

fn with_nest<R>(body: impl for<'ir> FnOnce(&mut Session<'ir>) -> R) -> R {
    with_ir(NEST, body).expect("the text is a module")
}

#[test]
fn a_module_is_functions_blocks_and_instructions() {
    with_nest(|session| {
        let module = session.module();
        assert_eq!(module.flag("openmp"), Some(51));
        assert_eq!(module.flag("no such flag"), None);
        let nest = module.function("nest").expect("it is there");
        assert!(nest.has_body() && !module.function("sin").expect("declared").has_body());
        let names: Vec<_> = nest.blocks().iter().map(|block| block.name()).collect();
        assert_eq!(names, ["entry", "outer", "inner", "outer.latch", "exit"]);
        let order: Vec<_> = nest.reverse_postorder().iter().map(|block| block.name()).collect();
        assert_eq!(order[..2], ["entry", "outer"]);
        let [_, _, n, x] = nest.arguments()[..] else { panic!("four arguments") };
        assert_eq!(n.argument_number(), Some(2));
        assert_eq!((n.ty().integer_width(), x.ty().kind()), (Some(64), TypeKind::Double));
        assert!(nest.has_attribute("target-cpu") && !nest.has_attribute("nounwind"));
        let inner = nest.blocks()[2];
        assert_eq!(inner.predecessors(), [nest.blocks()[1], inner]);
        assert!(matches!(inner.terminator().and_then(|t| t.branch()), Some(Branch::If { then, .. }) if then == inner));
        let table = module.global("table").expect("it is there");
        assert_eq!((table.kind(), table.object_size(nest.layout())), (ValueKind::Global, Some(80)));
        assert!(with_ir("define nonsense", |_| ()).is_err());
    });
}

#[test]
fn instructions_answer_by_kind() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let named = |name: &str| nest.instructions().into_iter().find(|i| i.name() == name).expect("it is there");
        let address = named("cell").address().expect("an address");
        assert_eq!((address.base, address.inbounds), (nest.arguments()[0], true));
        assert_eq!(address.indices, [named("i").value(), named("j").value()]);
        assert_eq!(address.element.length(), Some(8));
        assert_eq!(nest.layout().alloc_size(address.element), 64);
        let store = named("new").users()[0];
        let memory = store.memory().expect("a store");
        assert!(memory.simple && memory.stored == Some(named("new").value()) && memory.alignment == 8);
        let flags = named("new").fast_math();
        assert!(flags.reassoc && flags.no_signed_zeros && !flags.no_nans);
        assert_eq!(named("j.next").wrapping(), Wrapping { nuw: true, nsw: true, exact: false });
        assert_eq!(named("more.i").icmp().map(|(p, ..)| p), Some(IntPredicate::Slt));
        assert_eq!(named("i").incoming().len(), 2);
        assert_eq!(named("old").opcode(), Opcode::Load);
        assert!(store.may_write_memory() && named("new").is_speculatable() && !store.is_speculatable());
    });
}

#[test]
fn calls_tell_their_effects() {
    with_nest(|session| {
        let function = session.module().function("calls").expect("it is there");
        let calls: Vec<_> = function.instructions().into_iter().filter_map(|i| i.call()).collect();
        assert_eq!(calls[0].intrinsic().as_deref(), Some("llvm.fmuladd"));
        assert!(calls[0].is_pure());
        assert_eq!(calls[1].intrinsic(), None);
        assert!(!calls[1].is_pure());
        assert!(!calls[1].sets_errno() && !calls[0].sets_errno());
        assert!(!calls[2].is_pure() && calls[2].sets_errno());
        assert_eq!(calls[1].arguments(), [calls[0].instruction().value()]);
        assert_eq!(session.analyses(function).library_function(calls[1].instruction()).as_deref(), Some("sin"));
    });
}

#[test]
fn loops_come_in_preorder() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let analyses = session.analyses(nest);
        let [outer, inner] = analyses.loops() else { panic!("two loops") };
        assert_eq!((outer.id, outer.depth, outer.parent), (LoopId(0), 1, None));
        assert_eq!((inner.id, inner.depth, inner.parent), (LoopId(1), 2, Some(LoopId(0))));
        assert_eq!((inner.header.name(), inner.latch), ("inner".to_string(), Some(inner.header)));
        assert_eq!(outer.blocks.len(), 3);
        assert_eq!(outer.exits.iter().map(|b| b.name()).collect::<Vec<_>>(), ["exit"]);
        assert!(outer.preheader.is_none() && inner.preheader == Some(outer.header));
        assert!(!outer.simplified && inner.simplified && inner.rotated);
        assert_eq!(inner.counter.map(|i| i.name()), Some("j".to_string()));
        assert!(analyses.is_within(LoopId(1), LoopId(0)) && !analyses.is_within(LoopId(0), LoopId(1)));
        let [entry, .., exit] = nest.blocks()[..] else { panic!("blocks") };
        assert!(analyses.dominates(entry, exit));
        assert!(!analyses.dominates(inner.header, exit));
        let [a, b, ..] = nest.arguments()[..] else { panic!("arguments") };
        assert_eq!(analyses.overlap(a, b), Overlap::Never);
        assert_eq!(analyses.overlap(b, b), Overlap::Same);
    });
}

#[test]
fn what_loops_run_at_most_is_known_where_their_limits_are() {
    with_nest(|session| {
        let analyses = session.analyses(session.module().function("nest").expect("it is there"));
        let (outer, inner) = (LoopId(0), LoopId(1));
        assert_eq!(analyses.most_executed(&[inner]), Some(8 * analyses.size(&[inner]) as u64));
        assert_eq!(analyses.most_executed(&[inner, inner]), Some(16 * analyses.size(&[inner]) as u64));
        assert!(analyses.most_executed(&[outer]).is_none_or(|most| most > 1 << 60));
    });
}

#[test]
fn subscripts_are_recurrences() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let analyses = session.analyses(nest);
        let named = |name: &str| nest.instructions().into_iter().find(|i| i.name() == name).expect("it is there");
        let cell = analyses.scev(named("cell").value()).expect("a pointer");
        let (base, offset) = analyses.base_and_offset(cell);
        assert_eq!(analyses.node(base).value, Some(nest.arguments()[0]));
        let node = analyses.node(offset);
        assert_eq!((node.kind, node.in_loop, node.width), (ScevKind::AddRec, Some(LoopId(1)), 64));
        assert_eq!(analyses.node(node.operands[1]).constant, Some(8));
        let outer = analyses.node(node.operands[0]);
        assert_eq!((outer.kind, outer.in_loop), (ScevKind::AddRec, Some(LoopId(0))));
        assert_eq!(analyses.node(outer.operands[1]).constant, Some(64));
        assert!(analyses.scev(named("new").value()).is_none());
        let j = analyses.scev(named("j").value()).expect("an integer");
        let range = analyses.signed_range(j).expect("64 bits");
        assert_eq!((range.low, range.high), (0, 7));
        assert!(analyses.is_invariant(analyses.scev(nest.arguments()[2]).expect("an integer"), LoopId(0)));
        assert!(!analyses.is_invariant(j, LoopId(1)));
    });
}

#[test]
fn trip_counts_and_guards() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let analyses = session.analyses(nest);
        let inner = analyses.backedges(LoopId(1), CountKind::Exact).expect("constant");
        assert_eq!(analyses.node(inner).constant, Some(7));
        let outer = analyses.backedges(LoopId(0), CountKind::Exact).expect("n - 1");
        assert_eq!(analyses.text(outer), "(-1 + %n)");
        let n = analyses.scev(nest.arguments()[2]).expect("an integer");
        let zero = analyses.constant(nest.arguments()[2].ty(), 0);
        assert!(!analyses.is_known(IntPredicate::Sgt, n, zero));
    });
}

#[test]
fn an_expression_becomes_code_where_its_parts_are_known() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let analyses = session.analyses(nest);
        let at = nest.entry().and_then(|entry| entry.terminator()).expect("a branch");
        let count = analyses.backedges(LoopId(0), CountKind::Exact).expect("n - 1");
        assert!(analyses.can_expand(count, at));
        let value = analyses.expand(count, at);
        assert_eq!(value.as_instruction().and_then(|i| i.block()), nest.entry());
        assert_eq!(nest.verify(), Ok(()));
    });
}

#[test]
fn passes_run_by_their_text() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        assert!(session.run_function_passes(nest, "no-such-pass").unwrap_err().contains("no-such-pass"));
        assert_eq!(session.run_function_passes(nest, "loop-simplify,lcssa"), Ok(()));
        assert!(session.analyses(nest).loops().iter().all(|l| l.simplified && l.preheader.is_some()));
        assert_eq!(session.run_module_passes("globaldce"), Ok(()));
    });
}

/// Builds `void team(thread, bound, frame) { A = frame->A; for (i in my part of 0 ..= 99) A[i] = A[i] * x }` from the
/// inner loop's statement and calls it in place of the nest.
#[test]
fn a_parallel_loop_is_built_by_hand() {
    with_nest(|session| {
        let module = session.module();
        let nest = module.function("nest").expect("it is there");
        let context = module.context();
        let [a, _, n, x] = nest.arguments()[..] else { panic!("arguments") };
        let (double, long, p) = (Type::double(context), Type::integer(context, 64), Type::pointer(context));
        let int = Type::integer(context, 32);
        let frame = Type::structure(context, &[p, long, double]);
        let team = module.new_internal_function("nest.team", openmp::outlined_type(context));
        team.copy_attributes_from(nest);
        team.add_attribute("nounwind");
        let builder = Builder::new(context);
        let named = |name: &str| nest.instructions().into_iter().find(|i| i.name() == name).expect("it is there");

        let [entry, body, exit] = ["entry", "loop", "exit"].map(|name| team.new_block(name));
        builder.at_end(entry);
        let field = |at, ty| builder.load(ty, builder.field(frame, team.arguments()[2], at), None).value();
        let (my_a, my_x) = (field(0, p), field(2, double));
        let [last, lower, upper, stride] = [(int, "last"), (long, "lower"), (long, "upper"), (long, "stride")]
            .map(|(ty, name)| builder.alloca(ty, name).value());
        builder.store(builder.integer(64, 0), lower, None);
        builder.store(builder.integer(64, 99), upper, None);
        builder.store(builder.integer(64, 1), stride, None);
        let thread = builder.load(int, team.arguments()[0], None).value();
        let ident = openmp::ident(module);
        let (kind, one) = (builder.integer(32, i128::from(openmp::SCHEDULE_STATIC)), builder.integer(64, 1));
        Entry::StaticInit.call(&builder, &[ident, thread, kind, last, lower, upper, stride, one, one]);
        let (from, to) = (builder.load(long, lower, None).value(), builder.load(long, upper, None).value());
        builder.branch(builder.icmp(IntPredicate::Sle, from, to), body, exit);

        builder.at_end(body);
        let i = builder.phi(long, "i");
        let cell = builder.gep(double, my_a, &[i.value()], Promise::Inbounds);
        let group = Metadata::access_group(context);
        let old = builder.copy(named("old"), |_| cell);
        let new = builder.copy(named("new"), |v| if v == x { my_x } else { old.value() });
        let store =
            builder.copy(named("new").users()[0], |v| if v == named("new").value() { new.value() } else { cell });
        let domain = Metadata::alias_domain(context, "nest");
        let scope = Metadata::alias_scope(context, domain, "A");
        for access in [old, store] {
            access.set_metadata("llvm.access.group", Some(group));
            access.set_metadata("alias.scope", Some(Metadata::node(context, &[scope])));
        }
        let next = builder.binary_with(Opcode::Add, i.value(), one, Wrapping { nsw: true, ..Wrapping::default() });
        let again = builder.branch(builder.icmp(IntPredicate::Sle, next, to), body, exit);
        again.set_metadata(
            "llvm.loop",
            Some(Metadata::loop_hints(context, &[LoopHint::MustProgress, LoopHint::ParallelAccesses(group)])),
        );
        i.add_incoming(from, entry);
        i.add_incoming(next, body);
        builder.at_end(exit);
        Entry::StaticEnd.call(&builder, &[ident, thread]);
        builder.return_(None);
        team.adopt_locations(nest);
        assert_eq!(team.verify(), Ok(()));
        assert!(team.has_attribute("target-cpu") && new.fast_math().reassoc);

        let start = nest.entry().and_then(|entry| entry.terminator()).expect("a branch");
        super::Block::cut_before(start, "old");
        let fork = nest.new_block("fork");
        builder.at_end(fork);
        let slot = builder.alloca(frame, "frame").value();
        for (at, value) in [a, n, x].into_iter().enumerate() {
            builder.store(value, builder.field(frame, slot, at), None);
        }
        Entry::Fork.call(&builder, &[ident, builder.integer(32, 1), team.value(), slot]);
        let exit = nest.blocks().into_iter().find(|b| b.name() == "exit").expect("it is there");
        builder.jump(exit);
        builder.at_end(nest.entry().expect("a body"));
        builder.jump(fork);
        nest.forget_effects();
        assert!(nest.remove_unreachable_blocks());
        session.invalidate(nest);
        assert_eq!(module.verify(), Ok(()));
        assert!(session.analyses(nest).loops().is_empty());
        assert_eq!(session.analyses(team).loops().len(), 1);
        assert!(
            module
                .to_string()
                .contains("call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @loopwright.ident, i32 1")
        );
    });
}

#[test]
fn constants_keep_their_value() {
    with_nest(|session| {
        let context = session.module().context();
        for (width, value) in [(64, -1), (32, i128::from(i32::MIN)), (1, -1), (128, i128::MIN), (8, 127)] {
            assert_eq!(Value::integer(Type::integer(context, width), value).as_integer(), Some(value));
        }
        assert_eq!(Value::float(Type::double(context), -0.0).ty().kind(), TypeKind::Double);
        assert_eq!(Value::zero(Type::pointer(context)).kind(), ValueKind::Null);
    });
}

#[test]
fn verification_says_what_is_wrong() {
    with_nest(|session| {
        let function =
            session.module().new_internal_function("bad", Type::function(Type::void(session.module().context()), &[]));
        function.new_block("open");
        let complaint = function.verify().unwrap_err();
        assert!(complaint.contains("terminator"), "{complaint}");
    });
}

/// A function compiled with `-g`: `void fill(double *row, int n)`, whose loop starts in line 3.
const WITH_PLACES: &str = r#"
    define void @fill(ptr %0, i32 %1) !dbg !5 {
    entry:
        #dbg_value(ptr %0, !8, !DIExpression(), !10)
        #dbg_value(i32 %1, !9, !DIExpression(), !10)
      br label %loop, !dbg !11
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]
      %cell = getelementptr double, ptr %0, i32 %i, !dbg !12
      store double 0.0, ptr %cell, !dbg !12
      %next = add nsw i32 %i, 1, !dbg !11
      %more = icmp slt i32 %next, %1, !dbg !11
      br i1 %more, label %loop, label %exit, !dbg !11, !llvm.loop !13
    exit:
      ret void, !dbg !12
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!3}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
    !1 = !DIFile(filename: "fill.c", directory: "/")
    !3 = !{i32 2, !"Debug Info Version", i32 3}
    !5 = distinct !DISubprogram(name: "fill", file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !7)
    !6 = !DISubroutineType(types: !14)
    !7 = !{!8, !9}
    !8 = !DILocalVariable(name: "row", arg: 1, scope: !5, file: !1, line: 1)
    !9 = !DILocalVariable(name: "n", arg: 2, scope: !5, file: !1, line: 1)
    !10 = !DILocation(line: 1, scope: !5)
    !11 = !DILocation(line: 3, column: 5, scope: !5)
    !12 = !DILocation(line: 4, column: 7, scope: !5)
    !13 = distinct !{!13, !11, !12, !15}
    !14 = !{null}
    !15 = !{!"llvm.loop.mustprogress"}
"#;

#[test]
fn names_and_places_come_from_the_source() {
    with_ir(WITH_PLACES, |session| {
        let fill = session.module().function("fill").expect("it is there");
        let names: Vec<_> = fill.arguments().into_iter().map(Value::source_name).collect();
        assert_eq!(names, [Some("row".to_string()), Some("n".to_string())]);
        let analyses = session.analyses(fill);
        assert_eq!(analyses.loops()[0].location.map(|place| place.to_string()).as_deref(), Some("fill.c:3:5"));
        let latch = analyses.loops()[0].latch.and_then(|latch| latch.terminator()).expect("a branch");
        assert_eq!(latch.location().map(|place| place.line()), Some(3));
    })
    .expect("the text is a module");
}

#[test]
fn copies_in_a_new_function_keep_valid_places() {
    with_ir(WITH_PLACES, |session| {
        let module = session.module();
        let fill = module.function("fill").expect("it is there");
        let context = module.context();
        let one =
            module.new_internal_function("fill.one", Type::function(Type::void(context), &[Type::pointer(context)]));
        let builder = Builder::new(context);
        builder.at_end(one.new_block("entry"));
        let store = fill.instructions().into_iter().find(|i| i.opcode() == Opcode::Store).expect("a store");
        let copy = builder.copy(store, |value| if value.ty().is_pointer() { one.arguments()[0] } else { value });
        builder.return_(None);
        one.adopt_locations(fill);
        assert_eq!(module.verify(), Ok(()));
        assert_eq!(copy.location().map(|place| place.to_string()).as_deref(), Some("fill.c:4:7"));

        builder.before(fill.entry().and_then(|entry| entry.terminator()).expect("a branch"));
        builder.set_location(store.location());
        builder.call(one, &[fill.arguments()[0]]);
        assert_eq!(module.verify(), Ok(()));
    })
    .expect("the text is a module");
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "law: what ended is not asked")]
fn what_ended_is_not_asked() {
    with_nest(|session| {
        let nest = session.module().function("nest").expect("it is there");
        let exit = nest.blocks().into_iter().find(|b| b.name() == "exit").expect("it is there");
        let builder = Builder::new(nest.context());
        builder.before(exit.terminator().expect("a return"));
        let [_, _, n, _] = nest.arguments()[..] else { panic!("four arguments") };
        let sum = builder.add(n, n).as_instruction().expect("no constant");
        let copy = sum;
        sum.remove();
        assert_eq!(copy, sum, "comparing asks nothing");
        let _ = copy.opcode();
    });
}
