// A product of parameters that is a bound is a parameter.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void all(int n, int m, double *restrict a) {
  for (long i = 0; i < (long)n * m; i++)
    a[i] = 0;
}

// CHECK-LABEL: # all
// CHECK: assumed: "[p0_times_p1, p0, p1] -> { : p0_times_p1 > 0 }"
// CHECK: domain: "[p0_times_p1] -> { S0[i0] : p0_times_p1 > 0 and 0 <= i0 < p0_times_p1 }"
// CHECK: write: "[p0_times_p1] -> { S0[i0] -> M0[i0] : p0_times_p1 > 0 and 0 <= i0 < p0_times_p1 }"
// CHECK-NOT: # tested
