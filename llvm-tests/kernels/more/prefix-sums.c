/* Prefix sums: along a line, along the rows and columns of a table, and in steps that double. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(700)
#endif

void line(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}

void line_of_ints(int n, const int *a, long *sum) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    sum[i] = s;
  }
}

void table(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      A[i][j] += A[i][j - 1];
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += A[i - 1][j];
}

void table_at_once(int n, int A[DIM(N)][DIM(N)], int S[DIM(N)][DIM(N)]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      S[i][j] = A[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

void doubling(int n, unsigned *a, unsigned *b) {
  for (int step = 1; step < n; step *= 2) {
    for (int i = 0; i < n; i++)
      b[i] = i >= step ? a[i] + a[i - step] : a[i];
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int(*W)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  int(*S)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  long *sum = allocate(sizeof(long) * DIM(N) * DIM(N));
  unsigned *b = allocate(sizeof(unsigned) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill_int(W, (size_t)DIM(N) * DIM(N), 2, 1000);
  TIMED(1, line(N * N, A[0]));
  TIMED(1, table(N, A));
  TIMED(1, line_of_ints(N * N, W[0], sum));
  TIMED(1, table_at_once(N, W, S));
  TIMED(1, doubling(N, (unsigned *)W[0], b));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(W, sizeof(int) * DIM(N));
  digest(S, sizeof(int) * DIM(N) * DIM(N));
  digest(sum, sizeof(long) * DIM(N) * DIM(N));
  return finish();
}
