// Pointers that may point to one object are tested.
// Tests: 002 5.3.2
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void copy(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[2 * i];
}

// CHECK-LABEL: # copy
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0, 0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: # tested: 'argument 3' and 'argument 2' do not overlap
