/* lu: A = L U in place, without pivoting.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(1200)
#endif

void kernel_lu(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  for (int i = 0; i < N; i++)
    A[i][i] += N;
  TIMED(1, kernel_lu(N, A));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
