/* syrk: the lower triangle of C = alpha A A^T + beta C.
   Arrays: variable-length shape with two leading dimensions, restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(1000)
#endif
#ifndef N
#define N SIZE_OR(1200)
#endif

void kernel_syrk(int n, int m, int ldc, int lda, double alpha, double beta, double C[restrict][ldc],
                 double A[restrict][lda]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}

int main(void) {
  double(*C)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*A)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  fill(C, (size_t)DIM(N) * DIM(N), 1);
  fill(A, (size_t)DIM(N) * DIM(M), 2);
  TIMED(1, kernel_syrk(N, M, DIM(N), DIM(M), 1.5, 1.2, C, A));
  digest(C, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
