// Fields with borders: on rings and clamped, with short loops over neighbours. The iterations that are at no border run apart from the others, with plain subscripts, which
// LLVM puts into vectors; all sizes from 1 on, in which there may be nothing but borders, compute the same.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loop-vectorize %s -o %t.with 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline)) void
enum { MOST = 70 };

static int clamped(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

// CHECK: borders.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors
// LLVM: borders.c:[[#@LINE+1]]:{{[0-9]+}}: remark: vectorized loop
OWN ring(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[(i + 1) % n] - 0.5 * u[(i + n - 1) % n];
}

// CHECK: borders.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors
// LLVM: borders.c:[[#@LINE+1]]:5: remark: vectorized loop
OWN blur(int w, int h, float *restrict o, const float *restrict u) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          s += u[clamped(y + dy, 0, h - 1) * w + clamped(x + dx, 0, w - 1)] * (dx + 2 * dy + 4);
      o[y * w + x] = s;
    }
}

// CHECK: borders.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN life(int n, unsigned char *restrict o, const unsigned char *restrict u) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dx || dy)
            s += u[((y + dy + n) % n) * n + (x + dx + n) % n];
      o[y * n + x] = s == 3 || (s == 2 && u[y * n + x]);
    }
}

// Sums of several rows go from one loop to the next in each step, in memory that is one for all steps.
OWN steps(int t, int n, double (*restrict a)[MOST], double (*restrict b)[MOST]) {
  for (int k = 0; k < t; k++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int d = 0; d < n; d += 5)
          s += a[(i + d) % n][j] * (d + 1);
        b[i][j] = s * 0.01 + a[i][(j + 1) % n];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = b[i][j] * 0.5;
  }
}

// Two halves, and a mirror at either end.
OWN shifted(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[(i + n / 2) % n];
}

OWN mirrored(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++) {
    int left = i - 2 < 0 ? 2 - i : i - 2, right = i + 2 > n - 1 ? 2 * (n - 1) - (i + 2) : i + 2;
    o[i] = u[left < n ? left : 0] + u[right > 0 ? right : 0];
  }
}

OWN of_64(double *restrict o, const double *restrict u) {
  for (int i = 0; i < 64; i++)
    o[i] += u[(i + 5) % 64] * u[(i + 60) & 63];
}

// A row chosen before it is multiplied.
OWN rows(int w, int h, int k, float *restrict o, const float *restrict u) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int row = y + k < 0 ? 0 : y + k > h - 1 ? h - 1 : y + k;
      o[y * w + x] += u[row * w + x];
    }
}

static double u[MOST * MOST], o[MOST * MOST], a[MOST][MOST], b[MOST][MOST];
static float fu[MOST * MOST], fo[MOST * MOST];
static unsigned char cu[MOST * MOST], co[MOST * MOST];

static void show(const void *data, size_t bytes) {
  unsigned long sum = 0;
  for (size_t i = 0; i < bytes; i++)
    sum = sum * 1099511628211ul + ((const unsigned char *)data)[i];
  printf("%016lx ", sum);
}

int main(void) {
  for (int n = 1; n < MOST; n += n < 20 ? 1 : 7) {
    for (int i = 0; i < MOST * MOST; i++) {
      u[i] = i % 37 * 0.25 + i % 11, fu[i] = i % 23 - 0.125f * (i % 7), cu[i] = i * i / 7 % 3 == 0;
      o[i] = fo[i] = co[i] = 0, a[i / MOST][i % MOST] = i % 13, b[i / MOST][i % MOST] = 0;
    }
    ring(n, o, u), show(o, sizeof o);
    blur(n, n, fo, fu), show(fo, sizeof fo);
    blur(n, 3, fo, fu), show(fo, sizeof fo);
    life(n, co, cu), show(co, sizeof co);
    steps(4, n, a, b), show(a, sizeof a);
    shifted(n, o, u), show(o, sizeof o);
    mirrored(n, o, u), show(o, sizeof o);
    of_64(o, u), show(o, sizeof o);
    for (int k = -n - 1; k <= n + 1; k += 3)
      rows(n, n, k, fo, fu);
    show(fo, sizeof fo);
    printf("\n");
  }
}
