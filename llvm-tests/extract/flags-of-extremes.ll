; LLVM's extremes of floats differ in what they make of a NaN and of zeros of two signs. A reduction is what does not depend on the order of its values: with
; `nnan` and `nsz` all of them, otherwise those that pass over a NaN wherever it comes and give either of two zeros.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # flags_both{{$}}
define void @flags_both(i64 %n, ptr noalias %maxnum, ptr noalias %minnum, ptr noalias %maximum, ptr noalias %minimum, ptr noalias %maximumnum, ptr noalias %minimumnum, ptr noalias %x) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from

; CHECK: read: "{{.*}} -> maxnum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maxnum = load double, ptr %maxnum
  %new.maxnum = call nnan nsz double @llvm.maxnum.f64(double %old.maxnum, double %v)
  store double %new.maxnum, ptr %maxnum

; CHECK: read: "{{.*}} -> minnum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minnum = load double, ptr %minnum
  %new.minnum = call nnan nsz double @llvm.minnum.f64(double %old.minnum, double %v)
  store double %new.minnum, ptr %minnum

; CHECK: read: "{{.*}} -> maximum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maximum = load double, ptr %maximum
  %new.maximum = call nnan nsz double @llvm.maximum.f64(double %old.maximum, double %v)
  store double %new.maximum, ptr %maximum

; CHECK: read: "{{.*}} -> minimum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minimum = load double, ptr %minimum
  %new.minimum = call nnan nsz double @llvm.minimum.f64(double %old.minimum, double %v)
  store double %new.minimum, ptr %minimum

; CHECK: read: "{{.*}} -> maximumnum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maximumnum = load double, ptr %maximumnum
  %new.maximumnum = call nnan nsz double @llvm.maximumnum.f64(double %old.maximumnum, double %v)
  store double %new.maximumnum, ptr %maximumnum

; CHECK: read: "{{.*}} -> minimumnum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minimumnum = load double, ptr %minimumnum
  %new.minimumnum = call nnan nsz double @llvm.minimumnum.f64(double %old.minimumnum, double %v)
  store double %new.minimumnum, ptr %minimumnum

  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # flags_zeros{{$}}
define void @flags_zeros(i64 %n, ptr noalias %maxnum, ptr noalias %minnum, ptr noalias %maximum, ptr noalias %minimum, ptr noalias %maximumnum, ptr noalias %minimumnum, ptr noalias %x) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from

; CHECK: read: "{{.*}} -> maxnum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maxnum = load double, ptr %maxnum
  %new.maxnum = call nsz double @llvm.maxnum.f64(double %old.maxnum, double %v)
  store double %new.maxnum, ptr %maxnum

; CHECK: read: "{{.*}} -> minnum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minnum = load double, ptr %minnum
  %new.minnum = call nsz double @llvm.minnum.f64(double %old.minnum, double %v)
  store double %new.minnum, ptr %minnum

; CHECK: read: "{{.*}} -> maximum[0] :
; CHECK-NEXT: - id:
  %old.maximum = load double, ptr %maximum
  %new.maximum = call nsz double @llvm.maximum.f64(double %old.maximum, double %v)
  store double %new.maximum, ptr %maximum

; CHECK: read: "{{.*}} -> minimum[0] :
; CHECK-NEXT: - id:
  %old.minimum = load double, ptr %minimum
  %new.minimum = call nsz double @llvm.minimum.f64(double %old.minimum, double %v)
  store double %new.minimum, ptr %minimum

; CHECK: read: "{{.*}} -> maximumnum[0] :
; CHECK-NEXT: - id:
  %old.maximumnum = load double, ptr %maximumnum
  %new.maximumnum = call nsz double @llvm.maximumnum.f64(double %old.maximumnum, double %v)
  store double %new.maximumnum, ptr %maximumnum

; CHECK: read: "{{.*}} -> minimumnum[0] :
; CHECK-NEXT: - id:
  %old.minimumnum = load double, ptr %minimumnum
  %new.minimumnum = call nsz double @llvm.minimumnum.f64(double %old.minimumnum, double %v)
  store double %new.minimumnum, ptr %minimumnum

  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # flags_nans{{$}}
define void @flags_nans(i64 %n, ptr noalias %maxnum, ptr noalias %minnum, ptr noalias %maximum, ptr noalias %minimum, ptr noalias %maximumnum, ptr noalias %minimumnum, ptr noalias %x) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from

; CHECK: read: "{{.*}} -> maxnum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maxnum = load double, ptr %maxnum
  %new.maxnum = call nnan double @llvm.maxnum.f64(double %old.maxnum, double %v)
  store double %new.maxnum, ptr %maxnum

; CHECK: read: "{{.*}} -> minnum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minnum = load double, ptr %minnum
  %new.minnum = call nnan double @llvm.minnum.f64(double %old.minnum, double %v)
  store double %new.minnum, ptr %minnum

; CHECK: read: "{{.*}} -> maximum[0] :
; CHECK-NEXT: - id:
  %old.maximum = load double, ptr %maximum
  %new.maximum = call nnan double @llvm.maximum.f64(double %old.maximum, double %v)
  store double %new.maximum, ptr %maximum

; CHECK: read: "{{.*}} -> minimum[0] :
; CHECK-NEXT: - id:
  %old.minimum = load double, ptr %minimum
  %new.minimum = call nnan double @llvm.minimum.f64(double %old.minimum, double %v)
  store double %new.minimum, ptr %minimum

; CHECK: read: "{{.*}} -> maximumnum[0] :
; CHECK-NEXT: - id:
  %old.maximumnum = load double, ptr %maximumnum
  %new.maximumnum = call nnan double @llvm.maximumnum.f64(double %old.maximumnum, double %v)
  store double %new.maximumnum, ptr %maximumnum

; CHECK: read: "{{.*}} -> minimumnum[0] :
; CHECK-NEXT: - id:
  %old.minimumnum = load double, ptr %minimumnum
  %new.minimumnum = call nnan double @llvm.minimumnum.f64(double %old.minimumnum, double %v)
  store double %new.minimumnum, ptr %minimumnum

  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # flags_none{{$}}
define void @flags_none(i64 %n, ptr noalias %maxnum, ptr noalias %minnum, ptr noalias %maximum, ptr noalias %minimum, ptr noalias %maximumnum, ptr noalias %minimumnum, ptr noalias %x) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from

; CHECK: read: "{{.*}} -> maxnum[0] :
; CHECK-NEXT: reduction: "max"
  %old.maxnum = load double, ptr %maxnum
  %new.maxnum = call double @llvm.maxnum.f64(double %old.maxnum, double %v)
  store double %new.maxnum, ptr %maxnum

; CHECK: read: "{{.*}} -> minnum[0] :
; CHECK-NEXT: reduction: "min"
  %old.minnum = load double, ptr %minnum
  %new.minnum = call double @llvm.minnum.f64(double %old.minnum, double %v)
  store double %new.minnum, ptr %minnum

; CHECK: read: "{{.*}} -> maximum[0] :
; CHECK-NEXT: - id:
  %old.maximum = load double, ptr %maximum
  %new.maximum = call double @llvm.maximum.f64(double %old.maximum, double %v)
  store double %new.maximum, ptr %maximum

; CHECK: read: "{{.*}} -> minimum[0] :
; CHECK-NEXT: - id:
  %old.minimum = load double, ptr %minimum
  %new.minimum = call double @llvm.minimum.f64(double %old.minimum, double %v)
  store double %new.minimum, ptr %minimum

; CHECK: read: "{{.*}} -> maximumnum[0] :
; CHECK-NEXT: - id:
  %old.maximumnum = load double, ptr %maximumnum
  %new.maximumnum = call double @llvm.maximumnum.f64(double %old.maximumnum, double %v)
  store double %new.maximumnum, ptr %maximumnum

; CHECK: read: "{{.*}} -> minimumnum[0] :
; CHECK-NEXT: - id:
  %old.minimumnum = load double, ptr %minimumnum
  %new.minimumnum = call double @llvm.minimumnum.f64(double %old.minimumnum, double %v)
  store double %new.minimumnum, ptr %minimumnum

  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximumnum.f64(double, double)
declare double @llvm.minimumnum.f64(double, double)
