/* Conditions on data inside conditions on counters inside conditions on data, with loops between them. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(700)
#endif

void thresholds(int n, const double (*restrict A)[DIM(N)], double low, double high, int (*restrict kind)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int k = 0;
      if (A[i][j] > low) {
        k = 1;
        if (j > i && A[i][j] > high)
          k = 2;
        else if (i % 2 == 0 && A[j][i] > A[i][j])
          k = 3;
      } else if (i == j)
        k = 4;
      kind[i][j] = k;
    }
}

void relax(int n, const int *restrict active, double (*restrict A)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    if (active[i]) {
      for (int j = 1; j < n - 1; j++)
        if (A[i][j] > 0.5)
          A[i][j] = 0.5 * (A[i][j - 1] + A[i][j + 1]);
      if (active[i] > 1)
        for (int j = 0; j < n; j++)
          A[i][j] += 0.125;
    }
}

void maxima(int n, const double (*restrict A)[DIM(N)], unsigned char (*restrict is)[DIM(N)]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      is[i][j] = 1;
      for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
          if ((a || b) && A[i + a][j + b] >= A[i][j])
            is[i][j] = 0;
    }
}

void floods(int n, const double (*restrict A)[DIM(N)], int (*restrict label)[DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (A[i][j] < 0.5)
        label[i][j] = 0;
      else if (i > 0 && label[i - 1][j])
        label[i][j] = label[i - 1][j];
      else if (j > 0 && label[i][j - 1])
        label[i][j] = label[i][j - 1];
      else
        label[i][j] = i * n + j + 1;
    }
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int(*kind)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N)), (*label)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  unsigned char(*is)[DIM(N)] = allocate((size_t)DIM(N) * DIM(N));
  int *active = allocate(sizeof(int) * DIM(N));
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill_int(active, DIM(N), 2, 3);
  TIMED(2, thresholds(N, (const double(*)[DIM(N)])A, 0.3, 0.8, kind));
  TIMED(2, relax(N, active, A));
  TIMED(2, maxima(N, (const double(*)[DIM(N)])A, is));
  TIMED(2, floods(N, (const double(*)[DIM(N)])A, label));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(kind, sizeof(int) * DIM(N) * DIM(N));
  digest(label, sizeof(int) * DIM(N) * DIM(N));
  digest(is, (size_t)DIM(N) * DIM(N));
  return finish();
}
