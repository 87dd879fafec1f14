; What keeps the loops going is one of two numbers below the other, in each way that a program may say so; `i * m` grows as rows have no negative
; length, so that the last iteration decides: `(n - 1) * m < k`. Of several conditions at once each has to hold.
;
; RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @fail() noreturn

; CHECK-LABEL: # slt_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @slt_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp slt i64 %f, %k
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # slt_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @slt_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp slt i64 %k, %f
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sle_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sle_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sle i64 %f, %k
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sle_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sle_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sle i64 %k, %f
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sgt_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sgt_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sgt i64 %k, %f
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sgt_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sgt_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sgt i64 %f, %k
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sge_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sge_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sge i64 %k, %f
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # sge_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @sge_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp sge i64 %f, %k
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ult_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ult_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ult i64 %f, %k
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ult_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ult_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ult i64 %k, %f
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ule_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ule_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ule i64 %f, %k
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ule_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ule_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ule i64 %k, %f
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ugt_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ugt_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ugt i64 %k, %f
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # ugt_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @ugt_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp ugt i64 %f, %k
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # uge_on{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m <= k + m and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @uge_on(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp uge i64 %k, %f
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # uge_off{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @uge_off(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp uge i64 %f, %k
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # both{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 1000 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @both(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp slt i64 %f, %k
  %y = icmp slt i64 %i, 1000
  %c = and i1 %x, %y
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # neither{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 1000 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @neither(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp sge i64 %f, %k
  %y = icmp sge i64 %i, 1000
  %c = or i1 %x, %y
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # both_chosen{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 1000 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @both_chosen(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp slt i64 %f, %k
  %y = icmp slt i64 %i, 1000
  %c = select i1 %x, i1 %y, i1 false
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # neither_chosen{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 1000 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @neither_chosen(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp sge i64 %f, %k
  %y = icmp sge i64 %i, 1000
  %c = select i1 %x, i1 true, i1 %y
  br i1 %c, label %fail, label %go

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK-LABEL: # turned{{$}}
; CHECK: assumed: {{.*}} 0 < n <= 2147483648 and {{.*}}n_times_m < m + k and {{.*}}0 <= m <=
; CHECK: # tested: no iteration leaves the loops in the middle
define void @turned(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp sge i64 %f, %k
  %c = xor i1 %x, true
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; CHECK: # either: the loop can be left in the middle (break, return or goto)
define void @either(i64 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %x = icmp slt i64 %f, %k
  %y = icmp slt i64 %i, 1000
  %c = or i1 %x, %y
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}

; The last iteration is half of `n`, rounded: no sum of parameters.
; CHECK: # by_twos: the loop can be left in the middle
define void @by_twos(i32 %n, i64 %m, i64 %k, ptr noalias %a) {
entry:
  %w = sext i32 %n to i64
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %f = mul nsw i64 %i, %m
  %c = icmp slt i64 %f, %k
  br i1 %c, label %go, label %fail

go:
  %to = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %to
  %next = add nsw i64 %i, 2
  %again = icmp slt i64 %next, %w
  br i1 %again, label %loop, label %end

fail:
  call void @fail()
  unreachable

end:
  ret void
}
