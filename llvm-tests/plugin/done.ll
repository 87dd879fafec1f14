; A function that was handled is marked, and a second run leaves it alone; functions without loops are not touched.
;
; RUN: %loopwright -passes=loopwright -S %s | FileCheck %s
; RUN: %loopwright -passes='loopwright,loopwright<provoke-panic=prepare>' -pass-remarks-missed=loopwright -S %s 2>&1 | FileCheck %s --check-prefix=SECOND
; SECOND-NOT: law of the optimizer

; CHECK: define void @straight(ptr %a) {
; CHECK-NEXT: %p = getelementptr i8, ptr %a, i64 0
define void @straight(ptr %a) {
  %p = getelementptr i8, ptr %a, i64 0
  store i8 0, ptr %p
  ret void
}

; CHECK: define void @asked_not_to(ptr %a) #[[#BARRED:]] {
define void @asked_not_to(ptr %a) noinline optnone {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store volatile i8 0, ptr %a
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK: define void @looping(ptr %a) #[[#DONE:]] {
define void @looping(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store volatile i8 0, ptr %a
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 10
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; CHECK: attributes #[[#BARRED]] = { noinline optnone }
; CHECK: attributes #[[#DONE]] = { "loopwright-done" }
