/* One condition, asked twice: what the first branch writes only the second one reads, so that no value goes from one iteration to another. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(100000)
#endif

void through_a_scalar(int n, double t, const double *restrict x, double *restrict y) {
  double a = 0.0;
  for (int i = 0; i < n; i++) {
    if (x[i] > t)
      a = x[i] * 2.0;
    y[i] = x[i];
    if (x[i] > t)
      y[i] += a;
  }
}

void through_memory(int n, double t, const double *restrict x, double *restrict y, double *restrict work) {
  for (int i = 0; i < n; i++) {
    if (x[i] > t)
      work[0] = x[i] - t;
    y[i] = x[i] * x[i];
    if (x[i] > t)
      y[i] -= work[0];
  }
}

void through_an_array(int n, int m, const int *restrict flag, const int *restrict a, int *restrict row, int *restrict b) {
  for (int i = 0; i < n; i++) {
    if (flag[i])
      for (int j = 0; j < m; j++)
        row[j] = a[(i + j) % n];
    b[i] = 0;
    if (flag[i])
      for (int j = 0; j < m; j++)
        b[i] += row[j] * row[m - 1 - j];
  }
}

double goes_on(int n, double t, const double *restrict x, double *restrict y) {
  double a = 0.0;
  for (int i = 0; i < n; i++) {
    if (x[i] > t)
      a = x[i];
    y[i] = a;
  }
  return a;
}

int main(void) {
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  double *w = allocate(sizeof(double) * DIM(N)), work[1] = {0.0}, last = 0.0;
  int *flag = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N)), *b = allocate(sizeof(int) * DIM(N)), row[9] = {0};
  fill(x, DIM(N), 1);
  fill_int(flag, DIM(N), 2, 2);
  fill_int(a, DIM(N), 3, 100);
  TIMED(8, through_a_scalar(N, 0.5, x, y));
  TIMED(8, through_memory(N, 0.5, x, z, work));
  TIMED(8, through_an_array(N, 9, flag, a, row, b));
  TIMED(8, last += goes_on(N, 0.9, x, w));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  digest(w, sizeof(double) * DIM(N));
  digest(b, sizeof(int) * DIM(N));
  digest(work, sizeof work);
  digest(row, sizeof row);
  digest(&last, sizeof last);
  return finish();
}
