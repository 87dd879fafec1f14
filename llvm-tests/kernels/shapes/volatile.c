/* Volatile: every access happens, in order, as often as it is written. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void port(int n, volatile int *port, const int *words) {
  for (int i = 0; i < n; i++)
    *port = words[i];
}

int poll(int n, volatile int *status, int *seen) {
  int changes = 0;
  for (int i = 0; i < n; i++) {
    *status = *status * 5 % 1009 + 1;
    seen[i] = *status;
    changes += *status > 500;
  }
  return changes;
}

void grid(int n, volatile double A[DIM(N)][DIM(N)], double B[DIM(N)][DIM(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = B[i][j] * 0.5;
      B[j][i] = A[i][j] + 1.0;
    }
}

void bounded(volatile int *limit, int *a) {
  for (int i = 0; i < *limit; i++)
    a[i] += i;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double(*B)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int *words = allocate(sizeof(int) * DIM(N));
  int *seen = allocate(sizeof(int) * DIM(N));
  volatile int reg = 7, limit = N;
  int results[2];
  fill(B, (size_t)DIM(N) * DIM(N), 1);
  fill_int(words, DIM(N), 2, 1000);
  TIMED(1, port(N, &reg, words));
  TIMED(1, results[0] = poll(N, &reg, seen));
  TIMED(1, grid(N, A, B));
  TIMED(1, bounded(&limit, seen));
  results[1] = reg;
  digest((void *)A, sizeof(double) * DIM(N) * DIM(N));
  digest(B, sizeof(double) * DIM(N) * DIM(N));
  digest(seen, sizeof(int) * DIM(N));
  digest(results, sizeof results);
  return finish();
}
