/* seidel-2d: nine-point averages in the plane, in place: each point uses neighbours of this sweep and the last.
   Arrays: constant shape. */
#include "kernel.h"
#ifndef TSTEPS
#define TSTEPS SIZE_OR(40)
#endif
#ifndef N
#define N SIZE_OR(1200)
#endif

void kernel_seidel_2d(int tsteps, int n, double A[DIM(N)][DIM(N)]) {
  for (int t = 0; t <= tsteps - 1; t++)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  TIMED(1, kernel_seidel_2d(TSTEPS, N, A));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
