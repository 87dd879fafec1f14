; Each way to compare and each way to join conditions: for which iterations the store runs. A comparison without signs is that of the numbers where the
; larger side is not negative, which is tested unless it is known.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # eq{{$}}
; CHECK: domain: "[n, m] -> { S0[m] : n > 0 and 0 <= m < n }"
; CHECK-NOT: # tested: an unsigned bound
define void @eq(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp eq i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # ne{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m or n > 0 and 0 <= i0 < n and i0 > m }"
; CHECK-NOT: # tested: an unsigned bound
define void @ne(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ne i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # slt{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m }"
; CHECK-NOT: # tested: an unsigned bound
define void @slt(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp slt i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # sle{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 <= m }"
; CHECK-NOT: # tested: an unsigned bound
define void @sle(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp sle i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # sgt{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 > m }"
; CHECK-NOT: # tested: an unsigned bound
define void @sgt(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp sgt i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # sge{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 >= m }"
; CHECK-NOT: # tested: an unsigned bound
define void @sge(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp sge i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # ult{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m }"
; CHECK: # tested: an unsigned bound is below half its range
define void @ult(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # ule{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 <= m }"
; CHECK: # tested: an unsigned bound is below half its range
define void @ule(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ule i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # ugt{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 > m }"
; CHECK: # tested: an unsigned bound is below half its range
define void @ugt(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ugt i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # uge{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 >= m }"
; CHECK: # tested: an unsigned bound is below half its range
define void @uge(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp uge i64 %i, %m
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # small_ult{{$}}
; CHECK: domain: "[n] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 <= 6 }"
; CHECK-NOT: # tested: an unsigned bound
define void @small_ult(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i64 %i, 7
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # small_ule{{$}}
; CHECK: domain: "[n] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 <= 7 }"
; CHECK-NOT: # tested: an unsigned bound
define void @small_ule(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ule i64 %i, 7
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # small_ugt{{$}}
; CHECK: domain: "[n] -> { S0[i0] : n > 0 and 8 <= i0 < n }"
; CHECK-NOT: # tested: an unsigned bound
define void @small_ugt(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ugt i64 %i, 7
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # small_uge{{$}}
; CHECK: domain: "[n] -> { S0[i0] : n > 0 and 7 <= i0 < n }"
; CHECK-NOT: # tested: an unsigned bound
define void @small_uge(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp uge i64 %i, 7
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # truths_eq{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 4 <= i0 < n and i0 < m or n > 0 and 0 <= i0 < n and m <= i0 <= 3 }"
; CHECK-NOT: # tested: an unsigned bound
define void @truths_eq(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %c = icmp eq i1 %x, %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # truths_ne{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m and i0 <= 3 or n > 0 and 4 <= i0 < n and i0 >= m }"
; CHECK-NOT: # tested: an unsigned bound
define void @truths_ne(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %c = icmp ne i1 %x, %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # both_and{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 4 <= i0 < n and i0 < m }"
; CHECK-NOT: # tested: an unsigned bound
define void @both_and(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %c = and i1 %x, %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # both_or{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m or n > 0 and 4 <= i0 < n }"
; CHECK-NOT: # tested: an unsigned bound
define void @both_or(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %c = or i1 %x, %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # both_xor{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m and i0 <= 3 or n > 0 and 4 <= i0 < n and i0 >= m }"
; CHECK-NOT: # tested: an unsigned bound
define void @both_xor(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %c = xor i1 %x, %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # chosen{{$}}
; CHECK: domain: "[n, m] -> { S0[9] : n >= 10 and m >= 10; S0[i0] : n > 0 and 10 <= i0 < n or n > 0 and 4 <= i0 < n and i0 <= 8 }"
; CHECK-NOT: # tested: an unsigned bound
define void @chosen(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %y = icmp sgt i64 %i, 3
  %z = icmp eq i64 %i, 9
  %c = select i1 %z, i1 %x, i1 %y
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # frozen{{$}}
; CHECK: domain: "[n, m] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < m }"
; CHECK-NOT: # tested: an unsigned bound
define void @frozen(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = icmp slt i64 %i, %m
  %c = freeze i1 %x
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; CHECK-LABEL: # frozen_number{{$}}
; CHECK: domain: "[n, f] -> { S0[i0] : n > 0 and 0 <= i0 < n and i0 < f }"
; CHECK-NOT: # tested: an unsigned bound
define void @frozen_number(i64 %n, i64 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %f = freeze i64 %m
  %c = icmp slt i64 %i, %f
  br i1 %c, label %then, label %latch

then:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
