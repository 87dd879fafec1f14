/* gramschmidt: A = Q R by the modified Gram-Schmidt process, column by column.
   Arrays: constant shape, no restrict. Calls sqrt; a scalar accumulates the norm. */
#include "kernel.h"
#include <math.h>
#ifndef M
#define M SIZE_OR(800)
#endif
#ifndef N
#define N SIZE_OR(700)
#endif

void kernel_gramschmidt(int m, int n, double A[DIM(M)][DIM(N)], double R[DIM(N)][DIM(N)], double Q[DIM(M)][DIM(N)]) {
  for (int k = 0; k < n; k++) {
    double norm = 0.0;
    for (int i = 0; i < m; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < m; i++)
        A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  double(*R)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*Q)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  fill(A, (size_t)DIM(M) * DIM(N), 1);
  for (int i = 0; i < M && i < N; i++)
    A[i][i] += N;
  TIMED(1, kernel_gramschmidt(M, N, A, R, Q));
  digest(A, sizeof(double) * DIM(M) * DIM(N));
  digest(R, sizeof(double) * DIM(N) * DIM(N));
  digest(Q, sizeof(double) * DIM(M) * DIM(N));
  return finish();
}
