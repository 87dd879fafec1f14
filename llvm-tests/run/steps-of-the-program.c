// Loops whose counter goes on by a number that only the program knows. That it leads to the end is asked before them, and how often it fits is divided out there.
//
// RUN: clang-22 -O3 -fno-strict-aliasing %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -fopenmp -Rpass=loopwright %s -o %t.threads -lm 2>&1 | FileCheck %s
// RUN: %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated -lm
// RUN: %t.validated | diff %t.expected -
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
NOINLINE static void strided(int n, int s, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i += s)
    a[i] += b[i];
}

// One neighbour belongs to the step before: the points of a coarser grid between those of the finer one.
// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
NOINLINE static void between(int n, int s, double *u) {
  for (int i = s; i < n - s; i += 2 * s)
    u[i] = 0.5 * (u[i - s] + u[i + s]);
}

// Each element depends on the one before.
NOINLINE static void sums(int n, int s, double *u) {
  for (int i = s; i < n; i += s)
    u[i] += u[i - s];
}

// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
NOINLINE static void butterflies(int n, int half, double *restrict re, double *restrict im, const double *restrict w) {
  for (int i = 0; i < n; i += 2 * half)
    for (int j = 0; j < half; j++) {
      double ur = re[i + j], ui = im[i + j], xr = re[i + j + half], xi = im[i + j + half];
      double vr = xr * w[j] - xi * w[half - j], vi = xr * w[half - j] + xi * w[j];
      re[i + j] = ur + vr;
      im[i + j] = ui + vi;
      re[i + j + half] = ur - vr;
      im[i + j + half] = ui - vi;
    }
}

// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}} on all cores
NOINLINE static void rows(size_t n, int m, size_t s, double (*restrict a)[48], const double (*restrict b)[48]) {
  for (size_t i = 0; i < n; i += s)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] * 2;
}

// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}} on all cores
NOINLINE static void downwards(int n, int s, double *restrict a, const double *restrict b) {
  for (int i = n - 1; i >= 0; i -= s)
    for (int j = 0; j < 8; j++)
      a[i * 8 + j] = b[i * 8 + j];
}

// To the last one, which counts.
// CHECK-DAG: steps-of-the-program.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
NOINLINE static void multiples(long p, long n, char *composite) {
  for (long m = p * p; m <= n; m += p)
    composite[m] = 1;
}

// Rows that follow in steps overlap where the step is shorter than they are.
NOINLINE static void windows(int n, int m, int s, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i += s)
    for (int j = 0; j < m; j++)
      a[i + j] = a[i + j] * 0.5 + b[i];
}

// Strict, and from a start that is not zero, up to a limit that is not positive.
NOINLINE static int places(int from, int to, int s, const double *a) {
  double sum = 0;
  int n = 0;
  for (int i = from; i < to; i += s, n++)
    sum += a[i + 64];
  return n * 1000 + (int)sum;
}

// A counter that goes around before it is below its limit: the numbers are so large that only the program's own loop knows how often it runs.
NOINLINE static void around(size_t n, size_t s, double *restrict a, const double *restrict b) {
  for (size_t i = 0; i < n; i += s)
    a[i >> 60] += b[i >> 60];
}

// Ends in the middle, also where it does not go on at all.
NOINLINE static int found(int n, int s, double key, const double *restrict a, double *restrict seen) {
  int i;
  for (i = 0; i < n; i += s) {
    if (a[i] == key)
      break;
    seen[i] = a[i];
  }
  return i;
}

static double from[4096], to[4096], more[4096];
static char flags[4096];

static uint64_t digest(void) {
  uint64_t hash = 14695981039346656037u;
  const unsigned char *parts[] = {(unsigned char *)to, (unsigned char *)more, (unsigned char *)flags};
  size_t sizes[] = {sizeof to, sizeof more, sizeof flags};
  for (int part = 0; part < 3; part++)
    for (size_t i = 0; i < sizes[part]; i++)
      hash = (hash ^ parts[part][i]) * 1099511628211u;
  return hash;
}

#define RUN(...)                                                                                                                 \
  do {                                                                                                                           \
    memcpy(to, from, sizeof to);                                                                                                 \
    memcpy(more, from, sizeof more);                                                                                             \
    memset(flags, 0, sizeof flags);                                                                                              \
    long result = 0;                                                                                                             \
    __VA_ARGS__;                                                                                                                 \
    printf("%ld %016llx\n", result, (unsigned long long)digest());                                                               \
  } while (0)

int main(void) {
  static const int lengths[] = {-1000, -3, 0, 1, 2, 7, 32, 48, 64}, steps[] = {1, 2, 3, 5, 8, 16, 31, 40, 47, 100};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++)
    from[i] = (double)(i * 37 % 1009) - 400;
  for (int a = 0; a < 9; a++) {
    int n = lengths[a];
    for (int b = 0; b < 10; b++) {
      int s = steps[b];
      RUN(strided(n, s, to, from));
      RUN(strided(n * (n > 0) * 50, s, to, from));
      if (n > 0) {
        RUN(between(n * 60, s, to));
        RUN(rows((size_t)n, 40, (size_t)s, (void *)to, (const void *)from));
        RUN(butterflies(n / (2 * s) * (2 * s), s, to, more, from));
        RUN(result = found(n, s, from[n / 2], from, to));
        RUN(result = places(-n, n, s, from));
      }
      RUN(sums(n, s, to));
      RUN(downwards(n, s, to, from));
      RUN(multiples(s, n * 60L, flags));
      for (int m = -1; m < 50; m += 7)
        RUN(windows(n, m, s, to, from));
    }
    // Steps that lead nowhere, where there is nothing to do, or where it is done once.
    if (n <= 0)
      for (int s = -2; s <= 0; s++) {
        RUN(strided(n, s, to, from));
        RUN(downwards(n < 0 ? n + 1 : n, s, to, from));
        RUN(rows(0, 40, (size_t)s, (void *)to, (const void *)from));
        RUN(result = places(60, n, s, from));
      }
  }
  RUN(result = found(9, 0, from[0], from, to));
  RUN(strided(60, INT_MAX - 60, to, from));
  RUN(rows(1, 40, (size_t)-1, (void *)to, (const void *)from));
  RUN(rows(30, 40, (size_t)1 << 63, (void *)to, (const void *)from));
  RUN(around(((size_t)1 << 63) + 1, (size_t)1 << 61, to, from));
  RUN(around(((size_t)1 << 63) + 1, (size_t)1 << 60, to, from));
  RUN(around((size_t)15 << 60, (size_t)3 << 60, to, from));
  RUN(around(((size_t)1 << 62) - 1, (size_t)1 << 60, to, from));
}
