/* symm: C = alpha A B + beta C with A symmetric, only its lower triangle stored.
   Arrays: constant shape, no restrict. A scalar accumulates while C is scattered into. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(800)
#endif
#ifndef N
#define N SIZE_OR(900)
#endif

void kernel_symm(int m, int n, double alpha, double beta, double C[DIM(M)][DIM(N)], double A[DIM(M)][DIM(M)],
                 double B[DIM(M)][DIM(N)]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
}

int main(void) {
  double(*C)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  double(*A)[DIM(M)] = allocate(sizeof(double) * DIM(M) * DIM(M));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  fill(C, (size_t)DIM(M) * DIM(N), 1);
  fill(A, (size_t)DIM(M) * DIM(M), 2);
  fill(B, (size_t)DIM(M) * DIM(N), 3);
  TIMED(1, kernel_symm(M, N, 1.5, 1.2, C, A, B));
  digest(C, sizeof(double) * DIM(M) * DIM(N));
  return finish();
}
