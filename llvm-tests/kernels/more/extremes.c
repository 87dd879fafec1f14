/* Extremes and where they are, found by one parallel loop: the first and the last of equals, in nests, behind masks, with NaN and zeroes. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(1200)
#endif

struct place {
  double value;
  int row, column;
};

struct place largest(int n, int m, double A[DIM(N)][DIM(N)]) {
  struct place best = {-1e300, -1, -1};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (A[i][j] > best.value) {
        best.value = A[i][j];
        best.row = i;
        best.column = j;
      }
  return best;
}

/* Of equal ones the last; a share that finds none must not win with what it began with. */
long last_of_smallest(int n, const int *restrict a, int start, long place) {
  int least = start;
  for (int i = 0; i < n; i++)
    if (a[i] <= least) {
      least = a[i];
      place = i;
    }
  return place * 1000 + least;
}

int behind_mask(int n, const int *restrict mask, const unsigned *restrict key) {
  unsigned best = ~0u;
  int place = -1;
  for (int i = 0; i < n; i++)
    if (mask[i] > 300 && key[i] < best) {
      best = key[i];
      place = i;
    }
  return place;
}

/* The last one of all, and whether there is any. */
int last_match(int n, const int *restrict a, int key) {
  int place = -1, any = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] == key)
      place = i;
    if (a[i] > 998)
      any = 1;
  }
  return 2 * place + any;
}

int main(void) {
  size_t n = (size_t)N * N;
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(n)), *x = A[0];
  int *a = allocate(sizeof(int) * DIM(n)), *mask = allocate(sizeof(int) * DIM(n));
  long found[5] = {0};
  struct place best = {0, 0, 0};
  fill_int(a, n, 1, 1000);
  fill_int(mask, n, 2, 1000);
  fill(A, n, 3);
  for (size_t k = 0; k < n; k += 3)
    x[k] = k % 2 ? -0.0 : k % 5 == 0 ? (double)NAN : 0.0;
  TIMED(3, best = largest(N, N, A));
  TIMED(3, found[0] += last_of_smallest((int)n, a, 1 << 30, -1));
  TIMED(3, found[1] += last_of_smallest((int)n, a, 0, -7));
  TIMED(3, found[2] += behind_mask((int)n, mask, (unsigned *)a));
  TIMED(3, found[3] += last_match((int)n, a, 77));
  digest(&best.value, sizeof best.value);
  digest(&best.row, sizeof best.row + sizeof best.column);
  digest(found, sizeof found);
  return finish();
}
