; Small functions are inlined into functions with loops where LLVM's own inliner may: no coroutine that is still to be split, no calls that
; are hardly ever made, none into functions with other features; and no variables on the stack into functions that may be running already,
; nor many into others. (A function in which nothing is rewritten goes back to what it was, so each has a loop besides that is.)
;
; RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -S %s | FileCheck %s

@out = global [1000 x double] zeroinitializer

declare void @use(ptr)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare ptr @llvm.coro.begin(token, ptr)

define internal double @first_of_many(double %x) {
  %t = alloca [64 x double]
  call void @use(ptr %t)
  %r = load double, ptr %t
  %s = fadd double %r, %x
  ret double %s
}

define internal double @first_of_two(double %x) {
  %t = alloca [2 x double]
  call void @use(ptr %t)
  %r = load double, ptr %t
  %s = fadd double %r, %x
  ret double %s
}

define internal double @twice(double %x) {
  %s = fadd double %x, %x
  ret double %s
}

define internal double @with_features(double %x) "target-features"="+avx512f" {
  %s = fadd double %x, %x
  ret double %s
}

define internal double @merged_never(double %x) noinline {
  %s = fadd double %x, %x
  ret double %s
}

define weak double @replaced_perhaps(double %x) {
  %s = fadd double %x, %x
  ret double %s
}

define internal ptr @suspended(double %x) presplitcoroutine {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %handle = call ptr @llvm.coro.begin(token %id, ptr null)
  ret ptr %handle
}

; CHECK-LABEL: define void @walk(
; CHECK-DAG: call double @first_of_many(
; CHECK-DAG: call double @first_of_two(
; CHECK-NOT: call double @twice(
; CHECK: }
define void @walk(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %cell
  call void @walk(ptr %cell, i64 %i)
  %y = call double @first_of_many(double %x)
  %z = call double @first_of_two(double %y)
  %w = call double @twice(double %z)
  store double %w, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %fill
fill:
  %j = phi i64 [ 0, %exit ], [ %after, %fill ]
  %place = getelementptr inbounds [1000 x double], ptr @out, i64 0, i64 %j
  store double 1.0, ptr %place
  %after = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %after, 1000
  br i1 %again, label %fill, label %end
end:
  ret void
}

; One that is called through another one.
; CHECK-LABEL: define void @there(
; CHECK: call double @first_of_two(
; CHECK: }
define void @there(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %cell
  call void @back(ptr %cell, i64 %i)
  %z = call double @first_of_two(double %x)
  store double %z, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %fill
fill:
  %j = phi i64 [ 0, %exit ], [ %after, %fill ]
  %place = getelementptr inbounds [1000 x double], ptr @out, i64 0, i64 %j
  store double 1.0, ptr %place
  %after = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %after, 1000
  br i1 %again, label %fill, label %end
end:
  ret void
}
define void @back(ptr %a, i64 %n) noinline {
  call void @there(ptr %a, i64 %n)
  ret void
}

; CHECK-LABEL: define void @straight_on(
; CHECK-NOT: call double @first_of_two(
; CHECK-NOT: call double @twice(
; CHECK: call double @first_of_many(
; CHECK-DAG: call double @first_of_many(
; CHECK-DAG: call double @with_features(
; CHECK-DAG: call double @merged_never(
; CHECK-DAG: call double @replaced_perhaps(
; CHECK-DAG: call ptr @suspended(
; CHECK-DAG: call double @twice({{.*}} #[[#]]
; CHECK: }
define void @straight_on(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cell = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %cell
  %z = call double @first_of_two(double %x)
  %w = call double @twice(double %z)
  %y = call double @first_of_many(double %w)
  %y1 = call double @first_of_many(double %y)
  %y2 = call double @first_of_many(double %y1)
  %u = call double @with_features(double %y2)
  %v = call double @merged_never(double %u)
  %t = call double @replaced_perhaps(double %v)
  %s = call ptr @suspended(double %t)
  %r = call double @twice(double %t) cold
  store double %r, ptr %cell
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %fill
fill:
  %j = phi i64 [ 0, %exit ], [ %after, %fill ]
  %place = getelementptr inbounds [1000 x double], ptr @out, i64 0, i64 %j
  store double 1.0, ptr %place
  %after = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %after, 1000
  br i1 %again, label %fill, label %end
end:
  ret void
}
