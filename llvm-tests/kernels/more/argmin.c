/* The smallest value and where it is: per row, over all, the last one, of distances; the two smallest; and of tables whose entries are
   found beside, behind or inside what the place names. */
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

static int levels[3][8];
struct entry {
  int key, weight;
};

int beside(int n, const int *restrict a) {
  int at = 0;
  for (int i = 1; i + 1 < n; i++)
    if (a[i + 1] > a[at + 1])
      at = i;
  return at;
}

int heaviest(int n, const struct entry *restrict s) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (s[i].weight >= s[at].weight)
      at = i;
  return at;
}

long of_one_level(int n) {
  long at = 0;
  for (long i = 1; i < n; i++)
    if (levels[1][i] < levels[1][at])
      at = i;
  return at;
}

/* The table is another one, or shifted: no pick. */
int shifted(int n, const int *restrict a) {
  int at = 0;
  for (int i = 1; i + 1 < n; i++)
    if (a[i + 1] > a[at])
      at = i;
  return at;
}

int other_field(int n, const struct entry *restrict s) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (s[i].weight > s[at].key)
      at = i;
  return at;
}

int narrow(int n, const int *restrict a) {
  unsigned char at = 0;
  for (int i = 1; i + 1 < n; i++)
    if (a[i + 1] > a[at + 1])
      at = (unsigned char)i;
  return at;
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *least = allocate(sizeof(double) * DIM(N));
  int *place = allocate(sizeof(int) * DIM(N)), *near = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N));
  int found[16] = {0};
  fill(A, (size_t)DIM(N) * DIM(N), 1);
  fill_int(a, DIM(N), 2, 300);
  TIMED(2, of_rows(N, (const double(*)[DIM(N)])A, least, place));
  TIMED(2, nearest(N, N, A[0], least, near));
  TIMED(2, found[0] += first_largest(N, a));
  TIMED(2, last_smallest(N, a, found + 1, found + 2));
  TIMED(2, found[3] += two_smallest(N, a));
  fill_int(levels, 24, 7, 5);
  TIMED(2, found[5] += beside(N, a));
  TIMED(2, found[6] += heaviest(N / 2, (struct entry *)a));
  TIMED(2, found[7] += (int)of_one_level(N < 8 ? N : 8));
  TIMED(2, found[8] += shifted(N, a));
  TIMED(2, found[9] += other_field(N / 2, (struct entry *)a));
  TIMED(2, found[10] += narrow(N, a));
  digest(least, sizeof(double) * DIM(N));
  digest(place, sizeof(int) * DIM(N));
  digest(near, sizeof(int) * DIM(N));
  digest(found, sizeof found);
  return finish();
}
