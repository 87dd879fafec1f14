// A stencil is tiled over time, skewed so that tiles depend on earlier ones only, and each statement keeps its vector loop.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-schedule>' -disable-output - 2>&1 | FileCheck %s

void jacobi(int t, int n, double *restrict A, double *restrict B) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
}

// CHECK: S0[i0, i1] -> [(floor((i0)/16))]
// CHECK-SAME: S0[i0, i1] -> [(floor((2i0 + i1)/1024))]; S1[i0, i1] -> [(floor((2i0 + i1 + 1)/1024))]
// CHECK: sequence:
// CHECK: mark: "vector"
// CHECK: S0[i0, i1] -> [(2i0 + i1)]
// CHECK: coincident: [ 1 ]
// CHECK: mark: "vector"
// CHECK: S1[i0, i1] -> [(2i0 + i1 + 1)]
// CHECK: coincident: [ 1 ]
