/* Sweeps over planes of small vectors, one plane after the other, each of its points on its own: what solvers of alternating directions do. The loops over
   points can be in front of those over planes, and then threads wait once for each other, where nothing of another point is read. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(48)
#endif
#define M 5

typedef double Points[DIM(N)][DIM(N)][M];
typedef double Blocks[DIM(N)][DIM(N)][M][M];

void back(int n, Points *restrict x, Blocks *restrict c) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int m = 0; m < M; m++)
          for (int p = 0; p < M; p++)
            x[i][j][k][m] = x[i][j][k][m] - c[i][j][k][m][p] * x[i + 1][j][k][p];
}

void along_the_second(int n, Points *restrict x, Blocks *restrict c) {
  for (int j = 1; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        for (int m = 0; m < M; m++)
          for (int p = 0; p < M; p++)
            x[i][j][k][m] -= c[i][j][k][p][m] * x[i][j - 1][k][p];
}

void two_steps(int n, Points *restrict x, Points *restrict y, Blocks *restrict c) {
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int m = 0; m < M; m++)
          x[i + 1][j][k][m] += c[i][j][k][m][0] * x[i][j][k][m] / (2 + c[i][j][k][0][m]);
    for (int j = 1; j < n; j++)
      for (int k = 1; k < n; k++)
        for (int m = 0; m < M; m++)
          y[i][j][k][m] = x[i + 1][j][k][m] + y[i - 1][j][k - 1][m];
  }
}

void from_a_neighbour(int n, Points *restrict x, Blocks *restrict c) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int m = 0; m < M; m++)
          x[i][j][k][m] -= c[i][j][k][m][m] * x[i - 1][j - 1][k][M - 1 - m];
}

void by_turns(int n, Points *restrict x, double *restrict sum) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int m = 0; m < M; m++) {
          x[i][j][k][m] = 0.5 * x[i][j][k][m] + 0.25 * x[i - 1][j][k][(m + i) % M];
          sum[j] += x[i][j][k][m];
        }
}

void until_a_limit(int n, int limit, Points *restrict x, const int *restrict from) {
  for (int i = 1; i < n; i++)
    for (int j = from[i] & 1; j < n; j++)
      for (int k = 0; k < n - limit; k++)
        for (int m = 0; m < M; m++)
          x[i][j][k][m] += x[i - 1][j][k][m] * 0.125;
}

int main(void) {
  Points *x = allocate(sizeof(Points) * DIM(N)), *y = allocate(sizeof(Points) * DIM(N));
  Blocks *c = allocate(sizeof(Blocks) * DIM(N));
  double *sum = allocate(sizeof(double) * DIM(N));
  int *from = allocate(sizeof(int) * DIM(N));
  fill((double *)x, sizeof(Points) / sizeof(double) * DIM(N), 1);
  fill((double *)y, sizeof(Points) / sizeof(double) * DIM(N), 2);
  fill((double *)c, sizeof(Blocks) / sizeof(double) * DIM(N), 3);
  for (int i = 0; i < N; i++)
    from[i] = i;
  TIMED(4, back(N, x, c));
  TIMED(4, along_the_second(N, x, c));
  TIMED(4, two_steps(N, x, y, c));
  TIMED(4, from_a_neighbour(N, x, c));
  TIMED(4, by_turns(N, x, sum));
  TIMED(4, until_a_limit(N, N / 3, x, from));
  digest(x, sizeof(Points) * DIM(N));
  digest(y, sizeof(Points) * DIM(N));
  digest(sum, sizeof(double) * DIM(N));
  return finish();
}
