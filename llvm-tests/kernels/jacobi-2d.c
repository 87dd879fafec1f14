/* jacobi-2d: five-point averages in the plane, two arrays that take turns.
   Arrays: constant shape, no restrict. */
#include "kernel.h"
#ifndef TSTEPS
#define TSTEPS SIZE_OR(300)
#endif
#ifndef N
#define N SIZE_OR(1200)
#endif

void kernel_jacobi_2d(int tsteps, int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(B, (size_t)DIM(N) * DIM(N), 2);
  TIMED(1, kernel_jacobi_2d(TSTEPS, N, A, B));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
