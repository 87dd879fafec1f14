/* Places that data decides about, between pointers that may overlap: whether they do is measured before the loops. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(5000)
#endif

#define WORDS (DIM(N) * 8 + 4000)

__attribute__((noinline)) void product(int n, const int *ptr, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

/* All of one type: even the rows and the columns may be what is written. */
__attribute__((noinline)) void counts(int n, const int *ptr, const int *col, const int *val, const int *x, int *y) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

__attribute__((noinline)) void neighbours(int n, const unsigned *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]] * 2 + x[at[i] + 1];
}

/* The place of a place. */
__attribute__((noinline)) void of_some(int n, const unsigned *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    if (at[i] % 3)
      y[i] = x[at[at[i] % 16]] * 2 + 1;
}

__attribute__((noinline)) void scale(int n, const int *ptr, double *val, const double *by) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= by[i];
}

/* The outer loop changes nothing about which elements are touched. */
__attribute__((noinline)) void powers(int n, int times, const int *ptr, const int *col, const double *val, double *x, double *y) {
  for (int t = 0; t < times; t++) {
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = ptr[i]; k < ptr[i + 1]; k++)
        sum += val[k] * x[col[k]];
      y[i] = sum;
    }
    for (int i = 0; i < n; i++)
      x[i] = y[i] * 0.5;
  }
}

/* Columns of a matrix with rows of three, found by a search that stops. */
__attribute__((noinline)) void searched(int n, const int *at, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < 8 && at[(i + k) % n] > n / 4)
      k++;
    y[i] = x[3 * at[(i + k) % n] + k % 3];
  }
}

int main(void) {
  const int n = N;
  double *x = allocate(sizeof(double) * WORDS), *val = allocate(sizeof(double) * WORDS);
  int *ptr = allocate(sizeof(int) * (DIM(n) + 1)), *col = allocate(sizeof(int) * WORDS), *words = allocate(sizeof(int) * 3 * WORDS);
  float *single = allocate(sizeof(float) * WORDS);
  fill_int(col, WORDS, 3, DIM(n));
  for (int i = 0; i < n; i++)
    ptr[i + 1] = ptr[i] + (int)(scatter((size_t)i, 5) % 5);
  const int distances[] = {0, 1, -1, 5, -7, n - 1, n, n + 1, 2 * DIM(n) + 100};
  for (unsigned d = 0; d < sizeof distances / sizeof *distances; d++) {
    double *a = x + DIM(n) + 10, *b = a + distances[d];
    if (b < x)
      continue;
    fill(x, WORDS, d);
    fill(val, WORDS, d + 1);
    fill_int(words, 3 * WORDS, d, DIM(n));
    for (size_t k = 0; k < WORDS; k++)
      single[k] = (float)(scatter(k, d) % 1000) / 7;
    TIMED(1, product(n, ptr, col, val, a, b));
    TIMED(1, product(n, ptr, col, b, val, a));
    digest(x, sizeof(double) * WORDS);
    /* The rows stay as they are, or the result is what they are read from. */
    memcpy(words + WORDS / 2, ptr, sizeof(int) * (DIM(n) + 1));
    TIMED(1, counts(n, words + WORDS / 2, col, words + WORDS, words, words + WORDS + DIM(n) + distances[d] + 10));
    digest(words, sizeof(int) * 3 * WORDS);
    fill_int(words, 3 * WORDS, d, DIM(n));
    TIMED(1, counts(n, ptr, words + WORDS, words, words, words + 2 * WORDS + 10 + DIM(n) + distances[d]));
    digest(words, sizeof(int) * 3 * WORDS);
    TIMED(1, neighbours(n, (unsigned *)col, a, b));
    TIMED(1, of_some(n, (unsigned *)col, a, b));
    TIMED(1, scale(n, ptr, b, a));
    digest(x, sizeof(double) * WORDS);
    TIMED(1, powers(n, 3, ptr, col, val, a, b));
    digest(x, sizeof(double) * WORDS);
    TIMED(1, searched(n, col, single, single + DIM(n) + distances[d] + 10));
    digest(single, sizeof(float) * WORDS);
  }
  return finish();
}
