// fmax and fmin pass over a NaN wherever it comes, and of two zeros give either one: LLVM makes vectors of them in any order, and so may threads.
//
// RUN: clang-22 -O2 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t.with -lm 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.with | diff %t.expected -
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

// CHECK-DAG: largest-by-function.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores; {{.*}}each thread reduces into its own copy of
NOINLINE static double change(int n, const double *restrict a, const double *restrict b) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

// CHECK-DAG: largest-by-function.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores; {{.*}}each thread reduces into its own copy of
NOINLINE static float least(int n, const float *x) {
  float best = x[0];
  for (int i = 1; i < n; i++)
    best = fminf(x[i], best);
  return best;
}

// A step of a solver, and how much it has changed.
// CHECK-DAG: largest-by-function.c:[[#@LINE+3]]:3: remark: {{.*}}on all cores; {{.*}}each thread reduces into its own copy of
NOINLINE static double step(int n, double (*restrict to)[128], double (*restrict from)[128]) {
  double most = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
      most = fmax(fabs(to[i][j] - from[i][j]), most);
    }
  return most;
}

static double a[5000], b[5000], grids[2][128][128];
static float x[5000];

int main(void) {
  static const int sizes[] = {1, 2, 3, 63, 1000, 5000};
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < 5000; i++) {
      a[i] = (double)(i * 7919 % 4999) - 2500.5;
      b[i] = (double)(i * 104729 % 4993) * 0.5;
      x[i] = (float)a[i];
      if (kind == 1 && i % 3 == 1)
        a[i] = NAN, x[i] = NAN;
      if (kind == 2)
        a[i] = NAN, x[i] = i == 4000 ? 5 : NAN;
      if (kind == 3 && i % 1000 == 999)
        a[i] = i % 2000 < 1000 ? -INFINITY : INFINITY, x[i] = (float)a[i];
    }
    for (int s = 0; s < 6; s++) {
      float found = least(sizes[s], x);
      printf("%a %a\n", change(sizes[s], a, b), isnan(found) ? NAN : found);
    }
  }
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 128; j++)
      grids[0][i][j] = (double)(i * 31 + j * 17) / (i + j + 1);
  for (int n = 2; n < 128; n += 25)
    for (int t = 0; t < 5; t++)
      printf("%a\n", step(n, grids[(t + 1) % 2], grids[t % 2]));
}
