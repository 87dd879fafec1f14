/* Rows that data measures: parallel over rows if a test of the lengths and offsets before the loops says that rows do not meet, and in
   order, with the same result, if it says that they do. Parallel: all but the prefix sum. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(2000)
#endif
#define M 24

void by_length(int n, const int *restrict length, double (*restrict A)[M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      A[i][j] = 0.5 * A[i][j] + i;
}

/* With `m` smaller than a length, rows overlap. */
void flat(size_t n, size_t m, const unsigned *restrict length, double *restrict A) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < length[i]; j++)
      A[i * m + j] = 0.5 * A[i * m + j] + (double)j;
}

void one_hot(int n, const int *restrict class, float (*restrict A)[M]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < M; j++)
      A[i][j] = 0.0f;
    A[i][class[i]] = 1.0f;
  }
}

void scaled_rows(int n, const int *restrict start, double *restrict value, const double *restrict factor) {
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      value[k] = value[k] * factor[i] + 1.0;
}

/* Rows of a prefix sum made here. */
void ranked(int n, const int *restrict length, int *restrict start, int *restrict rank) {
  start[0] = 0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + (length[i] & 7);
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      rank[k] = k - start[i];
}

void pieces(int n, const int *restrict from, const int *restrict length, double *restrict value) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      value[from[i] + j] = 0.25 * value[from[i] + j] + i;
}

int main(void) {
  int *length = allocate(sizeof(int) * DIM(N)), *start = allocate(sizeof(int) * (DIM(N) + 1));
  int *from = allocate(sizeof(int) * DIM(N)), *rank = allocate(sizeof(int) * DIM(N) * M);
  double(*A)[M] = allocate(sizeof(double) * (DIM(N) + 1) * M), *x = allocate(sizeof(double) * DIM(N));
  float(*F)[M] = allocate(sizeof(float) * DIM(N) * M);
  fill_int(length, DIM(N), 1, M);
  fill(A, (size_t)(DIM(N) + 1) * M, 2);
  fill(x, DIM(N), 3);
  TIMED(4, by_length(N, length, A));
  TIMED(4, flat(N, M, (unsigned *)length, A[0]));
  TIMED(4, flat(N, 7, (unsigned *)length, A[0]));
  TIMED(4, one_hot(N, length, F));
  TIMED(4, ranked(N, length, start, rank));
  TIMED(4, scaled_rows(N, start, A[0], x));
  for (int step = M; step > 0; step -= 9) {
    for (int i = 0; i < N; i++)
      from[i] = (step & 1 ? N - 1 - i : i) * step;
    TIMED(4, pieces(N, from, length, A[0]));
  }
  digest(A, sizeof(double) * (DIM(N) + 1) * M);
  digest(F, sizeof(float) * DIM(N) * M);
  digest(rank, sizeof(int) * DIM(N) * M);
  return finish();
}
