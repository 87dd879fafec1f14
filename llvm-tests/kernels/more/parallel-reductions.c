/* Reductions that loops carry: in a scalar, in memory, over arrays, several at a time, with every operator on integers. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1200)
#endif

long sum_of_table(int n, int m, const int A[DIM(N)][DIM(N)]) {
  long sum = 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += A[i][j];
  return sum;
}

void all_operators(int n, const int A[DIM(N)][DIM(N)], long *results) {
  unsigned product = 3, least_unsigned = ~0u, most_unsigned = 0;
  int least = 1 << 30, most = -1, all = -1, any = 0, odd = 0, count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int a = A[i][j];
      unsigned u = (unsigned)a * 40503u;
      product *= u | 1u;
      least_unsigned = u < least_unsigned ? u : least_unsigned;
      most_unsigned = u > most_unsigned ? u : most_unsigned;
      least = a < least ? a : least;
      if (a > most)
        most = a;
      all &= a | 3;
      any |= a;
      odd ^= a;
      count += a > 500;
    }
  results[0] = product;
  results[1] = least_unsigned;
  results[2] = most_unsigned;
  results[3] = least;
  results[4] = most;
  results[5] = all;
  results[6] = any;
  results[7] = odd;
  results[8] = count;
}

void into_memory(int n, const int A[DIM(N)][DIM(N)], long *restrict total) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      total[0] += (long)A[i][j] * (i - j);
}

int difference(int n, const int *restrict a, const int *restrict b) {
  int rest = 1 << 20;
  for (int i = 0; i < n; i++)
    rest = rest - a[i] + b[i];
  return rest;
}

void columns(int n, const int A[DIM(N)][DIM(N)], int *restrict sum, int *restrict most) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum[j] += A[i][j];
      most[j] = A[i][j] > most[j] ? A[i][j] : most[j];
    }
}

/* The elements overlap from one iteration to the next: only the whole window is a reduction. */
void windows(int n, const int *restrict a, int *restrict window) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      window[k] += a[i] >> k;
}

/* Two loops of one sum, and a third value between that nobody may see. */
long in_two_loops(int n, const int A[DIM(N)][DIM(N)]) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      sum += A[i][j];
    for (int j = 0; j < i; j++)
      sum += 3L * A[j][i];
  }
  return sum;
}

/* No reduction: each row sees the sum so far. */
long running(int n, const int A[DIM(N)][DIM(N)], long *restrict seen) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    seen[i] = sum;
    for (int j = 0; j < n; j++)
      sum += A[i][j];
  }
  return sum;
}

/* Parallel loops inside a sequential one, the last of which have no iteration. */
long tails(int n, const int A[DIM(N)][DIM(N)], long *restrict seen) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    seen[i] += sum;
    for (int j = i + 3; j < n; j++)
      sum += A[i][j];
  }
  return sum;
}

/* No reduction of floating-point numbers without flags. */
double strict(int n, double A[DIM(N)][DIM(N)]) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += A[i][j] / (i + 1);
  return sum;
}

/* Each side of a condition updates, also where that is one on counters; one update always, another one sometimes. */
unsigned both_sides(int n, const unsigned *restrict a, const unsigned *restrict b) {
  unsigned s = 9;
  for (int i = 0; i < n; i++)
    if (i % 3 == 1)
      s += a[i];
    else
      s -= b[i] * 3;
  return s;
}

unsigned always_and_sometimes(int n, const unsigned *restrict a, const unsigned *restrict b) {
  unsigned s = 9;
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (b[i] < 9)
      s -= a[n - 1 - i];
  }
  return s;
}

unsigned different_sides(int n, const unsigned *restrict a) {
  unsigned s = 9;
  for (int i = 0; i < n; i++)
    if (i % 3 == 1)
      s += a[i];
    else
      s ^= a[i];
  return s;
}

/* A sum that only one of the two sides may see. */
unsigned looked_at(int n, const unsigned *restrict a, unsigned *restrict seen) {
  unsigned s = 9;
  for (int i = 0; i < n; i++) {
    s += a[i];
    if (a[i] < 9)
      s -= seen[i] = s & 7;
  }
  return s;
}

int signs(int n, const int *restrict a) {
  int s = 3;
  for (int i = 0; i < n; i++)
    s *= a[i] & 1 ? -1 : 1;
  return s;
}

_Bool any_and_all(int n, const int *restrict a, _Bool *all) {
  _Bool some = 0, every = 1;
  for (int i = 0; i < n; i++) {
    _Bool is = a[i] == 500, was = a[i] != 7;
    some = some || is;
    every = every && was;
  }
  *all = every;
  return some;
}

int main(void) {
  int(*A)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  double(*D)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  int *sum = allocate(sizeof(int) * DIM(N)), *most = allocate(sizeof(int) * DIM(N));
  long *seen = allocate(sizeof(long) * DIM(N));
  int window[8] = {0}, odd[8] = {0};
  _Bool all = 0;
  long results[16] = {0};
  double real = 0.0;
  fill_int(A, (size_t)DIM(N) * DIM(N), 1, 1000);
  fill(D, (size_t)DIM(N) * DIM(N), 2);
  TIMED(3, results[9] += sum_of_table(N, N / 2 + 1 > N ? N : N / 2 + 1, (void *)A));
  TIMED(3, all_operators(N, (void *)A, results));
  TIMED(3, into_memory(N, (void *)A, results + 10));
  TIMED(3, results[11] += difference(N * N - N / 2, A[0], A[0] + N / 2));
  TIMED(3, columns(N, (void *)A, sum, most));
  TIMED(3, windows(N * N, A[0], window));
  TIMED(3, results[12] += in_two_loops(N, (void *)A));
  TIMED(3, results[13] += running(N, (void *)A, seen));
  TIMED(3, results[14] += tails(N, (void *)A, seen));
  TIMED(3, real += strict(N, D));
  TIMED(3, odd[0] += (int)both_sides(N * N / 2, (unsigned *)A[0], (unsigned *)A[0] + N * N / 2));
  TIMED(3, odd[1] += (int)always_and_sometimes(N * N, (unsigned *)A[0], (unsigned *)A[0]));
  TIMED(3, odd[2] += (int)different_sides(N * N, (unsigned *)A[0]));
  TIMED(3, odd[3] += (int)looked_at(N, (unsigned *)A[0], (unsigned *)most));
  TIMED(3, odd[4] += signs(N * N, A[0]));
  TIMED(3, odd[5] += any_and_all(N * N, A[0], &all));
  TIMED(3, odd[6] += any_and_all(N < 40 ? N : 40, A[0], &all) * 2 + all);
  digest(odd, sizeof odd);
  digest(&all, sizeof all);
  digest(results, sizeof results);
  digest(&real, sizeof real);
  digest(sum, sizeof(int) * DIM(N));
  digest(most, sizeof(int) * DIM(N));
  digest(seen, sizeof(long) * DIM(N));
  digest(window, sizeof window);
  return finish();
}
