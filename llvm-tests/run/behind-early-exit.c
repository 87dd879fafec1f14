// Where a loop was left in the middle other loops follow, and both need what was computed before.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check %s -o %t.with
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
#include <stdio.h>

enum { SIDE = 30, LENGTH = 400 };

__attribute__((noinline)) double shared(int m, const int *restrict z, double *restrict a, double (*restrict c)[SIDE], double (*restrict d)[SIDE], int side) {
  int s = 0;
  for (int i = 0; i < LENGTH; i++)
    s += z[i];
  for (int i = 0; i < LENGTH; i++) {
    if (i >= m) {
      for (int j = 0; j < side; j++)
        for (int k = 0; k < side; k++)
          c[k][j] = d[j][k] * 2 + s;
      return -s;
    }
    a[i] += s;
  }
  a[0] += s;
  return s;
}

int main(void) {
  static double a[400], c[SIDE][SIDE], d[SIDE][SIDE];
  static int z[400];
  for (int i = 0; i < 400; i++)
    z[i] = i % 7;
  for (int i = 0; i < SIDE * SIDE; i++)
    d[i / SIDE][i % SIDE] = i % 11;
  for (int m = 500; m >= 0; m -= 250)
    printf("%g\n", shared(m, z, a, c, d, SIDE));
  for (int i = 0; i < SIDE * SIDE; i++)
    printf("%g %g\n", a[i % 400], c[i / SIDE][i % SIDE]);
}
