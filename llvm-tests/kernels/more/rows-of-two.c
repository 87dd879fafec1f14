/* Rows that data measures, of two arrays, each in some of the iterations: what is known of one says nothing of the other. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define ROW 20

void either(int n, int m, const int *restrict ptr, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    int begin = ptr[i], end = ptr[i + 1];
    if (i > m)
      for (int k = begin; k < end; k++)
        y[k] = y[k] * 1.001 + i;
    else
      for (int k = begin; k < end; k++)
        x[k] = x[k] * 1.001 + i;
  }
}

void one_and_all(int n, int m, const int *restrict ptr, double *restrict x, double *restrict y, int *restrict z) {
  for (int i = 0; i < n; i++) {
    int begin = ptr[i], end = ptr[i + 1];
    if (i > m) {
      z[i] = i;
      for (int k = begin; k < end; k++)
        y[k] = y[k] * 1.001 + i;
    }
    z[i] += 3;
    for (int k = begin; k < end; k++)
      x[k] = x[k] * 1.001 + i;
  }
}

int main(void) {
  int *again = allocate(sizeof(int) * (N + 1));
  int *onward = allocate(sizeof(int) * (N + 1));
  int *z = allocate(sizeof(int) * DIM(N));
  double *x = allocate(sizeof(double) * (size_t)ROW * (N + 1));
  double *y = allocate(sizeof(double) * (size_t)ROW * (N + 1));
  for (int i = 0; i <= N; i++) {
    again[i] = i % 2 ? ROW : 0;
    onward[i] = i * ROW / 2;
  }
  if (N > 2)
    again[N - 1] = again[N] = ROW;
  TIMED(1, either(N, N - 3, again, x, y));
  TIMED(1, one_and_all(N, N - 3, again, x, y, z));
  TIMED(1, either(N, N / 2, onward, x, y));
  TIMED(1, one_and_all(N, N / 2, onward, x, y, z));
  digest(x, sizeof(double) * (size_t)ROW * (N + 1));
  digest(y, sizeof(double) * (size_t)ROW * (N + 1));
  digest(z, sizeof(int) * DIM(N));
  return finish();
}
