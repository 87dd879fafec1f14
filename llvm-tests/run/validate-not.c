// What is not validated is said not to be, and runs without the original loops as ever.
//
// RUN: %loopwright-clang -O2 -g -mllvm -loopwright-validate -Rpass=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: clang-22 -O2 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %t 2>&1 | diff %t.expected -
#include <stdio.h>

// CHECK: validate-not.c:[[#@LINE+3]]:{{.*}} not validated: flags such as -ffast-math let results of floating-point arithmetic differ
__attribute__((noinline)) void fast(int n, double *restrict y, double (*restrict x)[64]) {
#pragma clang fp reassociate(on)
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      y[i] += x[k][i];
}

// What decides is changed by the loops themselves.
// CHECK: validate-not.c:[[#@LINE+2]]:{{.*}} not validated: data decides which elements of 'y' are written
__attribute__((noinline)) void some(int n, int (*restrict y)[64], int (*restrict x)[64]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      if (x[k][i] > 3)
        y[k][i] = 7;
      x[k][i] -= 2;
    }
}

int main(void) {
  static double sums[64], doubles[64][64];
  static int numbers[64][64], set[64][64];
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 64; k++)
      doubles[i][k] = numbers[i][k] = (i * 3 + k) % 8;
  fast(64, sums, doubles);
  some(64, set, numbers);
  printf("%f %d\n", sums[5], set[3][4]);
}
