; The attribute "no-loopwright" of a function keeps its loops, also from being inlined and rewritten elsewhere by us.
;
; RUN: %loopwright -passes=loopwright -S %s | FileCheck %s

; CHECK: define {{.*}}@kept(
; CHECK-NOT: vector.body
; CHECK: store double 1.000000e+00
; CHECK: ret double
define internal double @kept(ptr %a, i64 %n) "no-loopwright" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds double, ptr %a, i64 %i
  store double 1.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %last = load double, ptr %a
  ret double %last
}

; A function without a loop that only reads would become part of the loop that calls it.
; CHECK: define {{.*}}@calls(
; CHECK: call double @reads(
define void @calls(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %b, i64 %i
  %value = call double @reads(ptr %from)
  %at = getelementptr inbounds double, ptr %a, i64 %i
  store double %value, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %x = call double @kept(ptr %a, i64 %n)
  ret void
}

define internal double @reads(ptr %b) nounwind willreturn memory(read) "no-loopwright" {
  %value = load double, ptr %b
  ret double %value
}
