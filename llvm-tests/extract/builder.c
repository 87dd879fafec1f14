// Two stores of one block are two statements.
// Tests: 002 5.8
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void two(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
  }
}

// CHECK-LABEL: # two
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
