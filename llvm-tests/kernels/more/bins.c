/* Histograms: of bytes into 256 counts, into counts of a width that is a parameter, weighted, in two dimensions, of minima, and into bins that counters name. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(200000)
#endif
#define SIDE 16

static int counts[256];
static unsigned grid[SIDE][SIDE];
static int smallest[64];

void bytes(int n, const unsigned char *restrict a) {
  for (int i = 0; i < n; i++)
    counts[a[i]]++;
}

void any_width(int n, int bins, const int *restrict key, long *restrict count) {
  for (int i = 0; i < n; i++)
    count[key[i] % bins] += 1;
}

void weighted(int n, const int *restrict key, const double *restrict weight, double *restrict total) {
  for (int i = 0; i < n; i++)
    total[key[i]] += weight[i];
}

void pairs(int n, const int *restrict key) {
  for (int i = 0; i + 1 < n; i++)
    grid[key[i] & (SIDE - 1)][key[i + 1] & (SIDE - 1)] += 1u;
}

void minima(int n, const int *restrict key, const int *restrict a) {
  for (int i = 0; i < n; i++)
    if (a[i] < smallest[key[i] & 63])
      smallest[key[i] & 63] = a[i];
}

void rows_of_counts(int n, const int *restrict key, int (*restrict count)[8]) {
  for (int i = 0; i < n / 64; i++)
    for (int j = 0; j < 64; j++)
      count[i][key[i * 64 + j] & 7]++;
}

void by_remainder(int n, const int *restrict b, int *restrict total, unsigned *restrict bits, int *restrict most) {
  for (int i = 0; i < n; i++) {
    total[i % 7] += b[i];
    bits[i & 7] ^= (unsigned)b[i];
    if (b[i] > most[i % 12])
      most[i % 12] = b[i];
  }
}

void by_block(int n, const int *restrict b, int *restrict total, unsigned *restrict bits) {
  for (int i = 0; i < n; i++) {
    total[i / 1000] += b[i];
    bits[i >> 11] ^= (unsigned)b[i];
  }
}

/* The bin before is read on the way: each update sees the ones before. */
void by_neighbours(int n, const int *restrict b, int *restrict total) {
  for (int i = 0; i < n; i++)
    total[i % 7] += b[i] + total[(i + 1) % 7] % 3;
}

int main(void) {
  unsigned char *a = allocate(DIM(N));
  int *key = allocate(sizeof(int) * DIM(N)), *b = allocate(sizeof(int) * DIM(N));
  int(*rows)[8] = allocate(sizeof(int) * (DIM(N) / 64 + 1) * 8);
  long *count = allocate(sizeof(long) * 100);
  double *weight = allocate(sizeof(double) * DIM(N)), *total = allocate(sizeof(double) * 100);
  int *total7 = allocate(sizeof(int) * 8), *most = allocate(sizeof(int) * 12);
  int *blocks = allocate(sizeof(int) * (DIM(N) / 1000 + 1)), *chain = allocate(sizeof(int) * 8);
  unsigned *bits = allocate(sizeof(unsigned) * 8), *block_bits = allocate(sizeof(unsigned) * (DIM(N) / 2048 + 1));
  for (int i = 0; i < N; i++)
    a[i] = (unsigned char)scatter((size_t)i, 1);
  fill_int(key, DIM(N), 2, 100);
  fill_int(b, DIM(N), 3, 100000);
  fill(weight, DIM(N), 4);
  TIMED(4, bytes(N, a));
  TIMED(4, any_width(N, 37, key, count));
  TIMED(4, weighted(N, key, weight, total));
  TIMED(4, pairs(N, key));
  TIMED(4, minima(N, key, b));
  TIMED(4, rows_of_counts(N, key, rows));
  TIMED(4, by_remainder(N, key, total7, bits, most));
  TIMED(4, by_block(N, key, blocks, block_bits));
  TIMED(4, by_neighbours(N, key, chain));
  digest(counts, sizeof counts);
  digest(grid, sizeof grid);
  digest(smallest, sizeof smallest);
  digest(count, sizeof(long) * 100);
  digest(total, sizeof(double) * 100);
  digest(total7, sizeof(int) * 8);
  digest(bits, sizeof(unsigned) * 8);
  digest(most, sizeof(int) * 12);
  digest(blocks, sizeof(int) * (DIM(N) / 1000 + 1));
  digest(block_bits, sizeof(unsigned) * (DIM(N) / 2048 + 1));
  digest(chain, sizeof(int) * 8);
  digest(rows, sizeof(int) * (DIM(N) / 64 + 1) * 8);
  return finish();
}
