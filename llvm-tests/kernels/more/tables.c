/* Reductions into whole arrays by an outer loop: a correlation of columns, a distance table, counts of pairs under a condition. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(3000)
#endif
#define M 10

static long together[M][M];

void count_pairs(int n, const int (*restrict A)[M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < M; k++)
        if (A[i][j] > A[i][k])
          together[j][k] += 1;
}

void largest_of_columns(int n, const int (*restrict A)[M], int *restrict most) {
  for (int j = 0; j < M; j++)
    most[j] = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      if (A[i][j] > most[j])
        most[j] = A[i][j];
}

void sums_by_residue(int n, const int (*restrict A)[M], int *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++)
      s[(i + j) % M] += A[i][j];
}

void sums_of_blocks(int n, const int *restrict a, int *restrict s) {
  for (int i = 0; i < n; i++)
    s[i / 16] += a[i];
}

int main(void) {
  int(*A)[M] = allocate(sizeof(int) * DIM(N) * M), most[M], s[M] = {0};
  int *blocks = allocate(sizeof(int) * DIM(N));
  fill_int(A, (size_t)DIM(N) * M, 1, 1000);
  TIMED(4, count_pairs(N, (const int(*)[M])A));
  TIMED(4, largest_of_columns(N, (const int(*)[M])A, most));
  TIMED(4, sums_by_residue(N, (const int(*)[M])A, s));
  TIMED(4, sums_of_blocks(N, A[0], blocks));
  digest(together, sizeof together);
  digest(most, sizeof most);
  digest(s, sizeof s);
  digest(blocks, sizeof(int) * DIM(N));
  return finish();
}
