/* jacobi-1d: three-point averages on a line, two arrays that take turns.
   Arrays: plain pointers, restrict. */
#include "kernel.h"
#ifndef TSTEPS
#define TSTEPS SIZE_OR(4000)
#endif
#ifndef N
#define N SIZE_OR(200000)
#endif

void kernel_jacobi_1d(int tsteps, int n, double *restrict A, double *restrict B) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

int main(void) {
  double *A = allocate(sizeof(double) * DIM(N));
  double *B = allocate(sizeof(double) * DIM(N));
  fill(A, DIM(N), 1);
  fill(B, DIM(N), 2);
  TIMED(1, kernel_jacobi_1d(TSTEPS, N, A, B));
  digest(A, sizeof(double) * DIM(N));
  digest(B, sizeof(double) * DIM(N));
  return finish();
}
