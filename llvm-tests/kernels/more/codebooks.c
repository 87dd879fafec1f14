/* Accesses of one array from scopes that differ in what data decides: vectors of a codebook are unpacked, all of them or those that a sparse map
   has, and boxes of a grid, each with limits of its own, are put into one matrix. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(150)
#endif
#define DIMENSIONS 4

typedef struct {
  int entries, quantvals, type, sequential;
  float least, delta;
  const unsigned short *multiplicands;
  const unsigned char *lengths;
} book;

__attribute__((noinline)) static int unpack(const book *b, const int *map, float *out) {
  int count = 0;
  for (int j = 0; j < b->entries; j++) {
    if ((map && b->lengths[j]) || !map) {
      float last = 0;
      int divisor = 1;
      for (int k = 0; k < DIMENSIONS; k++) {
        int index = b->type == 1 ? j / divisor % b->quantvals : j * DIMENSIONS + k;
        float value = b->multiplicands[index];
        value = (value < 0 ? -value : value) * b->delta + b->least + last;
        if (b->sequential)
          last = value;
        if (map)
          out[map[count] * DIMENSIONS + k] = value;
        else
          out[count * DIMENSIONS + k] = value;
        divisor *= b->quantvals;
      }
      count++;
    }
  }
  return count;
}

__attribute__((noinline)) static void columns(int n, int m, double X[restrict DIM(N)][DIM(N)], double Y[restrict DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (X[i][i] > 0.5)
        for (int k = 0; k < m; k++)
          Y[k][i] = Y[j][j] + X[i][k];
      Y[i][j] = X[i][i] * 0.5 + Y[i][i];
    }
}

__attribute__((noinline)) static void boxes(int m, const int *restrict low, const int *restrict high, const int *kind,
                                            double (*restrict Y)[DIM(N)], double *restrict x) {
  for (int b = 0; b < m; b++)
    for (int k = low[b]; k < high[b]; k++) {
      for (int j = low[b]; j < high[b]; j++)
        if (kind[k] == 0)
          Y[k][j] = x[j] * 2;
        else
          Y[k][k] += Y[j][k];
      Y[k][b] = Y[k][k] * x[b];
    }
}

int main(void) {
  unsigned short *multiplicands = allocate(sizeof(unsigned short) * DIM(N) * DIMENSIONS);
  unsigned char *lengths = allocate(DIM(N));
  int *map = allocate(sizeof(int) * DIM(N)), *kind = allocate(sizeof(int) * DIM(N));
  int *low = allocate(sizeof(int) * DIM(N)), *high = allocate(sizeof(int) * DIM(N));
  float *out = allocate(sizeof(float) * DIM(N) * DIMENSIONS);
  double(*X)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*Y)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  fill(X, (size_t)DIM(N) * DIM(N), 1);
  fill_int(kind, N, 5, 3);
  for (int i = 0; i < N * DIMENSIONS; i++)
    multiplicands[i] = scatter(i, 2) % 255;
  for (int i = 0; i < N; i++) {
    lengths[i] = scatter(i, 3) % 3;
    map[i] = N - 1 - i;
    low[i] = i;
    high[i] = i + 3 < N ? i + 3 : N;
  }
  for (int type = 1; type <= 2; type++)
    for (int sparse = 0; sparse < 2; sparse++) {
      book b = {N, 3, type, sparse, 0.25f, 0.5f, multiplicands, lengths};
      int count;
      TIMED(1, count = unpack(&b, sparse ? map : NULL, out));
      digest(out, sizeof(float) * DIM(N) * DIMENSIONS);
      digest(&count, sizeof count);
    }
  TIMED(1, columns(N, N / 2, X, Y));
  digest(Y, sizeof(double) * DIM(N) * DIM(N));
  TIMED(1, boxes(N, low, high, kind, Y, X[0]));
  digest(Y, sizeof(double) * DIM(N) * DIM(N));
  return finish();
}
