/* A sparse matrix by rows times a dense one, and a dense product sampled where a sparse matrix has entries. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(2000)
#endif
#define MOST 12
#define K 24

void spmm(int n, const int *restrict row, const int *restrict col, const double *restrict val, const double (*restrict B)[K],
          double (*restrict C)[K]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < K; j++)
      C[i][j] = 0.0;
    for (int p = row[i]; p < row[i + 1]; p++)
      for (int j = 0; j < K; j++)
        C[i][j] += val[p] * B[col[p]][j];
  }
}

void sampled(int n, const int *restrict row, const int *restrict col, const double (*restrict A)[K],
             const double (*restrict B)[K], double *restrict out) {
  for (int i = 0; i < n; i++)
    for (int p = row[i]; p < row[i + 1]; p++) {
      double sum = 0.0;
      for (int k = 0; k < K; k++)
        sum += A[i][k] * B[col[p]][k];
      out[p] = sum;
    }
}

int main(void) {
  int *row = allocate(sizeof(int) * (DIM(N) + 1)), *col = allocate(sizeof(int) * DIM(N) * MOST);
  double *val = allocate(sizeof(double) * DIM(N) * MOST), *out = allocate(sizeof(double) * DIM(N) * MOST);
  double(*B)[K] = allocate(sizeof(double) * DIM(N) * K), (*C)[K] = allocate(sizeof(double) * DIM(N) * K);
  for (int i = 0; i < N; i++)
    row[i + 1] = row[i] + (int)(scatter((size_t)i, 1) % (MOST + 1));
  fill_int(col, (size_t)DIM(N) * MOST, 2, DIM(N));
  fill(val, (size_t)DIM(N) * MOST, 3);
  fill(B, (size_t)DIM(N) * K, 4);
  TIMED(4, spmm(N, row, col, val, (const double(*)[K])B, C));
  TIMED(4, sampled(N, row, col, (const double(*)[K])C, (const double(*)[K])B, out));
  digest(C, sizeof(double) * DIM(N) * K);
  digest(out, sizeof(double) * DIM(N) * MOST);
  return finish();
}
