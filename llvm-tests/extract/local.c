// A local variable whose life begins in each iteration is one of each iteration.
// Tests: 002 5.5
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops;parallel>' -disable-output - 2>&1 | FileCheck %s

void sorted(int n, double (*restrict a)[4], double *restrict b) {
  for (int i = 0; i < n; i++) {
    double v[4];
    for (int k = 0; k < 4; k++)
      v[k] = a[i][k];
    for (int k = 1; k < 4; k++)
      v[k] += v[k - 1];
    b[i] = v[3];
  }
}

// CHECK-LABEL: # sorted
// CHECK: own: 1
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 3 }"
// CHECK: write: "[p0] -> { S1[i0, i1] -> M1[i0, i1 + 1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 2 }"
// CHECK: write: "[p0] -> { S2[i0] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 }"
