/* Subscripts and conditions of which few bits are left: parities, and numbers of 8 and 16 bits that wrap around. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(2000)
#endif

void other_row(int n, int steps, double (*restrict h)[N + 1], const double *restrict x) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++)
      h[(t + 1) % 2][i] = h[t % 2][i - 1] * 0.5 + x[i];
}

void other_row_by_difference(int n, int steps, double (*restrict h)[N + 1], const double *restrict x) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      h[1 - t % 2][i] = h[t % 2][i] * 0.5 + x[i];
}

void last_of_two(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++)
    h[1 - t % 2] = x[t] + 1;
}

void one_of_four(unsigned n, double *restrict h, const double *restrict x) {
  for (unsigned t = 0; t < n; t++)
    h[(3 * t + 1) % 4] += x[t];
}

void bytes(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++)
    h[(unsigned char)(t * 7 + 250)] += x[t];
}

void signed_bytes(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++)
    h[128 + (signed char)(t * 3 + 100)] += x[t];
}

void compared(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++) {
    if ((t + 1) & 1)
      h[t] += x[t];
    if ((short)(t * 1000) < 0)
      h[t] *= 2;
    if ((unsigned short)(t * 1000) > 60000)
      h[t] -= 2;
    if ((unsigned char)(t * 31) != (unsigned char)(t + 40))
      h[t] *= 0.5;
  }
}

void short_counter(unsigned short n, double *restrict h, const double *restrict x) {
  for (unsigned short t = 0; t < n; t++)
    h[t] += x[t];
}

int main(void) {
  double(*h)[N + 1] = allocate(sizeof(double) * (2 * (N + 1) + 256)), *x = allocate(sizeof(double) * DIM(N));
  double *flat = &h[0][0];
  fill(x, DIM(N), 1);
  TIMED(1, other_row(N, N < 100 ? N : 100, h, x));
  TIMED(1, other_row_by_difference(N, N < 100 ? N : 100, h, x));
  TIMED(1, last_of_two(N, flat, x));
  TIMED(1, one_of_four(N, flat, x));
  TIMED(1, bytes(N, flat, x));
  TIMED(1, signed_bytes(N, flat, x));
  TIMED(1, compared(N, flat, x));
  TIMED(1, short_counter((unsigned short)N, flat, x));
  digest(h, sizeof(double) * (2 * (N + 1) + 256));
  return finish();
}
