/* Convolutions: a line with a short filter, an image with a 5 x 5 filter, several channels, and a box blur. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif
#define TAPS 9
#define BOX 5
#define CHANNELS 4

void line(int n, int taps, double *restrict out, const double *restrict in, const double *restrict filter) {
  for (int i = 0; i < n - taps + 1; i++) {
    out[i] = 0.0;
    for (int k = 0; k < taps; k++)
      out[i] += in[i + k] * filter[k];
  }
}

void image(int n, double out[DIM(N)][DIM(N)], double in[DIM(N)][DIM(N)], double filter[BOX][BOX]) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++) {
      double sum = 0.0;
      for (int p = -2; p <= 2; p++)
        for (int q = -2; q <= 2; q++)
          sum += in[i + p][j + q] * filter[p + 2][q + 2];
      out[i][j] = sum;
    }
}

void channels(int n, float out[CHANNELS][DIM(N)][DIM(N)], float in[CHANNELS][DIM(N)][DIM(N)],
              float weights[CHANNELS][CHANNELS][3][3]) {
  for (int o = 0; o < CHANNELS; o++)
    for (int i = 0; i < n - 2; i++)
      for (int j = 0; j < n - 2; j++)
        for (int c = 0; c < CHANNELS; c++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              out[o][i][j] += in[c][i + p][j + q] * weights[o][c][p][q];
}

void box_blur(int n, double tmp[DIM(N)][DIM(N)], double A[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n - 1; j++)
      tmp[i][j] = (A[i][j - 1] + A[i][j] + A[i][j + 1]) / 3.0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      A[i][j] = (tmp[i - 1][j] + tmp[i][j] + tmp[i + 1][j]) / 3.0;
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  double(*A)[DIM(N)] = allocate(sizeof(double) * cells);
  double(*B)[DIM(N)] = allocate(sizeof(double) * cells);
  double *filter = allocate(sizeof(double) * BOX * BOX);
  float(*in)[DIM(N)][DIM(N)] = allocate(sizeof(float) * CHANNELS * cells);
  float(*out)[DIM(N)][DIM(N)] = allocate(sizeof(float) * CHANNELS * cells);
  float *weights = allocate(sizeof(float) * CHANNELS * CHANNELS * 9);
  fill(A, cells, 1);
  fill(filter, BOX * BOX, 2);
  fill_float(in, CHANNELS * cells, 3);
  fill_float(weights, CHANNELS * CHANNELS * 9, 4);
  TIMED(1, line(N * N, TAPS, B[0], A[0], filter));
  digest(B, sizeof(double) * cells);
  TIMED(1, image(N, B, A, (void *)filter));
  TIMED(1, channels(N, out, in, (void *)weights));
  digest(B, sizeof(double) * cells);
  TIMED(1, box_blur(N, B, A));
  digest(A, sizeof(double) * cells);
  digest(out, sizeof(float) * CHANNELS * cells);
  return finish();
}
