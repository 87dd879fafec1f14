/* heat-3d: the heat equation in a cube, seven points, two grids that take turns.
   Arrays: constant shape, restrict. */
#include "kernel.h"
#ifndef TSTEPS
#define TSTEPS SIZE_OR(150)
#endif
#ifndef N
#define N SIZE_OR(120)
#endif

void kernel_heat_3d(int tsteps, int n, double A[restrict DIM(N)][DIM(N)][DIM(N)],
                    double B[restrict DIM(N)][DIM(N)][DIM(N)]) {
  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                       0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                       0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                       0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                       0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
  }
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N) * DIM(N);
  double(*A)[DIM(N)][DIM(N)] = allocate(sizeof(double) * cells);
  double(*B)[DIM(N)][DIM(N)] = allocate(sizeof(double) * cells);
  fill(A, cells, 1);
  memcpy(B, A, sizeof(double) * cells);
  TIMED(1, kernel_heat_3d(TSTEPS, N, A, B));
  digest(A, sizeof(double) * cells);
  digest(B, sizeof(double) * cells);
  return finish();
}
