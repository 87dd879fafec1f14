/* Histograms: bins chosen by the values, by their bits, by two values at once; counting sort. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1000)
#endif
#define BINS 64

void count_values(int n, const int *value, int *bin) {
  for (int i = 0; i < n; i++)
    bin[value[i]]++;
}

void count_bytes(int n, const unsigned char *text, unsigned bin[256]) {
  for (int i = 0; i < n; i++)
    bin[text[i]] += 1u;
}

void joint(int n, int A[DIM(N)][DIM(N)], int bins[BINS][BINS]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      bins[A[i][j - 1]][A[i][j]] += 1;
}

void counting_sort(int n, const int *value, int *sorted, int *start) {
  for (int b = 0; b <= BINS; b++)
    start[b] = 0;
  for (int i = 0; i < n; i++)
    start[value[i] + 1]++;
  for (int b = 0; b < BINS; b++)
    start[b + 1] += start[b];
  for (int i = 0; i < n; i++)
    sorted[start[value[i]]++] = value[i] * 1000 + i % 1000;
}

int main(void) {
  int(*A)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  int *sorted = allocate(sizeof(int) * DIM(N) * DIM(N));
  int *bin = allocate(sizeof(int) * (BINS + 1));
  int *start = allocate(sizeof(int) * (BINS + 1));
  unsigned *bytes = allocate(sizeof(unsigned) * 256);
  int(*bins)[BINS] = allocate(sizeof(int) * BINS * BINS);
  fill_int(A, (size_t)DIM(N) * DIM(N), 1, BINS);
  TIMED(1, count_values(N * N, A[0], bin));
  TIMED(1, count_bytes(N * N, (const unsigned char *)A[0], bytes));
  TIMED(1, joint(N, A, bins));
  TIMED(1, counting_sort(N * N, A[0], sorted, start));
  digest(sorted, sizeof(int) * DIM(N) * DIM(N));
  digest(bin, sizeof(int) * (BINS + 1));
  digest(start, sizeof(int) * (BINS + 1));
  digest(bytes, sizeof(unsigned) * 256);
  digest(bins, sizeof(int) * BINS * BINS);
  return finish();
}
