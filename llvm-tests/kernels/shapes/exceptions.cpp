/* Exceptions: a function that may throw is called in the loop. What had been stored before the throw must be
   there afterwards, and nothing else. */
#include "../kernel.h"
#include <stdexcept>
#include <vector>
#ifndef N
#define N SIZE_OR(300)
#endif

__attribute__((noinline)) double checked_root(double x, double limit) {
  if (x > limit)
    throw std::domain_error("too large");
  return 0.5 * x + 0.25;
}

void halve_all(int n, double *a, double limit) {
  for (int i = 0; i < n; i++)
    a[i] = checked_root(a[i], limit);
}

int rows_done(int n, double (*A)[DIM(N)], double limit) {
  int done = 0;
  for (int i = 0; i < n; i++) {
    try {
      for (int j = 0; j < n; j++)
        A[i][j] += checked_root(A[j][i], limit);
      done++;
    } catch (const std::domain_error &) {
      A[i][0] = -1.0;
    }
  }
  return done;
}

double sum_at(const std::vector<double> &v, int first, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++)
    sum += v.at(first + i);
  return sum;
}

void store_then_throw(int n, int stop, int *trail) {
  for (int i = 0; i < n; i++) {
    trail[i] = i * i;
    if (i == stop)
      throw i;
  }
}

int main() {
  double(*A)[DIM(N)] = static_cast<double(*)[DIM(N)]>(allocate(sizeof(double) * DIM(N) * DIM(N)));
  double *a = static_cast<double *>(allocate(sizeof(double) * DIM(N)));
  int *trail = static_cast<int *>(allocate(sizeof(int) * DIM(N)));
  int results[4] = {0, 0, 0, 0};
  double sums[2] = {0.0, 0.0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill(a, DIM(N), 2);
  double started = now();
  for (double limit = 0.5; limit < 1.2; limit += 0.25) {
    try {
      halve_all(N, a, limit);
      results[0] += 1;
    } catch (const std::domain_error &) {
      results[0] += 100;
    }
  }
  results[1] = rows_done(N, A, 1.5);
  std::vector<double> v(a, a + N);
  try {
    sums[0] = sum_at(v, 0, N);
    sums[1] = sum_at(v, 1, N);
  } catch (const std::out_of_range &) {
    results[2] = 1;
  }
  try {
    store_then_throw(N, N / 2, trail);
  } catch (int i) {
    results[3] = i;
  }
  elapsed = now() - started;
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(a, sizeof(double) * DIM(N));
  digest(trail, sizeof(int) * DIM(N));
  digest(results, sizeof results);
  digest(sums, sizeof sums);
  return finish();
}
