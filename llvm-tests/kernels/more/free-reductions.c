/* Floating-point reductions that may be reordered, on numbers small enough for every sum to be exact: the digest does not depend on
   the order, only on each number being counted once. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1200)
#endif
#pragma clang fp reassociate(on)

double sum_of_table(int n, int m, const double A[DIM(N)][DIM(N)]) {
  double sum = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += A[i][j];
  return sum;
}

double dot(int n, const double *restrict a, const double *restrict b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

float signs(int n, const double *restrict a) {
  float product = -1.0f;
  for (int i = 0; i < n; i++)
    product *= a[i] > 500.0 ? -1.0f : 1.0f;
  return product;
}

void column_sums(int n, const double A[DIM(N)][DIM(N)], double *restrict sum) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum[j] += A[i][j];
}

void windows(int n, const double *restrict a, double *restrict window) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      window[k] += a[i] * (k + 1);
}

double difference(int n, const double *restrict a) {
  double rest = 1e9;
  for (int i = 0; i < n; i++)
    rest = rest - a[i] + 3.0;
  return rest;
}

__attribute__((optnone)) static double seen(double x) { return x; }

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *sum = allocate(sizeof(double) * DIM(N)), window[8] = {0}, results[8] = {0};
  for (size_t k = 0; k < (size_t)DIM(N) * DIM(N); k++)
    A[0][k] = (double)(scatter(k, 1) % 1000u);
  TIMED(3, results[0] += seen(sum_of_table(N, N, (void *)A)));
  TIMED(3, results[1] += seen(dot(N * N, A[0], A[0])));
  TIMED(3, results[2] += seen(signs(N * N, A[0])));
  TIMED(3, column_sums(N, (void *)A, sum));
  TIMED(3, windows(N * N, A[0], window));
  TIMED(3, results[3] += seen(difference(N * N, A[0])));
  digest(results, sizeof results);
  digest(sum, sizeof(double) * DIM(N));
  digest(window, sizeof window);
  return finish();
}
