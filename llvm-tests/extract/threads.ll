; What differs between threads is asked for before the loops, or not shared among them: addresses of thread-local variables, also where
; a constant has them; calls of functions that are only declared to depend on their arguments; memory behind a register of the thread.
;
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -pass-remarks-missed=loopwright -S %s 2>&1 | FileCheck %s
; RUN: %loopwright -passes='loopwright<no-parallel>,verify' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -S %s 2>&1 | FileCheck %s --check-prefix=ALONE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@own = internal thread_local global [100 x double] zeroinitializer
@where = external global [100 x ptr]

; CHECK: remark: {{.*}}i0 on all cores
; CHECK: remark: {{.*}}i0 on all cores
; CHECK: remark: {{.*}}i0 on all cores
; CHECK: remark: {{.*}}left as it was: what 'anything' gives is not known to be the same on every thread
; CHECK: remark: {{.*}}i0 in vectors
; CHECK: remark: {{.*}}runs in order: what 'anything' gives is not known to be the same on every thread
; CHECK: remark: {{.*}}i0 on all cores
; CHECK: remark: {{.*}}left as it was: what 'elsewhere' gives is not known to be the same on every thread
; CHECK: remark: {{.*}}left as it was: what 'llvm.returnaddress' gives is not known to be the same on every thread
; CHECK: remark: {{.*}}left as it was: memory in an address space of its own is not known to be the same on every thread
; ALONE: remark: {{.*}}i0 in vectors

; CHECK-LABEL: define void @asked_for_in_the_loop(
; CHECK: call {{.*}}@llvm.threadlocal.address.p0(ptr @own)
; CHECK-NOT: @own
; CHECK: }
define void @asked_for_in_the_loop(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %own = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %cell = getelementptr inbounds double, ptr %own, i64 %i
  %old = load double, ptr %cell
  %new = fmul double %old, 3.5
  store double %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @in_a_constant(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr @own, i64 %i
  %old = load double, ptr %cell
  %new = fmul double %old, 3.5
  store double %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @as_a_value(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds ptr, ptr @where, i64 %i
  store ptr getelementptr inbounds (i8, ptr @own, i64 24), ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare double @anything(double) memory(none) nounwind willreturn
define void @declared(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr %a, i64 %i
  %old = load double, ptr %cell
  %new = call double @anything(double %old)
  store double %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @declared_in_a_nest(ptr %a) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  br label %loop
loop:
  %j = phi i64 [ 0, %rows ], [ %next, %loop ]
  %cell = getelementptr inbounds [1000 x double], ptr %a, i64 %j, i64 %i
  %old = load double, ptr %cell
  %new = call double @anything(double %old)
  store double %new, ptr %cell
  %next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %loop, label %rows.end
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %rows, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @declared_in_a_nest(
; CHECK-NOT: kmpc
; CHECK: call double @anything(
; CHECK-NOT: kmpc
; CHECK-LABEL: define double @body(
define double @body(double %x) memory(none) nounwind willreturn noinline {
  %cell = alloca double
  store double %x, ptr %cell
  %y = load double, ptr %cell
  %z = call double @llvm.sqrt.f64(double %y)
  %s = call double @sin(double %z)
  ret double %s
}
declare double @sin(double) memory(none) nounwind willreturn
define void @defined(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr %a, i64 %i
  %old = load double, ptr %cell
  %new = call double @body(double %old)
  store double %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define double @elsewhere(double %x) memory(none) nounwind willreturn noinline {
  %s = call double @through_another(double %x)
  ret double %s
}
define internal double @through_another(double %x) memory(none) nounwind willreturn noinline {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %n = ptrtoint ptr %p to i64
  %f = uitofp i64 %n to double
  %s = fadd double %x, %f
  ret double %s
}
define void @defined_with_an_address(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr %a, i64 %i
  %old = load double, ptr %cell
  %new = call double @elsewhere(double %old)
  store double %new, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @under_a_condition(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %cell = getelementptr inbounds ptr, ptr %a, i64 %i
  %is.odd = icmp ugt i64 %i, 5
  br i1 %is.odd, label %then, label %latch
then:
  %at = call ptr @llvm.returnaddress(i32 0)
  store ptr %at, ptr %cell
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @behind_a_register(ptr addrspace(257) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr addrspace(257) %a, i64 %i
  %old = load double, ptr addrspace(257) %cell
  %new = fmul double %old, 3.5
  store double %new, ptr addrspace(257) %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define internal void @asked_for_in_the_loop.part(
; CHECK-NOT: @own
; CHECK: }
; CHECK-LABEL: define internal void @in_a_constant.part(
; CHECK-NOT: @own
; CHECK: }
; CHECK-LABEL: define internal void @as_a_value.part(
; CHECK-NOT: @own
; CHECK: }
