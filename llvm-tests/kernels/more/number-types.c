/* Element types: float, int, short, bytes, 64-bit; sums that wrap; float and double in one expression. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

void float_gemm(int n, float C[DIM(N)][DIM(N)], float A[DIM(N)][DIM(N)], float B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

void int_gemm(int n, unsigned C[DIM(N)][DIM(N)], const int A[DIM(N)][DIM(N)], const int B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned sum = 0;
      for (int k = 0; k < n; k++)
        sum += (unsigned)A[i][k] * (unsigned)B[k][j];
      C[i][j] = sum;
    }
}

void byte_gemm(int n, int *restrict C, const signed char *restrict A, const signed char *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i * n + j] = 0;
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[j * n + k];
    }
}

void grey(int n, unsigned char *out, const unsigned char *image) {
  for (int i = 0; i < n; i++)
    out[i] = (unsigned char)((image[3 * i] * 77 + image[3 * i + 1] * 151 + image[3 * i + 2] * 28) >> 8);
}

void shorts(int n, short *a, const short *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      a[i] = (short)(a[i] * 3 + b[(i + j) % n]);
}

void mixed(int n, float *f, double *d, const int *w) {
  for (int i = 0; i < n; i++) {
    f[i] = (float)(d[i] * 0.5) + f[i] * 1.5f;
    d[i] += (double)f[i] / (1.0 + w[i]);
  }
}

void wide(int n, unsigned long long *a) {
  for (int t = 0; t < 10; t++)
    for (int i = 1; i < n; i++)
      a[i] = a[i] * 6364136223846793005ull + (a[i - 1] >> 7);
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  float *F[3];
  int *W[3];
  for (int m = 0; m < 3; m++) {
    F[m] = allocate(sizeof(float) * cells);
    W[m] = allocate(sizeof(int) * cells);
    fill_float(F[m], cells, m);
    fill_int(W[m], cells, m, 1u << 30);
  }
  double *d = allocate(sizeof(double) * DIM(N));
  int *C = allocate(sizeof(int) * cells);
  unsigned long long *wides = allocate(sizeof(unsigned long long) * DIM(N));
  short *low = allocate(sizeof(short) * DIM(N));
  short *high = allocate(sizeof(short) * DIM(N));
  fill(d, DIM(N), 5);
  TIMED(1, float_gemm(N, (void *)F[0], (void *)F[1], (void *)F[2]));
  TIMED(1, byte_gemm(N, C, (signed char *)W[0], (signed char *)W[1]));
  TIMED(1, mixed(N, F[1], d, W[1]));
  TIMED(1, grey(N, (unsigned char *)W[2], (unsigned char *)W[1]));
  for (int i = 0; i < N; i++) {
    low[i] = (short)(scatter(i, 6) % 30000);
    high[i] = (short)(scatter(i, 7) % 30000);
    wides[i] = scatter(i, 8);
  }
  TIMED(1, shorts(N, low, high));
  TIMED(1, int_gemm(N, (void *)W[0], (void *)W[1], (void *)W[2]));
  TIMED(1, wide(N, wides));
  digest(F[0], sizeof(float) * cells);
  digest(F[1], sizeof(float) * cells);
  digest(W[0], sizeof(int) * cells);
  digest(W[2], sizeof(int) * cells);
  digest(C, sizeof(int) * cells);
  digest(d, sizeof(double) * DIM(N));
  digest(wides, sizeof(unsigned long long) * DIM(N));
  digest(low, sizeof(short) * DIM(N));
  return finish();
}
