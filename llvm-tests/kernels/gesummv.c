/* gesummv: y = alpha A x + beta B x.
   Arrays: constant shape, restrict. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(2800)
#endif

void kernel_gesummv(int n, double alpha, double beta, double A[restrict DIM(N)][DIM(N)],
                    double B[restrict DIM(N)][DIM(N)], double tmp[restrict DIM(N)], double x[restrict DIM(N)],
                    double y[restrict DIM(N)]) {
  for (int i = 0; i < n; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < n; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *tmp = allocate(sizeof(double) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(B, (size_t)DIM(N) * DIM(N), 2);
  fill(x, DIM(N), 3);
  TIMED(25, kernel_gesummv(N, 1.5, 1.2, A, B, tmp, x, y));
  digest(tmp, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
