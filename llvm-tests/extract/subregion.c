// The inner loop, whose bounds data gives, is one statement; what it adds up is handed on.
// Tests: 001 conditions
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void rows(int n, const int *restrict ptr, const double *restrict val, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k];
    y[i] = sum;
  }
}

// CHECK-LABEL: # rows
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0 + 1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M1[o0] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> s__014_lcssa[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> s__014_lcssa[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
