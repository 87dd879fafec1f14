// A part that starts at ptr[i] and ends before ptr[i + 1] touches val between.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void scale(int n, const int *restrict ptr, const double *restrict s, double *restrict val) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= s[i];
}

// CHECK-LABEL: # scale
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0 + 1] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M2[o0] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 }"
// CHECK: may_write: "[p0] -> { S0[i0] -> M2[o0] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
