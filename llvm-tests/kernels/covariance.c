/* covariance: the covariance matrix of m variables observed n times.
   Arrays: variable-length shape with a leading dimension, restrict. */
#include "kernel.h"
#ifndef M
#define M SIZE_OR(800)
#endif
#ifndef N
#define N SIZE_OR(1000)
#endif

void kernel_covariance(int m, int n, int ld, double count, double sample[restrict][ld], double cov[restrict][ld],
                       double mean[restrict]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += sample[i][j];
    mean[j] /= count;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sample[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      cov[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        cov[i][j] += sample[k][i] * sample[k][j];
      cov[i][j] /= count - 1.0;
      cov[j][i] = cov[i][j];
    }
}

int main(void) {
  double(*sample)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  double(*cov)[DIM(M)] = allocate(sizeof(double) * DIM(M) * DIM(M));
  double *mean = allocate(sizeof(double) * DIM(M));
  fill(sample, (size_t)DIM(N) * DIM(M), 2);
  TIMED(1, kernel_covariance(M, N, DIM(M), (double)N + 1.0, sample, cov, mean));
  digest(sample, sizeof(double) * DIM(N) * DIM(M));
  digest(cov, sizeof(double) * DIM(M) * DIM(M));
  digest(mean, sizeof(double) * DIM(M));
  return finish();
}
