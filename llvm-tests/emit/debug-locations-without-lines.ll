; In a function with debug information calls have a place, also if nothing else of it has one.
;
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -S %s | FileCheck %s

; CHECK: call void {{.*}}@__kmpc_fork_call({{.*}} !dbg ![[#CALL:]]
; CHECK: ![[#CALL]] = !DILocation(line: 0,
define void @f(ptr noalias %a, i64 %n) !dbg !5 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = getelementptr inbounds double, ptr %a, i64 %i
  %k = load double, ptr %c
  %m = fmul double %k, 2.0
  store double %m, ptr %c
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2,!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "x.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 2, !"Dwarf Version", i32 4}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0)
