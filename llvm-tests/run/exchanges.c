// What is read under a condition and overwritten there is read once: a pass of LLVM's would read it again, behind what overwrites it, in the vectors of the loops that are written here, and of those that stay.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-min-work=0 -fopenmp -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-validate %s -o %t.validated
// RUN: env OMP_NUM_THREADS=2 %t.validated | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FROZEN
#include <stdio.h>
#include <stdlib.h>

#define OWN __attribute__((noinline)) void

// CHECK: exchanges.c:[[#@LINE+3]]:3: remark: loop
// FROZEN: freeze
OWN exchanged(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.25) {
      double z = a[i];
      a[i] = b[i];
      b[i] = z;
    } else
      a[i] = 0.25;
}

// CHECK: exchanges.c:[[#@LINE+2]]:3: remark: loop
OWN in_rows(int n, int m, int rounds, double *a, double *b) {
  for (int t = 0; t < rounds; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if (a[i * m + j] < 0.25) {
          double z = a[i * m + j];
          a[i * m + j] = b[i * m + j];
          b[i * m + j] = z;
        } else
          a[i * m + j] = 0.25;
}

int main(void) {
  for (int n = 1; n < 1000; n += 1 + n / 3) {
    int m = n < 40 ? n : 40, all = n * m;
    double *a = malloc(sizeof(double) * all), *b = malloc(sizeof(double) * all);
    for (int i = 0; i < all; i++)
      a[i] = (i * 7 % 13) * 0.125 - 0.5, b[i] = i;
    exchanged(n, a, b);
    in_rows(n, m, 3, a, b);
    double sum = 0;
    for (int i = 0; i < all; i++)
      sum += a[i] * (i % 17) + b[i] * (i % 19);
    printf("%d %.17g\n", n, sum);
    free(a), free(b);
  }
}
