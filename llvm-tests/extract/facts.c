// Comparisons that hold where an access happens bound what data gives.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void inside(int n, const int *restrict c, int (*restrict a)[16]) {
  for (int i = 0; i < n; i++)
    if (0 <= c[i] && c[i] < 16)
      a[i][c[i]]++;
}

// CHECK-LABEL: # inside
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M1[i0, o1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= o1 <= 15 }"
// CHECK: may_write: "[p0] -> { S0[i0] -> M1[i0, o1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= o1 <= 15 }"
// CHECK-NOT: # tested
