/* What is read when something is taken, and pointers to the best so far: of one row and of several, forwards and backwards, of members, with ties,
   under other conditions, of rows that another row names, and by counters that wrap around. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

struct point {
  double x, y;
  int label, weight;
};

int nearest(int n, const double *restrict d, const int *restrict labels) {
  double least = 1e300;
  int label = -1;
  for (int i = 0; i < n; i++)
    if (d[i] < least) {
      least = d[i];
      label = labels[i];
    }
  return label;
}

/* Backwards, the last of equal ones, and what another row names. */
int named(int n, const int *restrict a, const int *restrict names, const int *restrict values, int *restrict other) {
  int most = -1000, value = 7, second = n;
  for (int i = n - 1; i >= 0; i -= 3)
    if (a[i] >= most) {
      most = a[i];
      value = values[names[i]] * 3 + i;
      second = values[i];
    }
  *other = second;
  return value;
}

int under_condition(unsigned n, const int *restrict a, const int *restrict allowed, const int *restrict values) {
  int least = 100, value = -5, ties = 0;
  for (unsigned i = 0; i < n; i++)
    if (allowed[i] > 20 && a[i] < least) {
      least = a[i];
      value = values[i];
    } else if (a[i] == 5)
      ties++;
  return value + ties;
}

/* The counter goes round. */
int wrapping(int n, const int *restrict a, const int *restrict values) {
  int least = 1000, value = -5;
  unsigned char at = 200;
  for (int i = 0; i < n; i++) {
    if (a[i] < least) {
      least = a[i];
      value = values[at];
    }
    at += 3;
  }
  return value;
}

/* What is kept is written before it is read behind the loop: it stays inside. */
int written(int n, const int *restrict a, int *values) {
  int least = 1000, value = -5;
  for (int i = 0; i < n; i++) {
    if (a[i] < least) {
      least = a[i];
      value = values[i];
    }
    values[i] = i;
  }
  return value;
}

const double *pointed(const double *begin, const double *end) {
  const double *best = begin;
  if (begin == end) return end;
  while (++begin != end)
    if (*best < *begin) best = begin;
  return best;
}

const struct point *heaviest(int n, const struct point *p) {
  const struct point *best = p;
  for (const struct point *here = p; here < p + n; here++)
    if (here->weight >= best->weight) best = here;
  return best;
}

/* Of every second one, and the one behind it. */
const int *behind(int n, const int *a) {
  const int *best = a, *end = a + n;
  for (const int *here = a; here + 2 < end; here += 2)
    if (*here < *best) best = here + 2;
  return best;
}

void of_rows(int n, const double (*A)[40], int *restrict place) {
  for (int i = 0; i < n; i++) {
    const double *best = A[i];
    for (const double *here = A[i] + 1; here != A[i] + 40; here++)
      if (*here > *best) best = here;
    place[i] = (int)(best - A[i]);
  }
}

int main(void) {
  double *d = allocate(sizeof(double) * DIM(N)), (*A)[40] = allocate(sizeof(double) * 40 * DIM(N / 16 + 1));
  int *a = allocate(sizeof(int) * DIM(N)), *b = allocate(sizeof(int) * DIM(N)), *names = allocate(sizeof(int) * DIM(N));
  int *wheel = allocate(sizeof(int) * 256), *place = allocate(sizeof(int) * DIM(N / 16 + 1));
  struct point *p = allocate(sizeof(struct point) * DIM(N));
  long found[16] = {0};
  int other = 0;
  fill(d, DIM(N), 1);
  fill(A, 40 * (size_t)DIM(N / 16 + 1), 5);
  fill_int(a, DIM(N), 2, 90);
  fill_int(b, DIM(N), 3, 1000);
  fill_int(names, DIM(N), 4, DIM(N));
  fill_int(wheel, 256, 6, 1000);
  for (int i = 0; i < DIM(N); i++) p[i].weight = a[i];
  TIMED(2, found[0] = nearest(N, d, b));
  TIMED(2, found[1] = named(N, a, names, b, &other));
  TIMED(2, found[2] = under_condition(N, a, b, names));
  TIMED(2, found[3] = wrapping(N, a, wheel));
  TIMED(2, found[4] = pointed(d, d + N) - d);
  TIMED(2, found[5] = heaviest(N, p) - p);
  TIMED(2, found[6] = behind(N, a) - a);
  TIMED(2, of_rows(N / 16, (const double(*)[40])A, place));
  found[7] = other;
  TIMED(2, found[8] = written(N, a, b));
  digest(found, sizeof found);
  digest(place, sizeof(int) * DIM(N / 16 + 1));
  return finish();
}
