/* Data-dependent control between pointers that may overlap, without restrict: kept, or tested before the loops. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

__attribute__((noinline)) void positive(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0.5)
      y[i] = x[i] * 0.75;
}

__attribute__((noinline)) void rows(int n, const int *row, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

__attribute__((noinline)) void first_of_row(int n, int m, const int *a, int *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i + j] == 3) {
        b[i] = j;
        break;
      }
}

int main(void) {
  double *x = allocate(sizeof(double) * DIM(N) * 2), *val = allocate(sizeof(double) * DIM(N) * 4);
  int *row = allocate(sizeof(int) * (DIM(N) + 1)), *col = allocate(sizeof(int) * DIM(N) * 4), *a = allocate(sizeof(int) * DIM(N) * 2);
  fill(x, (size_t)DIM(N) * 2, 1);
  fill(val, (size_t)DIM(N) * 4, 2);
  fill_int(col, (size_t)DIM(N) * 4, 3, DIM(N));
  fill_int(a, (size_t)DIM(N) * 2, 4, 6);
  for (int i = 0; i < N; i++)
    row[i + 1] = row[i] + (int)(scatter((size_t)i, 5) % 5);
  for (int distance = 0; distance <= N; distance += N / 5 + 1)
    TIMED(1, positive(N, x, x + distance));
  TIMED(1, rows(N, row, col, val, x, x + N));
  TIMED(1, rows(N / 2, row, col, val, x, x + N / 4));
  TIMED(1, first_of_row(N, N > 20 ? 20 : 0, a, a + N / 3));
  digest(x, sizeof(double) * DIM(N) * 2);
  digest(a, sizeof(int) * DIM(N) * 2);
  return finish();
}
