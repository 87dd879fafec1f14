// Statements in textual order, nested as the loops are.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void nested(int n, double *restrict a, double (*restrict b)[100]) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    for (int j = 0; j < n; j++)
      b[i][j] = a[i];
  }
}

// CHECK-LABEL: # nested
// CHECK: schedule:
// CHECK: schedule: "[{ S0[i0] -> [(i0)]; S1[i0, i1] -> [(i0)] }]"
// CHECK: sequence:
// CHECK: - filter: "{ S0[i0] }"
// CHECK: - filter: "{ S1[i0, i1] }"
// CHECK: schedule: "[{ S1[i0, i1] -> [(i1)] }]"
