// What is written under a condition on data, which the loops change, is validated where something reads it in any case: no other element may be looked at, as it
// may be another thread's or not be there.
//
// RUN: %loopwright-clang -O2 -g -fopenmp -mllvm -loopwright-validate -mllvm -loopwright-min-work=0 -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: clang-22 -O2 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t 2>&1 | diff %t.expected -
#include <stdio.h>

#define OWN __attribute__((noinline)) static void

enum { N = 64 };

// CHECK: validate-where-touched.c:[[#@LINE+2]]:{{.*}} remark: validated
OWN itself(int n, int (*restrict y)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (y[k][i] > 4)
        y[k][i] = i;
}

// CHECK: validate-where-touched.c:[[#@LINE+2]]:{{.*}} remark: validated
OWN the_second(int n, int (*restrict x)[N], int (*restrict y)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (x[k][i] > y[k][i]) {
        y[k][i] = x[k][i] + 3;
        x[k][i] = i;
      }
}

// CHECK: validate-where-touched.c:[[#@LINE+2]]:{{.*}} not validated: data decides which elements of 'y' are written
OWN read_inside(int n, int (*restrict x)[N], int (*restrict y)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      if (x[k][i] > 3)
        y[k][i] = y[k][i] * 3 + 1;
      x[k][i] -= 2;
    }
}

// CHECK: validate-where-touched.c:[[#@LINE+2]]:{{.*}} not validated: data decides which elements of 'y' are written
OWN around(int n, int (*restrict x)[N], int (*restrict y)[N]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) {
      if (x[k][j] > 3)
        for (int i = 0; i < n; i++)
          y[i][j] = y[i][j] * 3 + k;
      x[k][j] -= 2;
    }
}

// What tries them stays as it is.
#pragma clang optimize off

static int x[N][N], y[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) x[i][k] = (i * 3 + k) % 9, y[i][k] = (i * 31 + k * 17) % 23 - 3;
  itself(N, y), the_second(N, x, y), read_inside(N, x, y), around(N, x, y);
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) sum = sum * 31 + x[i][k] + 7 * y[i][k];
  printf("%u\n", sum);
}
