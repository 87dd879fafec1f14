/* What is found out before the loops, of data that the loops change; and what is known of a number in one place and not in another. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(60000)
#endif

/* The first iteration may make a divisor of what was zero. */
__attribute__((noinline)) void parts(int n, const int *key, int *h) {
  for (int i = 0; i < n; i++)
    h[100000 / key[i]] += 3;
}

static int small[8], large[200000];

/* Only in the first half is `k` a place in `small`. */
__attribute__((noinline)) void halves(int n, const int *restrict key, const int *restrict s) {
  for (int i = 0; i < n; i++) {
    long k = key[i];
    if (i < n / 2)
      small[k] = 1;
    if (i >= n / 2)
      large[k] = i;
    large[i + 50] = s[i];
  }
}

__attribute__((noinline)) void counted_halves(int n, const int *restrict key) {
  for (int i = 0; i < n; i++) {
    long k = key[i];
    if (i < n / 2)
      small[k] += 1;
    if (i >= n / 2)
      large[k] += i;
    large[i + 50] += 1;
  }
}

int main(void) {
  const int n = N;
  int *k = allocate(sizeof(int) * 300000), *key = allocate(sizeof(int) * DIM(n)), *s = allocate(sizeof(int) * DIM(n));
  for (int i = 0; i < 300000; i++)
    k[i] = 5;
  k[0] = 100000;
  k[1] = 0;
  TIMED(1, parts(n < 10000 ? n : 10000, k, k));
  digest(k, sizeof(int) * 300000);
  for (int i = 0; i < n; i++) {
    s[i] = -i;
    key[i] = i < n / 2 ? i % 8 : i % 7001 * 8;
  }
  TIMED(1, halves(n, key, s));
  digest(small, sizeof small);
  digest(large, sizeof large);
  TIMED(1, counted_halves(n, key));
  digest(small, sizeof small);
  digest(large, sizeof large);
  return finish();
}
