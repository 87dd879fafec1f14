; A loop that may only be transformed as its metadata says is kept.
;
; RUN: %loopwright -passes=loopwright -pass-remarks-missed=loopwright -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest left as it was: the source says 'disable_nonforced' of a loop

define void @scale(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %b, i64 %i
  %value = load double, ptr %from
  %at = getelementptr inbounds double, ptr %a, i64 %i
  store double %value, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.disable_nonforced"}
