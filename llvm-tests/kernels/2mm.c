/* 2mm: D = alpha A B C + beta D through one temporary matrix.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef NI
#define NI SIZE_OR(500)
#endif
#ifndef NJ
#define NJ SIZE_OR(550)
#endif
#ifndef NK
#define NK SIZE_OR(600)
#endif
#ifndef NL
#define NL SIZE_OR(650)
#endif

void kernel_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[DIM(NI)][DIM(NJ)],
                double A[DIM(NI)][DIM(NK)], double B[DIM(NK)][DIM(NJ)], double C[DIM(NJ)][DIM(NL)],
                double D[DIM(NI)][DIM(NL)]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i][j] = 0.0;
      for (int k = 0; k < nk; ++k)
        tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      D[i][j] *= beta;
      for (int k = 0; k < nj; ++k)
        D[i][j] += tmp[i][k] * C[k][j];
    }
}

int main(void) {
  double(*tmp)[DIM(NJ)] = allocate(sizeof(double) * DIM(NI) * DIM(NJ));
  double(*A)[DIM(NK)] = allocate(sizeof(double) * DIM(NI) * DIM(NK));
  double(*B)[DIM(NJ)] = allocate(sizeof(double) * DIM(NK) * DIM(NJ));
  double(*C)[DIM(NL)] = allocate(sizeof(double) * DIM(NJ) * DIM(NL));
  double(*D)[DIM(NL)] = allocate(sizeof(double) * DIM(NI) * DIM(NL));
  fill(A, (size_t)DIM(NI) * DIM(NK), 1);
  fill(B, (size_t)DIM(NK) * DIM(NJ), 2);
  fill(C, (size_t)DIM(NJ) * DIM(NL), 3);
  fill(D, (size_t)DIM(NI) * DIM(NL), 4);
  TIMED(1, kernel_2mm(NI, NJ, NK, NL, 1.5, 1.2, tmp, A, B, C, D));
  digest(tmp, sizeof(double) * DIM(NI) * DIM(NJ));
  digest(D, sizeof(double) * DIM(NI) * DIM(NL));
  return finish();
}
