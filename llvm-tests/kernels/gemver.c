/* gemver: two rank-1 updates of A, then x += beta A^T y + z and w += alpha A x.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(4000)
#endif

void kernel_gemver(int n, double alpha, double beta, double A[DIM(N)][DIM(N)], double u1[DIM(N)], double v1[DIM(N)],
                   double u2[DIM(N)], double v2[DIM(N)], double w[DIM(N)], double x[DIM(N)], double y[DIM(N)],
                   double z[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
}

static double *vector(unsigned seed) {
  double *v = allocate(sizeof(double) * DIM(N));
  fill(v, DIM(N), seed);
  return v;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *u1 = vector(2), *v1 = vector(3), *u2 = vector(4), *v2 = vector(5);
  double *w = vector(6), *x = vector(7), *y = vector(8), *z = vector(9);
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  TIMED(3, kernel_gemver(N, 1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(w, sizeof(double) * DIM(N));
  digest(x, sizeof(double) * DIM(N));
  return finish();
}
