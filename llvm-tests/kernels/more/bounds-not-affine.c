/* Bounds and conditions that are no affine functions of the counters: i * i, i % k, powers of two, square roots, products of counters. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(120)
#endif

void squares(int n, const int *restrict a, int *restrict s) {
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < i * i; j++)
      sum += a[j % (n + 1)] ^ j;
    s[i] = sum;
  }
}

void remainders(int n, int k, int (*restrict A)[DIM(N)], int *restrict b) {
  for (int i = 0; i < n; i++) {
    if (i % k == 0)
      b[i] += 1;
    for (int j = 0; j < i % k; j++)
      A[i][j] += b[i];
  }
}

void powers(int n, int *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= i; j *= 2)
      a[i] += j * 3;
}

void roots(int n, unsigned char *restrict composite) {
  for (int i = 2; i < n; i++)
    for (int d = 2; d * d <= i; d++)
      if (i % d == 0)
        composite[i] = 1;
}

void sieve(int n, unsigned char *restrict composite) {
  for (int i = 2; i < n; i++)
    if (!composite[i])
      for (int j = 2 * i; j < n; j += i)
        composite[j] = 1;
}

void products(int n, int (*restrict A)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i * j < n)
        A[i][j] += A[i][j] / 2 + i * j;
}

int main(void) {
  int(*A)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  int *a = allocate(sizeof(int) * (DIM(N) + 1)), *b = allocate(sizeof(int) * DIM(N)), *s = allocate(sizeof(int) * DIM(N));
  unsigned char *composite = allocate(DIM(N)), *sieved = allocate(DIM(N));
  fill_int(A, (size_t)DIM(N) * DIM(N), 1, 1000);
  fill_int(a, DIM(N) + 1, 2, 1000);
  TIMED(1, squares(N, a, s));
  TIMED(1, remainders(N, 7 < N ? 7 : 1, A, b));
  TIMED(20, powers(N, a));
  TIMED(20, roots(N, composite));
  TIMED(20, sieve(N, sieved));
  TIMED(20, products(N, A));
  digest(A, sizeof(int) * DIM(N) * DIM(N));
  digest(a, sizeof(int) * DIM(N));
  digest(b, sizeof(int) * DIM(N));
  digest(s, sizeof(int) * DIM(N));
  digest(composite, DIM(N));
  digest(sieved, DIM(N));
  return finish();
}
