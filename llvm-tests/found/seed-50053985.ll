; seed 50053985: invalid IR: Instruction does not dominate all uses!   %153 = load ptr, ptr %152, align 8   %54 = freeze ptr %153 Instruction does not dominate all uses!   %179 = load ptr, ptr %178, align 8   %64 = freeze ptr %179 Instruction does not dominate all uses!   %205 = load ptr, ptr %204, align 8   %74 = freeze ptr %205 Instruction does not dominate all uses!   %231 = load ptr, ptr %230, align 8   %84 = freeze ptr %231
; program {"arrays":[{"kind":"I64","base":{"Argument":{"alone":true}},"form":"Element","content":"Index"},{"kind":"I8","base":{"Argument":{"alone":true}},"form":"Element","content":"Sorted"},{"kind":"F32","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"I32","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":"Rows","form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":true}},"form":"Element","content":"Data"},{"kind":"I16","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":true}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Variable":{"of":7}},"form":"Element","content":"Data"},{"kind":"F64","base":{"Variable":{"of":8}},"form":"Element","content":"Data"}],"functions":[{"scalars":["I64","I64","I64"],"sums":0,"body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[],"constant":9},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"leave_to":"Behind","body":[{"Loop":{"from":{"terms":[[{"Counter":0},1]],"constant":0},"to":{"terms":[],"constant":6},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"leave_to":"Behind","body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[],"constant":-1},"row":null,"step":1,"width":{"Pointer":7},"leave":null,"leave_first":false,"leave_to":"Behind","body":[{"Assign":{"array":4,"at":{"Affine":{"terms":[[{"Counter":1},1]],"constant":0}},"value":{"Constant":1}}}]}}]}}]}}]}],"n":0,"m":0,"flags":false,"in_table":false,"at_end":true,"contents":8102928948175602298,"way":{"words":"parallel min-work=0","before":9,"after":7,"threads":[2],"runtime":{"Turns":{"order":14025197621338957589}}}}
; ModuleID = 'fuzz'
source_filename = "fuzz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind
define void @f0(ptr noalias %0, ptr noalias %1, ptr %2, ptr %3, ptr %4, ptr noalias %5, ptr %6, ptr noalias %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, i64 %13, i64 %14) #0 {
entry:
  %c7 = alloca ptr, align 8
  %c2 = alloca i64, align 8
  %c = alloca i64, align 8
  %15 = getelementptr ptr, ptr %11, i64 27
  %p = alloca ptr, align 8
  store ptr %7, ptr %p, align 8
  %p1 = alloca ptr, align 8
  store ptr %8, ptr %p1, align 8
  %s0 = alloca i64, align 8
  store i64 1, ptr %s0, align 8
  %s1 = alloca i64, align 8
  store i64 2, ptr %s1, align 8
  %s2 = alloca i64, align 8
  store i64 3, ptr %s2, align 8
  store i64 0, ptr %c, align 8
  br label %head

end:                                              ; preds = %exit
  %16 = load i64, ptr %s0, align 8
  %17 = getelementptr i8, ptr %12, i64 0
  store i64 %16, ptr %17, align 8
  %18 = load i64, ptr %s1, align 8
  %19 = getelementptr i8, ptr %12, i64 16
  store i64 %18, ptr %19, align 8
  %20 = load i64, ptr %s2, align 8
  %21 = getelementptr i8, ptr %12, i64 32
  store i64 %20, ptr %21, align 8
  ret void

head:                                             ; preds = %latch, %entry
  %22 = load i64, ptr %c, align 8
  %23 = icmp slt i64 %22, 9
  br i1 %23, label %body, label %exit

body:                                             ; preds = %head
  %24 = load i64, ptr %c, align 8
  %25 = mul i64 %24, 1
  %26 = add i64 0, %25
  store i64 %26, ptr %c2, align 8
  br label %head3

latch:                                            ; preds = %exit6
  %27 = load i64, ptr %c, align 8
  %28 = add i64 %27, 1
  store i64 %28, ptr %c, align 8
  br label %head

exit:                                             ; preds = %head
  br label %end

head3:                                            ; preds = %latch5, %body
  %29 = load i64, ptr %c2, align 8
  %30 = icmp slt i64 %29, 6
  br i1 %30, label %body4, label %exit6

body4:                                            ; preds = %head3
  %31 = getelementptr double, ptr %7, i64 0
  %32 = getelementptr double, ptr %7, i64 -1
  store ptr %31, ptr %c7, align 8
  br label %head8

latch5:                                           ; preds = %exit11
  %33 = load i64, ptr %c2, align 8
  %34 = add i64 %33, 1
  store i64 %34, ptr %c2, align 8
  br label %head3

exit6:                                            ; preds = %head3
  br label %latch

head8:                                            ; preds = %latch10, %body4
  %35 = load ptr, ptr %c7, align 8
  %36 = icmp ult ptr %35, %32
  br i1 %36, label %body9, label %exit11

body9:                                            ; preds = %head8
  %37 = load i64, ptr %c2, align 8
  %38 = mul i64 %37, 1
  %39 = add i64 0, %38
  %40 = and i64 %39, 3
  %41 = getelementptr ptr, ptr %15, i64 %40
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr double, ptr %42, i64 %39
  store double 1.562500e-02, ptr %43, align 8
  br label %latch10

latch10:                                          ; preds = %body9
  %44 = load ptr, ptr %c7, align 8
  %45 = getelementptr double, ptr %44, i64 1
  store ptr %45, ptr %c7, align 8
  br label %head8

exit11:                                           ; preds = %head8
  br label %latch5
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
  %19 = load ptr, ptr %18, align 8
  %20 = getelementptr i64, ptr %0, i64 9
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr i64, ptr %0, i64 10
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr i64, ptr %0, i64 11
  %25 = load ptr, ptr %24, align 8
  %26 = getelementptr i64, ptr %0, i64 12
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr i64, ptr %0, i64 13
  %29 = load i64, ptr %28, align 8
  %30 = getelementptr i64, ptr %0, i64 14
  %31 = load i64, ptr %30, align 8
  call void @f0(ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, ptr %13, ptr %15, ptr %17, ptr %19, ptr %21, ptr %23, ptr %25, ptr %27, i64 %29, i64 %31)
  ret void
}

attributes #0 = { noinline nounwind }
