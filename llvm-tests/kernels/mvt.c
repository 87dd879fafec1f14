/* mvt: x1 += A y1 and x2 += A^T y2.
   Arrays: variable-length shape with a leading dimension, restrict. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(4000)
#endif

void kernel_mvt(int n, int ld, double x1[restrict], double x2[restrict], double y1[restrict], double y2[restrict],
                double A[restrict][ld]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x2[i] = x2[i] + A[j][i] * y2[j];
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x1 = allocate(sizeof(double) * DIM(N));
  double *x2 = allocate(sizeof(double) * DIM(N));
  double *y1 = allocate(sizeof(double) * DIM(N));
  double *y2 = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(x1, DIM(N), 2);
  fill(x2, DIM(N), 3);
  fill(y1, DIM(N), 4);
  fill(y2, DIM(N), 5);
  TIMED(4, kernel_mvt(N, DIM(N), x1, x2, y1, y2, A));
  digest(x1, sizeof(double) * DIM(N));
  digest(x2, sizeof(double) * DIM(N));
  return finish();
}
