/* Values that take each other's place in inner loops and live on in the loops around: swaps, rings and shift registers through two and three
   levels, in turns, under conditions, of numbers and of pointers, beside loops that are worth changing. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(180)
#endif

typedef double matrix[DIM(N)][DIM(N)];

__attribute__((noinline)) static void swaps(int n, matrix X, matrix Y, double *out) {
  double p = 1, q = 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Y[j][i] = X[i][j] * 2.5 + 1;
      double t = p;
      p = q;
      q = t;
    }
  out[0] = p;
  out[1] = q;
}

__attribute__((noinline)) static void rings(int n, matrix X, matrix Y, float *out, unsigned *whole) {
  float p = 1, q = 2, r = 3;
  unsigned a = 1, b = 2, c = 3, sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      Y[j][i] = X[i][j] + 0.5;
      float t = p;
      p = q;
      q = r;
      r = t;
    }
    for (int j = i; j < n; j++) {
      sum += a;
      unsigned t = c;
      c = b;
      b = a;
      a = t + j;
    }
  }
  out[0] = p;
  out[1] = q;
  out[2] = r;
  whole[0] = a;
  whole[1] = b;
  whole[2] = c;
  whole[3] = sum;
}

__attribute__((noinline)) static void deep(int n, matrix X, matrix Y, unsigned *out) {
  unsigned p = 1, q = 2, r = 3;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < 3; k++) {
        Y[j][i] += X[i][k % DIM(N)];
        unsigned t = p;
        p = q;
        q = t;
      }
      if (j % 3 == 1) {
        unsigned t = q;
        q = r;
        r = t + 1;
      }
    }
    unsigned t = p;
    p = r;
    r = t;
  }
  out[0] = p;
  out[1] = q;
  out[2] = r;
}

__attribute__((noinline)) static void by_data(int n, matrix X, matrix Y, double *out) {
  double p = 1, q = 2, best = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Y[j][i] = X[i][j] * 1.5;
      if (X[i][j] > 0.5) {
        double t = p;
        p = q;
        q = t;
      }
      if (X[i][j] > best) {
        best = X[i][j];
        q = p;
      }
    }
  out[0] = p;
  out[1] = q;
  out[2] = best;
}

__attribute__((noinline)) static void pointers(int n, matrix X, matrix Y, double *out) {
  double u = 3, v = 5, s = 0;
  double *p = &u, *q = &v;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Y[j][i] = X[i][j] + 2;
      s = 0.5 * s + *p;
      double *t = p;
      p = q;
      q = t;
    }
  out[0] = s;
  out[1] = *p;
}

int main(void) {
  double(*X)[DIM(N)] = allocate(sizeof(matrix));
  double(*Y)[DIM(N)] = allocate(sizeof(matrix));
  double reals[8] = {0};
  float narrow[3] = {0};
  unsigned whole[8] = {0};
  fill(X, (size_t)DIM(N) * DIM(N), 1);
  for (int n = N > 2 ? N - 2 : N; n <= N; n++) {
    TIMED(1, swaps(n, X, Y, reals));
    digest(Y, sizeof(matrix));
    TIMED(1, rings(n, X, Y, narrow, whole));
    digest(Y, sizeof(matrix));
    TIMED(1, deep(n, X, Y, whole + 4));
    digest(Y, sizeof(matrix));
    TIMED(1, by_data(n, X, Y, reals + 2));
    digest(Y, sizeof(matrix));
    TIMED(1, pointers(n, X, Y, reals + 5));
    digest(Y, sizeof(matrix));
    digest(reals, sizeof reals);
    digest(narrow, sizeof narrow);
    digest(whole, sizeof whole);
  }
  return finish();
}
