/* A nest seven loops deep: a tensor contraction. It must end in a remark, not in a hang. */
#include "../kernel.h"
#ifndef N
#define N (SIZE_OR(9) < 9 ? SIZE_OR(9) : 9)
#endif

void contract(int n, double T[DIM(N)][DIM(N)][DIM(N)][DIM(N)], double A[DIM(N)][DIM(N)][DIM(N)][DIM(N)],
              double B[DIM(N)][DIM(N)][DIM(N)][DIM(N)], double C[DIM(N)][DIM(N)]) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++)
          for (int e = 0; e < n; e++)
            for (int f = 0; f < n; f++)
              for (int g = 0; g < n; g++)
                T[a][b][c][d] += A[a][e][f][g] * B[e][b][f][c] * C[g][d];
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N) * DIM(N) * DIM(N);
  void *T = allocate(sizeof(double) * cells);
  void *A = allocate(sizeof(double) * cells);
  void *B = allocate(sizeof(double) * cells);
  void *C = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(A, cells, 1);
  fill(B, cells, 2);
  fill(C, (size_t)DIM(N) * DIM(N), 3);
  TIMED(1, contract(N, T, A, B, C));
  digest(T, sizeof(double) * cells);
  return finish();
}
