// A loop from one pointer to another runs as often as an element fits between both.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void between(double *b, double *e) {
  for (double *p = b; p != e; p++)
    *p = 0;
}

// CHECK-LABEL: # between
// CHECK: assumed: "[p0] -> { : -1099511627776 <= p0 < 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : 0 <= i0 < -p0 and p0 < 0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M0[i0] : 0 <= i0 < -p0 and p0 < 0 }"
// CHECK: # tested: ranges do not end before they begin
// CHECK: # tested: the number of iterations of a loop is below 2^63
// CHECK: # tested: 'p0' is from -1099511627776 to 1099511627776
// CHECK: # tested: the bytes of 'p0' are a multiple of 8
