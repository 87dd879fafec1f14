/* Zero and negative trip counts: bounds that cross, far below zero and at the ends of int. */
#include "../kernel.h"
#include <limits.h>
#ifndef N
#define N SIZE_OR(200)
#endif

int count_from_to(int low, int high, double *a) {
  int i;
  for (i = low; i < high; i++)
    a[i] += 1.0;
  return i;
}

int at_least_once(int low, int high, double *a) {
  int i = low;
  do {
    a[i] *= 1.5;
    i++;
  } while (i < high);
  return i;
}

void trapezoid(int low, int high, int n, double A[DIM(N)][DIM(N)]) {
  for (int i = low; i < high; i++) {
    A[i][0] += 1.0;
    for (int j = 2 * i; j < n - i; j++)
      A[i][j] += A[i][0] * j;
    A[i][n - 1] *= 0.5;
  }
}

void two_inner(int n, int m, int k, double A[DIM(N)][DIM(N)], double *sum) {
  for (int i = 0; i < n; i++) {
    sum[i] = 0.0;
    for (int j = 0; j < m; j++)
      sum[i] += A[i][j];
    for (int j = 0; j < k; j++)
      A[i][j] = sum[i] * 0.25;
  }
}

void down_to(int high, int low, double *a) {
  for (int i = high; i > low; i--)
    a[i] = a[i] + 0.5 * a[i - 1];
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double *sum = allocate(sizeof(double) * DIM(N));
  const int bounds[] = {INT_MIN, -1000000, -7, -1, 0, 1, 2, N / 2, N - 1, N};
  const int kinds = sizeof bounds / sizeof *bounds;
  int ends[3] = {0, 0, 0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(a, DIM(N), 2);
  double started = now();
  for (int p = 0; p < kinds; p++)
    for (int q = 0; q < kinds; q++) {
      int low = bounds[p], high = bounds[q];
      if (high > N || (low < 0 && high > low))
        continue;
      ends[0] += count_from_to(low, high, a) % 1000;
      if (low >= 0 && low < N)
        ends[1] += at_least_once(low, high, a);
      if (N > 0)
        trapezoid(low, high, N, A);
      if (high < N && low >= 0 && high >= 0)
        down_to(high, low, a);
      two_inner(high, low >= 0 && low <= N ? low : -3, high, A, sum);
      two_inner(N, low <= N ? low : 0, high, A, sum);
      for (int i = 0; i < N; i++)
        a[i] *= 0.125;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          A[i][j] = 0.5 * A[i][j] / (1.0 + A[i][j] * A[i][j]) + 0.25;
    }
  elapsed = now() - started;
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(sum, sizeof(double) * DIM(N));
  digest(ends, sizeof ends);
  return finish();
}
