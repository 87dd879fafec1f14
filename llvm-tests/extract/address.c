// Addresses are opened to the pointer that they are computed from.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

struct cell { double x[4]; double y; };
void fields(int n, struct cell *restrict c) {
  for (int i = 0; i < n; i++)
    c[i].x[2] = c[i].y;
}

// CHECK-LABEL: # fields
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0, 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0, 2] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
