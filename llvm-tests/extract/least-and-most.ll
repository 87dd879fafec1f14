; Each way to keep the lesser or the greater of two values is one of two reductions, whichever side is compared first and whichever is kept.
;
; DEFINE: %{compare} =
; DEFINE: %{flags} =
; DEFINE: %{type} =
; DEFINE: %{new} =
; DEFINE: %{old} =
; DEFINE: %{check} = sed -e 's/COMPARE/%{compare}/' -e 's/FLAGS/%{flags}/' -e 's/TYPE/%{type}/g' %s | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck -DNEW=%{new} -DOLD=%{old} %s
;
; REDEFINE: %{type} = i32
; REDEFINE: %{flags} = 
; REDEFINE: %{new} = min
; REDEFINE: %{old} = max
; REDEFINE: %{compare} = icmp slt
; RUN: %{check}
; REDEFINE: %{compare} = icmp sle
; RUN: %{check}
; REDEFINE: %{new} = max
; REDEFINE: %{old} = min
; REDEFINE: %{compare} = icmp sgt
; RUN: %{check}
; REDEFINE: %{compare} = icmp sge
; RUN: %{check}
; REDEFINE: %{new} = umin
; REDEFINE: %{old} = umax
; REDEFINE: %{compare} = icmp ult
; RUN: %{check}
; REDEFINE: %{compare} = icmp ule
; RUN: %{check}
; REDEFINE: %{new} = umax
; REDEFINE: %{old} = umin
; REDEFINE: %{compare} = icmp ugt
; RUN: %{check}
; REDEFINE: %{compare} = icmp uge
; RUN: %{check}
; REDEFINE: %{type} = double
; REDEFINE: %{flags} = nnan nsz
; REDEFINE: %{new} = min
; REDEFINE: %{old} = max
; REDEFINE: %{compare} = fcmp nnan nsz olt
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz ole
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz ult
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz ule
; RUN: %{check}
; REDEFINE: %{new} = max
; REDEFINE: %{old} = min
; REDEFINE: %{compare} = fcmp nnan nsz ogt
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz oge
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz ugt
; RUN: %{check}
; REDEFINE: %{compare} = fcmp nnan nsz uge
; RUN: %{check}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @forms(i64 %n, ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %d, ptr noalias %x) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds TYPE, ptr %x, i64 %i
  %v = load TYPE, ptr %from

; CHECK: -> a[0] :
; CHECK-NEXT: reduction: "[[NEW]]"
  %old.a = load TYPE, ptr %a
  %is.a = COMPARE TYPE %v, %old.a
  %new.a = select FLAGS i1 %is.a, TYPE %v, TYPE %old.a
  store TYPE %new.a, ptr %a

; CHECK: -> b[0] :
; CHECK-NEXT: reduction: "[[OLD]]"
  %old.b = load TYPE, ptr %b
  %is.b = COMPARE TYPE %old.b, %v
  %new.b = select FLAGS i1 %is.b, TYPE %v, TYPE %old.b
  store TYPE %new.b, ptr %b

; CHECK: -> c[0] :
; CHECK-NEXT: reduction: "[[OLD]]"
  %old.c = load TYPE, ptr %c
  %is.c = COMPARE TYPE %v, %old.c
  %new.c = select FLAGS i1 %is.c, TYPE %old.c, TYPE %v
  store TYPE %new.c, ptr %c

; CHECK: -> d[0] :
; CHECK-NEXT: reduction: "[[NEW]]"
  %old.d = load TYPE, ptr %d
  %is.d = COMPARE TYPE %old.d, %v
  %new.d = select FLAGS i1 %is.d, TYPE %old.d, TYPE %v
  store TYPE %new.d, ptr %d

  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
