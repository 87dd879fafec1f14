/* Memory of one type becomes memory of another one where it is written: what is read before may be where something is written later. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

/* Each number in place, from the last one on. */
__attribute__((noinline)) void widened(int n, const int *a, double *b) {
  for (int i = n - 1; i >= 0; i--)
    b[i] = a[i] * 0.5;
}

__attribute__((noinline)) void narrowed(int n, const double *a, float *b) {
  for (int i = 0; i < n; i++)
    b[i] = (float)a[i];
}

/* The columns are neighbours in memory; what (i, j) reads is what (i + 1, j - 1) writes. */
__attribute__((noinline)) void slanted(int n, const double *a, long *b) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      b[j * (long)(n + 1) + i] = (long)(a[(j - 1) * (long)(n + 1) + i + 1] * 100);
}

/* Written as one type and then as the other one: the last one stays. */
__attribute__((noinline)) void twice(int n, float *a, int *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j * n + i] = i * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[(n - 1 - j) * n + i] = i + j;
}

/* Read, and overwritten when all has been read. */
__attribute__((noinline)) long summed(int n, const int *a, double *b) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  for (int i = 0; i < n; i++)
    b[i] = i;
  return sum;
}

/* The bins lie in the keys that have been read. */
__attribute__((noinline)) void counted(int n, const int *key, float *h) {
  for (int i = 0; i < n; i++)
    h[key[i]] = i;
}

/* The rows of a matrix lie in the table of rows, behind what is read of it. */
__attribute__((noinline)) void rows(int n, double **row) {
  for (int i = n - 1; i >= 0; i--) {
    double *here = row[i];
    for (int j = 0; j < 3; j++)
      here[j] = i + j * 0.25;
  }
}

/* In place with one base: the array has elements of two types. */
__attribute__((noinline)) void in_place(int n, int m, double *a) {
  long *b = (long *)a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j * (long)n + i] = (long)(a[j * (long)n + i] * 1000);
}

int main(void) {
  const int n = N;
  size_t all = (size_t)(DIM(n) + 1) * (DIM(n) + 1) + 8;
  double *memory = malloc(8 * all);
  int *numbers = (int *)memory;
  for (int apart = 0; apart < 2; apart++) {
    double *other = apart ? malloc(8 * all) : memory;
    memset(other, 0, 8 * all);
    fill_int(numbers, (size_t)n, 1, 100000);
    TIMED(1, widened(n, numbers, other));
    digest(other, 8 * all);
    TIMED(1, narrowed(n, other, (float *)memory));
    digest(memory, 8 * all);
    fill(memory, all, 2);
    TIMED(1, slanted(n, memory, (long *)other));
    digest(other, 8 * all);
    TIMED(1, twice(n, (float *)memory, (int *)other));
    digest(other, 8 * all);
    fill_int(numbers, (size_t)n, 3, 1000);
    long sum = summed(n, numbers, other);
    digest(&sum, 8);
    digest(other, 8 * all);
    for (int i = 0; i < n; i++)
      numbers[i] = i - i % 3;
    TIMED(1, counted(n, numbers, (float *)other));
    digest(other, 8 * all);
    double **row = (double **)memory;
    for (int i = 0; i < n; i++)
      row[i] = other + i + i % 2;
    TIMED(1, rows(n, row));
    digest(other, 8 * (size_t)(n + 4));
    fill(memory, all, 4);
    TIMED(1, in_place(n, n, memory));
    digest(memory, 8 * all);
  }
  return finish();
}
