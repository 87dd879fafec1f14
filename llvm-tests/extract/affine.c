// What does not change and is not affine is a parameter; one of 64 bits is taken to lie within 2^40.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void shifted(long n, long m, double *restrict a) {
  for (long i = 0; i < n; i++)
    a[2 * i + m] = 0;
}

// CHECK-LABEL: # shifted
// CHECK: assumed: "[p0, p1] -> { : 0 < p0 <= 1099511627776 and -1099511627776 <= p1 <= 1099511627776 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p1, p0] -> { S0[i0] -> M0[p1 + 2i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: # tested: 'p0' is from -1099511627776 to 1099511627776
// CHECK: # tested: 'p1' is from -1099511627776 to 1099511627776
