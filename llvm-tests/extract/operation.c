// Divisions, remainders, minima and selects by constants are quasi-affine.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void parts(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++) {
    a[i / 4] += 1;
    b[i % 4] += 1;
    c[i < 5 ? i : 5] += 1;
  }
}

// CHECK-LABEL: # parts
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[o0] : p0 > 0 and 0 <= i0 < p0 and i0 - 3 <= 4o0 <= i0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[o0] : p0 > 0 and 0 <= i0 < p0 and i0 - 3 <= 4o0 <= i0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M1[(i0) mod 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M1[(i0) mod 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 and i0 <= 5; S2[i0] -> M2[5] : p0 > 0 and 6 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S2[i0] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 and i0 <= 5; S2[i0] -> M2[5] : p0 > 0 and 6 <= i0 < p0 }"
// CHECK-NOT: # tested
