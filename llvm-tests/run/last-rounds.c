// Whether there is another round of a loop is asked by the same comparison as whether the loops inside have anything to do in this one, and LLVM has the first answer
// lead out of both. The last round ends like the others all the same.
//
// RUN: clang-22 -O3 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t.with -lm 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads -lm
// RUN: %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated -lm
// RUN: %t.validated | diff %t.expected -
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define MOST 70
#define LONG 600

// CHECK-DAG: last-rounds.c:[[#@LINE+2]]:3: remark: {{.*}}tiled
NOINLINE static void factors(int n, double **a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

// Something comes before the loops inside, in the last round as well.
// CHECK-DAG: last-rounds.c:[[#@LINE+2]]:3: remark: {{.*}}tiled
NOINLINE static void with_pivots(int n, double a[][LONG], double *restrict pivots) {
  for (int k = 0; k < n; k++) {
    pivots[k] = 1 / a[k][k];
    for (int i = k + 1; i < n; i++) {
      a[i][k] *= pivots[k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
}

// A variable is left behind.
NOINLINE static double determinant(int n, double a[][LONG]) {
  double product = 1;
  for (int k = 0; k < n; k++) {
    product *= a[k][k];
    for (int i = k + 1; i < n; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= f * a[k][j];
    }
  }
  return product;
}

// What is handed on changes in the loops inside only.
NOINLINE static int counted(int n, int b[][MOST]) {
  int steps = 0;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      b[k][i] += steps;
      steps += i;
    }
  return steps;
}

// It is left elsewhere as well.
NOINLINE static int until(int n, int b[][MOST], int key) {
  for (int k = 0; k < n; k++) {
    if (b[k][0] == key)
      return k;
    for (int i = k + 1; i < n; i++)
      b[i][k] = b[k][i] + 1;
  }
  return -1;
}

// A pointer that goes on at the end of a round.
NOINLINE static double along(int n, int ld, double *p) {
  double last = 0;
  for (int k = 0; k < n; k++, p += ld + 1) {
    last = p[0];
    for (int i = 1; i < n - k; i++)
      p[i] = p[i * ld] * 0.5;
  }
  return last;
}

// Unsigned, to the end of the range that it could count.
NOINLINE static unsigned wrapping(unsigned n, int b[][MOST]) {
  unsigned k;
  for (k = 0; k < n; k++)
    for (unsigned i = k + 1; i < n; i++)
      b[i % MOST][k % MOST] += (int)i;
  return k;
}

static double matrix[MOST][LONG], pivots[MOST];
static int numbers[MOST][MOST];
static double *rows[MOST], *plain[MOST];

/* No pivot is near zero, whether rows are found by the table or in the matrix. */
static void begin_with(double **row) {
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++) {
      matrix[i][j] = (double)(i * j % 7 + 1);
      numbers[i][j] = i * 31 % 17 + j;
    }
  memset(pivots, 0, sizeof pivots);
  for (int i = 0; i < MOST; i++)
    row[i][i] += 8 * MOST;
}

static void begin(void) { begin_with(plain); }

static void show(double result) {
  uint64_t sum = 14695981039346656037u, bits;
  for (size_t i = 0; i < sizeof matrix; i++)
    sum = (sum ^ ((unsigned char *)matrix)[i]) * 1099511628211u;
  for (size_t i = 0; i < sizeof numbers; i++)
    sum = (sum ^ ((unsigned char *)numbers)[i]) * 1099511628211u;
  for (size_t i = 0; i < sizeof pivots; i++)
    sum = (sum ^ ((unsigned char *)pivots)[i]) * 1099511628211u;
  memcpy(&bits, &result, sizeof bits);
  printf("%016llx %016llx\n", (unsigned long long)bits, (unsigned long long)sum);
}

int main(void) {
  static const int sizes[] = {-5, 0, 1, 2, 3, 8, 33, MOST};
  for (int i = 0; i < MOST; i++) {
    plain[i] = matrix[i];
    rows[i] = matrix[i * 3 % MOST];
  }
  for (int s = 0; s < 8; s++) {
    int n = sizes[s];
    begin_with(rows), factors(n, rows), show(0);
    begin(), with_pivots(n, matrix, pivots), show(0);
    begin(), show(determinant(n, matrix));
    begin(), show(counted(n, numbers));
    for (int key = -1; key < 8; key++)
      begin(), show(until(n, numbers, key));
    begin(), show(along(n, LONG, matrix[0]));
    if (n >= 0)
      begin(), show(wrapping((unsigned)n, numbers));
  }
}
