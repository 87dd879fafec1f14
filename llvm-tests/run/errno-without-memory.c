// Where there is no memory for what a test before the loops notes, or for scalars that become arrays, the program's own loops run, and errno is not what the
// allocator says.
//
// RUN: %loopwright-clang -O3 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: %t | FileCheck --check-prefix=OUT %s
// RUN: %loopwright-clang -O3 -march=native -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=2 %t.threads | FileCheck --check-prefix=OUT %s
// RUN: %loopwright-clang -O3 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.validated | FileCheck --check-prefix=OUT %s
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define OWN __attribute__((noinline))

// CHECK: no rows overlap
OWN void product(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

OWN void row_sums(int n, int m, double (*restrict a)[64], double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++) sum += a[j][i] * x[j];
    y[i] = sum;
  }
}

static double memory[3][64][64], x[64], y[64];
static double *rows[3][64];

static void all(const char *when) {
  errno = 0;
  product(64, rows[0], rows[1], rows[2]);
  int first = errno;
  errno = 7;
  row_sums(64, 64, memory[2], x, y);
  printf("%s: %d %d %g\n", when, first, errno, y[5]);
}

int main(void) {
  for (int i = 0; i < 64; i++) {
    x[i] = i;
    for (int k = 0; k < 3; k++) {
      rows[k][i] = memory[k][i * 11 % 64];
      for (int j = 0; j < 64; j++) memory[k][i][j] = (i * 5 + j * 3 + k) % 7;
    }
  }
  all("with memory");
  struct rlimit none = {1 << 20, 1 << 20};
  if (setrlimit(RLIMIT_AS, &none)) return 1;
  for (size_t size = 1 << 16; size; size -= size > 128 ? 128 : 1)
    for (void *volatile got = ""; got;) got = malloc(size);
  all("without");
  // OUT: with memory: 0 7 [[#]]
  // OUT: without: 0 7 [[#]]
}
