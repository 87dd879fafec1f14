// Rows of n + 2 elements, as of a grid with a border.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void grid(int n, double *restrict a) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      a[(long)i * (n + 2) + j] += 1;
}

// CHECK-LABEL: # grid
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0 + 1, i1 + 1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M0[i0 + 1, i1 + 1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: # tested: the offsets of 'argument 2' do not wrap around
