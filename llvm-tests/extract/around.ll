; What was asked before the loop leaves one case of the number of iterations: of n - 2, extended without a sign, LLVM says no more than that the loop runs
; max(n - 2, 1) times.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: domain: "[n] -> { S{{[0-9]+}}[{{[a-z0-9]+}}] : 0 <= {{[a-z0-9]+}} <= n - 3 }"

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @inner(ptr noalias %a, ptr noalias %b, i32 noundef %n) {
entry:
  %asked = icmp sgt i32 %n, 2
  br i1 %asked, label %start, label %end

start:
  store volatile i32 0, ptr %b, align 4
  %wide = zext nneg i32 %n to i64
  %first = add nsw i64 %wide, -2
  br label %loop

loop:
  %left = phi i64 [ %first, %start ], [ %less, %loop ]
  %k = phi i64 [ 0, %start ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %p, align 8
  %y = fmul double %x, 2.0
  store double %y, ptr %p, align 8
  %next = add nuw nsw i64 %k, 1
  %less = add nsw i64 %left, -1
  %more = icmp sgt i64 %left, 1
  br i1 %more, label %loop, label %end

end:
  ret void
}
