/* correlation: the correlation matrix of m variables observed n times; columns are centred and scaled first.
   Arrays: constant shape, no restrict. Calls sqrt, and divides by a computed value. Tests: 000 2.3.5 */
#include "kernel.h"
#include <math.h>
#ifndef M
#define M SIZE_OR(800)
#endif
#ifndef N
#define N SIZE_OR(1000)
#endif

void kernel_correlation(int m, int n, double count, double sample[DIM(N)][DIM(M)], double corr[DIM(M)][DIM(M)],
                        double mean[DIM(M)], double deviation[DIM(M)]) {
  double tiny = 0.1;
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += sample[i][j];
    mean[j] /= count;
  }
  for (int j = 0; j < m; j++) {
    deviation[j] = 0.0;
    for (int i = 0; i < n; i++)
      deviation[j] += (sample[i][j] - mean[j]) * (sample[i][j] - mean[j]);
    deviation[j] /= count;
    deviation[j] = sqrt(deviation[j]);
    deviation[j] = deviation[j] <= tiny ? 1.0 : deviation[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      sample[i][j] -= mean[j];
      sample[i][j] /= sqrt(count) * deviation[j];
    }
  for (int i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (int j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        corr[i][j] += sample[k][i] * sample[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[DIM(M) - 1][DIM(M) - 1] = 1.0;
}

int main(void) {
  double(*sample)[DIM(M)] = allocate(sizeof(double) * DIM(N) * DIM(M));
  double(*corr)[DIM(M)] = allocate(sizeof(double) * DIM(M) * DIM(M));
  double *mean = allocate(sizeof(double) * DIM(M));
  double *deviation = allocate(sizeof(double) * DIM(M));
  fill(sample, (size_t)DIM(N) * DIM(M), 1);
  TIMED(1, kernel_correlation(M, N, (double)N, sample, corr, mean, deviation));
  digest(sample, sizeof(double) * DIM(N) * DIM(M));
  digest(corr, sizeof(double) * DIM(M) * DIM(M));
  digest(mean, sizeof(double) * DIM(M));
  digest(deviation, sizeof(double) * DIM(M));
  return finish();
}
