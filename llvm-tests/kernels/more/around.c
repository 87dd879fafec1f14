/* Loops inside of a loop that does what no model has, a call: what they compute, load and hand on depends on which iteration of the
   loop around it is. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(2000)
#endif
#define STEPS 9

static double log_of_steps[STEPS * 16 * 4];
static int n_steps;

__attribute__((noinline)) static void record(double value) {
  log_of_steps[n_steps++ % (STEPS * 16 * 4)] = value;
}

/* What is left of a counter. */
void counted(int n, double *restrict a) {
  for (int t = 0; t < STEPS; t++) {
    long q = t;
    for (int i = 0; i < n; i++) {
      a[i] = a[i] * 0.5 + t;
      q += 2;
    }
    record((double)q);
  }
}

/* Loads at places that the loop around counts. */
void loaded(int n, double *restrict a, const double *restrict x) {
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < n; i++)
      a[i] += x[t] * 2 + x[2 * t + 1];
    record(a[0]);
  }
}

/* Stores to rows that it counts, from the ones before. */
void rows(int n, double *restrict a, const double *restrict x) {
  for (int t = 1; t < STEPS; t++) {
    for (int i = 0; i < n; i++)
      a[t * n + i] = a[(t - 1) * n + i] * 0.5 + x[i];
    record(a[t * n]);
  }
}

/* Bounds that it counts. */
void bounded(int n, double *restrict a) {
  for (int t = 0; t < STEPS; t++) {
    for (int i = t; i < n; i++)
      a[i] += t + i;
    for (int i = 0; i < n - t; i++)
      a[i] -= 0.5 * t + i;
    for (int i = 0; i < n; i += t + 1)
      a[i] *= 0.75;
    record(a[n > 0 ? n - 1 : 0]);
  }
}

/* Where sums start, and what is the last of a loop. */
void sums(int n, double *restrict a, int *restrict b, const double *restrict x) {
  for (int t = 0; t < STEPS; t++) {
    double s = t, last = x[t];
    int count = b[t];
    for (int i = 0; i < n; i++) {
      s += a[i];
      last = x[t] * i;
      if (i > t)
        count += b[i];
      b[i] = (t * i) % 7;
    }
    record(s);
    record(last);
    record(count);
  }
}

/* Pointers that walk with it. */
void walked(int n, double *restrict a, const double *restrict x) {
  const double *p = x;
  for (int t = 0; t < STEPS; t++, p += 3) {
    const double *q = p;
    for (int i = 0; i < n; i++)
      a[i] += *p + *q++ * 2;
    record((double)(q - x));
  }
}

/* What a loop before found. */
void found(int n, double *restrict a, const double *restrict x) {
  for (int t = 0; t < STEPS; t++) {
    int k;
    for (k = t; k * k < n; k++)
      record(k);
    for (int i = 0; i < n; i++)
      a[i] += x[k] + k;
  }
}

/* Columns, for which it pays to exchange loops. */
void columns(int n, double (*restrict a)[STEPS], double (*restrict b)[40], const double *restrict x) {
  for (int t = 0; t < STEPS; t++) {
    long q = 0;
    for (int j = 0; j < 40; j++) {
      q = 3 * t + j;
      for (int i = 0; i < n; i++) {
        b[i][j] = b[i][j] * 0.5 + x[t] + a[i][t] + t;
        q += 2;
      }
    }
    record((double)q);
    record(b[0][t]);
  }
}

/* Products of matrices, which become tiles. */
void products(int n, double (*restrict c)[40], double (*restrict a)[40], double (*restrict b)[40], const double *restrict x) {
  for (int t = 0; t < STEPS; t++) {
    long q = 3 * t;
    for (int i = 0; i < n; i++, q += t + 2)
      for (int j = 0; j < n; j++)
        for (int k = t; k < n; k++)
          c[i][j] += a[i][k] * b[k][j] * x[t];
    record((double)q);
    record(c[0][t]);
  }
}

/* Two loops around. */
void deeper(int n, double *restrict a) {
  for (int t = 0; t < 4; t++) {
    record(t);
    for (int u = 0; u < 3; u++) {
      int s = t + u;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n - u - t; j++) {
          a[j] += i + s;
          s += 3;
        }
      record(s);
    }
  }
}

int main(void) {
  double *a = allocate(sizeof(double) * (STEPS * DIM(N) + 1600)), *x = allocate(sizeof(double) * (DIM(N) + 1600));
  int *b = allocate(sizeof(int) * (DIM(N) + STEPS));
  double(*c)[40] = allocate(sizeof(double) * 40 * (DIM(N) + 40));
  fill(x, (size_t)DIM(N) + 1600, 1);
  fill_int(b, (size_t)DIM(N) + STEPS, 2, 100);
  TIMED(1, counted(N, a));
  TIMED(1, loaded(N, a, x));
  TIMED(1, rows(N, a, x));
  TIMED(1, bounded(N, a));
  TIMED(1, sums(N, a, b, x));
  TIMED(1, walked(N, a, x));
  TIMED(1, found(N, a, x));
  TIMED(1, columns(N, (double(*)[STEPS])a, c, x));
  TIMED(1, products(N < 40 ? N : 40, c, (double(*)[40])a, (double(*)[40])x, x));
  TIMED(1, deeper(N < 100 ? N : 100, a));
  digest(a, sizeof(double) * STEPS * DIM(N));
  digest(c, sizeof(double) * 40 * (DIM(N) + 40));
  digest(b, sizeof(int) * (DIM(N) + STEPS));
  digest(log_of_steps, sizeof log_of_steps);
  return finish();
}
