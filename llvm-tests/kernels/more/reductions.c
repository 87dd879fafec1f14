/* Reductions: integer + * & | ^ min max, counts, floating-point sums whose order is fixed, minima with their place. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1000)
#endif

void whole_table(int n, const int A[DIM(N)][DIM(N)], long *results) {
  long sum = 0;
  unsigned product = 1;
  int least = 1 << 30, most = -1, all = -1, any = 0, odd = 0, count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum += A[i][j];
      product *= (unsigned)A[i][j] | 1u;
      least = A[i][j] < least ? A[i][j] : least;
      if (A[i][j] > most)
        most = A[i][j];
      all &= A[i][j] | 3;
      any |= A[i][j];
      odd ^= A[i][j];
      count += A[i][j] > 500;
    }
  results[0] += sum;
  results[1] += product;
  results[2] += least + 3L * most + 5L * all + 7L * any + 11L * odd + 13L * count;
}

long dot(int n, const int *restrict a, const int *restrict b) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += (long)a[i] * b[i];
  return sum;
}

void column_sums(int n, const int A[DIM(N)][DIM(N)], int *restrict sum) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum[j] += A[i][j];
}

double strict_sum(int n, double A[DIM(N)][DIM(N)]) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += A[i][j];
  return sum;
}

int place_of_least(int n, const double *a) {
  int place = 0;
  for (int i = 1; i < n; i++)
    if (a[i] < a[place])
      place = i;
  return place;
}

double largest(int n, const double *a) {
  double most = 0.0;
  for (int i = 0; i < n; i++)
    if (a[i] > most)
      most = a[i];
  return most;
}

int main(void) {
  double(*D)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int(*A)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  int *sum = allocate(sizeof(int) * DIM(N));
  long results[5] = {0, 0, 0, 0, 0};
  double reals[2] = {0, 0};
  fill(D, (size_t)DIM(N) * DIM(N), 1);
  fill_int(A, (size_t)DIM(N) * DIM(N), 2, 1000);
  TIMED(3, whole_table(N, (void *)A, results));
  TIMED(3, results[3] += dot(N * N, A[0], A[0]));
  TIMED(3, column_sums(N, (void *)A, sum));
  TIMED(3, reals[0] += strict_sum(N, D));
  TIMED(3, results[4] += place_of_least(N * N, D[0]));
  TIMED(3, reals[1] += largest(N * N, D[0]));
  digest(results, sizeof results);
  digest(reals, sizeof reals);
  digest(sum, sizeof(int) * DIM(N));
  return finish();
}
