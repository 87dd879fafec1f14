// Elements of two types in one array.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

struct bin { int count; float sum; };
void bins(int n, const int *restrict key, const float *restrict x, struct bin *restrict h) {
  for (int i = 0; i < n; i++) {
    h[key[i]].count++;
    h[key[i]].sum += x[i];
  }
}

// CHECK-LABEL: # bins
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M1[2i1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[2i1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0, i1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0, i1] -> M1[2i1 + 1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0, i1] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0, i1] -> M1[2i1 + 1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
