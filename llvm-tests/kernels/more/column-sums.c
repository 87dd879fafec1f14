/* Reductions into arrays: over the rows, into few columns and into many, of several operators, into a table, into a shifting window. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500)
#endif
#define FEW 12

void columns(int n, const int (*restrict A)[DIM(N)], int *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[j] += A[i][j];
}

void few_columns(int n, const long (*restrict A)[FEW], long *restrict s, long *restrict least, long *restrict mask) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < FEW; j++) {
      s[j] += A[i][j];
      least[j] = A[i][j] < least[j] ? A[i][j] : least[j];
      mask[j] |= A[i][j];
    }
}

void strict_columns(int n, const double (*restrict A)[FEW], double *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < FEW; j++)
      s[j] += A[i][j];
}

void gram(int n, const int (*restrict A)[FEW], int (*restrict G)[FEW]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < FEW; j++)
      for (int k = 0; k < FEW; k++)
        G[j][k] += A[i][j] * A[i][k];
}

void window(int n, int m, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i + j] += a[i] * b[j];
}

int main(void) {
  int(*A)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  long(*B)[FEW] = allocate(sizeof(long) * DIM(N) * FEW);
  double(*D)[FEW] = allocate(sizeof(double) * DIM(N) * FEW);
  int(*G)[FEW] = allocate(sizeof(int) * FEW * FEW);
  int *s = allocate(sizeof(int) * DIM(N));
  unsigned *c = allocate(sizeof(int) * DIM(N) * 2);
  long *few = allocate(sizeof(long) * FEW * 3);
  double *strict = allocate(sizeof(double) * FEW);
  fill_int(A, (size_t)DIM(N) * DIM(N), 1, 1000);
  for (int i = 0; i < N * FEW; i++)
    B[i / FEW][i % FEW] = (long)scatter((size_t)i, 2) - 1000000;
  fill(D, (size_t)DIM(N) * FEW, 3);
  TIMED(2, columns(N, (const int(*)[DIM(N)])A, s));
  TIMED(2, few_columns(N, (const long(*)[FEW])B, few, few + FEW, few + 2 * FEW));
  TIMED(2, strict_columns(N, (const double(*)[FEW])D, strict));
  TIMED(2, gram(N / FEW, (const int(*)[FEW])A, G));
  TIMED(2, window(N, N, (const unsigned *)A[0], (const unsigned *)s, c));
  digest(s, sizeof(int) * DIM(N));
  digest(few, sizeof(long) * FEW * 3);
  digest(strict, sizeof(double) * FEW);
  digest(G, sizeof(int) * FEW * FEW);
  digest(c, sizeof(int) * DIM(N) * 2);
  return finish();
}
