/* A sparse matrix as triplets, and by columns: two entries may belong to one row, so that their order stays. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define PER_COLUMN 8

void coo(int entries, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict x,
         double *restrict y) {
  for (int k = 0; k < entries; k++)
    y[row[k]] += val[k] * x[col[k]];
}

void by_columns(int n, const int *restrict start, const int *restrict row, const double *restrict val,
                const double *restrict x, double *restrict y) {
  for (int j = 0; j < n; j++)
    for (int k = start[j]; k < start[j + 1]; k++)
      y[row[k]] += val[k] * x[j];
}

/* Columns of x beside one another: the right-hand sides are independent, the entries are not. */
void coo_many(int entries, const int *restrict row, const int *restrict col, const double *restrict val,
              const double (*restrict x)[4], double (*restrict y)[4]) {
  for (int k = 0; k < entries; k++)
    for (int c = 0; c < 4; c++)
      y[row[k]][c] += val[k] * x[col[k]][c];
}

int main(void) {
  int *row = allocate(sizeof(int) * DIM(N) * PER_COLUMN), *col = allocate(sizeof(int) * DIM(N) * PER_COLUMN);
  int *start = allocate(sizeof(int) * (DIM(N) + 1));
  double *val = allocate(sizeof(double) * DIM(N) * PER_COLUMN), *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  double(*X)[4] = allocate(sizeof(double) * DIM(N) * 4), (*Y)[4] = allocate(sizeof(double) * DIM(N) * 4);
  for (int i = 0; i < N; i++)
    start[i + 1] = start[i] + (int)(scatter((size_t)i, 7) % PER_COLUMN);
  fill_int(row, (size_t)DIM(N) * PER_COLUMN, 1, DIM(N));
  fill_int(col, (size_t)DIM(N) * PER_COLUMN, 2, DIM(N));
  fill(val, (size_t)DIM(N) * PER_COLUMN, 3);
  fill(x, DIM(N), 4);
  fill(X, (size_t)DIM(N) * 4, 5);
  TIMED(8, coo(N * PER_COLUMN, row, col, val, x, y));
  TIMED(8, by_columns(N, start, row, val, x, z));
  TIMED(8, coo_many(N * PER_COLUMN, row, col, val, (const double(*)[4])X, Y));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  digest(Y, sizeof(double) * DIM(N) * 4);
  return finish();
}
