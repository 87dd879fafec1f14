/* Rows that an index chooses: within a row everything is affine, between rows nothing is known. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1000)
#endif
#define M 40

void scale(int n, const int *restrict row, const double *restrict factor, double (*restrict A)[M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      A[row[i]][j] = A[row[i]][j] * factor[j] + 0.25;
}

void add_rows(int n, const int *restrict from, const int *restrict to, const double (*restrict A)[M], double (*restrict B)[M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      B[to[i]][j] += A[from[i]][j];
}

void gather_rows(int n, const int *restrict from, const double (*restrict A)[M], double (*restrict B)[M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      B[i][j] = A[from[i]][j] - A[from[n - 1 - i]][M - 1 - j];
}

void swap_rows(int n, const int *restrict pivot, double (*restrict A)[M]) {
  for (int i = 0; i < n; i++)
    if (pivot[i] != i)
      for (int j = 0; j < M; j++) {
        double t = A[i][j];
        A[i][j] = A[pivot[i]][j];
        A[pivot[i]][j] = t;
      }
}

int main(void) {
  int *row = allocate(sizeof(int) * DIM(N)), *from = allocate(sizeof(int) * DIM(N));
  double(*A)[M] = allocate(sizeof(double) * DIM(N) * M), (*B)[M] = allocate(sizeof(double) * DIM(N) * M);
  double(*C)[M] = allocate(sizeof(double) * DIM(N) * M), factor[M];
  fill_int(row, DIM(N), 1, DIM(N));
  fill_int(from, DIM(N), 2, DIM(N));
  fill(A, (size_t)DIM(N) * M, 3);
  fill(factor, M, 4);
  TIMED(8, scale(N, row, factor, A));
  TIMED(8, add_rows(N, from, row, (const double(*)[M])A, B));
  TIMED(8, gather_rows(N, from, (const double(*)[M])A, C));
  TIMED(8, swap_rows(N, row, A));
  digest(A, sizeof(double) * DIM(N) * M);
  digest(B, sizeof(double) * DIM(N) * M);
  digest(C, sizeof(double) * DIM(N) * M);
  return finish();
}
