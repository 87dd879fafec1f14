// What is not validated is said not to be, and runs without the original loops as ever.
//
// RUN: %loopwright-clang -O2 -mllvm -loopwright-validate -Rpass=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s
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

// CHECK: validate-not.c:[[#@LINE+2]]:{{.*}} not validated: data decides which elements of 'y' are written
__attribute__((noinline)) void somewhere(int n, int *restrict y, int (*restrict x)[64], const int *restrict at) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      y[at[k]] += x[k][i];
}

// CHECK: validate-not.c:[[#@LINE+2]]:{{.*}} not validated: data decides which elements of 'y' are written
__attribute__((noinline)) void some(int n, int (*restrict y)[64], int (*restrict x)[64]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (x[k][i] > 3)
        y[k][i] = 7;
}

int main(void) {
  static double sums[64], doubles[64][64];
  static int numbers[64][64], set[64][64], bins[64], at[64];
  for (int i = 0; i < 64; i++) {
    at[i] = i * 7 % 64;
    for (int k = 0; k < 64; k++)
      doubles[i][k] = numbers[i][k] = (i * 3 + k) % 8;
  }
  fast(64, sums, doubles);
  somewhere(64, bins, numbers, at);
  some(64, set, numbers);
  printf("%f %d %d\n", sums[5], bins[9], set[3][4]);
}
