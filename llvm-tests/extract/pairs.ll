; A value that is replaced together with its place, by each comparison, whichever side comes first and whichever way replaces. Where a NaN may be, only what
; replaces by a comparison that does not hold of a NaN is a reduction: the others would begin anew after one.
;
; DEFINE: %{compare} =
; DEFINE: %{less} =
; DEFINE: %{more} =
; DEFINE: %{kind} =
; DEFINE: %{check} = sed 's/COMPARE/%{compare}/' %s | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck --check-prefixes=CHECK,%{kind} -DLESS=%{less} -DMORE=%{more} %s
;
; REDEFINE: %{kind} = ORDERED
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = olt
; RUN: %{check}
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = ole
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = ogt
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = oge
; RUN: %{check}
; REDEFINE: %{kind} = UNORDERED
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = ult
; RUN: %{check}
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = ule
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = ugt
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = uge
; RUN: %{check}
; REDEFINE: %{kind} = PLAIN
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = nnan olt
; RUN: %{check}
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = nnan ole
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = nnan ogt
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = nnan oge
; RUN: %{check}
; REDEFINE: %{kind} = PLAIN
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = nnan ult
; RUN: %{check}
; REDEFINE: %{less} = argmin
; REDEFINE: %{more} = argmax
; REDEFINE: %{compare} = nnan ule
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = nnan ugt
; RUN: %{check}
; REDEFINE: %{less} = argmax
; REDEFINE: %{more} = argmin
; REDEFINE: %{compare} = nnan uge
; RUN: %{check}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: # direct{{$}}
; ORDERED: reduction: "[[LESS]]"
; PLAIN: reduction: "[[LESS]]"
; UNORDERED-NOT: reduction:
define void @direct(i64 %n, ptr noalias %x, ptr noalias %out, ptr noalias %place) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi double [ 0.0, %entry ], [ %best.next, %loop ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %c = fcmp COMPARE double %v, %best
  %best.next = select i1 %c, double %v, double %best
  %at.next = select i1 %c, i64 %i, i64 %at
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done

done:
  store double %best.next, ptr %out
  store i64 %at.next, ptr %place
  br label %end

end:
  ret void
}

; CHECK-LABEL: # turned{{$}}
; ORDERED: reduction: "[[MORE]]"
; PLAIN: reduction: "[[MORE]]"
; UNORDERED-NOT: reduction:
define void @turned(i64 %n, ptr noalias %x, ptr noalias %out, ptr noalias %place) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi double [ 0.0, %entry ], [ %best.next, %loop ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %c = fcmp COMPARE double %best, %v
  %best.next = select i1 %c, double %v, double %best
  %at.next = select i1 %c, i64 %i, i64 %at
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done

done:
  store double %best.next, ptr %out
  store i64 %at.next, ptr %place
  br label %end

end:
  ret void
}

; CHECK-LABEL: # else{{$}}
; UNORDERED: reduction: "[[MORE]]"
; PLAIN: reduction: "[[MORE]]"
; ORDERED-NOT: reduction:
define void @else(i64 %n, ptr noalias %x, ptr noalias %out, ptr noalias %place) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi double [ 0.0, %entry ], [ %best.next, %loop ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %c = fcmp COMPARE double %v, %best
  %best.next = select i1 %c, double %best, double %v
  %at.next = select i1 %c, i64 %at, i64 %i
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done

done:
  store double %best.next, ptr %out
  store i64 %at.next, ptr %place
  br label %end

end:
  ret void
}

; CHECK-LABEL: # else_turned{{$}}
; UNORDERED: reduction: "[[LESS]]"
; PLAIN: reduction: "[[LESS]]"
; ORDERED-NOT: reduction:
define void @else_turned(i64 %n, ptr noalias %x, ptr noalias %out, ptr noalias %place) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi double [ 0.0, %entry ], [ %best.next, %loop ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %c = fcmp COMPARE double %best, %v
  %best.next = select i1 %c, double %best, double %v
  %at.next = select i1 %c, i64 %at, i64 %i
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done

done:
  store double %best.next, ptr %out
  store i64 %at.next, ptr %place
  br label %end

end:
  ret void
}
