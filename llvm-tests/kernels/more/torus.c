/* A torus: neighbours by remainder, the game of life, masks, and a wavefront that starts in a corner. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void life(int steps, int n, unsigned char A[DIM(N)][DIM(N)], unsigned char B[DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int alive = 0;
        for (int p = -1; p <= 1; p++)
          for (int q = -1; q <= 1; q++)
            if (p != 0 || q != 0)
              alive += A[(i + p + n) % n][(j + q + n) % n];
        B[i][j] = alive == 3 || (alive == 2 && A[i][j]);
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] = B[i][j];
  }
}

void ring(int n, double *a, double *b) {
  for (int t = 0; t < 8; t++)
    for (int i = 0; i < n; i++)
      b[i & 63] += a[(i + 1) % n] * a[i];
}

void sixteen(int n, double table[16], double *a) {
  for (int i = 0; i < n; i++)
    table[i % 16] = 0.5 * table[(i + 5) % 16] + a[i];
}

void wavefront(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i][j - 1]) / 3.0 + 0.01 * A[i][j];
}

int main(void) {
  unsigned char *A = allocate((size_t)DIM(N) * DIM(N));
  unsigned char *B = allocate((size_t)DIM(N) * DIM(N));
  double(*D)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *b = allocate(sizeof(double) * 64);
  double *table = allocate(sizeof(double) * 16);
  for (size_t k = 0; k < (size_t)DIM(N) * DIM(N); k++)
    A[k] = scatter(k, 1) % 3 == 0;
  fill(D, (size_t)DIM(N) * DIM(N), 2);
  TIMED(1, life(10, N, (void *)A, (void *)B));
  TIMED(1, ring(N, D[0], b));
  TIMED(1, sixteen(N * N, table, D[0]));
  TIMED(1, wavefront(N, D));
  digest(A, (size_t)DIM(N) * DIM(N));
  digest(D, sizeof(double) * DIM(N) * DIM(N));
  digest(b, sizeof(double) * 64);
  digest(table, sizeof(double) * 16);
  return finish();
}
