/* Unsigned wrap-around: indices that pass 2^32 or 2^8 in the middle of a loop and go on from zero, as C says. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void through_zero(unsigned first, unsigned count, double *a) {
  for (unsigned i = 0; i < count; i++)
    a[(unsigned)(first + i) & 1023u] += 1.0 + i;
}

void around(unsigned first, unsigned last, int *a) {
  for (unsigned i = first; i != last; i++)
    a[i + 500u] += 3;
}

void bytes(int n, unsigned char start, int *a) {
  unsigned char c = start;
  for (int i = 0; i < n; i++) {
    a[c] += i;
    c += 7;
  }
}

void down(unsigned n, double *a) {
  for (unsigned i = n - 1; i < n; i--)
    a[i] = a[i] * 0.5 + (i + 1 < n ? a[i + 1] : 0.0);
}

void before(unsigned n, unsigned k, double *a, double *b) {
  for (unsigned i = 0; i < n; i++)
    if (i - k < n)
      b[i - k] = a[i];
}

void rotate(unsigned n, unsigned first, double A[DIM(N)][DIM(N)], double *b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      A[(first + i * 3u) % n][j] += b[(j - first) % n];
}

void product_wraps(unsigned n, unsigned big, unsigned *a) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      a[(i * big + j) >> 22] += i ^ j;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double *b = allocate(sizeof(double) * DIM(N));
  double *ring = allocate(sizeof(double) * 1024);
  int *table = allocate(sizeof(int) * 1024);
  unsigned *sums = allocate(sizeof(unsigned) * 1024);
  fill(a, DIM(N), 1);
  fill(b, DIM(N), 2);
  TIMED(1, through_zero(0xffffffffu - N / 2, N, ring));
  TIMED(1, through_zero(0x80000000u - 3u, N, ring));
  TIMED(1, around(0u - (N < 400 ? N : 400), (N < 400 ? N : 400), table));
  TIMED(1, bytes(N, 250, table));
  TIMED(1, down(N, a));
  TIMED(1, before(N, 3, a, b));
  TIMED(1, before(N, 0u - 2u, b, a));
  TIMED(1, rotate(N, 0xfffffff0u, A, b));
  TIMED(1, product_wraps(N, 0x01234567u, sums));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(b, sizeof(double) * DIM(N));
  digest(ring, sizeof(double) * 1024);
  digest(table, sizeof(int) * 1024);
  digest(sums, sizeof(unsigned) * 1024);
  return finish();
}
