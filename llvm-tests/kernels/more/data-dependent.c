/* Control and subscripts decided by data: sparse rows, gathers, conditions, searches, loops of unknown length, scatters. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(3000)
#endif
#define PER_ROW 24

void sparse_rows(int n, const int *restrict ptr, const int *restrict col, const double *restrict val,
                 const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      sum += val[j] * x[col[j]];
    y[i] = sum;
  }
}

void sparse_in_place(int n, const int *restrict ptr, const int *restrict col, const double *restrict val,
                     const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      y[i] += val[j] * x[col[j]];
}

void gather(int n, const int *restrict index, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[index[i]] * 2.0 + y[i];
}

void scatter_to(int n, const int *restrict index, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[index[i]] = x[i] + 0.5 * y[index[i]];
}

void where_large(int n, double t, const double *restrict x, double *restrict y, double *restrict z) {
  for (int i = 0; i < n; i++) {
    if (x[i] > t)
      y[i] = x[i] / t;
    else if (x[i] < t / 4) {
      z[i] = y[i] - x[i];
      y[i] = 0.0;
    }
  }
}

void first_above(int n, int m, const double *restrict A, double t, int *restrict place, double *restrict found) {
  for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < m; j++)
      if (A[(long)i * m + j] > t)
        break;
    place[i] = j;
    found[i] = j < m ? A[(long)i * m + j] : 0.0;
  }
}

void lengths(int n, int *restrict steps) {
  for (int i = 0; i < n; i++) {
    unsigned k = (unsigned)i + 1u;
    int count = 0;
    while (k != 1u) {
      k = k & 1u ? 3u * k + 1u : k / 2u;
      count++;
    }
    steps[i] = count;
  }
}

/* What one part hands on, the next one uses. */
void one_after_the_other(int n, const int *restrict a, const int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++) {
    int x = 0, y = 0;
    for (int j = 0; j < a[i] % 16; j++)
      x += b[j] ^ i;
    if (x > b[i])
      y = x - b[i];
    for (int j = y & 7; j > 0; j -= 2)
      y += a[j] + x;
    c[i] = x + y;
  }
}

/* Every iteration needs the one before: nothing may run in parallel. */
void carried(int n, const int *restrict a, int *restrict c) {
  for (int i = 1; i < n; i++) {
    int x = c[i - 1];
    while (x > a[i])
      x -= a[i] + 1;
    c[i] = x + a[i];
  }
}

/* Elements that move with the inner loop, which ends when data says so: after it LLVM knows its counter, inside it does not. */
void moving(int n, const int *restrict a, int *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) {
      for (int k = 0; i + k < n && k < 9; k++) {
        c[i + k] = a[k] > c[i + k] ? a[k] : c[i + k];
        c[i + k] += a[i];
      }
      if (a[i] > 35)
        break;
    }
}

int bounded_sum(int n, const int *restrict a, int limit) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (a[i] < limit)
      sum += a[i];
  return sum;
}

int main(void) {
  int *ptr = allocate(sizeof(int) * (DIM(N) + 1)), *col = allocate(sizeof(int) * DIM(N) * PER_ROW);
  int *index = allocate(sizeof(int) * DIM(N)), *place = allocate(sizeof(int) * DIM(N));
  int *steps = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N));
  int *b = allocate(sizeof(int) * (DIM(N) + 16)), *c = allocate(sizeof(int) * DIM(N));
  double *val = allocate(sizeof(double) * DIM(N) * PER_ROW), *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  double *w = allocate(sizeof(double) * DIM(N)), *found = allocate(sizeof(double) * DIM(N));
  int sum = 0;
  for (int i = 0; i < N; i++)
    ptr[i + 1] = ptr[i] + (int)(scatter((size_t)i, 5) % PER_ROW);
  fill_int(col, (size_t)DIM(N) * PER_ROW, 1, (unsigned)DIM(N));
  fill_int(index, (size_t)DIM(N), 2, (unsigned)DIM(N));
  fill_int(a, (size_t)DIM(N), 3, 40);
  fill_int(b, (size_t)DIM(N) + 16, 4, 1000);
  fill(val, (size_t)DIM(N) * PER_ROW, 5);
  fill(x, (size_t)DIM(N), 6);
  fill(y, (size_t)DIM(N), 7);
  TIMED(20, sparse_rows(N, ptr, col, val, x, w));
  TIMED(20, sparse_in_place(N, ptr, col, val, x, w));
  TIMED(20, gather(N, index, x, y));
  TIMED(20, scatter_to(N, index, x, y));
  TIMED(20, where_large(N, 0.6, x, y, z));
  TIMED(20, first_above(N, PER_ROW, val, 0.9, place, found));
  TIMED(20, lengths(N, steps));
  TIMED(20, one_after_the_other(N, a, b, c));
  digest(c, sizeof(int) * DIM(N));
  TIMED(20, carried(N, a, c));
  TIMED(1, moving(N, a, c));
  TIMED(20, sum += bounded_sum(N, a, 20));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  digest(w, sizeof(double) * DIM(N));
  digest(found, sizeof(double) * DIM(N));
  digest(place, sizeof(int) * DIM(N));
  digest(steps, sizeof(int) * DIM(N));
  digest(c, sizeof(int) * DIM(N));
  digest(&sum, sizeof sum);
  return finish();
}
