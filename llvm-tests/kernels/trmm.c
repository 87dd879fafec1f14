/* trmm: B = alpha A^T B with A unit lower triangular, in place.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(900)
#endif
#ifndef N
#define N SIZE_OR(1000)
#endif

void kernel_trmm(int m, int n, double alpha, double A[DIM(M)][DIM(M)], double B[DIM(M)][DIM(N)]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}

int main(void) {
  double(*A)[DIM(M)] = allocate(sizeof(double) * DIM(M) * DIM(M));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  fill(A, (size_t)DIM(M) * DIM(M), 1);
  fill(B, (size_t)DIM(M) * DIM(N), 2);
  TIMED(1, kernel_trmm(M, N, 1.5, A, B));
  digest(B, sizeof(double) * DIM(M) * DIM(N));
  return finish();
}
