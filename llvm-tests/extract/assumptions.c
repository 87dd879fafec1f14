// What is accepted is assumed: here that an index of 32 bits does not wrap around, for the iterations that
// there are and no others.
// Tests: 002 5.7
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void shifted(unsigned n, unsigned m, double *restrict a) {
  for (unsigned i = 0; i < n; i++)
    a[i + m] = 0;
}

// CHECK-LABEL: # shifted
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 and 0 <= p1 <= -p0 + 2147483648 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p1, p0] -> { S0[i0] -> M0[p1 + i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: # tested: the number of iterations does not wrap around
// CHECK: # tested: the number of iterations of a loop is below 2^63
// CHECK: # tested: an unsigned index does not wrap around
// CHECK: # tested: an unsigned value is below half its range
