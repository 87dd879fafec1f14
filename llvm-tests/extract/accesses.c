// Accesses are relations from instances to elements.
// Tests: 002 5.3.1
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void moved(int n, double (*restrict a)[100], double (*restrict b)[100]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i][j] = b[j + 1][i - j];
}

// CHECK-LABEL: # moved
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i1 + 1, i0 - i1] : p0 > 0 and 0 < i0 < p0 and 0 <= i1 < i0 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[i0, i1] : p0 > 0 and 0 < i0 < p0 and 0 <= i1 < i0 }"
