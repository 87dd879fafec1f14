/* Pointers that are read inside the loops: members of a structure that only some iterations need, rows of a matrix. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(3000)
#endif

struct matrix {
  int rows;
  int *first, *column;
  double *value;
};

__attribute__((noinline)) void product(const struct matrix *m, const double *x, double *y) {
  for (int i = 0; i < m->rows; i++) {
    double sum = 0;
    for (int k = m->first[i]; k < m->first[i + 1]; k++)
      sum += m->value[k] * x[m->column[k]];
    y[i] = sum;
  }
}

__attribute__((noinline)) void scaled(struct matrix *m, const double *x) {
  for (int i = 0; i < m->rows; i++)
    for (int k = m->first[i]; k < m->first[i + 1]; k++)
      m->value[k] *= x[i];
}

__attribute__((noinline)) void by_rows(int n, int m, double **a, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += a[i][j] * x[j];
    y[i] = sum;
  }
}

__attribute__((noinline)) void added(int n, int m, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += b[i][j] * 0.5;
}

/* One row may be another one, or all may be the same. */
__attribute__((noinline)) void halved(int n, int m, double **a) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i - 1][j] * 0.5 + a[i][j];
}

int main(void) {
  const int n = N, m = 30;
  double *x = allocate(sizeof(double) * (size_t)(DIM(n) * m * 2)), *y = allocate(sizeof(double) * (size_t)DIM(n));
  double *value = allocate(sizeof(double) * (size_t)(DIM(n) * 5));
  int *first = allocate(sizeof(int) * (size_t)(DIM(n) + 1)), *column = allocate(sizeof(int) * (size_t)(DIM(n) * 5));
  double **a = allocate(sizeof(double *) * (size_t)DIM(n)), **b = allocate(sizeof(double *) * (size_t)DIM(n));
  fill(x, (size_t)(DIM(n) * m * 2), 1);
  fill(value, (size_t)(DIM(n) * 5), 2);
  fill_int(column, (size_t)(DIM(n) * 5), 3, DIM(n));
  for (int i = 0; i < n; i++)
    first[i + 1] = first[i] + (int)(scatter((size_t)i, 5) % 5);
  struct matrix whole = {n, first, column, value}, none = {0, NULL, NULL, NULL};
  TIMED(1, product(&whole, x, y));
  TIMED(1, product(&none, x, y));
  TIMED(1, product(&whole, x, x + (n > 2 ? n / 2 : 0)));
  TIMED(1, scaled(&whole, x));
  TIMED(1, scaled(&whole, value + (n > 2 ? n / 2 : 0)));
  digest(value, sizeof(double) * (size_t)(DIM(n) * 5));
  /* Rows in order, backwards, one over the other, all the same. */
  for (int way = 0; way < 4; way++) {
    for (int i = 0; i < n; i++) {
      a[i] = x + (way == 0 ? i * m : way == 1 ? (n - 1 - i) * m : way == 2 ? i * (m - 1) : 0);
      b[i] = way == 3 ? a[i] : x + DIM(n) * m + i * m;
    }
    TIMED(1, by_rows(n, m, a, x + m, y));
    TIMED(1, by_rows(n, m, a, x, x + (n > 2 ? n / 2 : 0)));
    TIMED(1, added(n, m, a, b));
    TIMED(1, halved(n, m, a));
    TIMED(1, halved(n, m, b));
    digest(y, sizeof(double) * (size_t)DIM(n));
    digest(x, sizeof(double) * (size_t)(DIM(n) * m * 2));
  }
  return finish();
}
