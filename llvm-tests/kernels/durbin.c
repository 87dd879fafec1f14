/* durbin: the Levinson-Durbin recursion for a Toeplitz system. The first element is set outside of every loop.
   Arrays: constant shape, no restrict; the scratch vector is local to the kernel. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(4000)
#endif

void kernel_durbin(int n, double r[DIM(N)], double y[DIM(N)]) {
  double z[DIM(N)];
  double alpha = -r[0], beta = 1.0;
  y[0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

int main(void) {
  double *r = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  for (int i = 0; i < N; i++)
    r[i] = 0.25 * fraction(i, 1) / (1.0 + i) / (1.0 + i);
  TIMED(30, kernel_durbin(N, r, y));
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
