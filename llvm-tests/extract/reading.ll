; How often a loop with a counter of a byte runs is what is left of `n - 1` in a byte: 127 times back with n = -128, so that the last `i + 1` may be
; 128, of which -128 is left. The loops that are read are those where `n - 1` fits.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # around
; CHECK: assumed: "[n] -> { : n > 0 }"
; CHECK: domain: "[n] -> { S0[i0] : 0 <= i0 < n }"
; CHECK: write: "[n] -> { S0[i0] -> a[i0 + 1] :
; CHECK: # tested: a number of 8 bits does not wrap around
define void @around(i8 %n, ptr noalias %a, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 1
  %at = sext i8 %next to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  %index = zext i8 %i to i64
  %from = getelementptr inbounds double, ptr %x, i64 %index
  %v = load double, ptr %from
  store double %v, ptr %to
  %again = icmp ne i8 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
