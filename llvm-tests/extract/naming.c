// Numbers that cannot be opened have names in polynomials: both accesses are to one element of a row.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void labels(int n, const unsigned char *restrict key, int (*restrict a)[256]) {
  for (int i = 0; i < n; i++)
    a[i][key[i]]++;
}

// CHECK-LABEL: # labels
// CHECK: read: "[p0] -> { S0[i0, i1] -> M1[256i0 + i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 255 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 255 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[256i0 + i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 255 }"
