// A counter that a nest hands on from one inner loop to the next is how many elements came before, if each inner loop runs to its end or none has anything to do,
// which is asked before all of them. What is left where nothing is done is what was there before.
//
// RUN: clang-22 -O3 -fno-strict-aliasing %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -fopenmp -Rpass=loopwright %s -o %t.threads -lm 2>&1 | FileCheck %s
// RUN: %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated -lm
// RUN: %t.validated | diff %t.expected -
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

// CHECK-DAG: counters-of-nests.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores
NOINLINE static int flatten(int n, int m, int ld, double *restrict to, const double *restrict a) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[k++] = 2 * a[i * ld + j];
  return k;
}

// CHECK-DAG: counters-of-nests.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores
NOINLINE static double *by_pointer(int n, int m, int ld, double *restrict to, const double *restrict a) {
  double *p = to;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      *p++ = 3 * a[i * ld + j];
  return p;
}

// Rows of the result are as long as a difference of sizes.
// CHECK-DAG: counters-of-nests.c:[[#@LINE+4]]:3: remark: {{.*}} on all cores
NOINLINE static unsigned columns(int c, int h, int w, int kh, int kw, double *restrict to, const double *restrict x) {
  int oh = h - kh + 1, ow = w - kw + 1;
  unsigned p = 0;
  for (int ch = 0; ch < c; ch++)
    for (int ky = 0; ky < kh; ky++)
      for (int kx = 0; kx < kw; kx++)
        for (int y = 0; y < oh; y++)
          for (int u = 0; u < ow; u++)
            to[p++] = x[(ch * h + y + ky) * w + u + kx];
  return p;
}

// CHECK-DAG: counters-of-nests.c:[[#@LINE+3]]:3: remark: {{.*}} on all cores
NOINLINE static size_t long_counter(size_t k, int n, int m, int ld, double *restrict to, const double *restrict a) {
  size_t from = k;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++, k += 2) {
      to[k - from] = a[i * ld + j];
      to[k - from + 1] = -a[i * ld + j];
    }
  return k;
}

// Something is done in the outer loop as well.
NOINLINE static int with_ends(int n, int m, int ld, double *restrict to, const double *restrict a, int *restrict begin) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    begin[i] = k;
    for (int j = 0; j < m; j++)
      to[k++] = a[i * ld + j];
  }
  begin[n > 0 ? n : 0] = k;
  return k;
}

// As many as the row's number: no multiple of anything.
NOINLINE static int triangle(int n, int ld, double *restrict to, const double *restrict a) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      to[k++] = a[i * ld + j];
  return k;
}

// An element behind each row.
NOINLINE static int separated(int n, int m, int ld, double *restrict to, const double *restrict a) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      to[k++] = a[i * ld + j];
    to[k++] = -1;
  }
  return k;
}

// Read where it is written: the places come as the program's order has them.
NOINLINE static int in_place(int n, int m, int ld, double *a) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[k++] = a[i * ld + j] + 1;
  return k;
}

// Few bits, that wrap around as the program has it.
NOINLINE static unsigned char few_bits(int n, int m, double *restrict to, const double *restrict a) {
  unsigned char k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[k++] += a[i + j];
  return k;
}

// Down from the end.
NOINLINE static int downwards(int n, int m, int ld, double *restrict to, const double *restrict a) {
  int k = n > 0 && m > 0 ? n * m : 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[--k] = a[i * ld + j];
  return k;
}

// Only some rows.
NOINLINE static int rows_with(int n, int m, int ld, double *restrict to, const double *restrict a, const int *restrict wanted) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (wanted[i])
      for (int j = 0; j < m; j++)
        to[k++] = a[i * ld + j];
  return k;
}

static double from[40 * 48], to[2 * 40 * 48 + 64];
static int wanted[40], begin[41];

static uint64_t digest(void) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < sizeof to; i++)
    sum = (sum ^ ((unsigned char *)to)[i]) * 1099511628211u;
  for (size_t i = 0; i < sizeof begin; i++)
    sum = (sum ^ ((unsigned char *)begin)[i]) * 1099511628211u;
  return sum;
}

static void clear(void) {
  memset(to, 0, sizeof to);
  memset(begin, 0, sizeof begin);
}

#define RUN(...)                                                                                                                 \
  do {                                                                                                                           \
    clear();                                                                                                                     \
    long result = (long)(__VA_ARGS__);                                                                                           \
    printf("%ld %016llx\n", result, (unsigned long long)digest());                                                               \
  } while (0)

int main(void) {
  static const int sizes[] = {-3, 0, 1, 2, 7, 32, 40};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++)
    from[i] = (double)(i * 37 % 1009) - 400;
  for (int i = 0; i < 40; i++)
    wanted[i] = i * 7 % 3 == 0;
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++) {
      int n = sizes[a], m = sizes[b];
      RUN(flatten(n, m, 48, to, from));
      RUN(by_pointer(n, m, 48, to, from) - to);
      RUN(long_counter((size_t)-40, n, m, 48, to, from));
      RUN(with_ends(n, m, 48, to, from, begin));
      RUN(triangle(n, 48, to, from));
      RUN(separated(n, m, 48, to, from));
      RUN(few_bits(n, m, to, from));
      RUN(downwards(n, m, 48, to, from));
      RUN(rows_with(n, m, 48, to, from, wanted));
      clear();
      memcpy(to, from, sizeof from);
      int result = in_place(n, m, 47, to);
      printf("%d %016llx\n", result, (unsigned long long)digest());
      for (int r = -1; r < 4; r++)
        RUN(columns(2, n < 12 ? n : 12, m < 12 ? m : 12, r, 3 - r, to, from));
    }
}
