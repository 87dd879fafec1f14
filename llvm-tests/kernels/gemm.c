/* gemm: C = alpha A B + beta C, the inner loop over columns.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef NI
#define NI SIZE_OR(1000)
#endif
#ifndef NJ
#define NJ SIZE_OR(1000)
#endif
#ifndef NK
#define NK SIZE_OR(1000)
#endif

void kernel_gemm(int ni, int nj, int nk, double alpha, double beta, double C[DIM(NI)][DIM(NJ)],
                 double A[DIM(NI)][DIM(NK)], double B[DIM(NK)][DIM(NJ)]) {
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++)
      C[i][j] *= beta;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

int main(void) {
  double(*C)[DIM(NJ)] = allocate(sizeof(double) * DIM(NI) * DIM(NJ));
  double(*A)[DIM(NK)] = allocate(sizeof(double) * DIM(NI) * DIM(NK));
  double(*B)[DIM(NJ)] = allocate(sizeof(double) * DIM(NK) * DIM(NJ));
  fill(C, (size_t)DIM(NI) * DIM(NJ), 1);
  fill(A, (size_t)DIM(NI) * DIM(NK), 2);
  fill(B, (size_t)DIM(NK) * DIM(NJ), 3);
  TIMED(2, kernel_gemm(NI, NJ, NK, 1.5, 1.2, C, A, B));
  digest(C, sizeof(double) * DIM(NI) * DIM(NJ));
  return finish();
}
