// A block runs for the iterations for which all conditions around it hold.
// Tests: 000 2.3.1, 2.3.2
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void guarded(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (i > 2)
      a[i] = 1;
    b[i] = 2;
  }
}

// CHECK-LABEL: # guarded
// CHECK: assumed: "[p0] -> { : p0 >= 4 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 3 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 3 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
