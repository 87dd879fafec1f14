/* Data-dependent store index: where a value goes is read from memory, and several iterations hit one place. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

void scatter_add(int n, double *a, const int *index, const double *b) {
  for (int i = 0; i < n; i++)
    a[index[i]] += b[i];
}

void last_wins(int n, int *a, const int *index) {
  for (int i = 0; i < n; i++)
    a[index[i]] = i;
}

void chase(int n, int *next) {
  for (int i = 0; i < n; i++)
    next[next[i]] = (next[i] + i) % n;
}

void two_levels(int n, int m, double *a, const int *index, const double *b) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      a[index[i]] = 0.5 * a[i] + b[index[i]] * t;
}

int main(void) {
  double *a = allocate(sizeof(double) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  int *index = allocate(sizeof(int) * DIM(N));
  int *latest = allocate(sizeof(int) * DIM(N));
  fill(a, DIM(N), 1);
  fill(b, DIM(N), 2);
  fill_int(index, DIM(N), 3, DIM(N / 3));
  TIMED(1, scatter_add(N, a, index, b));
  TIMED(1, last_wins(N, latest, index));
  TIMED(1, two_levels(N, 5, a, index, b));
  digest(latest, sizeof(int) * DIM(N));
  fill_int(latest, DIM(N), 4, DIM(N));
  TIMED(1, chase(N, latest));
  digest(a, sizeof(double) * DIM(N));
  digest(latest, sizeof(int) * DIM(N));
  return finish();
}
