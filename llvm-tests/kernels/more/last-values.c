/* What the last iteration reads is used behind the loops, and steps are not one. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(3000)
#endif

__attribute__((noinline)) double by_two(int n, double *restrict c, const double *restrict f) {
  double last = 1;
  for (int j = 0; j < n; j += 2) {
    last = c[j];
    c[j] = f[j];
  }
  return last;
}

__attribute__((noinline)) double guarded(int n, double *restrict c, const double *restrict f, const int *restrict r) {
  double last = 1;
  for (int j = 1; j < n; j += 3) {
    last = c[j];
    if (r[j] > 2)
      c[j] = f[j];
  }
  return last;
}

__attribute__((noinline)) double two_deep(int n, double *restrict c, const double *restrict f, const int *restrict r) {
  double last = 1;
  for (int i = 1; i < n; i += 2)
    for (int j = 1; j < n; j += 2) {
      last = c[j];
      if (r[j] > 2)
        c[j] = f[j];
    }
  return last;
}

__attribute__((noinline)) double outer_by_two(int n, double *restrict c, const double *restrict f, const int *restrict r) {
  double last = 1, first = 2;
  for (int i = 1; i < n; i += 2)
    for (int j = 0; j < n; j++) {
      last = c[j];
      first = f[j] + last;
      if (r[j] > 2)
        c[j] = f[j];
    }
  return last + 2 * first;
}

__attribute__((noinline)) double backwards(int n, double *restrict c, const double *restrict f) {
  double last = 1;
  for (int j = n - 1; j >= 0; j -= 4) {
    last = c[j] * 0.5;
    c[j] = f[j] + last;
  }
  return last;
}

int main(void) {
  const size_t n = DIM(N);
  double *c = allocate(sizeof(double) * n), *f = allocate(sizeof(double) * n), all[5];
  int *r = allocate(sizeof(int) * n);
  fill(c, n, 1);
  fill(f, n, 2);
  fill_int(r, n, 3, 5);
  TIMED(1, all[0] = by_two(N, c, f));
  TIMED(1, all[1] = guarded(N, c, f, r));
  TIMED(1, all[2] = two_deep(N, c, f, r));
  TIMED(1, all[3] = outer_by_two(N, c, f, r));
  TIMED(1, all[4] = backwards(N, c, f));
  digest(c, sizeof(double) * n);
  digest(all, sizeof all);
  return finish();
}
