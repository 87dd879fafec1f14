/* ludcmp: solves A x = b by LU decomposition, then forward and backward substitution (counting down).
   Arrays: constant shape, no restrict. Every sum is gathered in one scalar. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(1200)
#endif

void kernel_ludcmp(int n, double A[DIM(N)][DIM(N)], double b[DIM(N)], double x[DIM(N)], double y[DIM(N)]) {
  double w;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(b, DIM(N), 2);
  for (int i = 0; i < N; i++)
    A[i][i] += N;
  TIMED(1, kernel_ludcmp(N, A, b, x, y));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(x, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
