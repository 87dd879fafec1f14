/* Statements under conditions: equal, not equal, odd, and, or, not, and conditions on the values themselves. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(500)
#endif

void identity_plus(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == j)
        A[i][j] = 1.0;
      else
        A[i][j] *= 0.5;
}

void checkers(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if ((i + j) % 2)
        A[i][j] += 1.0;
      if (i % 3 == 1 && j % 2 == 0)
        A[i][j] *= 1.5;
    }
}

void quadrants(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i < n / 2 && j < n / 2)
        B[i][j] = A[i][j];
      else if (i >= n / 2 || !(j < n / 4))
        B[i][j] = A[j][i];
      if (i != j && i + j != n - 1)
        B[i][j] += 0.125;
    }
}

void edges(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        B[i][j] = A[i][j];
      else
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

void clip(int n, double A[DIM(N)][DIM(N)], double limit, int *clipped) {
  for (int i = 0; i < n; i++) {
    clipped[i] = 0;
    for (int j = 0; j < n; j++)
      if (A[i][j] > limit) {
        A[i][j] = limit;
        clipped[i]++;
      }
  }
}

void mode(int n, int kind, double *a) {
  for (int i = 0; i < n; i++)
    switch (kind) {
    case 0:
      a[i] += 1.0;
      break;
    case 1:
      a[i] *= 2.0;
      break;
    default:
      if (kind > i)
        a[i] = -a[i];
    }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int *clipped = allocate(sizeof(int) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  TIMED(1, identity_plus(N, A));
  TIMED(1, checkers(N, A));
  TIMED(1, quadrants(N, A, B));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  TIMED(1, edges(N, A, B));
  TIMED(1, clip(N, A, 0.9, clipped));
  for (int kind = 0; kind < 4; kind++)
    mode(N, kind, A[0]);
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(clipped, sizeof(int) * DIM(N));
  return finish();
}
