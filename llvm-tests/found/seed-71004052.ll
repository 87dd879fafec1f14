; seed 71004052: panic: law: a header has a value from before the loop
; program {"arrays":[{"kind":"I8","base":{"Argument":{"alone":false}},"form":"Element","content":"Index"},{"kind":"I64","base":{"Argument":{"alone":true}},"form":"Element","content":"Sorted"},{"kind":"I64","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"},{"kind":"F32","base":{"Argument":{"alone":false}},"form":"Element","content":"Data"}],"functions":[{"scalars":["F64","I16","F64","F64"],"sums":0,"body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[],"constant":5},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"leave_to":"Behind","body":[{"Loop":{"from":{"terms":[],"constant":0},"to":{"terms":[["N",1]],"constant":0},"row":null,"step":1,"width":"Bits64","leave":null,"leave_first":false,"leave_to":"Behind","body":[{"If":{"when":{"Data":{"kind":"F64","a":{"Constant":1},"b":{"Load":{"array":0,"at":{"Affine":{"terms":[],"constant":2}}}}}},"then":[{"Set":{"scalar":2,"value":{"Load":{"array":0,"at":{"Affine":{"terms":[],"constant":0}}}}}}],"otherwise":[]}}]}}]}}]}],"n":0,"m":0,"flags":true,"in_table":false,"at_end":false,"contents":16323431622699398447,"way":{"words":"parallel min-work=0","before":0,"after":7,"threads":[2],"runtime":{"Turns":{"order":12824431541903357359}}}}
; ModuleID = 'fuzz'
source_filename = "fuzz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind
define void @f0(ptr %0, ptr noalias %1, ptr %2, ptr %3, ptr %4, ptr %5, i64 %6, i64 %7) #0 {
entry:
  %c1 = alloca i64, align 8
  %c = alloca i64, align 8
  %s0 = alloca double, align 8
  store double 1.562500e-02, ptr %s0, align 8
  %s1 = alloca i16, align 2
  store i16 2, ptr %s1, align 2
  %s2 = alloca double, align 8
  store double 4.687500e-02, ptr %s2, align 8
  %s3 = alloca double, align 8
  store double 6.250000e-02, ptr %s3, align 8
  store i64 0, ptr %c, align 8
  br label %head

end:                                              ; preds = %exit
  %8 = load double, ptr %s0, align 8
  %9 = getelementptr i8, ptr %5, i64 0
  store double %8, ptr %9, align 8
  %10 = load i16, ptr %s1, align 2
  %11 = getelementptr i8, ptr %5, i64 16
  store i16 %10, ptr %11, align 2
  %12 = load double, ptr %s2, align 8
  %13 = getelementptr i8, ptr %5, i64 32
  store double %12, ptr %13, align 8
  %14 = load double, ptr %s3, align 8
  %15 = getelementptr i8, ptr %5, i64 48
  store double %14, ptr %15, align 8
  ret void

head:                                             ; preds = %latch, %entry
  %16 = load i64, ptr %c, align 8
  %17 = icmp slt i64 %16, 5
  br i1 %17, label %body, label %exit

body:                                             ; preds = %head
  %18 = mul nsw i64 %6, 1
  %19 = add nsw i64 0, %18
  store i64 0, ptr %c1, align 8
  br label %head2

latch:                                            ; preds = %exit5
  %20 = load i64, ptr %c, align 8
  %21 = add nsw i64 %20, 1
  store i64 %21, ptr %c, align 8
  br label %head

exit:                                             ; preds = %head
  br label %end

head2:                                            ; preds = %latch4, %body
  %22 = load i64, ptr %c1, align 8
  %23 = icmp slt i64 %22, %19
  br i1 %23, label %body3, label %exit5

body3:                                            ; preds = %head2
  %24 = getelementptr inbounds i8, ptr %0, i64 2
  %25 = load i8, ptr %24, align 1
  %26 = sitofp i8 %25 to double
  %27 = fmul double %26, 7.812500e-03
  %28 = fcmp olt double 1.562500e-02, %27
  br i1 %28, label %then, label %else

latch4:                                           ; preds = %fi
  %29 = load i64, ptr %c1, align 8
  %30 = add nsw i64 %29, 1
  store i64 %30, ptr %c1, align 8
  br label %head2

exit5:                                            ; preds = %head2
  br label %latch

then:                                             ; preds = %body3
  %31 = getelementptr inbounds i8, ptr %0, i64 0
  %32 = load i8, ptr %31, align 1
  %33 = sitofp i8 %32 to double
  %34 = fmul double %33, 7.812500e-03
  store double %34, ptr %s2, align 8
  br label %fi

else:                                             ; preds = %body3
  br label %fi

fi:                                               ; preds = %else, %then
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
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr i64, ptr %0, i64 7
  %17 = load i64, ptr %16, align 8
  call void @f0(ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, ptr %13, i64 %15, i64 %17)
  ret void
}

attributes #0 = { noinline nounwind }
