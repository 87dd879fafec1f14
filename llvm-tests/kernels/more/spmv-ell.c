/* Sparse matrices with rows of one length (padded), by rows and by columns; and by diagonals. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define WIDTH 9

void by_rows(int n, const int *restrict col, const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = 0; k < WIDTH; k++)
      sum += val[i * WIDTH + k] * x[col[i * WIDTH + k]];
    y[i] = sum;
  }
}

void by_columns(int n, const int (*restrict col)[DIM(N)], const double (*restrict val)[DIM(N)], const double *restrict x,
                double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = 0.0;
  for (int k = 0; k < WIDTH; k++)
    for (int i = 0; i < n; i++)
      if (col[k][i] >= 0)
        y[i] += val[k][i] * x[col[k][i]];
}

void diagonals(int n, int many, const int *restrict offset, const double (*restrict val)[DIM(N)], const double *restrict x,
               double *restrict y) {
  for (int d = 0; d < many; d++)
    for (int i = 0; i < n; i++)
      if (i + offset[d] >= 0 && i + offset[d] < n)
        y[i] += val[d][i] * x[i + offset[d]];
}

int main(void) {
  int *col = allocate(sizeof(int) * DIM(N) * WIDTH);
  double *val = allocate(sizeof(double) * DIM(N) * WIDTH), *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  int offset[5] = {-17, -1, 0, 1, 17};
  fill_int(col, (size_t)DIM(N) * WIDTH, 1, DIM(N));
  fill(val, (size_t)DIM(N) * WIDTH, 2);
  fill(x, DIM(N), 3);
  TIMED(8, by_rows(N, col, val, x, y));
  for (size_t k = 0; k < (size_t)DIM(N) * WIDTH; k += 5)
    col[k] = -1;
  TIMED(8, by_columns(N, (const int(*)[DIM(N)])col, (const double(*)[DIM(N)])val, x, z));
  TIMED(8, diagonals(N, 5, offset, (const double(*)[DIM(N)])val, x, z));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  return finish();
}
