/* Globals: arrays of fixed shape, sizes and coefficients in variables, tables in constants, all without parameters. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(500)
#endif

double A[DIM(N)][DIM(N)], B[DIM(N)][DIM(N)], C[DIM(N)][DIM(N)];
static double line[DIM(N)];
int n = N;
double alpha = 1.5;
long calls;
static const double weights[3] = {0.25, 0.5, 0.25};

void multiply(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
}

void smooth(void) {
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) * 0.25;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = B[i][j];
    calls++;
  }
}

void weigh(void) {
  for (int i = 1; i < n - 1; i++)
    for (int k = 0; k < 3; k++)
      line[i] += weights[k] * A[i + k - 1][i];
}

void scale_and_change_alpha(void) {
  for (int i = 0; i < n; i++) {
    line[i] *= alpha;
    alpha = 0.5 * alpha + line[i] / (1.0 + line[i] * line[i]);
  }
}

int main(void) {
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(B, (size_t)DIM(N) * DIM(N), 2);
  TIMED(1, multiply());
  TIMED(1, smooth());
  TIMED(1, weigh());
  TIMED(1, scale_and_change_alpha());
  digest(A, sizeof A);
  digest(B, sizeof B);
  digest(C, sizeof C);
  digest(line, sizeof line);
  digest(&alpha, sizeof alpha);
  digest(&calls, sizeof calls);
  return finish();
}
