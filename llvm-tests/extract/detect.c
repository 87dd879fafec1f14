// Two loops, one after the other, are one region.
// Tests: 000 2.1; 002 5.2.2
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void both(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = 1;
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
}

// CHECK-LABEL: # both
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M0[p0 - i0 - 1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
