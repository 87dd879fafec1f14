/* Loops that can be left in the middle, and mostly are not: bounds that are checked, failures, and what they had done by then. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(600)
#endif

struct vector {
  size_t length;
  double *element;
};

int filled(int n, int limit, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i++) {
    if (i >= limit)
      return -i;
    x[i] = y[i] * 2;
  }
  return 0;
}

int turned(int n, int m, int limit, double (*restrict b)[N], const double (*restrict a)[N]) {
  int done = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      if (i + j > limit)
        goto failed;
      b[i][j] += a[j][i];
      done++;
    }
  return done;
failed:
  return -done;
}

/* A subscript that is compared where it is largest. */
int product(size_t n, const struct vector a, const struct vector b, struct vector c) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n; k++) {
        if (i * n + k >= a.length || k * n + j >= b.length)
          return i;
        if (i * n + j >= c.length)
          return n + i;
        c.element[i * n + j] += a.element[i * n + k] * b.element[k * n + j];
      }
  return -1;
}

/* From a length that is no multiple of rows, by two steps, downwards. */
int steps(int n, int ld, int size, double *restrict x) {
  for (int i = 0; i < n; i += 2)
    for (int j = n - 1; j >= 0; j--) {
      if (j * ld + i >= size || j * ld + i < 0)
        return i * n + j;
      x[j * ld + i] *= 1.5;
    }
  return -1;
}

/* The way out of the middle and the end lead to the same place, with other values. */
double where(int n, int m, const double *restrict x, double *restrict y) {
  double last = 3;
  int i;
  for (i = 0; i < n; i++) {
    if (i == m) {
      last = y[0];
      break;
    }
    y[i] = x[i] + 1;
  }
  return last + i;
}

/* One loop goes on behind the other one's way out. */
void around(int n, int m, double *restrict x, double *restrict y) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) {
      if (i + t > m)
        goto next;
      x[i] += t;
    }
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  next:;
  }
}

/* Counters that wrap around, so that the loop is left before it ends. */
int narrow(unsigned n, int limit, double *restrict x) {
  for (unsigned char i = 0; i != n; i++) {
    if (i >= limit)
      return i;
    x[i] += 1;
  }
  return 0;
}

int main(void) {
  double(*a)[N] = allocate(sizeof(double) * DIM(N) * DIM(N)), (*b)[N] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *c = allocate(sizeof(double) * DIM(N) * DIM(N));
  long results[40] = {0};
  int at = 0;
  fill(a, DIM(N) * DIM(N), 1);
  fill(b, DIM(N) * DIM(N), 2);
  const int limits[] = {2 * N + 300, N, N / 2, 0};
  for (int k = 0; k < 4; k++) {
    int limit = limits[k];
    TIMED(1, results[at++] = filled(N, limit, c, &a[0][0]));
    TIMED(1, results[at++] = turned(N, N, limit, b, a));
    size_t small = N < 200 ? N : 200, length = small * small - (k == 0 ? 0 : small * small / (5 - k));
    struct vector u = {small * small, &a[0][0]}, v = {k == 1 ? length : small * small, &b[0][0]}, w = {length, c};
    TIMED(1, results[at++] = product(small, u, v, w));
    TIMED(1, results[at++] = steps(N, N, k == 0 ? N * N : N * N - limit * 2, c));
    TIMED(1, results[at++] = (long)where(N, limit, &a[0][0], c));
    TIMED(1, around(N, limit, c, &b[0][0]));
    TIMED(1, results[at++] = narrow(N < 300 ? N : 300, limit < 255 ? limit : 255, c));
  }
  digest(results, sizeof results);
  digest(b, sizeof(double) * DIM(N) * DIM(N));
  digest(c, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
