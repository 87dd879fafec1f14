/* The smallest value and where it is: per row, over all, the last one, of distances; and the two smallest. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500)
#endif

void of_rows(int n, const double (*restrict A)[DIM(N)], double *restrict least, int *restrict place) {
  for (int i = 0; i < n; i++) {
    double best = A[i][0];
    int at = 0;
    for (int j = 1; j < n; j++)
      if (A[i][j] < best) {
        best = A[i][j];
        at = j;
      }
    least[i] = best;
    place[i] = at;
  }
}

int first_largest(int n, const int *restrict a) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[at])
      at = i;
  return at;
}

void last_smallest(int n, const int *restrict a, int *restrict value, int *restrict place) {
  int best = 2147483647, at = -1;
  for (int i = 0; i < n; i++)
    if (a[i] <= best) {
      best = a[i];
      at = i;
    }
  *value = best;
  *place = at;
}

void nearest(int n, int m, const double *restrict x, const double *restrict y, int *restrict place) {
  for (int i = 0; i < n; i++) {
    double best = 1e300;
    int at = -1;
    for (int j = 0; j < m; j++) {
      double d = (x[i] - y[j]) * (x[i] - y[j]);
      if (d < best) {
        best = d;
        at = j;
      }
    }
    place[i] = at;
  }
}

int two_smallest(int n, const int *restrict a) {
  int first = 2147483647, second = 2147483647;
  for (int i = 0; i < n; i++) {
    if (a[i] < first) {
      second = first;
      first = a[i];
    } else if (a[i] < second)
      second = a[i];
  }
  return first ^ second;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *least = allocate(sizeof(double) * DIM(N));
  int *place = allocate(sizeof(int) * DIM(N)), *near = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N));
  int found[5] = {0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill_int(a, DIM(N), 2, 300);
  TIMED(2, of_rows(N, (const double(*)[DIM(N)])A, least, place));
  TIMED(2, nearest(N, N, A[0], least, near));
  TIMED(2, found[0] += first_largest(N, a));
  TIMED(2, last_smallest(N, a, found + 1, found + 2));
  TIMED(2, found[3] += two_smallest(N, a));
  digest(least, sizeof(double) * DIM(N));
  digest(place, sizeof(int) * DIM(N));
  digest(near, sizeof(int) * DIM(N));
  digest(found, sizeof found);
  return finish();
}
