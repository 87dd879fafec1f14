// What each iteration writes before it reads it is of its own, also where somebody may look at it behind the loops: there is what the last iteration left, which
// the thread that runs it writes to the program's memory.
//
// RUN: %loopwright-clang -O3 -fopenmp -w -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=5 OMP_WAIT_POLICY=passive %t | FileCheck %s
// RUN: %loopwright-clang -O3 -w -mllvm -loopwright-min-work=0 %s -o %t
// RUN: %t | FileCheck %s
//
// CHECK-COUNT-21: : 0 of
// CHECK-NOT: of
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 40 };
double t[N], big[5000], one;
static double u[N];
int w[3][N];
double in[N][N], out[N][N], line[N];

#define BOTH(name, ...)                                                        \
  __attribute__((noinline)) static void name(int n, int m) { __VA_ARGS__ }     \
  __attribute__((noinline, optnone)) static void name##_plain(int n, int m) { __VA_ARGS__ }

// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(rows, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = in[i][k] * 2;
  for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] + t[k];
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 'u' [
BOTH(planes, for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
  for (int k = 0; k < 9; k++) u[k] = in[i][k] * in[j][k];
  for (int k = 0; k < 9; k++) out[i][j] += u[8 - k] / (1 + k);
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(growing, for (int i = 0; i < n; i++) {
  for (int k = 0; k <= i; k++) t[k] = in[i][k] * 2;
  for (int k = 0; k <= i; k++) out[i][k] = t[i - k] + t[k];
})
// What the last one does not write is what another one left: no copies.
// SAID-NOT: copy
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: S
BOTH(shrinking, for (int i = 0; i < n; i++) {
  for (int k = i; k < n; k++) t[k] = in[i][k] * 2;
  for (int k = i; k < n; k++) out[i][k] = t[n - 1 - k + i] + t[k];
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(falling, for (int i = n - 1; i >= 0; i--) {
  for (int k = i; k < n; k++) t[k] = in[i][k] * 2;
  for (int k = i; k < n; k++) out[i][k] = t[n - 1 - k + i] + t[k];
})
// SAID-NOT: copy
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: S
BOTH(conditional, for (int i = 0; i < n; i++) if (line[i] > 20) {
  for (int k = 0; k < m; k++) t[k] = in[i][k] * 2;
  for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] + t[k];
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(front, for (int i = 0; i < n; i++) {
  if (i < m) {
    for (int k = 0; k < m; k++) t[k] = in[i][k] * 2;
    for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] + t[k];
  }
  for (int k = 0; k < n; k++) out[i][k] += in[i][k] / 3;
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(middle, for (int i = 0; i < n; i++) {
  for (int k = 0; k < n; k++) out[i][k] += in[i][k] / 3;
  if (i >= 2 && i < m) {
    for (int k = 0; k < m; k++) t[k] = in[i][k] * 2 + i;
    for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] + t[k];
  }
})
BOTH(strided, for (int i = 1; i < n; i += 3) {
  for (int k = 0; k < m; k += 2) t[k] = in[i][k] * 2;
  for (int k = 0; k < m; k += 2) out[i][k] = t[k] * t[k] + t[0];
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 'big' [
BOTH(large, for (int i = 0; i < n; i++) {
  for (int k = 0; k < 5000; k++) big[k] = in[i][k % 32] * k;
  for (int k = 0; k < m; k++) out[i][k] = big[4999 - k] + big[k];
})
BOTH(scalar, for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) {
  one = in[i][k] * 3;
  out[i][k] = one * one + in[k][i];
})
BOTH(first_only, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = in[i][k];
  for (int k = 1; k < m; k++) t[k] += t[k - 1] * line[k];
  out[i][0] = t[m > 0 ? m - 1 : 0];
})
BOTH(in_time, for (int s = 0; s < 3; s++) for (int i = 1; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = out[i][k] + in[s][k];
  for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] * .5;
})
BOTH(sweeps, for (int s = 0; s < 3; s++) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++) t[k] = out[i][k] + s;
    for (int k = 0; k < m; k++) in[i][k] = t[m - 1 - k] * .5;
  }
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) out[i][k] = in[n - 1 - i][k] + in[i][m - 1 - k];
})
BOTH(pieces, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) w[1][k] = i * k;
  for (int k = 0; k < m; k++) out[i][k] = w[1][m - 1 - k];
})
// SAID: [[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 't' [
BOTH(columns, for (int j = 0; j < m; j++) {
  for (int k = 0; k < n; k++) t[k] = in[k][j];
  for (int k = 0; k < n; k++) out[k][j] = t[n - 1 - k];
})
BOTH(two, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = in[i][k], u[k] = in[k][i];
  for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] * u[k];
})
BOTH(some, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) if (in[i][k] > 30) t[k] = in[i][k];
  for (int k = 0; k < m; k++) out[i][k] = in[i][k] > 30 ? t[k] : 0;
})
BOTH(more_behind, for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) t[k] = in[i][k] * 2;
  for (int k = 0; k < m; k++) out[i][k] = t[m - 1 - k] + t[k];
 }
 for (int i = 0; i < n; i++) line[i] += t[0] + t[m > 0 ? m - 1 : 0];)
__attribute__((noinline)) static void escaped(double *p, int n) { line[0] += p[n]; }
// SAID: [[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 'a local array' [
BOTH(locals, double v[N]; memset(v, 0, sizeof v); escaped(v, 0);
 for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) v[k] = in[i][k] * 2;
  for (int k = 0; k < m; k++) out[i][k] = v[m - 1 - k] + v[k];
 }
 for (int k = 0; k < N; k++) escaped(v, k);)
// SAID: [[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}on all cores; {{.*}}each thread has its own copy of 'what malloc returns' [
BOTH(reserved, double *v = calloc(1, 8 * N); free(v); v = malloc(8l * (n + m + 2)); escaped(memset(v, 0, 8l * (n + m + 2)), 0);
 for (int i = 0; i < n; i++) {
  for (int k = 0; k < m; k++) v[k] = in[i][k] * 2;
  for (int k = 0; k < m; k++) out[i][k] = v[m - 1 - k] + v[k];
 }
 for (int k = 0; k <= n + m; k++) escaped(v, k); free(v);)
#pragma clang optimize off
static const struct { const char *name; void (*ours)(int, int), (*plain)(int, int); } all[] = {
#define L(x) {#x, x, x##_plain}
  L(rows), L(planes), L(growing), L(shrinking), L(falling), L(conditional), L(front), L(middle), L(strided), L(large), L(scalar), L(first_only), L(in_time), L(sweeps), L(pieces), L(columns), L(two), L(some), L(more_behind), L(locals), L(reserved)};
static struct { double t[N], u[N], big[5000], one, out[N][N], line[N]; int w[3][N]; } kept[2];
static void run(void (*f)(int, int), int n, int m, int at) {
  for (int i = 0; i < N; i++) { t[i] = -i, u[i] = -2 * i, line[i] = i * 7 % 41; for (int k = 0; k < N; k++) in[i][k] = (i * 13 + k * 7) % 61, out[i][k] = i - k; for (int k = 0; k < 3; k++) w[k][i] = -9; }
  for (int i = 0; i < 5000; i++) big[i] = -3;
  one = -1;
  f(n, m);
  memset(&kept[at], 0, sizeof kept[at]);
  memcpy(kept[at].t, t, sizeof t), memcpy(kept[at].u, u, sizeof u), memcpy(kept[at].big, big, sizeof big), memcpy(kept[at].out, out, sizeof out), memcpy(kept[at].line, line, sizeof line), memcpy(kept[at].w, w, sizeof w), kept[at].one = one;
}
int main(void) {
  for (int f = 0; f < (int)(sizeof all / sizeof *all); f++) {
    int wrong = 0, tried = 0;
    for (int n = -1; n <= N; n += n < 12 ? 1 : 7) for (int m = 0; m <= N; m += m < 12 ? 1 : 7)
      run(all[f].plain, n, m, 0), run(all[f].ours, n, m, 1), tried++, wrong += memcmp(&kept[0], &kept[1], sizeof kept[0]) != 0;
    printf("%s: %d of %d wrong\n", all[f].name, wrong, tried);
  }
}
