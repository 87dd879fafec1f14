/* atax: y = A^T (A x).
   Arrays: variable-length shape with a leading dimension, restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(1800)
#endif
#ifndef N
#define N SIZE_OR(2200)
#endif

void kernel_atax(int m, int n, int ld, double A[restrict][ld], double x[restrict], double y[restrict],
                 double tmp[restrict]) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < n; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(M) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  double *tmp = allocate(sizeof(double) * DIM(M));
  fill(A, (size_t)DIM(M) * DIM(N), 1);
  fill(x, DIM(N), 2);
  TIMED(80, kernel_atax(M, N, DIM(N), A, x, y, tmp));
  digest(y, sizeof(double) * DIM(N));
  digest(tmp, sizeof(double) * DIM(M));
  return finish();
}
