// `A[i*n + j]` gets two dimensions, with the row length as a condition; a triangular bound and a counting-down loop are affine.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void triangle(long n, double *restrict A) {
  for (long i = 0; i < n; i++)
    for (long j = i; j >= 0; j--)
      A[i * n + j] *= 2;
}

// CHECK: # triangle
// CHECK: assumed: "[p0] -> { : 0 < p0 <= {{.*}} }"
// CHECK: shape: [ "", "" ]
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= i0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0, i0 - i1] :
// CHECK: write: "[p0] -> { S0[i0, i1] -> M0[i0, i0 - i1] :
