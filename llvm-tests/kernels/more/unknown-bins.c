/* Histograms whose bins only data knows, between pointers that may overlap. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(60000)
#endif

__attribute__((noinline)) void counted(int n, const int *key, int *h) {
  for (int i = 0; i < n; i++)
    h[key[i]]++;
}

__attribute__((noinline)) void added(int n, const unsigned *restrict key, long *restrict h) {
  for (int i = 0; i < n; i++)
    h[key[i]] += 3;
}

__attribute__((noinline)) void some(int n, const int *restrict key, const int *restrict w, int *restrict h) {
  for (int i = 0; i < n; i++)
    if (w[i] > 3)
      h[key[i]] += w[i];
}

__attribute__((noinline)) void of_rows(int n, int m, const int *key, unsigned char *h) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      h[key[i * m + j]]++;
}

__attribute__((noinline)) void largest(int n, const int *key, const int *v, int *best) {
  for (int i = 0; i < n; i++)
    if (v[i] > best[key[i]])
      best[key[i]] = v[i];
}

__attribute__((noinline)) void in_pairs(int n, const short *key, long *h) {
  for (int i = 0; i < n; i++) {
    h[2 * key[i]] += i;
    h[2 * key[i] + 1] ^= key[i];
  }
}

/* Weights in memory of the type of the bins. */
__attribute__((noinline)) void weighted(int n, const int *key, const float *w, float *h) {
  for (int i = 0; i < n; i++)
    h[key[i]] += w[i];
}

int main(void) {
  const size_t n = DIM(N), room = n + 5000;
  int *key = allocate(sizeof(int) * room * 2), *v = allocate(sizeof(int) * n), *words = key + room;
  unsigned *other = allocate(sizeof(unsigned) * n);
  short *narrow = allocate(sizeof(short) * n);
  long *sums = allocate(sizeof(long) * room);
  float *weights = allocate(sizeof(float) * 2 * room);
  unsigned char *bytes = allocate(room);
  fill_int(v, n, 2, 1000);
  for (size_t i = 0; i < n; i++)
    weights[i] = (float)(scatter(i, 9) % 100);
  const int bins[] = {1, 7, 256, 2000};
  for (int b = 0; b < 4; b++) {
    /* From the middle of the memory, so that numbers below zero are bins as well. */
    for (size_t i = 0; i < n; i++) {
      key[i] = (int)(scatter(i, (uint32_t)b) % (unsigned)bins[b]) - bins[b] / 3;
      other[i] = scatter(i, (uint32_t)b + 7) % (unsigned)bins[b];
      narrow[i] = (short)(scatter(i, (uint32_t)b + 5) % (unsigned)bins[b]);
    }
    TIMED(1, counted(N, key, words + 2500));
    TIMED(1, some(N, key, v, words + 2500));
    TIMED(1, largest(N, key, v, words + 2500));
    TIMED(1, added(N, other, sums));
    TIMED(1, in_pairs(N, narrow, sums));
    TIMED(1, of_rows(N / 50, 50, key, bytes + 2500));
    TIMED(1, weighted(N, (int *)other, weights, weights + room));
    digest(sums, sizeof(long) * room);
    digest(bytes, room);
    digest(weights, sizeof(float) * 2 * room);
    digest(key, sizeof(int) * room * 2);
    /* The bins are keys: what is counted decides where the next one is counted. */
    for (size_t i = 0; i < n; i++)
      key[i] = (int)(scatter(i, (uint32_t)b) % (unsigned)(n < 3000 ? n : 3000));
    TIMED(1, counted(N / 2, key, key + N / 4));
    TIMED(1, largest(N / 2, key, v, key + N / 2));
    digest(key, sizeof(int) * room * 2);
  }
  return finish();
}
