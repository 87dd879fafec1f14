// An array that is tested, the one that may overlap, is tested for what is touched of it.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void halves(int n, float *a, float *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[n + i];
}

// CHECK-LABEL: # halves
// CHECK: read: "[p0] -> { S0[i0] -> M0[p0 + i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: # tested: 'argument 3' and 'argument 2' do not overlap
