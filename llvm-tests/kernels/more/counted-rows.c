/* Entries counted per row, a prefix sum of the counts, and rows that are read by it, all in one function; then the entries sorted into
   their rows, which moves the row pointers. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define ENTRIES (DIM(N) * 6)

void sums_of_rows(int n, const int *restrict length, int *restrict row, const double *restrict val, double *restrict y) {
  row[0] = 0;
  for (int i = 0; i < n; i++)
    row[i + 1] = row[i] + length[i];
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += val[k];
    y[i] = sum;
  }
}

void scale_rows(int n, const int *restrict length, int *restrict row, double *restrict val, const double *restrict factor) {
  row[0] = 0;
  for (int i = 1; i <= n; i++)
    row[i] = row[i - 1] + length[i - 1];
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      val[k] *= factor[i];
}

void sort_into_rows(int n, int entries, const int *restrict key, int *restrict row, int *restrict place) {
  for (int i = 0; i <= n; i++)
    row[i] = 0;
  for (int k = 0; k < entries; k++)
    row[key[k] + 1]++;
  for (int i = 0; i < n; i++)
    row[i + 1] += row[i];
  for (int k = 0; k < entries; k++)
    place[row[key[k]]++] = k;
}

int main(void) {
  int *length = allocate(sizeof(int) * DIM(N)), *row = allocate(sizeof(int) * (DIM(N) + 1));
  int *key = allocate(sizeof(int) * ENTRIES), *place = allocate(sizeof(int) * ENTRIES);
  double *val = allocate(sizeof(double) * ENTRIES), *y = allocate(sizeof(double) * DIM(N));
  double *factor = allocate(sizeof(double) * DIM(N));
  fill_int(length, DIM(N), 1, 7);
  fill_int(key, ENTRIES, 2, DIM(N));
  fill(val, ENTRIES, 3);
  fill(factor, DIM(N), 4);
  TIMED(8, sums_of_rows(N, length, row, val, y));
  TIMED(8, scale_rows(N, length, row, val, factor));
  digest(row, sizeof(int) * (DIM(N) + 1));
  TIMED(8, sort_into_rows(N, N > 0 ? ENTRIES : 0, key, row, place));
  digest(row, sizeof(int) * (DIM(N) + 1));
  digest(place, sizeof(int) * ENTRIES);
  digest(val, sizeof(double) * ENTRIES);
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
