// Minima of numbers that processors have no instruction for are taken without the mathematical library.
//
// RUN: %loopwright-clang -O3 -fopenmp -ffast-math -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: -20 27
#include <stdio.h>

// SAID: parallel
__attribute__((noinline)) static long double least(int n, const long double *x) {
  long double m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] < m) m = x[i];
  return m;
}

// SAID: parallel
__attribute__((noinline)) static __float128 largest(int n, const __float128 *x) {
  __float128 m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m) m = x[i];
  return m;
}

int main(void) {
  static long double x[1000];
  static __float128 y[1000];
  for (int i = 0; i < 1000; i++) x[i] = i * 17 % 48 - 20;
  for (int i = 0; i < 1000; i++) y[i] = x[i];
  printf("%d %d\n", (int)least(1000, x), (int)largest(1000, y));
}
