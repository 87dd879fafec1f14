// The offset of a[i][j] is a polynomial although nobody knows how far j goes.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void lengths(int n, const int *restrict len, double (*restrict a)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < len[i]; j++)
      a[i][j] = 0;
}

// CHECK-LABEL: # lengths
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: may_write: "[p0] -> { S0[i0] -> M1[o0] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and o0 >= 64i0 }"
// CHECK-NOT: # tested
