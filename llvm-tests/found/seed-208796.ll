; seed 208796: the process died
; program {"arrays":[{"kind":"I32","base":{"Argument":{"alone":true}},"form":"Element","content":"Index"},{"kind":"I8","base":{"Argument":{"alone":true}},"form":"Element","content":"Sorted"},{"kind":"F64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"}],"functions":[{"scalars":["F32"],"sums":0,"body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[["M",1]],"constant":0},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[["N",1]],"constant":0},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[["M",1]],"constant":0},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"body":[{"Assign":{"array":2,"at":{"Affine":{"terms":[[{"Counter":1},1]],"constant":0}},"value":{"Constant":1}}}]}}]}}]}}]}],"n":0,"m":0,"flags":true,"at_end":true,"contents":13102144918041680888,"way":{"words":"parallel min-work=0 provoke-panic=end validate","before":6,"after":7,"threads":[1],"runtime":{"Turns":{"order":6682774582179334415}}}}
; ModuleID = 'fuzz'
source_filename = "fuzz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind
define void @f0(ptr noalias %0, ptr noalias %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, i64 %8, i64 %9) #0 {
entry:
  %c6 = alloca i64, align 8
  %c1 = alloca i64, align 8
  %c = alloca i64, align 8
  %s0 = alloca float, align 4
  store float 1.562500e-02, ptr %s0, align 4
  %10 = mul nsw i64 %9, 1
  %11 = add nsw i64 0, %10
  store i64 0, ptr %c, align 8
  br label %head

head:                                             ; preds = %latch, %entry
  %12 = load i64, ptr %c, align 8
  %13 = icmp slt i64 %12, %11
  br i1 %13, label %body, label %exit

body:                                             ; preds = %head
  %14 = mul nsw i64 %8, 1
  %15 = add nsw i64 0, %14
  store i64 0, ptr %c1, align 8
  br label %head2

latch:                                            ; preds = %exit5
  %16 = load i64, ptr %c, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, ptr %c, align 8
  br label %head

exit:                                             ; preds = %head
  %18 = load float, ptr %s0, align 4
  %19 = getelementptr i8, ptr %7, i64 0
  store float %18, ptr %19, align 4
  ret void

head2:                                            ; preds = %latch4, %body
  %20 = load i64, ptr %c1, align 8
  %21 = icmp slt i64 %20, %15
  br i1 %21, label %body3, label %exit5

body3:                                            ; preds = %head2
  %22 = mul nsw i64 %9, 1
  %23 = add nsw i64 0, %22
  store i64 0, ptr %c6, align 8
  br label %head7

latch4:                                           ; preds = %exit10
  %24 = load i64, ptr %c1, align 8
  %25 = add nsw i64 %24, 1
  store i64 %25, ptr %c1, align 8
  br label %head2

exit5:                                            ; preds = %head2
  br label %latch

head7:                                            ; preds = %latch9, %body3
  %26 = load i64, ptr %c6, align 8
  %27 = icmp slt i64 %26, %23
  br i1 %27, label %body8, label %exit10

body8:                                            ; preds = %head7
  %28 = load i64, ptr %c1, align 8
  %29 = mul nsw i64 %28, 1
  %30 = add nsw i64 0, %29
  %31 = getelementptr inbounds double, ptr %2, i64 %30
  store double 1.562500e-02, ptr %31, align 8
  br label %latch9

latch9:                                           ; preds = %body8
  %32 = load i64, ptr %c6, align 8
  %33 = add nsw i64 %32, 1
  store i64 %33, ptr %c6, align 8
  br label %head7

exit10:                                           ; preds = %head7
  br label %latch4
}

declare void @set_threads(i32)

define void @entry(ptr %0, i32 %1) {
entry:
  call void @set_threads(i32 %1)
  %2 = getelementptr i64, ptr %0, i64 0
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr i64, ptr %0, i64 1
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr i64, ptr %0, i64 2
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr i64, ptr %0, i64 3
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr i64, ptr %0, i64 4
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr i64, ptr %0, i64 5
  %13 = load ptr, ptr %12, align 8
  %14 = getelementptr i64, ptr %0, i64 6
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr i64, ptr %0, i64 7
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr i64, ptr %0, i64 8
  %19 = load i64, ptr %18, align 8
  %20 = getelementptr i64, ptr %0, i64 9
  %21 = load i64, ptr %20, align 8
  call void @f0(ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, ptr %13, ptr %15, ptr %17, i64 %19, i64 %21)
  ret void
}

attributes #0 = { noinline nounwind }
