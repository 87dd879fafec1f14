; A handler of exceptions as Windows has them: calls in it say that they are. Functions with such handlers are left alone.
;
; RUN: %loopwright -loopwright-min-work=0 -loopwright-parallel -passes='loopwright,verify' -S %s -o - | FileCheck %s

target triple = "x86_64-pc-windows-msvc"

declare void @may_throw()
declare i32 @__CxxFrameHandler3(...)

; CHECK: define void @handled(
; CHECK-NOT: define
define void @handled(i64 %n, ptr noalias %x) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw() to label %end unwind label %caught
caught:
  %switch = catchswitch within none [label %handler] unwind to caller
handler:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ 0, %handler ], [ %next, %loop ]
  %cell = getelementptr inbounds double, ptr %x, i64 %i
  store double 0.0, ptr %cell
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  catchret from %pad to label %end
end:
  ret void
}
