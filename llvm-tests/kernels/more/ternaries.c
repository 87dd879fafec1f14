/* Nested ternaries: as values, as subscripts, as bounds, and over comparisons of floating-point numbers. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(600)
#endif

void clamp(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] < 0.25 ? 0.25 : A[i][j] > 0.75 ? 0.75 : A[i][j];
}

void mirrored(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int up = i > 0 ? i - 1 : 0;
      int down = i < n - 1 ? i + 1 : n - 1;
      int left = j > 0 ? j - 1 : n - 1;
      B[i][j] = A[up][j] + A[down][j] - A[i][left];
    }
}

void pieces(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i] = i < n / 3 ? b[i] : i < 2 * n / 3 ? b[n - 1 - i] * 2.0 : i % 2 ? 1.0 : b[i / 2];
}

void symmetric_read(int n, double L[DIM(N)][DIM(N)], double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += (i >= j ? L[i][j] : L[j][i]) * x[j];
}

void bounds(int n, int wide, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = wide ? 0 : i; j < (i % 2 ? n : n / 2); j++)
      A[i][j] = fabs(A[i][j] - 0.5) > 0.25 ? A[i][j] * A[i][j] : fmin(A[i][j], 0.6);
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(x, DIM(N), 2);
  TIMED(1, clamp(N, A));
  TIMED(1, mirrored(N, A, B));
  TIMED(1, pieces(N, y, x));
  TIMED(1, symmetric_read(N, B, x, y));
  TIMED(1, bounds(N, 0, A));
  TIMED(1, bounds(N, 1, A));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
