/* Loops that run until a value says stop, each inside a loop of independent iterations. Tests: 001 while */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void mandelbrot(int n, int most, int (*restrict steps)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = 3.0 * j / n - 2.0, b = 2.0 * i / n - 1.0, x = 0.0, y = 0.0;
      int k = 0;
      while (k < most && x * x + y * y <= 4.0) {
        double next = x * x - y * y + a;
        y = 2.0 * x * y + b;
        x = next;
        k++;
      }
      steps[i][j] = k;
    }
}

void newton(int n, const double *restrict a, double *restrict root) {
  for (int i = 0; i < n; i++) {
    double x = a[i] > 1.0 ? a[i] : 1.0, last;
    do {
      last = x;
      x = 0.5 * (x + a[i] / x);
    } while (x < last);
    root[i] = x;
  }
}

void divisors(int n, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict c) {
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i];
    while (y != 0) {
      unsigned rest = x % y;
      x = y;
      y = rest;
    }
    c[i] = x;
  }
}

void bits(int n, const unsigned *restrict a, unsigned char *restrict ones) {
  for (int i = 0; i < n; i++) {
    unsigned char count = 0;
    for (unsigned x = a[i]; x; x &= x - 1)
      count++;
    ones[i] = count;
  }
}

int main(void) {
  int(*steps)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  double *a = allocate(sizeof(double) * DIM(N)), *root = allocate(sizeof(double) * DIM(N));
  unsigned *x = allocate(sizeof(int) * DIM(N)), *y = allocate(sizeof(int) * DIM(N)), *z = allocate(sizeof(int) * DIM(N));
  unsigned char *ones = allocate(DIM(N));
  fill(a, DIM(N), 1);
  fill_int(x, DIM(N), 2, 100000);
  fill_int(y, DIM(N), 3, 100000);
  TIMED(1, mandelbrot(N, 100, steps));
  TIMED(50, newton(N, a, root));
  TIMED(50, divisors(N, x, y, z));
  TIMED(50, bits(N, x, ones));
  digest(steps, sizeof(int) * DIM(N) * DIM(N));
  digest(root, sizeof(double) * DIM(N));
  digest(z, sizeof(int) * DIM(N));
  digest(ones, DIM(N));
  return finish();
}
