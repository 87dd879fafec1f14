// A part that does nothing but update an array.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void chosen(int n, const int *restrict c, const int *restrict w, int *restrict s) {
  for (int i = 0; i < n; i++)
    if (c[i])
      s[i & 3] += w[i];
}

// CHECK-LABEL: # chosen
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M2[(i0) mod 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: reduction: "+"
// CHECK: may_write: "[p0] -> { S0[i0] -> M2[(i0) mod 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: reduction: "+"
