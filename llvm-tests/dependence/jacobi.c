// Values come from the last write: B from this step, A from the step before, at the left and at the right; the borders of A are live in.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-dependences>' -disable-output - 2>&1 | FileCheck %s

void jacobi(int t, int n, double *restrict A, double *restrict B) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
}

// CHECK: flow: {{.*}}S0[i0, i1] -> S1[i0, i1] :
// CHECK-SAME: S1[i0, i1] -> S0[i0 + 1, i1 + 1] :
// CHECK-SAME: S1[i0, i1] -> S0[i0 + 1, i1 - 1] :
// CHECK: anti: {{.*}}S1[i0, i1] -> S0[o0, i1] : {{.*}}o0 > i0
// CHECK: live in: {{.*}}S0[i0, 0] -> M0[0]
// CHECK: live out: {{.*}}S0[p0 - 1, i1] -> M1[i1 + 1]
