// Calls of functions that are looked into, as statements of loops: in parallel, tiled, beside others, with arguments that are the same
// array, rows that overlap, locals of an iteration, and functions whose loops test at the top, run down, take steps, do not run or are left at once.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
//
// CHECK-DAG: calls.c:47:3: remark: {{.*}}on all cores
// CHECK-DAG: calls.c:54:3: remark: {{.*}}on all cores
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 30 };
double a[N][N][5][5], x[N][N][5], y[N][N][5], flat[N * 16 + 64];
int bounds[2] = {N, N};

#define OUT static __attribute__((noinline)) void

OUT subtract(double m[5][5], double u[5], double v[5]) {
  for (int i = 0; i < 5; i++) v[i] = v[i] - m[i][0] * u[0] - m[i][1] * u[1] - m[i][2] * u[2] - m[i][3] * u[3] - m[i][4] * u[4];
}
OUT multiply(double p[5][5], double q[5][5], double c[5][5]) {
  for (int j = 4; j >= 0; j--)
    for (int i = 0; i < 5; i += 2) c[i][j] -= .01 * (p[i][0] * q[0][j] + p[i][1] * q[1][j]);
}
OUT scale(double *v, double by) {
  if (v[0] > .25) v[2] = v[1] * by;
  else v[3] = v[0] + by;
  for (int i = 3; i < 3; i++) v[i] = 9;
}
OUT around(double *v) {
  for (int i = -2; i <= 2; i += 2) v[i] += v[i + 1] * .5;
}
OUT cells(int *restrict to, const short *restrict from) {
  switch (from[0] & 3) {
    case 0: to[0] = from[1]; break;
    case 1: to[1] = from[0]; break;
    default: to[2] = 7;
  }
}

OUT sweep(void) {
  for (int i = 1; i < bounds[0]; i++)
    for (int j = 0; j < bounds[1]; j++) {
      subtract(a[i][j], x[i - 1][j], x[i][j]);
      multiply(a[i - 1][j], a[i][j], a[i][j]);
    }
}
OUT each(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      scale(y[i][j], .5);
      x[i][j][1] += y[i][j][2];
    }
}
OUT same(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++) subtract(a[i][j], x[i][j], x[i][j]);
}
OUT overlapping(double *v, int n, int step) {
  for (int i = 0; i < n; i++) around(v + 2 + step * i);
}
OUT local(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t[5];
      memcpy(t, y[i][j], sizeof t);
      scale(t, x[i][j][0]);
      for (int k = 0; k < 5; k++) x[i][j][k] += t[k];
    }
}
OUT other_types(int *to, short *from, int n) {
  for (int i = 0; i < n; i++) cells(to + 3 * i, from + i);
}
OUT sums(double *v, double *u, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    scale(v + 4 * i, sum);
    sum += u[i];
  }
  v[0] += sum;
}
// What is behind the way out of a loop that is left in its first iteration does not run: what was written there before stays.
OUT left_at_once(double *v, double by);
OUT beside(double *restrict v, double *restrict to, const double *restrict from, int n) {
  for (int i = 0; i < n; i++) {
    v[0] = from[i] * 3;
    left_at_once(v, from[i]);
    for (int j = 0; j < n; j++) to[j] += from[i] * 2 + from[j];
  }
}
OUT left_at_once(double *v, double by) {
  for (int k = 5;; k++) {
    v[1] = by;
    if (k >= 5) break;
    v[0] = by;
  }
}

static void start(void) {
  for (int i = 0; i < N * N * 25; i++) (&a[0][0][0][0])[i] = i * 7 % 31 / 64.;
  for (int i = 0; i < N * N * 5; i++) (&x[0][0][0])[i] = i * 5 % 29 / 64., (&y[0][0][0])[i] = i * 3 % 37 / 64.;
  for (int i = 0; i < N * 16 + 64; i++) flat[i] = i * 11 % 41 / 64.;
}
static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < N * N * 25; i++) sum = sum * .999 + (&a[0][0][0][0])[i];
  for (int i = 0; i < N * N * 5; i++) sum = sum * .999 + (&x[0][0][0])[i] - (&y[0][0][0])[i];
  for (int i = 0; i < N * 16 + 64; i++) sum = sum * .999 + flat[i];
  printf("%s %a\n", name, sum);
}

int main(void) {
  start(); sweep(); show("sweep");
  start(); each(N); show("each");
  start(); each(0); show("none");
  start(); same(N); show("same");
  for (int step = -1; step < 7; step++) { start(); overlapping(flat + 40, N, step); show("overlapping"); }
  start(); local(N); show("local");
  start(); other_types((int *)flat, (short *)(flat + 60), N); show("other types");
  start(); other_types((int *)flat, (short *)flat + 2, N); show("types that meet");
  start(); sums(flat, flat + 200, N); show("sums");
  start(); sums(flat, flat + 3, N); show("sums that meet");
  start(); beside(flat, &x[0][0][0], &y[0][0][0], N * N); show("beside");
}
