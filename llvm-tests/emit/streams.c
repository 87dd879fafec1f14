// Eight sums that do not wait for each other read eight rows; each has loads of its own, of which LLVM makes no gathering load.
//
// RUN: clang-22 -O3 -march=skylake-avx512 -fpass-plugin=%plugin -Rpass=loopwright -Rpass-analysis=loopwright -S %s -o - 2>&1 | FileCheck %s
//
// CHECK: 8 values of {{.*}} written out
// CHECK: vfmadd
// CHECK-NOT: gather
// CHECK: .size{{.*}}product

void product(int n, int m, int ld, double A[restrict][ld], double x[restrict], double y[restrict]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += A[i][j] * x[j];
}
