/* Subscripts that multiply counters, and steps that are no lengths of rows: such places are as good as unknown, what is beside them is not. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

void read_squares(int n, const double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j][i] += a[i * i] + a[i * j];
}

void write_squares(int n, double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 0; i < n; i++) {
    a[i * i] += 0.5 * i;
    for (int j = 0; j < n; j++)
      b[j][i] = 1.5 * b[j][i] + j;
  }
}

void squares_and_more(int n, double *restrict a, const double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i * i + j] = a[i * i + 2 * i - j] + c[j];
}

void meet(int n, double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * j] = 0.25 * a[i * j] + i;
      b[j][i] += a[i * j];
    }
}

void there_and_back(int n, double *restrict a, double *restrict c) {
  for (int i = 0; i < n; i++) {
    a[i * (n - 1 - i)] += c[i];
    c[i] = a[i * i] * 0.5;
  }
}

void steps(int n, int s, int t, const double *restrict a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i * s + j * t] * x[j];
}

void steps_of_both(int n, int s, int t, double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * s + j * t] = 0.5 * a[i * s + j * t] + a[j * s + i * t];
      b[j][i] *= 2.0;
    }
}

void may_overlap(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j * n + i] += a[i * i] + a[i * j];
}

void both_may_overlap(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    a[i * i] = 0.75 * a[i * i] + i;
    for (int j = 0; j < n; j++)
      b[j * n + i] = b[j * n + i] * 0.5 + j;
  }
}

void wrap(unsigned n, double *restrict a, double (*restrict b)[DIM(N)]) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      b[j][i] += a[(unsigned char)(i * j * 37u)];
      a[(i * i * 0x01010101u) >> 24] += 1.0;
    }
}

int main(void) {
  size_t size = (size_t)DIM(N) * DIM(N) + 2 * DIM(N) + 256;
  double *a = allocate(sizeof(double) * size), *x = allocate(sizeof(double) * size), *y = allocate(sizeof(double) * size);
  double(*b)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(a, size, 1);
  fill(x, size, 2);
  fill(b, (size_t)DIM(N) * DIM(N), 3);
  TIMED(2, read_squares(N, a, b));
  TIMED(2, write_squares(N, a, b));
  TIMED(2, squares_and_more(N, a, x));
  TIMED(2, meet(N, a, b));
  TIMED(20, there_and_back(N, a, x));
  TIMED(2, steps(N, N, 1, a, x, y));
  TIMED(2, steps(N, 2, N - 1 > 0 ? N - 1 : 1, a, x, y));
  TIMED(2, steps_of_both(N, N, 1, a, b));
  TIMED(2, steps_of_both(N, 1, 1, a, b));
  TIMED(2, may_overlap(N, a, x));
  TIMED(1, may_overlap(N, a, a));
  TIMED(1, may_overlap(N, a, a + 7));
  TIMED(2, both_may_overlap(N, a, x));
  TIMED(1, both_may_overlap(N, a, a));
  TIMED(1, both_may_overlap(N, a, a + DIM(N)));
  TIMED(1, wrap(N, a, b));
  digest(a, sizeof(double) * size);
  digest(b, sizeof(double) * DIM(N) * DIM(N));
  digest(x, sizeof(double) * size);
  digest(y, sizeof(double) * size);
  return finish();
}
