/* Recursive functions with loops, and helpers with arrays on the stack: the helpers' stack is needed while they run, not once for each level of the
   recursion; and of two arrays that do not live at the same time both have the same place. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(8000)
#endif
#define ROOM 1500

__attribute__((noinline)) static void put(double *t, double x) {
  t[(int)(x * 100) % ROOM] = x;
  t[ROOM - 1] += x;
}

static double helper(double x) {
  double t[ROOM];
  t[ROOM - 1] = 1;
  put(t, x);
  return t[ROOM - 1] + x;
}

__attribute__((noinline)) double walk(int depth, int n, double *restrict y) {
  if (depth <= 0)
    return 0;
  for (int i = 0; i < n; i++)
    y[i] = y[i] * 0.5 + depth;
  double deeper = walk(depth - 1, n, y);
  return deeper * 0.5 + helper(y[depth % n]) + helper(deeper);
}

__attribute__((noinline)) double one_or_the_other(int depth, int n, const double *restrict y) {
  double sum = 0;
  if (depth <= 0)
    return 0;
  if (depth % 3 == 0) {
    double t[12];
    for (int i = 0; i < 12; i++)
      t[i] = y[i % n] + depth;
    for (int i = 0; i < 12; i++)
      sum += t[11 - i] * y[i % n];
  } else {
    double u[14];
    for (int i = 0; i < 14; i++)
      u[i] = y[i % n] - depth;
    for (int i = 0; i < 14; i++)
      sum += u[13 - i] * y[i % n];
  }
  return sum + 0.5 * one_or_the_other(depth - 1, n, y);
}

int main(void) {
  int n = 16;
  double *y = allocate(sizeof(double) * n);
  double found[2] = {0};
  fill(y, n, 1);
  TIMED(2, found[0] += walk(N, n, y));
  TIMED(2, found[1] += one_or_the_other(N, n, y));
  digest(y, sizeof(double) * n);
  digest(found, sizeof found);
  return finish();
}
