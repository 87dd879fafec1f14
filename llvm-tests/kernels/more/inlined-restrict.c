/* Calls whose pointers are `restrict` during each call: the next call may read what this one wrote. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(40000)
#endif

static inline void halved(double *restrict x, const double *restrict y) { *x = *x * 0.5 + *y; }

static inline void mixed(int *restrict x, const int *restrict y) {
  x[0] = (int)(x[0] * 3u + (unsigned)y[0]);
  x[1] ^= y[1];
  x[2] = (int)((unsigned)x[2] + (unsigned)y[2]);
  x[3] = (int)(x[3] * (unsigned)y[3]);
}

__attribute__((noinline)) void all_halved(int n, double *p, const double *q) {
  for (int i = 0; i < n; i++)
    halved(p + i, q + i);
}

__attribute__((noinline)) void all_mixed(int n, int *p, const int *q) {
  for (int i = 0; i < n; i++)
    mixed(p + 4 * i, q + 4 * i);
}

__attribute__((noinline)) void rows_halved(int n, int m, double *p, const double *q) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      halved(p + i * m + j, q + i * m + j);
}

int main(void) {
  const int n = N, side = 150;
  double *a = allocate(sizeof(double) * (size_t)(DIM(n) + side * side + 2 * side));
  int *b = allocate(sizeof(int) * 4 * (size_t)(DIM(n) + 2));
  fill(a, (size_t)(DIM(n) + side * side + 2 * side), 1);
  for (size_t i = 0; i < 4 * (size_t)(DIM(n) + 2); i++)
    b[i] = (int)scatter(i, 2) | 1;
  TIMED(1, all_halved(n, a + 1, a));
  TIMED(1, all_halved(n, a, a + 1));
  TIMED(1, all_mixed(n, b + 4, b));
  TIMED(1, rows_halved(n < side ? n : side, side, a + side, a));
  digest(a, sizeof(double) * (size_t)(DIM(n) + side * side + 2 * side));
  digest(b, sizeof(int) * 4 * (size_t)(DIM(n) + 2));
  return finish();
}
