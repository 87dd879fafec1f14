// The address of a[i * n + j] is a polynomial, of which n is a stride.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void flat(int n, int m, double *restrict a) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[(long)i * n + j] = 0;
}

// CHECK-LABEL: # flat
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 and p1 > 0 }"
// CHECK: domain: "[p0, p1] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: write: "[p0, p1] -> { S0[i0, i1] -> M0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: # tested: the offsets of 'argument 3' do not wrap around
