/* nussinov: RNA folding by dynamic programming over growing intervals; the outer loop counts down.
   Arrays: constant shape, no restrict; bases are bytes, scores ints. Conditions inside the nest. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(1600)
#endif

#define PAIRS(a, b) ((a) + (b) == 3 ? 1 : 0)
#define MAX(a, b) ((a) >= (b) ? (a) : (b))

void kernel_nussinov(int n, char base[DIM(N)], int score[DIM(N)][DIM(N)]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0)
        score[i][j] = MAX(score[i][j], score[i][j - 1]);
      if (i + 1 < n)
        score[i][j] = MAX(score[i][j], score[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        if (i < j - 1)
          score[i][j] = MAX(score[i][j], score[i + 1][j - 1] + PAIRS(base[i], base[j]));
        else
          score[i][j] = MAX(score[i][j], score[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        score[i][j] = MAX(score[i][j], score[i][k] + score[k + 1][j]);
    }
}

int main(void) {
  char *base = allocate(DIM(N));
  int(*score)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  for (int i = 0; i < N; i++)
    base[i] = (char)(scatter(i, 1) % 4);
  TIMED(1, kernel_nussinov(N, base, score));
  digest(score, sizeof(int) * DIM(N) * DIM(N));
  return finish();
}
