/* Counters that are doubled: their steps are counted, where it is known that they do not wrap around. Tests: 002 5.2.2 */
#include "../kernel.h"
#include <limits.h>
#ifndef N
#define N SIZE_OR(300)
#endif

void weights(int n, const double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 1; i < n; i *= 2)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        b[k][j] = 0.5 * b[k][j] + a[i] * j;
}

void at_most(int n, const double *restrict a, double (*restrict b)[DIM(N)]) {
  for (int i = 1; i <= n - 1; i += i)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < i; k++)
        b[k][j] += a[i] * k;
}

void by_eight(long n, double *restrict a, const double *restrict c) {
  for (long i = 4; n > i; i *= 8) {
    a[i] += 1.5;
    for (long j = 0; j < n; j++)
      a[j] = a[j] * 0.75 + c[i] + i;
  }
}

void constant(int n, double *restrict a) {
  for (int s = 2; s < 1000; s *= 2)
    for (int j = 0; j < n; j++)
      a[j] = 0.5 * a[j] + s;
  for (int s = 1; s <= 64; s *= 4)
    for (int j = 0; j < n; j++)
      a[j] += 0.25 * s;
}

/* Its inner loop's limit is another one's counter. */
void two(int n, double *restrict a) {
  for (int i = 1; i < n; i += i)
    for (int j = 2; j <= i; j += j)
      a[i] += a[j] * 0.5 + a[i - j];
}

/* At the limits of the type, where doubling once more would be undefined but for the test before it. */
int steps(int n, int most) {
  int count = 0;
  for (int i = 1; i < n && i < most; i *= 2)
    count++;
  return count;
}

void large(int n, int limit, unsigned *restrict a) {
  for (int i = 1; i < limit; i *= 2)
    for (int j = 0; j < n; j++)
      a[j] = a[j] * 3 + (unsigned)(i >> 7) + (unsigned)j;
}

void butterflies(int n, double *restrict a) {
  for (int width = 1; width < n; width *= 2)
    for (int i = 0; i + 2 * width <= n; i += 2 * width)
      for (int j = 0; j < width; j++) {
        double x = a[i + j], y = a[i + j + width];
        a[i + j] = 0.5 * (x + y);
        a[i + j + width] = 0.5 * (x - y);
      }
}

/* These stay as they are: the counter may wrap around, or is halved. */
void unsigned_counter(unsigned n, double *restrict a) {
  for (unsigned i = 1; i < n; i *= 2)
    for (unsigned j = 0; j < n; j++)
      a[j] += i;
}

void halved(int n, double *restrict a) {
  for (int i = n; i > 1; i /= 2)
    for (int j = 0; j < i / 2; j++)
      a[j] = 0.5 * (a[j] + a[j + i / 2]);
}

int main(void) {
  double *a = allocate(sizeof(double) * (DIM(N) + 1)), *c = allocate(sizeof(double) * (DIM(N) + 1));
  double(*b)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  unsigned *d = allocate(sizeof(int) * DIM(N));
  int counts[5];
  fill(a, DIM(N), 1);
  fill(c, DIM(N), 2);
  fill(b, (size_t)DIM(N) * DIM(N), 3);
  fill_int(d, DIM(N), 4, 3);
  TIMED(4, weights(N, c, b));
  TIMED(4, at_most(N, c, b));
  TIMED(40, by_eight(N, a, c));
  TIMED(40, two(N, a));
  TIMED(4, large(N, 1 << 30, d));
  TIMED(4, large(N, (1 << 30) - 1, d));
  TIMED(1, large(N, N, d));
  TIMED(1, large(N, 0, d));
  TIMED(1, large(N, INT_MIN, d));
  TIMED(1, large(N, 2, d));
  TIMED(4, constant(N, a));
  TIMED(40, butterflies(N, a));
  TIMED(40, unsigned_counter(N, a));
  TIMED(40, halved(N, c));
  counts[0] = steps(N, INT_MAX / 2);
  counts[1] = steps(1 << 30, N);
  counts[2] = steps(1 << 30, 1 << 30);
  counts[3] = steps(-N, 8);
  counts[4] = steps((1 << 29) + 1, 1 << 30);
  digest(a, sizeof(double) * DIM(N));
  digest(b, sizeof(double) * DIM(N) * DIM(N));
  digest(c, sizeof(double) * DIM(N));
  digest(d, sizeof(int) * DIM(N));
  digest(counts, sizeof counts);
  return finish();
}
