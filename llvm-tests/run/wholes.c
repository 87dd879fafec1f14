// Blocks with so many stores that they are one statement: what they write, hand on and read is what the program's own loops write,
// with elements that are written twice, read between stores, of two types, overlapping rows, and variables that only the last
// iteration is left of.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off %s -o %t.with
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
//
// CHECK-DAG: wholes.c:30:3: remark: {{.*}}on all cores
// CHECK-DAG: wholes.c:51:3: remark: {{.*}}on all cores
#include <stdio.h>
#include <string.h>

enum { N = 40 };
double t, last, d[N][7][7], u[N + 8], w[N * 8 + 64];
union { int i[2]; double d; } pun[N + 64];
int n = N, seen;

#define ROW(a, r, v) \
  a[i][r][0] = v; a[i][r][1] = v + 1; a[i][r][2] = v + 2; a[i][r][3] = v * 2; a[i][r][4] = v * 3; a[i][r][5] = v * v; a[i][r][6] = 0;
#define PAGE(a) \
  ROW(a, 0, s) ROW(a, 1, s * s) ROW(a, 2, u[i]) ROW(a, 3, u[i] * s) ROW(a, 4, u[i] - s) ROW(a, 5, s - 1) ROW(a, 6, s + u[i])
#define EIGHT(M, k) M(k) M(k + 1) M(k + 2) M(k + 3) M(k + 4) M(k + 5) M(k + 6) M(k + 7)
#define FIFTY(M) EIGHT(M, 0) EIGHT(M, 8) EIGHT(M, 16) EIGHT(M, 24) EIGHT(M, 32) EIGHT(M, 40)

__attribute__((noinline)) static void page(int from, int to) {
  for (int i = from; i < to; i++) {
    double s = t = 1 / u[i];
    PAGE(d)
    last = s;
  }
}

__attribute__((noinline)) static double handed_on(int to) {
  double sum = 0, before = 1;
  for (int i = 0; i < to; i++) {
    double s = before * .5;
    PAGE(d)
    before = u[i] - s;
    sum += before;
  }
  return sum + before;
}

// Rows overlap: each iteration writes again what the one before has written, and reads some of it.
__attribute__((noinline)) static void overlapping(int to, int step) {
#define STORE(k) w[step * i + k] = u[i + (k) % 7] * (k) + w[step * i + ((k) * 3) % 11];
  for (int i = 0; i < to; i++) { FIFTY(STORE) }
}

__attribute__((noinline)) static void two_types(int to) {
#define PUN(k) pun[i + k].i[(k) & 1] = i * k;
  for (int i = 0; i < to; i++) { FIFTY(PUN) pun[i].d += 1; }
}

__attribute__((noinline)) static void conditional(int to) {
  for (int i = 0; i < to; i++) {
    double s = u[i];
    if (u[i] > 1.5) { PAGE(d) seen = i; }
    t = s;
  }
}

__attribute__((noinline)) static void through(double *v, double *x, int to) {
#define THROUGH(k) v[48 * i + k] = x[i] * (k); 
  for (int i = 0; i < to; i++) { t = v[0]; FIFTY(THROUGH) }
}

// None of the iterations of the inner loop leaves anything but the last, which may not exist.
__attribute__((noinline)) static void triangle(int to) {
  for (int i = 0; i < to; i++)
    for (int j = 0; j < i - 2; j++) { last = u[j]; w[i] += u[j]; seen = i; }
}

static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < N; i++) for (int r = 0; r < 7; r++) for (int c = 0; c < 7; c++) sum = sum * .99 + d[i][r][c];
  for (int i = 0; i < N * 8 + 64; i++) sum = sum * .99 + w[i];
  unsigned bits = 0;
  for (int i = 0; i < N + 64; i++) bits = bits * 31 + pun[i].i[0] * 7 + pun[i].i[1];
  printf("%s %a %u %a %a %d\n", name, sum, bits, t, last, seen);
}

static void start(void) {
  memset(d, 0, sizeof d); memset(pun, 0, sizeof pun);
  for (int i = 0; i < N + 8; i++) u[i] = 1 + (i * 37 % 23) / 16.;
  for (int i = 0; i < N * 8 + 64; i++) w[i] = i % 5;
  t = last = -1; seen = -1;
}

int main(void) {
  start(); page(0, n); show("page");
  start(); page(3, 3); show("none");
  start(); page(3, 4); show("one");
  start(); printf("%a\n", handed_on(n)); show("handed on");
  for (int step = 0; step < 9; step++) { start(); overlapping(n, step); show("overlapping"); }
  start(); two_types(n); show("two types");
  start(); conditional(n); show("conditional");
  start(); through(w, u, 7); show("through");
  start(); through(w, w + 1, 7); show("over itself");
  start(); through(w + 48, w, 6); show("behind");
  start(); through(&t, u, 0); show("nothing");
  for (int to = 0; to < 7; to++) { start(); triangle(to); show("triangle"); }
}
