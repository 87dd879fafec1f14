/* Reads at places that data gives: look-up tables, interpolation, two levels of indices, in place. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(50000)
#endif
static unsigned char table[256];

void look_up(int n, unsigned char *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] = table[a[i]];
}

void interpolate(int n, int m, const double *restrict x, const double *restrict f, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double place = x[i] * (m - 1);
    int k = (int)place;
    if (k > m - 2)
      k = m - 2;
    y[i] = f[k] + (place - k) * (f[k + 1] - f[k]);
  }
}

void two_levels(int n, const int *restrict p, const int *restrict q, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[p[q[i]]] - x[q[p[i]]];
}

void from_itself(int n, const int *restrict p, double *restrict x) {
  for (int i = 0; i < n; i++)
    x[i] = 0.5 * (x[i] + x[p[i]]);
}

void cells(int n, const int (*restrict corner)[4], const double *restrict x, double *restrict area) {
  for (int c = 0; c < n; c++) {
    double s = 0.0;
    for (int k = 0; k < 4; k++)
      s += x[corner[c][k]] * x[corner[c][(k + 1) & 3]];
    area[c] = s;
  }
}

int main(void) {
  unsigned char *a = allocate(DIM(N));
  int *p = allocate(sizeof(int) * DIM(N)), *q = allocate(sizeof(int) * DIM(N)), (*corner)[4] = allocate(sizeof(int) * DIM(N) * 4);
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N)), *z = allocate(sizeof(double) * DIM(N));
  double *area = allocate(sizeof(double) * DIM(N)), f[100];
  for (int i = 0; i < 256; i++)
    table[i] = (unsigned char)scatter((size_t)i, 1);
  fill_int(p, DIM(N), 2, DIM(N));
  fill_int(q, DIM(N), 3, DIM(N));
  fill_int(corner, (size_t)DIM(N) * 4, 4, DIM(N));
  fill(x, DIM(N), 5);
  fill(f, 100, 6);
  TIMED(4, look_up(N, a));
  TIMED(4, interpolate(N, 100, x, f, y));
  TIMED(4, two_levels(N, p, q, x, z));
  TIMED(4, from_itself(N, p, x));
  TIMED(4, cells(N, (const int(*)[4])corner, x, area));
  digest(a, DIM(N));
  digest(x, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  digest(z, sizeof(double) * DIM(N));
  digest(area, sizeof(double) * DIM(N));
  return finish();
}
