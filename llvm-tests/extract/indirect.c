// Read and write go to one element, of which a symbol says which.
// Tests: 001 indices
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void rows(int n, const int *restrict row, double (*restrict a)[8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      a[row[i]][j] += 1;
}

// CHECK-LABEL: # rows
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M1[o0, i1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: may_write: "[p0] -> { S0[i0, i1] -> M1[o0, i1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
