// Members of different sizes behind one pointer are arrays of their own.
// Tests: 001 non-array; 002 5.3.3
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

struct point { double x, y; int label; };
void labels(int n, struct point *restrict p) {
  for (int i = 0; i < n; i++) {
    p[i].x = 0;
    p[i].label = i;
  }
}

// CHECK-LABEL: # labels
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0, 0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M1[i0, 4] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
