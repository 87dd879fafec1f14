/* Loop-carried scalar: a local variable takes a value from one iteration to the next, or out of the loop. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

double recurrence(int n, const double *a, double *out) {
  double x = 1.0;
  for (int i = 0; i < n; i++) {
    x = 0.75 * x + a[i];
    out[i] = x;
  }
  return x;
}

double through_the_nest(int n, double A[DIM(N)][DIM(N)]) {
  double carry = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double old = A[i][j];
      A[i][j] = 0.5 * (old + carry);
      carry = old;
    }
  return carry;
}

int last_large(int n, const double *a, double *previous) {
  int last = -1;
  double before = 0.0;
  for (int i = 0; i < n; i++) {
    if (a[i] > 0.5)
      last = i;
    previous[i] = before;
    before = a[i] > 0.25 ? a[i] : before;
  }
  return last;
}

void fibonacci(int n, unsigned *f) {
  unsigned a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    unsigned c = a + b;
    f[i] = a;
    a = b;
    b = c;
  }
}

int position(int n, int m, int *trace) {
  int p = 3;
  for (int i = 0; i < n; i++) {
    for (int j = i; j < m; j++)
      trace[j] = p + j;
    p += 2;
  }
  return p;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N));
  double *out = allocate(sizeof(double) * DIM(N));
  unsigned *f = allocate(sizeof(unsigned) * DIM(N));
  int *trace = allocate(sizeof(int) * DIM(N));
  double ends[2] = {0, 0};
  int places[2] = {0, 0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(a, DIM(N), 2);
  TIMED(1, ends[0] = recurrence(N, a, out));
  digest(out, sizeof(double) * DIM(N));
  TIMED(1, ends[1] = through_the_nest(N, A));
  TIMED(1, places[0] = last_large(N, a, out));
  TIMED(1, fibonacci(N, f));
  TIMED(1, places[1] = position(N, N, trace));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(out, sizeof(double) * DIM(N));
  digest(f, sizeof(unsigned) * DIM(N));
  digest(trace, sizeof(int) * DIM(N));
  digest(ends, sizeof ends);
  digest(places, sizeof places);
  return finish();
}
