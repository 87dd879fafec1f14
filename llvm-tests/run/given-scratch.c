// Memory that a function is given to work in: each thread has as much of it as the loops touch, aligned as it is, and what the last iteration left is there behind
// them. Where it overlaps what is read or written, the program's own loops run.
//
// RUN: %loopwright-clang -O3 -fopenmp -w -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=5 OMP_WAIT_POLICY=passive %t | FileCheck %s
//
// CHECK-COUNT-13: : 0 of
// CHECK-NOT: of
//
// SAID-COUNT-10: each thread has its own copy of {{.*}}{{'argument 3'|'what kept_elsewhere points to'}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 40 };
double *kept_elsewhere;
#define ARGS int n, int m, double *s, const double (*a)[N], double (*o)[N]
#define R_ARGS int n, int m, double *restrict s, const double (*restrict a)[N], double (*restrict o)[N]
#define BOTH(name, args, ...)                                                        \
  __attribute__((noinline)) static void name(args) { __VA_ARGS__ }     \
  __attribute__((noinline, optnone)) static void name##_plain(args) { __VA_ARGS__ }

BOTH(rows, ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) s[k] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = s[m - 1 - k] + s[k];
})
BOTH(r_rows, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) s[k] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = s[m - 1 - k] + s[k];
})
BOTH(shifted, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = -3; k < m - 3; k++) s[k + 5] = a[i][k + 3] * 2;
  for (int k = -3; k < m - 3; k++) o[i][k + 3] = s[m - 4 - k - 3 + 5] + s[k + 5];
})
BOTH(every_other, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) s[2 * k + 1] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = s[2 * (m - 1 - k) + 1] + s[2 * k + 1];
})
BOTH(planes, R_ARGS, double (*restrict t)[8] = (double (*)[8])s; for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) for (int l = 0; l < 8; l++) t[k][l] = a[i][k] * l;
  for (int k = 0; k < m; k++) o[i][k] = t[m - 1 - k][i & 7] + t[k][3];
})
BOTH(parametric, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) for (int l = 0; l < m; l++) s[k * m + l] = a[i][k] * a[i][l];
  for (int k = 0; k < m; k++) o[i][k] = s[k * m + m - 1 - k] + s[k];
})
BOTH(growing, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k <= i; k++) s[k] = a[i][k] * 2;
  for (int k = 0; k <= i; k++) o[i][k] = s[i - k] + s[k];
})
BOTH(ints, R_ARGS, int *restrict t = (int *)s; for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = (int)a[i][k] % 7;
  for (int k = 0; k < m; k++) o[i][k] = t[m - 1 - k] + t[k];
})
BOTH(loaded, ARGS, double *v = kept_elsewhere; for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) v[k] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = v[m - 1 - k] + v[k];
})
BOTH(middle, R_ARGS, for (int i = 0; i < n; i++) {
  for (int k = 0; k < n; k++) o[i][k] += a[i][k] / 3;
  if (i >= 2 && i < m) {
    for (int k = 0; k < m; k++) s[k] = a[i][k] * 2 + i;
    for (int k = 0; k < m; k++) o[i][k] = s[m - 1 - k] + s[k];
  }
})
BOTH(together, R_ARGS, double *t = s + 100; for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) s[k] = a[i][k], t[k] = a[k][i];
  for (int k = 0; k < m; k++) o[i][k] = s[m - 1 - k] * t[k];
})
BOTH(sums, R_ARGS, double sum = 0; int count = 0; for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) s[k] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = s[m - 1 - k] + s[k], count += s[k] > 50;
 } o[N - 1][N - 1] = count;)
BOTH(aligned, R_ARGS, double *t = __builtin_assume_aligned(s, 64); for (int i = 0; i < n; i++) {
  for (int k = 0; k < 40; k++) t[k] = a[i][k] * 2;
  for (int k = 0; k < m; k++) o[i][k] = t[m - 1 - k] + t[k];
})
#pragma clang optimize off
static const struct { const char *name; void (*ours)(ARGS), (*plain)(ARGS); } all[] = {
#define L(x) {#x, (void *)x, (void *)x##_plain}
  L(rows), L(r_rows), L(shifted), L(every_other), L(planes), L(parametric), L(growing), L(ints), L(loaded), L(middle), L(together), L(sums), L(aligned)};
enum { SIZE = 3 * N * N + 4000 & -8 };
static double memory[2][SIZE] __attribute__((aligned(64)));
static void run(void (*f)(ARGS), int n, int m, int at, int s, int o) {
  double *base = memory[at];
  for (int i = 0; i < SIZE; i++) base[i] = (i * 13 + i / 7 * 5) % 61;
  kept_elsewhere = base + s;
  f(n, m, base + s, (void *)base, (void *)(base + o));
}
int main(void) {
  for (int f = 0; f < (int)(sizeof all / sizeof *all); f++) {
    int wrong = 0, tried = 0;
    for (int n = -1; n <= N; n += n < 12 ? 1 : 7) for (int m = 0; m <= N; m += m < 12 ? 1 : 7) for (int d = 0; d < 24; d += 8)
      run(all[f].plain, n, m, 0, N * N + d, 2 * N * N + 3000), run(all[f].ours, n, m, 1, N * N + d, 2 * N * N + 3000), tried++, wrong += memcmp(memory[0], memory[1], sizeof *memory) != 0;
    if (f == 0 || all[f].ours == (void *)loaded) for (int n = 1; n < N; n += 5) for (int m = 1; m < N; m += 4) for (int s = 0; s < 2 * N * N; s += 61) {
      int o = N * N;
      run(all[f].plain, n, m, 0, s, o), run(all[f].ours, n, m, 1, s, o), tried++, wrong += memcmp(memory[0], memory[1], sizeof *memory) != 0;
    }
    printf("%s: %d of %d wrong\n", all[f].name, wrong, tried);
  }
}
