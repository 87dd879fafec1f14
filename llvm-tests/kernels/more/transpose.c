/* Transposition: into another matrix, in place, of a rectangle, and of blocks of three numbers. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1000)
#endif
#define WIDE (2 * DIM(N))

void transpose(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[j][i] = A[i][j];
}

void in_place(int n, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double held = A[i][j];
      A[i][j] = A[j][i];
      A[j][i] = held;
    }
}

void rectangle(int rows, int columns, float *restrict A, float *restrict B) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      B[j * rows + i] = A[i * columns + j];
}

void triples(int n, float A[DIM(N)][DIM(N) / 3 + 1][3], float B[DIM(N) / 3 + 1][DIM(N)][3]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n / 3; j++)
      for (int c = 0; c < 3; c++)
        B[j][i][2 - c] = A[i][j][c];
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  size_t three = (size_t)DIM(N) * (DIM(N) / 3 + 1) * 3;
  double(*A)[DIM(N)] = allocate(sizeof(double) * cells);
  double(*B)[DIM(N)] = allocate(sizeof(double) * cells);
  float *F = allocate(sizeof(float) * DIM(N) * WIDE);
  float *G = allocate(sizeof(float) * DIM(N) * WIDE);
  void *P = allocate(sizeof(float) * three);
  void *Q = allocate(sizeof(float) * three);
  fill(A, cells, 1);
  fill_float(F, (size_t)DIM(N) * WIDE, 2);
  fill_float(P, three, 3);
  TIMED(1, transpose(N, A, B));
  TIMED(1, in_place(N, A));
  TIMED(1, rectangle(N, 2 * N, F, G));
  TIMED(1, triples(N, P, Q));
  digest(A, sizeof(double) * cells);
  digest(B, sizeof(double) * cells);
  digest(G, sizeof(float) * DIM(N) * WIDE);
  digest(Q, sizeof(float) * three);
  return finish();
}
