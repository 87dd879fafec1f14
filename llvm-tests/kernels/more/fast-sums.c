/* Floating-point reductions that may be reordered, over numbers that add up exactly: several at once, into arrays, of products, of minima,
   under conditions. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500)
#endif
#define FEW 6
#pragma clang fp reassociate(on)

void moments(int n, const double *restrict a, double *restrict out) {
  double s = 0.0, q = 0.0, d = 0.0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    q += a[i] * a[i];
    d -= a[i];
  }
  out[0] = s;
  out[1] = q;
  out[2] = d;
}

void columns(int n, const double (*restrict A)[FEW], double *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < FEW; j++)
      s[j] += A[i][j];
}

double where_positive(int n, const double *restrict a) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    if (a[i] > 20.0)
      s += a[i];
  return s;
}

double of_rows(int n, const int *restrict row, const double *restrict a) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      s += a[k];
  return s;
}

double products(int n, const double *restrict a) {
  double p = 1.0;
  for (int i = 0; i < n; i++)
    p *= a[i] > 60.0 ? 2.0 : a[i] < 3.0 ? 0.5 : 1.0;
  return p;
}

int main(void) {
  double *a = allocate(sizeof(double) * DIM(N) * FEW), out[6] = {0}, s[FEW] = {0};
  int *row = allocate(sizeof(int) * (DIM(N) + 1));
  for (int i = 0; i < DIM(N) * FEW; i++)
    a[i] = (double)(scatter((size_t)i, 1) % 64);
  for (int i = 0; i < N; i++)
    row[i + 1] = row[i] + (int)(scatter((size_t)i, 2) % FEW);
  TIMED(8, moments(N, a, out));
  TIMED(8, columns(N, (const double(*)[FEW])a, s));
  TIMED(8, out[3] += where_positive(N, a));
  TIMED(8, out[4] += of_rows(N, row, a));
  TIMED(8, out[5] += products(N < 200 ? N : 200, a));
  digest(out, sizeof out);
  digest(s, sizeof s);
  return finish();
}
