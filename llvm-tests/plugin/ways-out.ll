; The end of a loop that leads to where its middle leads gets a block of its own only if it is a branch: the place that a call jumps to when it throws, the
; addresses of an indirect branch and the cases of a switch stay.
;
; RUN: %loopwright -passes='loopwright,verify' -S %s -o - | FileCheck %s

declare void @next(i32)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @throws(
; CHECK-NOT: behind
; CHECK-LABEL: define void @cases(
define i32 @throws(i32 %n) personality ptr @__gxx_personality_v0 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %more, %latch ]
  invoke void @next(i32 %i) to label %latch unwind label %caught
latch:
  %more = add i32 %i, 1
  invoke void @next(i32 %more) to label %head unwind label %caught
caught:
  %at = phi i32 [ %i, %head ], [ -1, %latch ]
  %exception = landingpad { ptr, i32 } catch ptr null
  ret i32 %at
}

; CHECK-NOT: behind
; CHECK-LABEL: define i32 @jumps(
define void @cases(i32 %m) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %more, %latch ]
  %is = icmp eq i32 %i, %m
  br i1 %is, label %out, label %latch
latch:
  %more = add i32 %i, 1
  call void @next(i32 %i)
  switch i32 %more, label %head [ i32 100, label %out
                                  i32 105, label %out ]
out:
  %way = phi i32 [ 0, %head ], [ 1, %latch ], [ 1, %latch ]
  call void @next(i32 %way)
  ret void
}

; CHECK-NOT: behind
define i32 @jumps(i32 %m, ptr %to) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %more, %latch ]
  %is = icmp eq i32 %i, %m
  br i1 %is, label %out, label %latch
latch:
  %more = add i32 %i, 1
  call void @next(i32 %i)
  indirectbr ptr %to, [ label %head, label %out ]
out:
  %way = phi i32 [ %i, %head ], [ %more, %latch ]
  ret i32 %way
}
