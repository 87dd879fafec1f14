; The least key of some elements, and another member of the same element: it is read only where the key is less, but as the key is read in any case the
; element is there as a whole, and so the member may be read in any case too. What is beyond the element may not be there. (The loop writes, so that
; the member cannot be read behind it.)
;
; DEFINE: %{offset} = 8
; DEFINE: %{check} = sed 's/OFFSET/%{offset}/' %s | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s
; RUN: %{check} --check-prefix=INSIDE
; REDEFINE: %{offset} = 0
; RUN: %{check} --check-prefix=INSIDE
; REDEFINE: %{offset} = 12
; RUN: %{check} --check-prefix=BEYOND
; REDEFINE: %{offset} = 16
; RUN: %{check} --check-prefix=BEYOND
; REDEFINE: %{offset} = -8
; RUN: %{check} --check-prefix=BEYOND

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; INSIDE: reduction: "argmin"
; BEYOND-LABEL: # least
; BEYOND-NOT: argmin
define i64 @least(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %best = phi double [ 0.0, %entry ], [ %best.next, %latch ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %latch ]
  %element = getelementptr inbounds { double, i64 }, ptr %x, i64 %i
  %key = load double, ptr %element
  %copy = getelementptr inbounds double, ptr %y, i64 %i
  store double %key, ptr %copy
  %is.less = fcmp olt double %key, %best
  br i1 %is.less, label %then, label %latch

then:
  %member = getelementptr inbounds i8, ptr %element, i64 OFFSET
  %new = load i64, ptr %member
  br label %latch

latch:
  %best.next = phi double [ %key, %then ], [ %best, %loop ]
  %at.next = phi i64 [ %new, %then ], [ %at, %loop ]
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  %found = phi i64 [ -1, %entry ], [ %at.next, %latch ]
  ret i64 %found
}
