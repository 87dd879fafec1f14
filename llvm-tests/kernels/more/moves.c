/* Values that take each other's place when a loop goes round: shift registers, rings, and a best with the one before it. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(700)
#endif

void filter(int n, double a, double b, double X[DIM(N)][DIM(N)], double Y[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    double y1 = 0, y2 = 0, y3 = 0, x1 = 0, x2 = 0;
    for (int j = 0; j < n; j++) {
      Y[i][j] = a * X[i][j] + b * x1 + 0.5 * x2 + a * y1 + b * y2 + 0.25 * y3;
      x2 = x1;
      x1 = X[i][j];
      y3 = y2;
      y2 = y1;
      y1 = Y[i][j];
    }
  }
}

void swaps(int n, double X[DIM(N)][DIM(N)], double Y[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    double a = X[i][0], b = X[0][i];
    for (int j = 0; j < n; j++) {
      Y[i][j] = 2 * a - b + X[i][j];
      double t = a;
      a = b;
      b = t;
    }
  }
}

void rings(int n, float Z[DIM(N)][DIM(N)], double X[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    float a = i, b = i + 1, c = i * 2, last = 0;
    for (int j = 0; j < n; j++) {
      Z[i][j] = a + 10 * b + 100 * c + 1000 * last + (float)X[i][j];
      float t = a;
      last = c;
      a = b;
      b = c;
      c = t;
    }
  }
}

void bests(int n, double X[DIM(N)][DIM(N)], double *best, double *before, int *at) {
  for (int i = 0; i < n; i++) {
    double m = -1, previous = -1;
    int k = -1;
    for (int j = 0; j < n; j++) {
      previous = m;
      if (X[i][j] > m) {
        m = X[i][j];
        k = j;
      }
    }
    best[i] = m;
    before[i] = previous;
    at[i] = k;
  }
}

int main(void) {
  double(*X)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*Y)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  float(*Z)[DIM(N)] = allocate(sizeof(float) * DIM(N) * DIM(N));
  double *best = allocate(sizeof(double) * 2 * DIM(N));
  int *at = allocate(sizeof(int) * DIM(N));
  fill(X, (size_t)DIM(N) * DIM(N), 1);
  TIMED(1, filter(N, 0.3, 0.2, X, Y));
  digest(Y, sizeof(double) * DIM(N) * DIM(N));
  TIMED(1, swaps(N, X, Y));
  TIMED(1, rings(N, Z, X));
  TIMED(1, bests(N, X, best, best + DIM(N), at));
  digest(Y, sizeof(double) * DIM(N) * DIM(N));
  digest(Z, sizeof(float) * DIM(N) * DIM(N));
  digest(best, sizeof(double) * 2 * DIM(N));
  digest(at, sizeof(int) * DIM(N));
  return finish();
}
