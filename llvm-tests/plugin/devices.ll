; A processor that a program offloads to has no operating system that starts threads, and its variables may live in address spaces of their own: no
; loop is handed to the runtime of OpenMP there, whatever is asked for.
;
; RUN: sed -e 's/LAYOUT/e-p:64:64-p5:32:32-i64:64-n32:64-S32-A5-G1/' -e 's/TRIPLE/amdgcn-amd-amdhsa/' %s > %t.gpu.ll
; RUN: %loopwright -passes='default<O3>' -verify-each -loopwright-min-work=0 -loopwright-parallel -S %t.gpu.ll -o - | FileCheck %s
; RUN: sed -e 's/LAYOUT/e-P1-i64:64/' -e 's/TRIPLE/x86_64-unknown-linux-gnu/' %s > %t.functions.ll
; RUN: %loopwright -passes='default<O3>' -verify-each -loopwright-min-work=0 -loopwright-parallel -S %t.functions.ll -o - | FileCheck %s
; RUN: sed -e 's/LAYOUT/e-i64:64-A0/' -e 's/TRIPLE/x86_64-unknown-linux-gnu/' %s > %t.host.ll
; RUN: %loopwright -passes='default<O3>' -verify-each -loopwright-min-work=0 -loopwright-parallel -S %t.host.ll -o - | FileCheck %s --check-prefix=HOST
;
; What is compiled for a device says so besides: without being asked for, nothing is parallel there.
; RUN: %loopwright -passes='default<O3>' -verify-each -loopwright-min-work=0 -S %t.host.ll -o - | FileCheck %s

; CHECK-LABEL: @scaled(
; CHECK-NOT: kmpc
; HOST: call {{.*}}__kmpc_fork_call
target datalayout = "LAYOUT"
target triple = "TRIPLE"

define void @scaled(i64 %n, ptr noalias %y, ptr noalias %x) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr inbounds double, ptr %y, i64 %i
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %old = load double, ptr %from
  %new = fdiv double %old, 3.0
  store double %new, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!llvm.module.flags = !{!0, !1}
!0 = !{i32 7, !"openmp", i32 51}
!1 = !{i32 7, !"openmp-device", i32 51}
