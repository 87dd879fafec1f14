/* Loops that are left where data says so, at several places, from inside of inner loops, with work before and behind the exit, of elements of several types;
   forwards, backwards and by a list: the exit is found first. Tests: 001 while */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

int checked(int n, const double *restrict x, double (*restrict a)[DIM(N)], double (*restrict b)[DIM(N)]) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0.05)
      return -i - 1;
    for (int j = 0; j < n; j++)
      a[j][i] = b[j][i] * x[i] + a[j][i] / (x[i] + 1.0);
  }
  return n;
}

/* What the row is checked for is read by an inner loop, whose exit leaves both. */
int rows(int n, const double (*restrict x)[DIM(N)], double (*restrict a)[DIM(N)], double (*restrict b)[DIM(N)], double limit) {
  int i = 0;
  for (; i < n; i++) {
    for (int k = 0; k < 3 && k < n; k++)
      if (x[i][k] > limit)
        goto bad;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[j][k] += b[k][j] * x[i][k];
  }
  return n + 1;
bad:
  b[0][0] += i;
  return i;
}

/* A sum decides, in the middle; the order of what comes before and behind is kept. */
double budget(int n, int most, const int *restrict cost, double *restrict u, double *restrict v) {
  long spent = 0;
  double last = 0.5;
  int i;
  for (i = n - 1; i >= 0; i--) {
    u[i] = last / (u[i] + 2.0) + 1.0 / (u[i] + 3.0);
    spent += cost[i];
    if (spent > most)
      break;
    v[i] = u[i] / 3.0 + v[i] / (u[i] * u[i] + 1.0);
    last = v[i] * 0.25;
  }
  return i + last + (double)spent;
}

/* Without a number of iterations at all, and with two things to find. */
unsigned ended(const unsigned char *restrict code, const float *restrict f, float *restrict g, unsigned stop) {
  unsigned at = 0;
  for (;; at++) {
    if (code[at] == 0)
      return at;
    g[at] = (f[at] + 1.0f) / (f[at] * f[at] + 2.0f) + 1.0f / (f[at] + 4.0f);
    if (code[at] == stop)
      return at + 100000;
  }
}

/* It may be that 'c' is what is asked. */
int perhaps_same(int n, const double *a, double *c) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 0.999)
      return i;
    c[i] = (a[i] * 2.0 + 1.0) / (c[i] + 1.0) + c[i] / (a[i] + 2.0) / 3.0;
  }
  return -1;
}

int main(void) {
  double(*a)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N)), (*b)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*x)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *u = allocate(sizeof(double) * 2 * DIM(N)), *v = allocate(sizeof(double) * 2 * DIM(N)), found[12];
  float *f = allocate(sizeof(float) * DIM(N)), *g = allocate(sizeof(float) * DIM(N));
  int *cost = allocate(sizeof(int) * DIM(N));
  unsigned char *code = allocate(DIM(N) + 1);
  fill(a, (size_t)DIM(N) * DIM(N), 1);
  fill(b, (size_t)DIM(N) * DIM(N), 2);
  fill(x, (size_t)DIM(N) * DIM(N), 3);
  fill(u, 2 * DIM(N), 4);
  fill(v, 2 * DIM(N), 5);
  for (int i = 0; i < N; i++) {
    f[i] = (float)fraction(i, 6);
    cost[i] = (int)(scatter(i, 7) % 10);
    code[i] = (unsigned char)(scatter(i, 8) % 200 + 1);
  }
  double *ok = allocate(sizeof(double) * DIM(N));
  for (int i = 0; i < N; i++)
    ok[i] = 0.1 + fraction(i, 9);
  TIMED(1, found[0] = checked(N, ok, a, b));
  TIMED(1, found[1] = checked(N, x[0], a, b));
  TIMED(1, found[2] = rows(N, x, a, b, 2.0));
  TIMED(1, found[3] = rows(N, x, a, b, 0.97));
  TIMED(4, found[4] = budget(N, 10 * N, cost, u, v));
  TIMED(4, found[5] = budget(N, 3 * N, cost, u, v));
  TIMED(4, found[6] = budget(N, -1, cost, u, v));
  TIMED(4, found[7] = ended(code, f, g, 1000));
  TIMED(4, found[8] = ended(code, f, g, 17));
  TIMED(4, found[9] = perhaps_same(N, u, v));
  TIMED(4, found[10] = perhaps_same(N, u, u));
  TIMED(4, found[11] = perhaps_same(N, u, u + (N + 1) / 2));
  digest(a, sizeof(double) * DIM(N) * DIM(N));
  digest(b, sizeof(double) * DIM(N) * DIM(N));
  digest(u, sizeof(double) * 2 * DIM(N));
  digest(v, sizeof(double) * 2 * DIM(N));
  digest(g, sizeof(float) * DIM(N));
  digest(found, sizeof found);
  return finish();
}
