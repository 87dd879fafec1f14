/* syr2k: the lower triangle of C = alpha (A B^T + B A^T) + beta C.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(750)
#endif
#ifndef N
#define N SIZE_OR(900)
#endif

void kernel_syr2k(int n, int m, double alpha, double beta, double C[DIM(N)][DIM(N)], double A[DIM(N)][DIM(M)],
                  double B[DIM(N)][DIM(M)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}

int main(void) {
  double(*C)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*A)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  double(*B)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  fill(C, (size_t)DIM(N) * DIM(N), 1);
  fill(A, (size_t)DIM(N) * DIM(M), 2);
  fill(B, (size_t)DIM(N) * DIM(M), 3);
  TIMED(1, kernel_syr2k(N, M, 1.5, 1.2, C, A, B));
  digest(C, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
