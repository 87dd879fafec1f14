/* Loops that run until a sum or a difference is small: the nests in one step are rewritten, step after step. Tests: 001 while */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(200)
#endif

int jacobi(int n, double (*restrict a)[DIM(N)], double (*restrict b)[DIM(N)], double eps) {
  double change = 1.0;
  int steps = 0;
  while (change > eps) {
    change = 0.0;
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++) {
        double d = fabs(b[i][j] - a[i][j]);
        if (d > change)
          change = d;
      }
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        a[i][j] = b[i][j];
    steps++;
  }
  return steps;
}

int squares(int n, double (*restrict a)[DIM(N)], const double *restrict x, double eps, int most) {
  int steps = 0;
  double sum;
  do {
    sum = 0.0;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i][j] *= x[i];
    for (int i = 0; i < n; i++)
      sum += a[i][i] * a[i][i];
    if (++steps > most)
      return -steps;
  } while (sum > eps);
  return steps;
}

/* Several ways out, between nests. */
int stages(int n, int most, double (*restrict a)[DIM(N)], const int *restrict code) {
  for (int t = 0;; t++) {
    if (code[t] < 0)
      return t;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i][j] += code[t];
    if (code[t] > 2 || t >= most)
      break;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i][j] *= 0.5;
  }
  a[0][0] += 1.0;
  return -1;
}

struct part {
  struct part *next;
  double weight;
};

void listed(int n, const struct part *part, double (*restrict a)[DIM(N)]) {
  while (part) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i][j] = 0.5 * a[i][j] + part->weight * i;
    part = part->next;
  }
}

int main(void) {
  double(*a)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N)), (*b)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  struct part parts[3] = {{parts + 1, 0.5}, {parts + 2, 0.25}, {NULL, 2.0}};
  int code[] = {1, 2, 0, 3, 1, -1}, found[6];
  fill(a, (size_t)DIM(N) * DIM(N), 1);
  fill(x, DIM(N), 2);
  TIMED(1, found[0] = jacobi(N, a, b, 1e-3));
  TIMED(1, found[1] = squares(N, a, x, 1e-4, 50));
  TIMED(1, found[2] = squares(N, a, x, -1.0, 10));
  TIMED(4, found[3] = stages(N, 10, a, code));
  TIMED(4, found[4] = stages(N, 10, a, code + 4));
  TIMED(4, found[5] = stages(N, 1, a, code));
  TIMED(4, listed(N, parts, a));
  digest(a, sizeof(double) * DIM(N) * DIM(N));
  digest(b, sizeof(double) * DIM(N) * DIM(N));
  digest(found, sizeof found);
  return finish();
}
