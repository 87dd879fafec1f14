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
