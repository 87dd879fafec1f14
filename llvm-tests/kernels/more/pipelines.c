/* Loops that carry dependences forward both of which: relaxation in place, blocks that are solved from two sides, texts that are compared. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

/* Much to do in each iteration. */
#define BENT(x, y) ((x) / (2 + (y) * (y)) + (y) / (3 + (x) * (x)) + ((x) + 1) / (5 + (y) * (y)) + ((y) + 1) / (7 + (x) * (x)))

void relaxed(int n, double (*restrict a)[DIM(N)]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i][j] = BENT(a[i][j], a[i - 1][j]) + BENT(a[i][j - 1], a[i - 1][j]);
}

/* From the other end. */
void back(int n, double (*restrict a)[DIM(N)]) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = n - 2; j >= 0; j--)
      a[i][j] = BENT(a[i][j], a[i + 1][j + 1]) + BENT(a[i][j + 1], a[i + 1][j]);
}

/* With scratch of each iteration's own. */
void blocks(int n, double (*restrict x)[DIM(N)][3], const double (*restrict d)[DIM(N)][3]) {
  double w[3][3];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          w[k][l] = d[i][j][k] * 0.5 + d[i - 1][j][l];
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          x[i][j][k] -= w[k][l] * (x[i - 1][j][l] + x[i][j - 1][l]) * 0.1;
      double t = w[1][0] / (w[0][0] + 4);
      for (int r = 0; r < 3; r++)
        w[1][r] -= t * w[0][r];
      for (int k = 0; k < 3; k++)
        x[i][j][k] = x[i][j][k] * w[1][k] * 0.1;
    }
}

void distances(int n, const int *restrict a, const int *restrict b, int (*restrict t)[DIM(N)]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      int best = t[i - 1][j - 1] + (a[i] != b[j]);
      if (t[i - 1][j] + 1 < best)
        best = t[i - 1][j] + 1;
      if (t[i][j - 1] + 1 < best)
        best = t[i][j - 1] + 1;
      t[i][j] = best;
    }
}

/* With a sum beside it. */
long summed(int n, long (*restrict b)[DIM(N)], long *restrict sum) {
  long odd = 0;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      b[i][j] = (BENT(b[i - 1][j], b[i][j - 1]) + BENT(b[i][j - 1], b[i - 1][j]) * 3 + j) & 63;
      *sum += b[i][j];
      odd += b[i][j] & 1;
    }
  return odd;
}

int main(void) {
  size_t square = (size_t)DIM(N) * DIM(N);
  double(*a)[DIM(N)] = allocate(sizeof(double) * square);
  double(*x)[DIM(N)][3] = allocate(sizeof(double) * 3 * square), (*d)[DIM(N)][3] = allocate(sizeof(double) * 3 * square);
  int(*t)[DIM(N)] = allocate(sizeof(int) * square), *text = allocate(sizeof(int) * DIM(N)), *other = allocate(sizeof(int) * DIM(N));
  long(*b)[DIM(N)] = allocate(sizeof(long) * square), sums[2] = {0, 0};
  for (size_t i = 0; i < square; i++)
    (&b[0][0])[i] = (long)(i % 61);
  fill(a, square, 1);
  fill(x, 3 * square, 2);
  fill(d, 3 * square, 3);
  for (int i = 0; i < DIM(N); i++) {
    text[i] = i * i % 7 % 4;
    other[i] = i * 5 % 11 % 4;
    for (int j = 0; j < DIM(N); j++)
      t[i][j] = i ? j ? 0 : i : j;
  }
  TIMED(4, relaxed(N, a));
  TIMED(4, back(N, a));
  TIMED(4, blocks(N, x, d));
  TIMED(4, distances(N, text, other, t));
  TIMED(4, sums[0] = summed(N, b, sums + 1));
  digest(b, sizeof(long) * square);
  digest(sums, sizeof sums);
  digest(a, sizeof(double) * square);
  digest(x, sizeof(double) * 3 * square);
  digest(t, sizeof(int) * square);
  return finish();
}
