/* Indices of every width: short, unsigned, long, size_t, signed char, and mixtures with casts between them. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(600)
#endif

void with_long(long n, double A[DIM(N)][DIM(N)], double *x) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i][j] += x[i] * x[j];
}

void with_unsigned(unsigned n, double *A, double *x) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i; j < n; j++)
      A[i * n + j] = 0.5 * A[i * n + j] + x[j - i];
}

void with_size_t(size_t n, double A[DIM(N)][DIM(N)], double *x) {
  for (size_t i = 1; i + 1 < n; ++i)
    for (size_t j = 1; j + 1 < n; ++j)
      A[i][j] = 0.25 * (A[i - 1][j] + x[i] + x[j] + A[i][j + 1]);
}

void with_short(short n, float *a) {
  for (short i = 0; i < n; i++)
    a[i] = a[i] * 2.0f + (float)i;
}

void with_char(double *a, int n) {
  for (signed char i = 0; i < 100 && i < n; i++)
    a[i] += i;
}

void mixed(int n, unsigned m, long offset, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      a[(long)i + j] += b[(size_t)j + (size_t)offset] * (double)(i - (int)j);
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *twice = allocate(sizeof(double) * 2 * DIM(N));
  float *f = allocate(sizeof(float) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(x, DIM(N), 2);
  fill_float(f, DIM(N), 3);
  TIMED(2, with_long(N, A, x));
  TIMED(1, with_unsigned(N, A[0], x));
  TIMED(1, with_size_t(N, A, x));
  TIMED(1, with_short(N, f));
  TIMED(1, with_char(x, N));
  TIMED(1, mixed(N, N, 0, twice, x));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(x, sizeof(double) * DIM(N));
  digest(twice, sizeof(double) * 2 * DIM(N));
  digest(f, sizeof(float) * DIM(N));
  return finish();
}
