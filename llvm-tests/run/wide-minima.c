// Minima of numbers that processors have no instruction for are taken without the mathematical library.
//
// RUN: %loopwright-clang -O3 -fopenmp -ffast-math -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: -20.50
#include <stdio.h>

// SAID: on all cores
__attribute__((noinline)) static long double least(int n, const double *x) {
  long double m = x[0];
  for (int i = 1; i < n; i++) {
    long double v = (long double)x[i] * x[i] - 20;
    if (v < m) m = v;
  }
  return m;
}

int main(void) {
  static double x[1000];
  for (int i = 0; i < 1000; i++) x[i] = i * 17 % 48 - 20.5;
  printf("%.2Lf\n", least(1000, x));
}
