/* Strides 2 and 3 and one that is a parameter, in the loop, in the subscript, and in both. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(600)
#endif

void red_black(int steps, int n, double A[DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1 + i % 2; j < n - 1; j += 2)
        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 2 - i % 2; j < n - 1; j += 2)
        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
  }
}

void by_two_and_three(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i += 2)
    for (int j = 1; j < n; j += 3)
      B[i][j] = A[i][j] + A[j][i];
}

void interleave(int n, double *pairs, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    pairs[2 * i] = a[i];
    pairs[2 * i + 1] = b[i] - a[i];
  }
}

void every(int n, int step, double *a, double *b) {
  for (int i = 0; i < n; i += step)
    a[i] += b[i] * step;
}

void halves(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i / 2] += b[i] * (i % 3);
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  double *pairs = allocate(sizeof(double) * 2 * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(a, DIM(N), 2);
  fill(b, DIM(N), 3);
  TIMED(1, red_black(20, N, A));
  TIMED(1, by_two_and_three(N, A, B));
  TIMED(1, interleave(N, pairs, a, b));
  TIMED(1, every(N, 1, a, b));
  TIMED(1, every(N, 5, b, a));
  TIMED(1, halves(N, a, b));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(b, sizeof(double) * DIM(N));
  digest(pairs, sizeof(double) * 2 * DIM(N));
  return finish();
}
