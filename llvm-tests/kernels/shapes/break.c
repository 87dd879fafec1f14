/* break, continue, return and goto out of a nest: how far a loop goes is decided by what it reads. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

int find(int n, const int *a, int wanted, int *trail) {
  int i;
  for (i = 0; i < n; i++) {
    if (a[i] == wanted)
      break;
    trail[i] = a[i] + 1;
  }
  return i;
}

int find_in_matrix(int n, int A[DIM(N)][DIM(N)], int wanted) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (A[i][j] == wanted)
        return i * n + j;
  return -1;
}

void until_negative(int n, double A[DIM(N)][DIM(N)], double *sum) {
  for (int i = 0; i < n; i++) {
    sum[i] = 0.0;
    for (int j = 0; j < n; j++) {
      if (A[i][j] < 0.0)
        break;
      sum[i] += A[i][j];
      A[i][j] = sum[i];
    }
  }
}

void skip_small(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.25)
      continue;
    b[i] = a[i] * 2.0;
    if (a[i] > 0.995)
      goto done;
    a[i] = b[i] + 1.0;
  }
done:
  if (n > 0)
    b[0] += 1.0;
}

size_t length(const char *text) {
  size_t n = 0;
  while (text[n] != '\0')
    n++;
  return n;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int(*whole)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  double *sum = allocate(sizeof(double) * DIM(N));
  int *trail = allocate(sizeof(int) * DIM(N));
  char *text = allocate(DIM(N));
  long results[8] = {0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill_int(whole, (size_t)DIM(N) * DIM(N), 2, 1000000);
  for (int i = 0; i < N; i++) {
    A[i][scatter(i, 3) % DIM(N)] = -1.0;
    text[i] = i + 1 < N ? 'a' : '\0';
  }
  if (N > 0) {
    TIMED(1, results[0] = find(N, whole[N / 2], whole[N / 2][N - 1], trail));
    TIMED(1, results[1] = find(N, whole[N / 3], whole[N / 3][N / 2], trail));
    TIMED(1, results[2] = find_in_matrix(N, whole, whole[N - 1][N / 2]));
  }
  TIMED(1, results[3] = find(N, whole[0], -5, trail));
  TIMED(1, results[4] = find_in_matrix(N, whole, -7));
  TIMED(1, until_negative(N, A, sum));
  TIMED(1, skip_small(N, A[0], sum));
  TIMED(1, results[5] = (long)length(text));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(sum, sizeof(double) * DIM(N));
  digest(trail, sizeof(int) * DIM(N));
  digest(results, sizeof results);
  return finish();
}
