/* Loops whose sets explode: remainders of remainders, subscripts by quotients under a stride, bounds by many minima, a chain of conditions.
   What is given up on early must come out as right as what is not, and simple loops beside and inside it are still optimized. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(200)
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void quotients(int n, double m[40][40], const double *u) {
  for (int i = 0; i < n; i += 3)
    m[i % 40][i / 20 % 40] += u[i];
}

void chain(int n, int *t) {
  for (int i = 0; i < n; i++) {
    int h = i;
    h = (h * 33) % 1009;
    h = (h * 17 + 3) % 997;
    h = h * 5 % 1013 + h / 7;
    h = (h * 3 + i) % 2039;
    t[h] += i;
    t[(i * 7 % 64) * 8 + (i / 8 % 8)] ^= h;
  }
}

void bounds(int n, const int *p, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  int a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5];
  for (int i = 0; i < n; i++) {
    int to = MIN(MIN(MIN(n, a + i), MIN(b + 2 * i, c)), MIN(MIN(d + 3 * i, e - i), f + i));
    int from = MAX(MAX(MAX(0, i - b), MAX(i - c, a - 2 * i)), MAX(d - 3 * i, e - 4 * i));
    for (int j = from; j < to; j++) {
      A[i][j] += B[j][i];
      B[i][j] += 0.5 * A[i][j];
    }
    for (int j = 0; j < n; j++)
      A[i][j] = 0.25 * A[i][j] + 1.0;
  }
}

void conditions(int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
#define IF(a, b, c) if (a * i + b * j < c) A[i][j] += B[j][i] * c;
#define FOUR(c) IF(1, 1, c) IF(2, -1, c + 1) IF(3, 1, c + 2) IF(1, -2, c + 3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      FOUR(1) FOUR(7) FOUR(13) FOUR(19) FOUR(25) FOUR(31) FOUR(37) FOUR(43) FOUR(49) FOUR(55)
    }
}

int main(void) {
  double(*m)[40] = allocate(sizeof(double) * 40 * 40);
  double *u = allocate(sizeof(double) * DIM(N * N));
  int *t = allocate(sizeof(int) * 4096);
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int p[6] = {N / 2, N / 3, N - 2, N / 4, N + 5, N / 5};
  fill(u, DIM(N * N), 1);
  fill(A, (size_t)DIM(N) * DIM(N), 2);
  fill(B, (size_t)DIM(N) * DIM(N), 3);
  TIMED(1, quotients(N * N, m, u));
  TIMED(1, chain(N * N, t));
  TIMED(1, bounds(N, p, A, B));
  TIMED(1, conditions(N, A, B));
  digest(m, sizeof(double) * 40 * 40);
  digest(t, sizeof(int) * 4096);
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
