/* doitgen: each row A[r][q][*] is multiplied by the matrix C4, through a temporary row.
   Arrays: constant shape, no restrict; the temporary row is reused by every (r, q). */
#include "kernel.h"
#ifndef NR
#define NR SIZE_OR(150)
#endif
#ifndef NQ
#define NQ SIZE_OR(140)
#endif
#ifndef NP
#define NP SIZE_OR(160)
#endif

void kernel_doitgen(int nr, int nq, int np, double A[DIM(NR)][DIM(NQ)][DIM(NP)], double C4[DIM(NP)][DIM(NP)],
                    double sum[DIM(NP)]) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < np; p++)
        A[r][q][p] = sum[p];
    }
}

int main(void) {
  double(*A)[DIM(NQ)][DIM(NP)] = allocate(sizeof(double) * DIM(NR) * DIM(NQ) * DIM(NP));
  double(*C4)[DIM(NP)] = allocate(sizeof(double) * DIM(NP) * DIM(NP));
  double *sum = allocate(sizeof(double) * DIM(NP));
  fill(A, (size_t)DIM(NR) * DIM(NQ) * DIM(NP), 1);
  fill(C4, (size_t)DIM(NP) * DIM(NP), 2);
  TIMED(1, kernel_doitgen(NR, NQ, NP, A, C4, sum));
  digest(A, sizeof(double) * DIM(NR) * DIM(NQ) * DIM(NP));
  digest(sum, sizeof(double) * DIM(NP));
  return finish();
}
