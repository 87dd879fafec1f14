/* Dynamic programming: longest common subsequence, edit distance, knapsack, matrix chains, sums over paths. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(500)
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void common_subsequence(int n, int m, const char *a, const char *b, int L[DIM(N) + 1][DIM(N) + 1]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      if (a[i - 1] == b[j - 1])
        L[i][j] = L[i - 1][j - 1] + 1;
      else
        L[i][j] = MAX(L[i - 1][j], L[i][j - 1]);
}

void edit_distance(int n, int m, const char *a, const char *b, int D[DIM(N) + 1][DIM(N) + 1]) {
  for (int i = 0; i <= n; i++)
    D[i][0] = i;
  for (int j = 0; j <= m; j++)
    D[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int replace = D[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      int best = MIN(D[i - 1][j], D[i][j - 1]) + 1;
      D[i][j] = MIN(replace, best);
    }
}

void knapsack(int items, int capacity, const int *weight, const int *worth, int *best) {
  for (int i = 0; i < items; i++)
    for (int w = capacity; w >= weight[i]; w--)
      best[w] = MAX(best[w], best[w - weight[i]] + worth[i]);
}

void matrix_chain(int n, const int *p, long C[DIM(N) + 1][DIM(N) + 1]) {
  for (int length = 2; length <= n; length++)
    for (int i = 0; i + length <= n; i++) {
      int j = i + length - 1;
      C[i][j] = C[i + 1][j] + (long)p[i] * p[i + 1] * p[j + 1];
      for (int k = i + 1; k < j; k++) {
        long cost = C[i][k] + C[k + 1][j] + (long)p[i] * p[k + 1] * p[j + 1];
        C[i][j] = MIN(C[i][j], cost);
      }
    }
}

void paths(int n, unsigned P[DIM(N) + 1][DIM(N) + 1]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      P[i][j] = P[i - 1][j] + P[i][j - 1] + 1u;
}

int main(void) {
  size_t cells = (size_t)(DIM(N) + 1) * (DIM(N) + 1);
  char *a = allocate(DIM(N)), *b = allocate(DIM(N));
  int(*L)[DIM(N) + 1] = allocate(sizeof(int) * cells);
  int(*D)[DIM(N) + 1] = allocate(sizeof(int) * cells);
  long(*C)[DIM(N) + 1] = allocate(sizeof(long) * cells);
  unsigned(*P)[DIM(N) + 1] = allocate(sizeof(unsigned) * cells);
  int *weight = allocate(sizeof(int) * (DIM(N) + 1));
  int *worth = allocate(sizeof(int) * (DIM(N) + 1));
  int *best = allocate(sizeof(int) * (DIM(N) + 1));
  for (int i = 0; i < N; i++) {
    a[i] = (char)('a' + scatter(i, 1) % 4);
    b[i] = (char)('a' + scatter(i, 2) % 4);
  }
  fill_int(weight, DIM(N) + 1, 3, 50);
  fill_int(worth, DIM(N) + 1, 4, 1000);
  TIMED(1, common_subsequence(N, N, a, b, L));
  TIMED(1, edit_distance(N, N, a, b, D));
  TIMED(1, knapsack(N, N, weight, worth, best));
  TIMED(1, matrix_chain(N, weight, C));
  TIMED(1, paths(N, P));
  digest(L, sizeof(int) * cells);
  digest(D, sizeof(int) * cells);
  digest(C, sizeof(long) * cells);
  digest(P, sizeof(unsigned) * cells);
  digest(best, sizeof(int) * (DIM(N) + 1));
  return finish();
}
