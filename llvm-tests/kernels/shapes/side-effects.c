/* Calls with side effects: what is called keeps a log, changes the arrays of the loop, or is not known at all. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

static unsigned log_entries[64];
static unsigned log_length;
static double shared[DIM(N)];

__attribute__((noinline)) double noted(double x, int i) {
  log_entries[log_length % 64] = (unsigned)i * 31u + log_length;
  log_length++;
  return x + (double)(log_length % 7);
}

__attribute__((noinline)) void disturb(int i) {
  shared[(i * 7) % DIM(N)] += 0.125;
}

__attribute__((noinline)) double twice(double x) {
  return 2.0 * x;
}

void logging(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = noted(a[i], i);
}

void disturbed(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      A[i][j] += shared[j];
    disturb(i);
  }
}

void unknown(int n, double *a, double (*operation)(double)) {
  for (int i = 0; i < n; i++)
    a[i] = operation(a[i]) + a[i / 2];
}

void allocating(int n, double *a) {
  for (int i = 0; i < n; i++) {
    double *scratch = malloc(sizeof(double) * (size_t)(i + 1));
    if (scratch == NULL)
      return;
    for (int j = 0; j <= i; j++)
      scratch[j] = a[j] + j;
    a[i] = scratch[i / 2];
    free(scratch);
  }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double (*volatile operation)(double) = twice;
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(a, DIM(N), 2);
  TIMED(1, logging(N, a));
  TIMED(1, disturbed(N, A));
  TIMED(1, unknown(N, a, operation));
  TIMED(1, allocating(N, a));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(shared, sizeof shared);
  digest(log_entries, sizeof log_entries);
  digest(&log_length, sizeof log_length);
  return finish();
}
