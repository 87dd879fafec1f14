/* cholesky: the lower factor of a symmetric positive definite matrix, in place.
   Arrays: constant shape, no restrict. Calls sqrt. */
#include "kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(1400)
#endif

void kernel_cholesky(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++)
      A[j][i] = A[i][j];
    A[i][i] += N;
  }
  TIMED(1, kernel_cholesky(N, A));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
