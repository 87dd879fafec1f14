/* Overlapping pointers: nothing says that the arrays differ, and in most of these calls they do not.
   What the loops compute then depends on the order of every single store. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void copy_scaled(int n, double *to, double *from) {
  for (int i = 0; i < n; i++)
    to[i] = 0.5 * from[i] + 1.0;
}

void smooth(int n, double *out, double *in) {
  for (int i = 1; i < n - 1; i++)
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0;
}

void product(int n, double *C, double *A, double *B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i * n + j] = 0.0;
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j] / (n + 1.0);
    }
}

void sweep(int steps, int n, double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.25 * (A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.25 * (B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j]);
  }
}

void add_rows(int n, double *sum, double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum[j] = 0.5 * sum[j] + A[i][j];
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  double *pool = allocate(sizeof(double) * (4 * cells + 64));
  double *middle = pool + cells + 16;
  const int offsets[] = {-9, -2, -1, 0, 1, 2, 3, 8, 17};
  fill(pool, 4 * cells + 64, 1);
  double started = now();
  for (unsigned o = 0; o < sizeof offsets / sizeof *offsets; o++) {
    int shift = offsets[o] > N ? N : offsets[o] < -N ? -N : offsets[o];
    copy_scaled(N, middle + shift, middle);
    smooth(N, middle, middle + shift);
    add_rows(N, middle + shift, (void *)middle);
    add_rows(N, middle + (N > 0 ? (N / 2) * N : 0) + shift, (void *)middle);
    sweep(3, N, (void *)middle, (void *)(middle + shift));
    digest(pool, sizeof(double) * (4 * cells + 64));
  }
  product(N, middle, middle, middle + cells);
  product(N, middle + 3, middle, middle);
  product(N, middle, middle + N, middle + cells / 2);
  product(N, middle, middle + cells, middle + cells);
  sweep(2, N, (void *)middle, (void *)(middle + cells));
  elapsed = now() - started;
  digest(pool, sizeof(double) * (4 * cells + 64));
  return finish();
}
