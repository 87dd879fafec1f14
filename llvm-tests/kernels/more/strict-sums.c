/* Floating-point reductions without any permission to reorder: the bits are those of the program's own order. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500)
#endif

double sum(int n, const double (*restrict A)[DIM(N)]) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += A[i][j];
  return s;
}

double backwards(int n, const double *restrict a) {
  double s = 1.0;
  for (int i = n - 1; i >= 0; i--)
    s = s * 0.999 + a[i];
  return s;
}

double product(int n, const double *restrict a) {
  double p = 1.0;
  for (int i = 0; i < n; i++)
    p *= 0.5 + a[i];
  return p;
}

void norms(int n, const double (*restrict A)[DIM(N)], double *restrict norm, double *restrict largest) {
  for (int i = 0; i < n; i++) {
    double s = 0.0, m = 0.0;
    for (int j = 0; j < n; j++) {
      s += A[i][j] * A[i][j];
      m = A[i][j] > m ? A[i][j] : m;
    }
    norm[i] = s;
    largest[i] = m;
  }
}

double two_at_once(int n, const double *restrict a, const double *restrict b) {
  double s = 0.0, t = 0.0;
  for (int i = 0; i < n; i++) {
    s += a[i] * b[i];
    t += a[i] - b[i];
  }
  return s / (t + 2.0);
}

float narrow(int n, const float *restrict a) {
  float s = 0.0f;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *norm = allocate(sizeof(double) * DIM(N)), *largest = allocate(sizeof(double) * DIM(N)), found[5] = {0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  TIMED(2, found[0] += sum(N, (const double(*)[DIM(N)])A));
  TIMED(2, norms(N, (const double(*)[DIM(N)])A, norm, largest));
  TIMED(2, found[1] += backwards(N, A[0]));
  TIMED(2, found[2] += product(N, A[0]));
  TIMED(2, found[3] += two_at_once(N, A[0], norm));
  TIMED(2, found[4] += narrow(N, (const float *)norm));
  digest(found, sizeof found);
  digest(norm, sizeof(double) * DIM(N));
  digest(largest, sizeof(double) * DIM(N));
  return finish();
}
