/* Triangles, bands and trapezoids: bounds that are minima and maxima of several affine forms. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(500)
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void band_product(int n, int width, double A[DIM(N)][DIM(N)], double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = MAX(0, i - width); j < MIN(n, i + width + 1); j++)
      y[i] += A[i][j] * x[j];
}

void diagonals(int n, double A[DIM(N)][DIM(N)]) {
  for (int d = 0; d < 2 * n - 1; d++)
    for (int i = MAX(0, d - n + 1); i <= MIN(d, n - 1); i++)
      A[i][d - i] = 0.5 * A[i][d - i] + 0.25 * (i > 0 ? A[i - 1][d - i] : 1.0);
}

void triangle_of_three(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < MIN(n, j + 20); k++)
        B[i][j] += A[i][k] * A[k][j];
}

void blocked_by_hand(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int bi = 0; bi < n; bi += 32)
    for (int bj = 0; bj < n; bj += 32)
      for (int i = bi; i < MIN(bi + 32, n); i++)
        for (int j = bj; j < MIN(bj + 32, n); j++)
          B[j][i] = A[i][j] + 0.5 * B[j][i];
}

void polynomial(int n, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i + j] += a[i] * b[j];
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  double *c = allocate(sizeof(double) * 2 * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(x, DIM(N), 2);
  TIMED(1, band_product(N, 9, A, x, y));
  TIMED(1, band_product(N, N, A, x, y));
  TIMED(1, diagonals(N, A));
  TIMED(1, triangle_of_three(N, A, B));
  TIMED(1, blocked_by_hand(N, A, B));
  TIMED(1, polynomial(N, x, y, c));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  digest(c, sizeof(double) * 2 * DIM(N));
  return finish();
}
