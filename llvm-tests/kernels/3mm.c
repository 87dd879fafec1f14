/* 3mm: G = (A B) (C D), three matrix products in a row.
   Arrays: constant shape, restrict. */
#include "kernel.h"
#ifndef NI
#define NI SIZE_OR(450)
#endif
#ifndef NJ
#define NJ SIZE_OR(475)
#endif
#ifndef NK
#define NK SIZE_OR(500)
#endif
#ifndef NL
#define NL SIZE_OR(525)
#endif
#ifndef NM
#define NM SIZE_OR(550)
#endif

void kernel_3mm(int ni, int nj, int nk, int nl, int nm, double E[restrict DIM(NI)][DIM(NJ)],
                double A[restrict DIM(NI)][DIM(NK)], double B[restrict DIM(NK)][DIM(NJ)],
                double F[restrict DIM(NJ)][DIM(NL)], double C[restrict DIM(NJ)][DIM(NM)],
                double D[restrict DIM(NM)][DIM(NL)], double G[restrict DIM(NI)][DIM(NL)]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      E[i][j] = 0.0;
      for (int k = 0; k < nk; ++k)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nl; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < nm; ++k)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < nj; ++k)
        G[i][j] += E[i][k] * F[k][j];
    }
}

int main(void) {
  double(*E)[DIM(NJ)] = allocate(sizeof(double) * DIM(NI) * DIM(NJ));
  double(*A)[DIM(NK)] = allocate(sizeof(double) * DIM(NI) * DIM(NK));
  double(*B)[DIM(NJ)] = allocate(sizeof(double) * DIM(NK) * DIM(NJ));
  double(*F)[DIM(NL)] = allocate(sizeof(double) * DIM(NJ) * DIM(NL));
  double(*C)[DIM(NM)] = allocate(sizeof(double) * DIM(NJ) * DIM(NM));
  double(*D)[DIM(NL)] = allocate(sizeof(double) * DIM(NM) * DIM(NL));
  double(*G)[DIM(NL)] = allocate(sizeof(double) * DIM(NI) * DIM(NL));
  fill(A, (size_t)DIM(NI) * DIM(NK), 1);
  fill(B, (size_t)DIM(NK) * DIM(NJ), 2);
  fill(C, (size_t)DIM(NJ) * DIM(NM), 3);
  fill(D, (size_t)DIM(NM) * DIM(NL), 4);
  TIMED(1, kernel_3mm(NI, NJ, NK, NL, NM, E, A, B, F, C, D, G));
  digest(E, sizeof(double) * DIM(NI) * DIM(NJ));
  digest(F, sizeof(double) * DIM(NJ) * DIM(NL));
  digest(G, sizeof(double) * DIM(NI) * DIM(NL));
  return finish();
}
