// Rows are looked at in runs: the loop over `k` becomes one over all rows that follow one another, and of `val` only the ends are taken.
//
// RUN: clang-22 -O3 -fopenmp -Xclang -load -Xclang %plugin -fpass-plugin=%plugin -S -emit-llvm %S/measure.c -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@product(
// Numbers of columns, many at once.
// CHECK: load <{{[0-9]+}} x i32>
// CHECK: call <{{[0-9]+}} x i32> @llvm.smin
// CHECK: call <{{[0-9]+}} x i32> @llvm.smax
// CHECK: call void {{.*}}@__kmpc_fork_call
