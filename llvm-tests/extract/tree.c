// A value of the outer loop that is used in the inner one is kept if it is expensive.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void kept(int n, int m, const double *restrict x, double (*restrict a)[100]) {
  for (int i = 0; i < n; i++) {
    double r = 1 / x[i];
    for (int j = 0; j < m; j++)
      a[i][j] *= r;
  }
}

// CHECK-LABEL: # kept
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 and 0 < p1 <= 100 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> s2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0, p1] -> { S1[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: read: "[p0, p1] -> { S1[i0, i1] -> M1[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: read: "[p0, p1] -> { S1[i0, i1] -> s2[i0] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: write: "[p0, p1] -> { S1[i0, i1] -> M1[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: # tested: the subscripts of 'argument 4' stay within its rows
