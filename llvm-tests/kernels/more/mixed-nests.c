/* Nests side by side and inside one another: temporaries, local arrays, mathematics, a sequence of several loops. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(500)
#endif

void softmax(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    double most = A[i][0], sum = 0.0;
    for (int j = 1; j < n; j++)
      if (A[i][j] > most)
        most = A[i][j];
    for (int j = 0; j < n; j++) {
      A[i][j] = exp(A[i][j] - most);
      sum += A[i][j];
    }
    for (int j = 0; j < n; j++)
      A[i][j] /= sum;
  }
}

void local_row(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    double row[DIM(N)];
    for (int j = 0; j < n; j++)
      row[j] = A[i][j] * 0.5;
    for (int j = 0; j < n; j++)
      B[i][j] = row[n - 1 - j] + row[j];
  }
}

void chain(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)], double *a, double *b) {
  for (int i = 0; i < n; i++)
    a[i] = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += A[i][j] * B[j][i];
  for (int i = 0; i < n; i++)
    b[i] = sqrt(fabs(a[i])) + 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = A[i][j] / b[j];
}

void temporaries(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      double rise = A[i][j] - A[i - 1][j];
      double run = A[i][j] - A[i][j - 1];
      double slope = sqrt(rise * rise + run * run);
      B[i][j] = slope > 0.5 ? floor(slope * 4.0) : fma(slope, slope, 0.125);
    }
}

void one_after_another(int n, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1.0;
  for (int i = 1; i < n; i++)
    c[i] = a[i - 1] * 2.0;
  for (int i = 0; i < n - 1; i++)
    b[i] = c[i + 1] - a[i];
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  double *c = allocate(sizeof(double) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  TIMED(1, local_row(N, A, B));
  TIMED(1, softmax(N, A));
  TIMED(1, chain(N, A, B, a, b));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 2);
  TIMED(1, temporaries(N, A, B));
  TIMED(1, one_after_another(N, a, b, c));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(b, sizeof(double) * DIM(N));
  digest(c, sizeof(double) * DIM(N));
  return finish();
}
