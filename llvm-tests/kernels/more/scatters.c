/* Writes at places that data gives: of a permutation or not, nobody but the data knows; kept in order. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(50000)
#endif

void permute(int n, const int *restrict to, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[to[i]] = x[i];
}

void last_wins(int n, const int *restrict to, int *restrict y) {
  for (int i = 0; i < n; i++)
    y[to[i]] = i;
}

void compact(int n, const int *restrict a, int *restrict out, int *restrict count) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (a[i] & 1)
      out[k++] = a[i];
  *count = k;
}

void chase(int n, int *restrict next, int *restrict seen) {
  for (int i = 0; i < n; i++) {
    seen[next[i]] = seen[i] + 1;
    next[i] = next[next[i]];
  }
}

void both(int n, const int *restrict at, double *restrict x) {
  for (int i = 0; i < n; i++)
    x[at[i]] = x[i] * 0.5 + x[at[i]];
}

void inverse(int n, const int *restrict p, int *restrict q, int *restrict r) {
  for (int i = 0; i < n; i++)
    q[p[i]] = i;
  for (int i = 0; i < n; i++)
    r[i] = q[i] - p[i];
}

int main(void) {
  int *to = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N)), *out = allocate(sizeof(int) * DIM(N));
  int *next = allocate(sizeof(int) * DIM(N)), *seen = allocate(sizeof(int) * DIM(N)), *q = allocate(sizeof(int) * DIM(N));
  int *r = allocate(sizeof(int) * DIM(N)), *last = allocate(sizeof(int) * DIM(N)), count = 0;
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N));
  fill_int(to, DIM(N), 1, DIM(N));
  fill_int(a, DIM(N), 2, 1000);
  fill_int(next, DIM(N), 3, DIM(N));
  fill(x, DIM(N), 4);
  TIMED(4, permute(N, to, x, y));
  TIMED(4, last_wins(N, to, last));
  TIMED(4, compact(N, a, out, &count));
  TIMED(4, chase(N, next, seen));
  TIMED(4, both(N, to, x));
  TIMED(4, inverse(N, to, q, r));
  digest(x, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  digest(last, sizeof(int) * DIM(N));
  digest(out, sizeof(int) * DIM(N));
  digest(next, sizeof(int) * DIM(N));
  digest(seen, sizeof(int) * DIM(N));
  digest(q, sizeof(int) * DIM(N));
  digest(r, sizeof(int) * DIM(N));
  digest(&count, sizeof count);
  return finish();
}
