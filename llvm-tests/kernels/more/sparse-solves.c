/* Sparse triangular systems, Gauss-Seidel and Jacobi on a sparse matrix: the first three go through the rows in order, Jacobi does not. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(5000)
#endif
#define MOST 6

void lower(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict b,
           double *restrict x) {
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int k = row[i]; k < row[i + 1]; k++)
      if (col[k] < i)
        sum -= val[k] * x[col[k]];
    x[i] = sum;
  }
}

void seidel(int n, int steps, const int *restrict row, const int *restrict col, const double *restrict val,
            const double *restrict b, double *restrict x) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      double sum = b[i];
      for (int k = row[i]; k < row[i + 1]; k++)
        sum -= val[k] * x[col[k]];
      x[i] = sum / 9.0;
    }
}

void jacobi(int n, int steps, const int *restrict row, const int *restrict col, const double *restrict val,
            const double *restrict b, double *restrict x, double *restrict y) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      double sum = b[i];
      for (int k = row[i]; k < row[i + 1]; k++)
        sum -= val[k] * x[col[k]];
      y[i] = sum / 9.0;
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i];
  }
}

int main(void) {
  int *row = allocate(sizeof(int) * (DIM(N) + 1)), *col = allocate(sizeof(int) * DIM(N) * MOST);
  double *val = allocate(sizeof(double) * DIM(N) * MOST), *b = allocate(sizeof(double) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  for (int i = 0; i < N; i++)
    row[i + 1] = row[i] + (int)(scatter((size_t)i, 1) % (MOST + 1));
  fill_int(col, (size_t)DIM(N) * MOST, 2, DIM(N));
  fill(val, (size_t)DIM(N) * MOST, 3);
  fill(b, DIM(N), 4);
  TIMED(4, lower(N, row, col, val, b, x));
  TIMED(4, seidel(N, 5, row, col, val, b, y));
  TIMED(4, jacobi(N, 5, row, col, val, b, z, x));
  digest(x, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  return finish();
}
