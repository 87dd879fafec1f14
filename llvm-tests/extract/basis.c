// Everything that is tested before the loops of any plan is listed behind the model.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void wide(unsigned n, unsigned m, double *a, double *b) {
  for (unsigned i = 0; i < n; i++)
    a[i + m] = b[i];
}

// CHECK-LABEL: # wide
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 and 0 <= p1 <= -p0 + 2147483648 }"
// CHECK: # tested: the number of iterations does not wrap around
// CHECK: # tested: the number of iterations of a loop is below 2^63
// CHECK: # tested: an unsigned index does not wrap around
// CHECK: # tested: an unsigned value is below half its range
// CHECK: # tested: 'argument 4' and 'argument 3' do not overlap
