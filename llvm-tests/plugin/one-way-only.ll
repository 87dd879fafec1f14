; What a loop hands on where it goes on is made of values that are there: not of one that came by the way that is known to have been taken, but may not have been.
;
; RUN: %loopwright -passes='loopwright' -verify-each -S %s -o - | FileCheck %s

; CHECK-LABEL: define i64 @handed_on(
; CHECK: phi i64 {{.*}}[ 7,
define i64 @handed_on(ptr %p, ptr %q, ptr %o) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %state = phi i64 [ 3, %entry ], [ %value, %end ]
  %q.i = getelementptr inbounds i64, ptr %q, i64 %i
  %x = load i64, ptr %q.i
  %o.i = getelementptr inbounds i64, ptr %o, i64 %i
  %y = load i64, ptr %o.i
  %large = icmp sgt i64 %x, 5
  %small = icmp slt i64 %y, 1000
  br i1 %large, label %then, label %end
then:
  %p.i = getelementptr inbounds i64, ptr %p, i64 %i
  %read = load i64, ptr %p.i
  %more = zext i1 %small to i64
  %sum = add i64 %read, %more
  br label %end
end:
  %value = phi i64 [ %sum, %then ], [ 7, %loop ]
  %product = mul i64 %state, 31
  %mixed = xor i64 %product, %value
  %scaled = mul i64 %mixed, %x
  %shifted = lshr i64 %scaled, 3
  %other = add i64 %shifted, %mixed
  store i64 %other, ptr %o.i
  %next = add nuw nsw i64 %i, 1
  %goes.on = and i1 %large, %small
  br i1 %goes.on, label %loop, label %behind
behind:
  ret i64 %value
}
