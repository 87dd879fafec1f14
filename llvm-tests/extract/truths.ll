; `any = any || x[i] > 7` and `all = all && x[i] > 7`, as a choice between the old truth and the new one, are reductions; so is a product that is added if sums
; may be taken in any order.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # any{{$}}
; CHECK: read: "{{.*}} -> s_truth[]
; CHECK-NEXT: reduction: "|"
define i1 @any(i64 %n, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %truth = phi i1 [ false, %entry ], [ %new, %loop ]
  %from = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %from
  %c = icmp sgt i32 %v, 7
  %new = select i1 %truth, i1 true, i1 %c
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret i1 %new
}

; CHECK-LABEL: # all{{$}}
; CHECK: read: "{{.*}} -> s_truth[]
; CHECK-NEXT: reduction: "&"
define i1 @all(i64 %n, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %truth = phi i1 [ true, %entry ], [ %new, %loop ]
  %from = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %from
  %c = icmp sgt i32 %v, 7
  %new = select i1 %truth, i1 %c, i1 false
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret i1 %new
}

; CHECK-LABEL: # neither{{$}}
; CHECK-NOT: reduction:
define i1 @neither(i64 %n, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %truth = phi i1 [ true, %entry ], [ %new, %loop ]
  %from = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %from
  %c = icmp sgt i32 %v, 7
  %new = select i1 %truth, i1 false, i1 %c
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret i1 %new
}

; CHECK-LABEL: # in_any_order{{$}}
; CHECK: read: "{{.*}} -> s[0] :
; CHECK-NEXT: reduction: "+"
define void @in_any_order(i64 %n, ptr noalias %s, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %old = load double, ptr %s
  %new = call reassoc double @llvm.fmuladd.f64(double %v, double %v, double %old)
  store double %new, ptr %s
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # in_this_order{{$}}
; CHECK-NOT: reduction:
define void @in_this_order(i64 %n, ptr noalias %s, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %old = load double, ptr %s
  %new = call double @llvm.fmuladd.f64(double %v, double %v, double %old)
  store double %new, ptr %s
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
