// The offset of a[i * s << 24] is a number only where a test finds that it does not wrap around.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void strided(unsigned long n, unsigned long s, double *restrict a) {
  for (unsigned long i = 0; i < n; i++)
    a[i * s << 24] += 1;
}

// CHECK-LABEL: # strided
// CHECK: assumed: "[p0, p1] -> { : 0 < p0 <= 1099511627776 and 0 < p1 <= 1099511627776 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[16777216i0, 0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[16777216i0, 0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: # tested: the number of iterations of a loop is below 2^63
// CHECK: # tested: the subscripts of 'argument 3' stay within its rows
// CHECK: # tested: the offsets of 'argument 3' do not wrap around
// CHECK: # tested: 'p0' is from -1099511627776 to 1099511627776
// CHECK: # tested: 'p1' is from -1099511627776 to 1099511627776
