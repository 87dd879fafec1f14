/* bicg: s = A^T r and q = A p, the two products of a biconjugate gradient step.
   Arrays: constant shape, restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(1800)
#endif
#ifndef N
#define N SIZE_OR(2200)
#endif

void kernel_bicg(int m, int n, double A[restrict DIM(N)][DIM(M)], double s[restrict DIM(M)], double q[restrict DIM(N)],
                 double p[restrict DIM(M)], double r[restrict DIM(N)]) {
  for (int i = 0; i < m; i++)
    s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

int main(void) {
  double(*A)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  double *s = allocate(sizeof(double) * DIM(M));
  double *q = allocate(sizeof(double) * DIM(N));
  double *p = allocate(sizeof(double) * DIM(M));
  double *r = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(M), 1);
  fill(p, DIM(M), 2);
  fill(r, DIM(N), 3);
  TIMED(75, kernel_bicg(M, N, A, s, q, p, r));
  digest(s, sizeof(double) * DIM(M));
  digest(q, sizeof(double) * DIM(N));
  return finish();
}
