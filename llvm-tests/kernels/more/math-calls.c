/* Calls of the C mathematical library, which may set errno: sqrt of negative numbers, exp and pow of large ones. What errno is after each
   loop is part of the digest, with errno 0 before and with 7; where no call sets it, it stays what it was. */
#include "../kernel.h"
#include <errno.h>
#include <math.h>
#ifndef N
#define N SIZE_OR(500)
#endif
#define LONG (40 * N)

void roots(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = sqrt(x[i]) + 1;
}

void roots_of_floats(long n, const float *x, float *y) {
  for (long i = 0; i < n; i++)
    y[i] = sqrtf(x[i]) - 1;
}

void long_roots(long n, const double *x, long double *y) {
  for (long i = 0; i < n; i++)
    y[i] = sqrtl(x[i]) / 3;
}

void exponentials(long n, double scale, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = exp(scale * x[i]);
}

void powers(int n, double A[DIM(N)][DIM(N)], const double *x, const double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = pow(x[i], y[j]);
}

void triangle(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      B[i][j] = sqrt(A[i][j]) * log(fabs(A[j][i]) + 1);
}

void norms(int n, double A[DIM(N)][DIM(N)], double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += sqrt(A[i][j]);
    y[i] = sum;
  }
}

void column_norms(int n, double A[DIM(N)][DIM(N)], double *y) {
  for (int j = 0; j < n; j++)
    y[j] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[j] += sqrt(A[i][j]);
}

/* Sums that threads share. */
long rounded_sum(long n, const double *x) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    if (x[i] > -0.5)
      sum += (long)(100 * sqrt(x[i] + 0.5));
  return sum;
}

long any_sum(long n, double scale, const double *x) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += exp(scale * x[i]) > 2;
  return sum;
}

/* The root is taken of every element, and used for some. */
void used_for_some(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++) {
    double root = sqrt(x[i]);
    if (i % 2 == 0)
      y[i] = root;
  }
}

void used_by_none(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++) {
    double unused = sqrt(x[i]);
    (void)unused;
    y[i] = x[i] + 1;
  }
}

/* No root of a negative number is taken, although there are some. */
void guarded(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] >= 0 ? sqrt(x[i]) : x[i];
}

void decided(long n, double limit, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    if (sqrt(x[i]) > limit)
      y[i] = exp(x[i]);
}

void only_some_rows(int n, int first, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = i >= first ? sqrt(A[i][j]) : 0;
}

void bodies(int n, const double *x, const double *y, const double *m, double *ax, double *ay) {
  for (int i = 0; i < n; i++) {
    double fx = 0, fy = 0;
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      double dx = x[j] - x[i], dy = y[j] - y[i], r2 = dx * dx + dy * dy + 1e-9;
      double inverse = 1 / (r2 * sqrt(r2));
      fx += m[j] * dx * inverse;
      fy += m[j] * dy * inverse;
    }
    ax[i] = fx;
    ay[i] = fy;
  }
}

void nearest(int n, const double *x, const double *y, int *which, double *distance) {
  for (int i = 0; i < n; i++) {
    double best = 1e300;
    int at = -1;
    for (int j = 0; j < n; j++) {
      double d = sqrt((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) - 1e-9);
      if (j != i && d < best) {
        best = d;
        at = j;
      }
    }
    which[i] = at;
    distance[i] = best;
  }
}

int nearest_of_all(long n, const double *x, double wanted) {
  double best = 1e300;
  int at = -1;
  for (long i = 0; i < n; i++) {
    double d = sqrt(x[i] - wanted);
    if (d < best) {
      best = d;
      at = (int)i;
    }
  }
  return at;
}

/* An inner loop of which each turn needs the one before. */
void iterated(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++) {
    double value = x[i];
    for (int k = 0; k < 5; k++)
      value = sqrt(value + 1) - 1.25;
    y[i] = value;
  }
}

void relaxed(int steps, int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = sqrt(A[i - 1][j] + A[i + 1][j]) - 0.3 * A[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[i][j];
  }
}

/* A call between two loops. */
void normalized(long n, double *x) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += x[i] * x[i];
  double length = sqrt(sum - 1e3);
  for (long i = 0; i < n; i++)
    x[i] /= length;
}

/* The element that the numbers round to. */
void looked_up(long n, const double *x, const int *table, int *y) {
  for (long i = 0; i < n; i++)
    y[i] = table[lround(3 * fabs(x[i]))];
}

/* `told` may be where errno is. */
void counted(long n, const double *x, double *y, int *told) {
  for (long i = 0; i < n; i++) {
    y[i] = sqrt(x[i]);
    told[0] += 3;
  }
}

void watched(long n, const double *x, int *y, const int *told) {
  for (long i = 0; i < n; i++)
    y[i] = (sqrt(x[i]) > 0.5) + told[0];
}

void reset(long n, const double *x, int *y) {
  for (long i = 0; i < n; i++) {
    errno = 0;
    y[i] = sqrt(x[i]) > 0.5;
    y[i] += errno;
  }
}

/* Calls of which either may set errno, to different values. */
void mixed(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = exp(1000 * x[i]) + sqrt(x[i]);
}

#define SET(before, call)                                                                                              \
  do {                                                                                                                 \
    errno = before;                                                                                                    \
    TIMED(1, call);                                                                                                    \
    int after = errno;                                                                                                 \
    digest(&after, sizeof after);                                                                                      \
  } while (0)
#define TWICE(call)                                                                                                    \
  do {                                                                                                                 \
    SET(0, call);                                                                                                      \
    SET(7, call);                                                                                                      \
  } while (0)

int main(void) {
  double *x = allocate(sizeof(double) * DIM(LONG)), *y = allocate(sizeof(double) * DIM(LONG));
  double *z = allocate(sizeof(double) * DIM(LONG)), *w = allocate(sizeof(double) * DIM(LONG));
  float *xf = allocate(sizeof(float) * DIM(LONG)), *yf = allocate(sizeof(float) * DIM(LONG));
  long double *yl = allocate(sizeof(long double) * DIM(LONG));
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int *at = allocate(sizeof(int) * DIM(LONG)), table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  long double sum = 0;
  fill(x, LONG, 1);
  fill(z, LONG, 2);
  fill_float(xf, LONG, 3);
  fill(A, (size_t)DIM(N) * DIM(N), 4);
  for (int negative = 0; negative < 4; negative++) {
    /* None; one at the end; one at the beginning as well; one in seven. */
    if (LONG > 0 && negative == 1)
      x[LONG - 1] *= -1, xf[LONG - 1] *= -1, A[N - 1][N / 3] *= -1;
    if (LONG > 0 && negative == 2)
      x[0] *= -1, xf[0] *= -1, A[0][0] *= -1;
    for (long i = 0; i < LONG && negative == 3; i += 7)
      x[i] *= -1, xf[i] *= -1, A[i / 40 * 7 % DIM(N)][i % DIM(N)] *= -1;
    TWICE(roots(LONG, x, y));
    digest(y, sizeof(double) * LONG);
    TWICE(roots_of_floats(LONG, xf, yf));
    digest(yf, sizeof(float) * LONG);
    TWICE(long_roots(LONG, x, yl));
    for (long i = 0; i < LONG; i++)
      sum += yl[i] > 0 ? yl[i] : 1;
    TWICE(exponentials(LONG, 100, x, y));
    TWICE(exponentials(LONG, 800, x, y));
    digest(y, sizeof(double) * LONG);
    TWICE(powers(N, B, x, z));
    digest(B, sizeof(double) * DIM(N) * DIM(N));
    TWICE(triangle(N, A, B));
    TWICE(norms(N, A, y));
    TWICE(column_norms(N, A, w));
    digest(y, sizeof(double) * N);
    digest(w, sizeof(double) * N);
    long counts[4] = {0};
    TWICE(counts[0] = rounded_sum(LONG, x));
    TWICE(counts[1] = any_sum(LONG, 1, x));
    TWICE(counts[2] = any_sum(LONG, 750, x));
    TWICE(counts[3] = nearest_of_all(LONG, x, 0.25));
    SET(7, counts[3] += nearest_of_all(LONG, x, -2));
    digest(counts, sizeof counts);
    TWICE(used_for_some(LONG, x, y));
    TWICE(used_by_none(LONG, x, w));
    TWICE(guarded(LONG, x, z));
    digest(z, sizeof(double) * LONG);
    TWICE(decided(LONG, 0.7, x, y));
    TWICE(only_some_rows(N, N / 2, A, B));
    TWICE(only_some_rows(N, N, A, B));
    digest(B, sizeof(double) * DIM(N) * DIM(N));
    TWICE(bodies(N, x, z, y, w, w + N));
    digest(w, sizeof(double) * LONG);
    TWICE(nearest(N, x, z, at, w));
    digest(at, sizeof(int) * N);
    digest(w, sizeof(double) * N);
    TWICE(iterated(LONG, x, w));
    digest(w, sizeof(double) * LONG);
    TWICE(relaxed(3, N, A, B));
    digest(A, sizeof(double) * DIM(N) * DIM(N));
    TWICE(normalized(LONG, w));
    digest(w, sizeof(double) * LONG);
    TWICE(looked_up(LONG, x, table, at));
    digest(at, sizeof(int) * LONG);
    TWICE(counted(LONG, x, y, at));
    TWICE(counted(LONG, x, y, &errno));
    TWICE(watched(LONG, x, at, table));
    digest(at, sizeof(int) * LONG);
    TWICE(watched(LONG, x, at, &errno));
    digest(at, sizeof(int) * LONG);
    TWICE(reset(LONG, x, at));
    digest(at, sizeof(int) * LONG);
    errno = 0;
    mixed(LONG, x, y);
    int known = errno == 0 || errno == EDOM || errno == ERANGE;
    known += errno != 0;
    digest(&known, sizeof known);
    digest(y, sizeof(double) * LONG);
    fill(A, (size_t)DIM(N) * DIM(N), 4);
  }
  double last = (double)sum;
  digest(&last, sizeof last);
  return finish();
}
