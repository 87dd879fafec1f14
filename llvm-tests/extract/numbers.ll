; Each way to compute a subscript: what the instances write as functions of the loop's iterator.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # sum{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[m + i0] : n > 0 and 0 <= i0 < n }"
define void @sum(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = add nsw i64 %i, %m
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # difference{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[m - i0] : n > 0 and 0 <= i0 < n }"
define void @difference(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = sub nsw i64 %m, %i
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # product{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[i0, 0] : n > 0 and 0 <= i0 < n }"
define void @product(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul nsw i64 %i, 6
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # shifted{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[i0, 0] : n > 0 and 0 <= i0 < n }"
define void @shifted(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = shl nsw i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # negative{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[-i0] : n > 0 and 0 <= i0 < n }"
define void @negative(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = sub nsw i64 0, %i
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # quotient{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[o0] : n > 0 and 0 <= i0 < n and i0 - 2 <= 3o0 <= i0 }"
define void @quotient(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = sdiv i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # remainder{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[(i0) mod 3] : n > 0 and 0 <= i0 < n }"
define void @remainder(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = srem i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # unsigned_quotient{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[o0] : n > 0 and 0 <= i0 < n and i0 - 2 <= 3o0 <= i0 }"
define void @unsigned_quotient(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = udiv i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # unsigned_remainder{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[(i0) mod 3] : n > 0 and 0 <= i0 < n }"
define void @unsigned_remainder(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = urem i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # right{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[o0] : n > 0 and 0 <= i0 < n and i0 - 3 <= 4o0 <= i0 }"
define void @right(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = ashr i64 %i, 2
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # logical_right{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[o0] : n > 0 and 0 <= i0 < n and i0 - 3 <= 4o0 <= i0 }"
define void @logical_right(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = lshr i64 %i, 2
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # low_bits{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[(i0) mod 8] : n > 0 and 0 <= i0 < n }"
define void @low_bits(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = and i64 %i, 7
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # joined{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[i0, 1] : n > 0 and 0 <= i0 < n }"
define void @joined(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %e = shl nsw i64 %i, 1
  %at = or disjoint i64 %e, 1
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # widened{{$}}
; CHECK: write: "[k, n] -> { S0[i0] -> a[k + i0] : n > 0 and 0 <= i0 < n }"
; CHECK: # tested: a 32-bit index does not wrap around
define void @widened(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %t = trunc i64 %i to i32
  %u = add nsw i32 %t, %k
  %at = sext i32 %u to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # zero_widened{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[(i0 + 5) mod 4294967296] : n > 0 and 0 <= i0 < n }"
define void @zero_widened(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %t = trunc i64 %i to i32
  %u = add nuw i32 %t, 5
  %at = zext i32 %u to i64
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # lesser{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[i0] : 0 <= i0 <= m and n > 0 and i0 < n; S0[i0] -> a[m] : n > 0 and 0 <= i0 < n and i0 > m }"
define void @lesser(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = call i64 @llvm.smin.i64(i64 %i, i64 %m)
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # greater{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[i0] : n > 0 and 0 <= i0 < n and i0 >= m; S0[i0] -> a[m] : 0 <= i0 < m and n > 0 and i0 < n }"
define void @greater(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = call i64 @llvm.smax.i64(i64 %i, i64 %m)
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # size{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[-m + i0] : n > 0 and 0 <= i0 < n and i0 >= m; S0[i0] -> a[m - i0] : 0 <= i0 < m and n > 0 and i0 < n }"
define void @size(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %d = sub nsw i64 %i, %m
  %at = call i64 @llvm.abs.i64(i64 %d, i1 true)
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # chosen{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[i0] : 0 <= i0 < m and n > 0 and i0 < n; S0[i0] -> a[i0 + 9] : n > 0 and 0 <= i0 < n and i0 >= m }"
define void @chosen(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = icmp slt i64 %i, %m
  %d = add nsw i64 %i, 9
  %at = select i1 %c, i64 %i, i64 %d
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # turned{{$}}
; CHECK: write: "[n] -> { S0[i0] -> a[-i0 - 1] : n > 0 and 0 <= i0 < n }"
define void @turned(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = xor i64 %i, -1
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # frozen{{$}}
; CHECK: write: "[m, n] -> { S0[i0] -> a[m + i0] : n > 0 and 0 <= i0 < n }"
define void @frozen(i64 %n, i64 %m, i32 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = freeze i64 %m
  %at = add nsw i64 %i, %f
  %to = getelementptr inbounds double, ptr %a, i64 %at
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
