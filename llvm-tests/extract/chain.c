// Several additions in a row are one update.
// Tests: 001 reductions
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void sums(int n, const int *restrict a, const int *restrict b, int *restrict s) {
  for (int i = 0; i < n; i++)
    s[0] += a[i] + b[i];
}

// CHECK-LABEL: # sums
// CHECK: read: "[p0] -> { S0[i0] -> M2[0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: reduction: "+"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M2[0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: reduction: "+"
