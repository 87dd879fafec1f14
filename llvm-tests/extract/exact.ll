; What the flags of each operation promise of numbers of 32 bits: that they do not wrap around, so that nothing has to be tested. Where one of the steps
; promises nothing, it is.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # sum{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5)] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @sum(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %r = add nsw i32 %k, %q
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # difference{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[k - ((i0) mod 5)] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @difference(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %r = sub nsw i32 %k, %q
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # product{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5), 0] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @product(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add nsw i32 %k, %q
  %r = mul nsw i32 %e, 3
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # shifted{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5), 0] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @shifted(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add nsw i32 %k, %q
  %r = shl nsw i32 %e, 2
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # turned{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[-k - ((i0) mod 5) - 1] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @turned(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add nsw i32 %k, %q
  %r = xor i32 %e, -1
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # joined{{$}}
; CHECK: assumed: "[n, k] -> { : n > 0 }"
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5), 1] : n > 0 and 0 <= i0 < n }"
; CHECK-NOT: wrap around
define void @joined(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add nsw i32 %k, %q
  %f = shl nsw i32 %e, 1
  %r = or disjoint i32 %f, 1
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # may_wrap{{$}}
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5)] : n > 0 and 0 <= i0 < n }"
; CHECK: # tested: a 32-bit index does not wrap around
define void @may_wrap(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %r = add i32 %k, %q
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # may_wrap_first{{$}}
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5), 0] : n > 0 and 0 <= i0 < n }"
; CHECK: # tested: a 32-bit index does not wrap around
define void @may_wrap_first(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add i32 %k, %q
  %r = mul nsw i32 %e, 3
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # may_wrap_joined{{$}}
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + ((i0) mod 5), 1] : n > 0 and 0 <= i0 < n }"
; CHECK: # tested: a 32-bit index does not wrap around
define void @may_wrap_joined(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add i32 %k, %q
  %f = shl i32 %e, 1
  %r = or disjoint i32 %f, 1
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; What meets in a bit is no sum: the place may be any.
; CHECK-LABEL: # met{{$}}
; CHECK: write: "[n] -> { S0[i0, i1] -> a[i1] : n > 0 and 0 <= i0 < n }"
define void @met(i32 %n, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = srem i32 %j, 5
  %e = add nsw i32 %k, %q
  %r = or i32 %e, 2
  %at = sext i32 %r to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
