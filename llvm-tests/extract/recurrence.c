// A counter from n on in steps of 3.
// Tests: 000 2.3.3
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void steps(int n, int m, double *restrict a) {
  for (int i = n; i < m; i += 3)
    a[i] = 0;
}

// CHECK-LABEL: # steps
// CHECK: assumed: "[p0, p1] -> { : p0 < p1 <= p0 + 2147483650 and p0 <= 2147483644 }"
// CHECK: domain: "[p0, p1] -> { S0[i0] : i0 >= 0 and p1 > p0 and 3i0 < -p0 + p1 }"
// CHECK: write: "[p0, p1] -> { S0[i0] -> M0[p0 + 3i0] : i0 >= 0 and p1 > p0 and 3i0 < -p0 + p1 }"
// CHECK: # tested: an operand of a minimum or maximum does not wrap around
// CHECK: # tested: a dividend does not wrap around
