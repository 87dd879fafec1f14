// LLVM puts none but innermost loops into vectors: a loop around one that runs as often as data says is told to be shared, and not to be in vectors. A
// condition inside is no loop.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -c %s -o %t.o -Rpass=loopwright 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -S -emit-llvm %s -o %t.ll && FileCheck %s --check-prefix=CODE --input-file %t.ll

// CHECK: loops-inside.c:[[#@LINE+3]]:3: remark: loop i; i on all cores [-Rpass=loopwright]
// CODE-NOT: x double>
void sums(int n, const int *restrict row, const double *restrict val, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k];
    y[i] = sum;
  }
}

// CHECK: loops-inside.c:[[#@LINE+4]]:3: remark: loop i; i on all cores; i in vectors [-Rpass=loopwright]
// CODE: @guarded.part{{.*}}
// CODE: x float>
void guarded(int n, float *restrict y, const float *restrict w) {
  for (int i = 0; i < n; i++)
    if (w[i] > 3)
      y[i] = w[i] * w[i];
}
