// The inner loop stays a loop of its statement, which reads what its condition is on, and may write.
// Tests: 001 conditions
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void guarded(int n, const int *restrict c, double A[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (c[i])
      for (int j = 0; j < n; j++)
        A[j][i] *= 2;
}
// CHECK-DAG: read: "{{.*}} S0{{.*}} -> M0{{.*}} :
// CHECK-DAG: may_write: "{{.*}} S0[i0, i1] -> M1[i1, i0] :

// Inside of a loop that does not change it, it is that of each statement as well. Where the loop may write what it is read from, it is part of one.
// CHECK-LABEL: # within
// CHECK: # S0: M1[i1][i0] = f(M1[i1][i0], M0[i0])
// CHECK: # S1: M2[i1][i0] = f(M0[i0])
void within(int n, const float *restrict c, double A[restrict n][n], float B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (c[i] > 0) {
        A[j][i] *= 2;
        B[j][i] = 1;
      }
}
// CHECK-LABEL: # part_of_it
// CHECK-NOT: # S1
void part_of_it(int n, double A[restrict n][n], float B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (A[n / 2][i] > 0) {
        A[j][i] *= 2;
        B[j][i] = 1;
      }
}
