/* Rows of lengths that data gives: padded, with a hole in the middle, both bounds from data, and lists by successors. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(2000)
#endif
#define M 32

void padded(int n, const int *restrict length, double (*restrict A)[M], const double *restrict factor) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      A[i][j] *= factor[j];
}

void windows(int n, const int *restrict from, const int *restrict to, const double (*restrict A)[M], double *restrict mean) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    int count = 0;
    for (int j = from[i]; j < to[i]; j++) {
      sum += A[i][j];
      count++;
    }
    mean[i] = count ? sum / count : 0.0;
  }
}

void holes(int n, const int *restrict length, const double (*restrict A)[M], double (*restrict B)[M]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < length[i]; j++)
      B[i][j] = A[i][j];
    for (int j = length[i]; j < M; j++)
      B[i][j] = 0.0;
  }
}

void lists(int n, const int *restrict head, const int *restrict next, const double *restrict value, double *restrict total) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int p = head[i]; p >= 0; p = next[p])
      sum += value[p];
    total[i] = sum;
  }
}

int main(void) {
  int *length = allocate(sizeof(int) * DIM(N)), *from = allocate(sizeof(int) * DIM(N)), *next = allocate(sizeof(int) * DIM(N));
  double(*A)[M] = allocate(sizeof(double) * DIM(N) * M), (*B)[M] = allocate(sizeof(double) * DIM(N) * M);
  double factor[M], *mean = allocate(sizeof(double) * DIM(N)), *total = allocate(sizeof(double) * DIM(N));
  fill_int(length, DIM(N), 1, M + 1);
  fill_int(from, DIM(N), 2, M);
  for (int i = 0; i < N; i++)
    next[i] = i % 7 == 0 ? -1 : i - 1;
  fill(A, (size_t)DIM(N) * M, 3);
  fill(factor, M, 4);
  TIMED(8, padded(N, length, A, factor));
  TIMED(8, windows(N, from, length, (const double(*)[M])A, mean));
  TIMED(8, holes(N, length, (const double(*)[M])A, B));
  TIMED(8, lists(DIM(N) > M ? N : 0, from, next, mean, total));
  digest(A, sizeof(double) * DIM(N) * M);
  digest(B, sizeof(double) * DIM(N) * M);
  digest(mean, sizeof(double) * DIM(N));
  digest(total, sizeof(double) * DIM(N));
  return finish();
}
