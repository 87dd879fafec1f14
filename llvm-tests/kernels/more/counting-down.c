/* Loops that count down, in one dimension, in two, and against a loop that counts up. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(600)
#endif

void back_substitution(int n, double U[DIM(N)][DIM(N)], double *b, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = n - 1; j > i; j--)
      x[i] -= U[i][j] * x[j];
    x[i] /= U[i][i];
  }
}

void suffix_sums(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = n - 2; i >= 0; --i)
    for (int j = 0; j < n; ++j)
      A[i][j] += A[i + 1][j] * 0.5;
}

void both_ways(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = n; i > 0; i--)
    for (int j = n - 1; j >= 0; j--)
      B[i - 1][j] = A[n - i][j] + 0.25 * A[i - 1][n - 1 - j];
}

void while_down(int n, double *a) {
  while (n-- > 0)
    a[n] = a[n] * 3.0 - n;
}

void down_by_two(int n, double *a) {
  for (int i = n - 1; i >= 1; i -= 2)
    a[i] += a[i - 1];
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(b, DIM(N), 2);
  for (int i = 0; i < N; i++)
    A[i][i] += N;
  TIMED(1, back_substitution(N, A, b, x));
  TIMED(1, suffix_sums(N, A));
  TIMED(1, both_ways(N, A, B));
  TIMED(1, while_down(N, b));
  TIMED(1, down_by_two(N, b));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(b, sizeof(double) * DIM(N));
  digest(x, sizeof(double) * DIM(N));
  return finish();
}
