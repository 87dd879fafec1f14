// Rows that a table of pointers holds are one array, if a test before the loops finds them apart: in whatever order they stand, of
// whatever lengths. Where rows overlap, or are the table itself, the program's own loops run.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
// RUN: %t.validated | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>

// CHECK: rows.c:[[#@LINE+3]]:3: remark: {{.*}}tiled
// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'A', 'rows of A', 'B', 'rows of B', 'C', 'rows of C'
__attribute__((noinline)) void product(int n, double **A, double **B, double **C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// Row i has i + 1 elements.
// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'L', 'rows of L'
__attribute__((noinline)) void triangle(int n, double **L) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++)
        L[i][j] -= L[i][k] * 0.125;
}

struct line { int length; double *old, *new; };

// CHECK: rows.c:[[#@LINE+3]]:3: remark: {{.*}}tiled
// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'g', 'rows of g'
__attribute__((noinline)) void members(int steps, int n, struct line *g) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        g[i].new[j] = 0.2 * (g[i].old[j] + g[i - 1].old[j] + g[i + 1].old[j] + g[i].old[j - 1] + g[i].old[j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        g[i].old[j] = g[i].new[j];
  }
}

// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: {{.*}}'y'
__attribute__((noinline)) void flat(int n, double **A, double *x, double *y) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[j] += A[i][j] * x[i];
}

// Rows of rows.
// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'y', 'rows of y', 'rows of rows of y', 'x', 'rows of x', 'rows of rows of x'
__attribute__((noinline)) void turned(int n, double ***x, double ***y) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        x[i][j][k] += y[j][i][k] * x[i][j][0];
}

// CHECK: rows.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'x', 'rows of x', 'rows of rows of x'
__attribute__((noinline)) void corners(int n, double ***x) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= k; j++)
      for (int i = j; i < n; i++)
        x[i][j][k] = x[i][j][k] * 0.75 + i;
}

// The pointer to a plane is read in the first of several loops, and used in the others.
// THREADS: rows.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
__attribute__((noinline)) void finer(int n, double ***y, double ***x) {
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n / 2; j++) {
      for (int k = 0; k < n; k++) x[2 * i][2 * j][k] += y[i][j][k];
      for (int k = 0; k < n; k++) x[2 * i][2 * j + 1][k] += 0.5 * y[i][j][k];
      for (int k = 0; k < n; k++) x[2 * i + 1][2 * j + 1][k] += 0.25 * y[i][j][k];
    }
}

enum { N = 37 };
static double memory[4 * N * N];
static double *a[N], *b[N], *c[N];
static struct line lines[N];

static void fill(void) {
  for (int i = 0; i < 4 * N * N; i++)
    memory[i] = (i * 7919 % 1000) * 0.001;
}

// Rows of a matrix, in order, backwards or mixed.
static void lay(double **rows, double *from, int n, int order, int length) {
  for (int i = 0; i < n; i++)
    rows[i] = from + length * (order == 0 ? i : order == 1 ? n - 1 - i : i * 11 % n);
}

static void print(const char *what) {
  double sum = 0;
  for (int i = 0; i < 4 * N * N; i++)
    sum += memory[i] * (1 + i % 13);
  printf("%s %.17g\n", what, sum);
}

static void all(const char *what, int n) {
  product(n, a, b, c), print(what);
  triangle(n, a), print(what);
  for (int i = 0; i < n; i++)
    lines[i] = (struct line){i, a[i], b[i]};
  members(5, n, lines), print(what);
  flat(n, a, b[0], c[0]), print(what);
}

enum { M = 12 };
static double *rows_x[M * M], *rows_y[M * M];
static double **x[M], **y[M];

static void lay_all(double ***tables, double **rows, double *from, int order) {
  for (int i = 0; i < M; i++) {
    tables[i] = rows + M * (order == 2 ? i * 5 % M : i);
    lay(tables[i], from + M * M * i, M, order == 3 ? 0 : order, M);
  }
  if (order == 3) // the same planes, the other way
    for (int i = 0; i < M / 2; i++) {
      double **other = tables[i];
      tables[i] = tables[M - 1 - i], tables[M - 1 - i] = other;
    }
}

static void cubes(const char *what) {
  turned(M, x, y), print(what);
  corners(M, x), print(what);
  finer(M, y, x), print(what);
}

static void rows_of_rows(void) {
  for (int order = 0; order < 4; order++) {
    fill();
    lay_all(x, rows_x, memory, order), lay_all(y, rows_y, memory + M * M * M, order);
    cubes("cubes apart");
    turned(0, x, y), corners(1, x), turned(1, x, y);
    rows_x[M + 3] = rows_x[2 * M + 1], cubes("two rows the same");
    lay_all(x, rows_x, memory, order), x[3] = x[5], cubes("two planes the same");
    lay_all(x, rows_x, memory, order), lay_all(y, rows_y, memory + M, order), cubes("written and read, one row off");
    lay_all(y, rows_x, memory, order), cubes("the same tables");
    lay_all(x, rows_x, memory, order), lay_all(y, rows_y, memory + M * M * M, order);
    // A row of numbers that is a table of pointers, the last element of which is written after it was read for the last time.
    rows_y[0] = memory + 8, x[M - 1][M - 1] = (double *)&rows_x[(M - 1) * M], corners(M - 1, x), print("a table among the rows");
  }
  // Planes and rows that nobody looks at.
  lay_all(x, rows_x, memory, 0), lay_all(y, rows_y, memory + M * M * M, 0);
  x[M - 1] = (double **)16, y[M - 1] = (double **)16, rows_x[M - 1] = (double *)16, rows_y[M - 1] = (double *)16;
  turned(M - 1, x, y), print("the last are wild");
}

int main(void) {
  rows_of_rows();
  for (int order = 0; order < 3; order++) {
    fill();
    lay(a, memory, N, order, N), lay(b, memory + N * N, N, order, N), lay(c, memory + 2 * N * N, N, order, N);
    all("apart", N);
    all("none", 0);
    all("one", 1);
    a[N / 2] = a[3];
    all("two the same", N);
    lay(a, memory, N, order, N - 5);
    all("overlapping", N);
    lay(a, memory, N, order, N), lay(b, memory, N, order, N);
    all("the same table", N);
    lay(b, memory + N * N, N, order, N), lay(c, memory + 3, N, order, N);
    all("written and read", N);
  }
  // Rows one behind the other, each as long as it needs to be.
  fill();
  for (int i = 0, at = 0; i < N; at += ++i)
    a[i] = memory + at;
  triangle(N, a), print("packed");
  // Tables of no rows, and of rows that nobody looks at.
  product(0, NULL, NULL, NULL);
  a[N - 1] = (double *)16;
  product(N - 1, a, b, c), print("the last is wild");
}
