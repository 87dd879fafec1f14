/* trisolv: solves L x = b, L lower triangular, by forward substitution.
   Arrays: variable-length shape with a leading dimension, restrict. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(4000)
#endif

void kernel_trisolv(int n, int ld, double L[restrict][ld], double x[restrict], double b[restrict]) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}

int main(void) {
  double(*L)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  fill(L, (size_t)DIM(N) * DIM(N), 1);
  fill(b, DIM(N), 2);
  for (int i = 0; i < N; i++)
    L[i][i] += N;
  TIMED(30, kernel_trisolv(N, DIM(N), L, x, b));
  digest(x, sizeof(double) * DIM(N));
  return finish();
}
