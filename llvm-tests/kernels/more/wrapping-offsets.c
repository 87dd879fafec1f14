/* Strides whose multiples wrap around: 2^40 << 24 elements from row to row are none at all, so that all rows are one. What the types of the
   sizes allow must be known of the offsets, or be tested, before rows count as different. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

/* All of it may be one element. */
__attribute__((noinline)) void one_element(size_t n, size_t s, double *restrict a, const double *restrict x) {
  for (size_t i = 0; i < n; i++)
    a[(i * s << 24)] = a[(i * s << 24)] * 0.999 + x[i];
}

/* Rows. */
__attribute__((noinline)) void rows(size_t n, size_t s, double *restrict a, const double *restrict x) {
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < 64; j++)
      a[(i * s << 24) + j] = a[((i - 1) * s << 24) + 63 - j] * 0.999 + x[i + j];
}

/* Rows of rows: the product of two sizes wraps. */
__attribute__((noinline)) void product(size_t n, size_t s, size_t t, double *restrict a, const double *restrict x) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < 64; j++)
      a[i * s * t + j] = a[i * s * t + 63 - j] * 0.999 + x[i + j];
}

/* Towards the front. */
__attribute__((noinline)) void backwards(size_t n, size_t s, double *restrict a, const double *restrict x) {
  for (size_t i = 0; i < n; i++)
    a[7 - (i * s << 24)] = a[7 - (i * s << 24)] * 0.9999 + x[i];
}

/* Bytes from the start, by hand. */
__attribute__((noinline)) void bytes(size_t n, size_t s, char *restrict a, const double *restrict x) {
  for (size_t i = 0; i < n; i++) {
    double *at = (double *)((uintptr_t)a + (i * s << 24));
    *at = *at * 0.999 + x[i];
  }
}

/* The pointer itself walks. */
__attribute__((noinline)) void walk(size_t n, size_t s, double *a, const double *restrict x) {
  uintptr_t p = (uintptr_t)a;
  for (size_t i = 0; i < n; i++, p += s << 24)
    *(double *)p += x[i];
}

/* Two of different bases, tested not to overlap: one of them stays where it is. */
__attribute__((noinline)) void two(size_t n, size_t s, double *a, double *b) {
  for (size_t i = 0; i < n; i++)
    a[(i * s << 24) + 1] = b[i] * 0.5 + 1;
}

/* Some only: what is seldom reached may be anywhere. */
__attribute__((noinline)) void seldom(size_t n, size_t s, double *restrict a, const double *restrict x) {
  for (size_t i = 0; i < n; i++)
    if (x[i] > 0.5)
      a[(i * s << 24) + 2] += x[i];
}

int main(void) {
  volatile size_t large = (size_t)1 << 40, half = (size_t)1 << 32;
  double *a = allocate(sizeof(double) * (64 * DIM(N) + 64)), *x = allocate(sizeof(double) * (DIM(N) + 64));
  fill(x, (size_t)DIM(N) + 64, 1);
  TIMED(1, one_element(N, large, a, x));
  TIMED(1, rows(N, large, a, x));
  TIMED(1, product(N, half, half, a, x));
  TIMED(1, backwards(N, large, a, x));
  TIMED(1, bytes(N, large, (char *)a, x));
  TIMED(1, walk(N, large, a, x));
  TIMED(1, two(N < 1 ? 0 : 1, large, a, a));
  TIMED(1, two(N, large, a, a + 2));
  TIMED(1, seldom(N, large, a, x));
  /* Where nothing wraps all is as it looks. */
  TIMED(1, rows(N, 0, a, x));
  TIMED(1, product(N, 8, 8, a, x));
  digest(a, sizeof(double) * (64 * DIM(N) + 64));
  return finish();
}
