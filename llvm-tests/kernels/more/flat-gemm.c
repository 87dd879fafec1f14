/* Matrix product on flattened arrays A[i * n + j]: with restrict, without it, and one inner product per element. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(500)
#endif

void flat_gemm(int n, int m, int p, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i * m + j] = 0.0;
      for (int k = 0; k < p; k++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
    }
}

void flat_gemm_restrict(int n, int m, int p, const double *restrict A, const double *restrict B, double *restrict C) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < p; k++)
      for (int j = 0; j < m; j++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
}

void flat_gemm_local_sum(size_t n, const double *restrict A, const double *restrict B, double *restrict C) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0.0;
      for (size_t k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  double *A = allocate(sizeof(double) * cells);
  double *B = allocate(sizeof(double) * cells);
  double *C = allocate(sizeof(double) * cells);
  fill(A, cells, 1);
  fill(B, cells, 2);
  TIMED(1, flat_gemm(N, N, N, A, B, C));
  digest(C, sizeof(double) * cells);
  TIMED(1, flat_gemm_restrict(N, N, N, A, B, C));
  digest(C, sizeof(double) * cells);
  TIMED(1, flat_gemm_local_sum(N, A, B, C));
  TIMED(1, flat_gemm(N / 2, N, N / 3, A, B, C));
  TIMED(1, flat_gemm_restrict(N / 3, N / 2, N, C, B, A));
  digest(A, sizeof(double) * cells);
  digest(C, sizeof(double) * cells);
  return finish();
}
