; What the program promises of the elements that a loop reads and updates is not true of private copies: they start as the identity of the
; operator, which need not be a number that the program's elements may have.
;
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -S %s | FileCheck %s
; CHECK-LABEL: define void @all(
; CHECK: load i8, {{.*}} !range
; CHECK-LABEL: define internal void @all.part(
; CHECK-NOT: !range
; CHECK: and i8
; CHECK-NOT: !range
; CHECK-LABEL: define internal void @all.threads(
; CHECK: store i8 -1,
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define void @all(ptr noalias %all, ptr noalias %key, ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %kc = getelementptr inbounds i64, ptr %key, i64 %i
  %k = load i64, ptr %kc
  %xc = getelementptr inbounds i8, ptr %x, i64 %i
  %v = load i8, ptr %xc
  %cell = getelementptr inbounds i8, ptr %all, i64 %k
  %old = load i8, ptr %cell, !range !0, !noundef !1
  %new = and i8 %old, %v
  store i8 %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = !{i8 0, i8 2}
!1 = !{}
