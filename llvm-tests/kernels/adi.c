/* adi: the heat equation by alternating direction implicit steps: a forward and a backward sweep per line,
   first along columns, then along rows.
   Arrays: constant shape, no restrict. Backward sweeps count down. */
#include "kernel.h"
#ifndef TSTEPS
#define TSTEPS SIZE_OR(80)
#endif
#ifndef N
#define N SIZE_OR(600)
#endif

void kernel_adi(int tsteps, int n, double u[DIM(N)][DIM(N)], double v[DIM(N)][DIM(N)], double p[DIM(N)][DIM(N)],
                double q[DIM(N)][DIM(N)]) {
  double dx = 1.0 / (n + 1.0), dy = 1.0 / (n + 1.0), dt = 1.0 / (tsteps + 1.0);
  double mul1 = 2.0 * dt / (dx * dx), mul2 = 1.0 * dt / (dy * dy);
  double a = -mul1 / 2.0, b = 1.0 + mul1, c = a;
  double d = -mul2 / 2.0, e = 1.0 + mul2, f = d;

  for (int t = 1; t <= tsteps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

int main(void) {
  double(*u)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*v)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*p)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*q)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(u, (size_t)DIM(N) * DIM(N), 1);
  TIMED(1, kernel_adi(TSTEPS, N, u, v, p, q));
  digest(u, sizeof(double) * DIM(N) * DIM(N));
  digest(v, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
