/* A sparse matrix by rows times a vector: in double, in float with 64-bit row pointers, and added to what is there. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define MOST 16

void spmv(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict x,
          double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

void spmv_float(long n, const long *restrict row, const unsigned *restrict col, const float *restrict val,
                const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) {
    y[i] = 0.0f;
    for (long k = row[i]; k < row[i + 1]; ++k)
      y[i] += val[k] * x[col[k]];
  }
}

void residual(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double *restrict x,
              const double *restrict b, double *restrict r) {
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int k = row[i], end = row[i + 1]; k < end; k++)
      sum -= val[k] * x[col[k]];
    r[i] = sum;
  }
}

int main(void) {
  int *row = allocate(sizeof(int) * (DIM(N) + 1)), *col = allocate(sizeof(int) * DIM(N) * MOST);
  long *wide = allocate(sizeof(long) * (DIM(N) + 1));
  double *val = allocate(sizeof(double) * DIM(N) * MOST), *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N)), *r = allocate(sizeof(double) * DIM(N));
  float *fval = allocate(sizeof(float) * DIM(N) * MOST), *fx = allocate(sizeof(float) * DIM(N));
  float *fy = allocate(sizeof(float) * DIM(N));
  for (int i = 0; i < N; i++)
    wide[i + 1] = row[i + 1] = row[i] + (int)(scatter((size_t)i, 1) % (MOST + 1));
  fill_int(col, (size_t)DIM(N) * MOST, 2, DIM(N));
  fill(val, (size_t)DIM(N) * MOST, 3);
  fill(x, DIM(N), 4);
  fill_float(fval, (size_t)DIM(N) * MOST, 5);
  fill_float(fx, DIM(N), 6);
  TIMED(20, spmv(N, row, col, val, x, y));
  TIMED(20, spmv_float(N, wide, (unsigned *)col, fval, fx, fy));
  TIMED(20, residual(N, row, col, val, y, x, r));
  digest(y, sizeof(double) * DIM(N));
  digest(fy, sizeof(float) * DIM(N));
  digest(r, sizeof(double) * DIM(N));
  return finish();
}
