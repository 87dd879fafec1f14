; Functions for threads have the attributes of the function that they are a part of as far as these are true of a part, and nothing that speaks
; of parameters, results or effects; copies of instructions keep what is true of copies.
;
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -S %s | FileCheck %s
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,default<O3>' -verify-each -disable-output %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

$scaled = comdat any

; CHECK: define linkonce_odr {{.*}}ptr @scaled({{.*}} #[[#MAIN:]] section ".text.mine" comdat
; CHECK: define internal void @scaled.part({{.*}} #[[#PART:]] {
; CHECK-NOT: !DIAssignID
; CHECK: define internal void @scaled.threads({{.*}} #[[#THREADS:]] {
; CHECK: attributes #[[#MAIN]] = { {{.*}}allocsize(1){{.*}} }
; CHECK: attributes #[[#PART]] = { mustprogress noimplicitfloat noinline noredzone nounwind null_pointer_is_valid sanitize_memtag sspstrong uwtable
; CHECK-NOT: prefix
; CHECK-SAME: "denormal-fp-math"="preserve-sign,preserve-sign" "frame-pointer"="all" "loopwright-done" "no-builtin-sin" "no-builtins" "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" "target-features"="+avx2" }
; CHECK: attributes #[[#THREADS]] = { mustprogress noimplicitfloat noredzone nounwind null_pointer_is_valid sanitize_memtag sspstrong uwtable
; CHECK-SAME: "denormal-fp-math"="preserve-sign,preserve-sign" "frame-pointer"="all" "loopwright-done" "no-builtin-sin" "no-builtins" "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" "target-features"="+avx2" }
define linkonce_odr fastcc noalias ptr @scaled(ptr noalias returned %x, i64 %n) #0 section ".text.mine" comdat prefix i32 7 personality ptr @handler {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr %x, i64 %i
  %old = load double, ptr %cell, !noundef !0
  %new = fmul double %old, 3.5
  store double %new, ptr %cell, !DIAssignID !1, !annotation !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !prof !3
exit:
  ret ptr %x
}

declare i32 @handler(...)

attributes #0 = { allocsize(1) alwaysinline allockind("alloc") hot memory(argmem: readwrite) mustprogress nofree noimplicitfloat norecurse noredzone nosync nounwind null_pointer_is_valid returns_twice sanitize_memtag sspstrong uwtable willreturn "alloc-family"="mine" "denormal-fp-math"="preserve-sign,preserve-sign" "frame-pointer"="all" "function-instrument"="xray-always" "no-builtin-sin" "no-builtins" "patchable-function"="prologue-short-redirect" "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" "target-features"="+avx2" "thunk" }
!0 = !{}
!1 = distinct !DIAssignID()
!2 = !{!"auto-init"}
!3 = !{!"branch_weights", i32 100, i32 1}
