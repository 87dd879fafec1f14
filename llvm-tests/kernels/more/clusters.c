/* One round of k-means: the nearest centre of each point, then sums and counts per centre. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define CENTRES 8
#define D 3

void assign(int n, const int (*restrict point)[D], const int (*restrict centre)[D], int *restrict nearest) {
  for (int i = 0; i < n; i++) {
    int best = 2147483647, at = 0;
    for (int c = 0; c < CENTRES; c++) {
      int distance = 0;
      for (int d = 0; d < D; d++)
        distance += (point[i][d] - centre[c][d]) * (point[i][d] - centre[c][d]);
      if (distance < best) {
        best = distance;
        at = c;
      }
    }
    nearest[i] = at;
  }
}

void add(int n, const int (*restrict point)[D], const int *restrict nearest, long (*restrict sum)[D], int *restrict members) {
  for (int i = 0; i < n; i++) {
    members[nearest[i]]++;
    for (int d = 0; d < D; d++)
      sum[nearest[i]][d] += point[i][d];
  }
}

void move(const long (*restrict sum)[D], const int *restrict members, int (*restrict centre)[D]) {
  for (int c = 0; c < CENTRES; c++)
    if (members[c] > 0)
      for (int d = 0; d < D; d++)
        centre[c][d] = (int)(sum[c][d] / members[c]);
}

int main(void) {
  int(*point)[D] = allocate(sizeof(int) * DIM(N) * D), (*centre)[D] = allocate(sizeof(int) * CENTRES * D);
  int *nearest = allocate(sizeof(int) * DIM(N)), *members = allocate(sizeof(int) * CENTRES);
  long(*sum)[D] = allocate(sizeof(long) * CENTRES * D);
  fill_int(point, (size_t)DIM(N) * D, 1, 1000);
  fill_int(centre, CENTRES * D, 2, 1000);
  TIMED(4, assign(N, (const int(*)[D])point, (const int(*)[D])centre, nearest));
  TIMED(4, add(N, (const int(*)[D])point, nearest, sum, members));
  TIMED(4, move((const long(*)[D])sum, members, centre));
  digest(nearest, sizeof(int) * DIM(N));
  digest(members, sizeof(int) * CENTRES);
  digest(sum, sizeof(long) * CENTRES * D);
  digest(centre, sizeof(int) * CENTRES * D);
  return finish();
}
