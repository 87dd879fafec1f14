// What the program has threads run, as the body of its own parallel region, has no threads of ours: what is started there is a team of one. Its loops are made faster on the thread
// that runs them, with none of the code that threads need.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR

// CHECK: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}} tiled
// CHECK-NOT: all cores
// IR-LABEL: define {{.*}}@inside.omp_outlined(
// IR-NOT: call{{.*}}@__kmpc_fork_call
// IR: ret void
void inside(int n, double (*restrict c)[700], double (*restrict a)[700], double (*restrict b)[700]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 700; j++)
      for (int k = 0; k < 700; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// Outside of it threads are ours.
// CHECK: [[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}} on all cores
void outside(int n, double (*restrict c)[700], double (*restrict a)[700], double (*restrict b)[700]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 700; j++)
      for (int k = 0; k < 700; k++)
        c[i][j] += a[i][k] * b[k][j];
}
