// Bounds prove that nothing wraps around: 3 * i + 7 fits an int for i up to 99.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void bounded(double *restrict a) {
  for (int i = 0; i < 100; i++)
    a[3 * i + 7] = 0;
}

// CHECK-LABEL: # bounded
// CHECK: assumed: "{ : }"
// CHECK: domain: "{ S0[i0] : 0 <= i0 <= 99 }"
// CHECK: write: "{ S0[i0] -> M0[i0 + 2, 1] : 0 <= i0 <= 99 }"
// CHECK-NOT: # tested
