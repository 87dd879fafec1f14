/* Arrays that live within one iteration of a loop: each thread has its own copy of them. Others that look like them hand on values. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define M 16
#define BINS 11

/* The middle of nine, sorted in place. */
void median(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double v[9];
    for (int k = 0; k < 9; k++)
      v[k] = a[i + k];
    for (int k = 1; k < 9; k++) {
      double t = v[k];
      int j = k - 1;
      while (j >= 0 && v[j] > t) {
        v[j + 1] = v[j];
        j--;
      }
      v[j + 1] = t;
    }
    out[i] = v[4];
  }
}

/* Counters that begin at zero: llvm.memset. */
void votes(int n, const int *restrict label, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int count[BINS] = {0};
    for (int j = 0; j < M; j++)
      count[label[i + j]]++;
    int best = 0;
    for (int c = 1; c < BINS; c++)
      if (count[c] > count[best])
        best = c;
    out[i] = best;
  }
}

/* Cleared by a loop, and a sum beside it. */
long cleared(int n, const int *restrict label, int *restrict out) {
  long total = 0;
  for (int i = 0; i < n; i++) {
    int count[BINS];
    for (int c = 0; c < BINS; c++)
      count[c] = c;
    for (int j = 0; j < M; j++)
      count[label[i + j]] += j;
    for (int c = 0; c < BINS; c++)
      total += (long)count[c] * c;
    out[i] = count[label[i]];
  }
  return total;
}

/* Two dimensions, turned. */
void turned(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double t[4][4], u[4][4];
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++)
        t[r][c] = a[i + 4 * r + c];
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) {
        u[r][c] = 0;
        for (int k = 0; k < 4; k++)
          u[r][c] += t[r][k] * t[c][k];
      }
    out[i] = u[0][3] + u[2][1] - u[i & 3][i % 3];
  }
}

/* Members of different types. */
struct entry {
  double key;
  int value;
};
void structures(int n, const double *restrict a, const int *restrict label, double *restrict out) {
  for (int i = 0; i < n; i++) {
    struct entry e[6];
    for (int k = 0; k < 6; k++) {
      e[k].key = a[i + k];
      e[k].value = label[i + k];
    }
    for (int k = 0; k < 6; k++)
      for (int j = k + 1; j < 6; j++)
        if (e[j].key < e[k].key) {
          struct entry swapped = e[j];
          e[j] = e[k];
          e[k] = swapped;
        }
    out[i] = e[0].key * e[5].value + e[3].key;
  }
}

/* One local array in another one's loop. */
void nested(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double outer[5];
    for (int k = 0; k < 5; k++) {
      double inner[7];
      for (int j = 0; j < 7; j++)
        inner[j] = a[i + k + j] * (j + 1);
      for (int j = 1; j < 7; j++)
        if (inner[j] < inner[j - 1])
          inner[j] = inner[j - 1];
      outer[k] = inner[6] - inner[0];
    }
    for (int k = 1; k < 5; k++)
      outer[k] += outer[k - 1] * (a[i] > 0.5 ? 2 : 1);
    out[i] = outer[4];
  }
}

/* Handed on by address, and used from the middle. */
static inline double last_of(const double *from, int count) {
  double s = 0;
  for (int k = 0; k < count; k++)
    s = s * 0.5 + from[-k];
  return s;
}
void by_address(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double v[12], *middle = v + 6;
    for (int k = -6; k < 6; k++)
      middle[k] = a[i + k + 6];
    out[i] = last_of(middle + 3, 8) + v[i % 12];
  }
}

/* Large: no array for the stack of a thread. */
#define LARGE 12800
void large(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double v[LARGE];
    int m = LARGE - (i & 7);
    for (int k = 0; k < m; k++)
      v[k] = a[(i + k) & 31] + k;
    for (int k = 1; k < m; k++)
      if (v[k] > v[k - 1] * 1.5)
        v[k] -= v[k - 1];
    out[i] = v[m - 1] + v[m / 2];
  }
}

/* Large, with a sum of whole numbers beside it. */
long large_and_sum(int n, const int *restrict label, int *restrict out) {
  long total = 0;
  for (int i = 0; i < n; i++) {
    int seen[8192];
    for (int k = 0; k < 8192; k++)
      seen[k] = k & label[i];
    for (int j = 0; j < M; j++)
      seen[(label[i + j] * 701) & 8191]++;
    int odd = 0;
    for (int k = 0; k < 8192; k++)
      odd += seen[k] & 1;
    out[i] = odd;
    total += odd * 3;
  }
  return total;
}

/* Only some iterations write all of it: what is left from earlier ones must be seen. */
void partly(int n, const double *restrict a, double *restrict out) {
  double v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      for (int k = 0; k < 8; k++)
        v[k] = a[i + k];
    for (int k = 0; k < 8; k++)
      out[i] += v[k] * k;
  }
}

/* Handed from one iteration to the next. */
void carried(int n, const double *restrict a, double *restrict out) {
  double v[8] = {0};
  for (int i = 0; i < n; i++) {
    for (int k = 7; k > 0; k--)
      v[k] = v[k - 1];
    v[0] = a[i];
    double s = 0;
    for (int k = 0; k < 8; k++)
      s += v[k];
    out[i] = s;
  }
}

/* Outside of the loop, written and read in each iteration, and read behind it. */
void scratch_behind(int n, const double *restrict a, double *restrict out) {
  double v[8] = {0};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      v[k] = a[i + k] * a[i];
    double s = 0;
    for (int k = 0; k < 8; k++)
      s = s * 0.25 + v[7 - k];
    out[i] = s;
  }
  for (int k = 0; k < 8; k++)
    out[n + k] = v[k];
}

/* In memory that others know. */
static double shared[M];
void scratch_known(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < M; k++)
      shared[k] = a[i + k] - a[i];
    double s = 0;
    for (int k = 0; k < M; k++)
      s += shared[M - 1 - k] * shared[k];
    out[i] = s;
  }
}

void scratch_given(int n, int m, const double *restrict a, double *restrict scratch, double *restrict out) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++)
      scratch[k] = a[i + k] + k;
    for (int k = 0; k < m; k++)
      out[i] += scratch[m - 1 - k] * scratch[k];
  }
}

/* The last iteration writes less than the ones before: their values stay. */
void shrinking(int n, const double *restrict a, double *restrict scratch, double *restrict out) {
  for (int i = 0; i < n; i++) {
    int m = i < n / 2 ? M : M / 2;
    for (int k = 0; k < m; k++)
      scratch[k] = a[i + k];
    for (int k = 0; k < m; k++)
      out[i] += scratch[k] * k;
  }
}

/* Rows of two loops. */
void rows(int n, const double *restrict a, double *restrict out) {
  double row[M];
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < M; k++)
        row[k] = out[i] + a[i + k] * t;
      for (int k = 1; k < M; k++)
        row[k] += row[k - 1];
      out[i] = row[M - 1] * 0.125;
    }
}

/* Whole structures are copied. */
struct particle {
  double x, y, z, m;
};
void copied(int n, const struct particle *restrict p, double *restrict out) {
  for (int i = 0; i < n; i++) {
    struct particle near[4];
    for (int k = 0; k < 4; k++)
      near[k] = p[i + k];
    double s = 0;
    for (int k = 0; k < 4; k++)
      for (int j = 0; j < 4; j++)
        s += near[k].m * near[j].m / (1 + (near[k].x - near[j].x) * (near[k].y - near[j].z));
    out[i] = s;
  }
}

/* Cleared rows that are no locals. */
void cleared_rows(int n, const double *restrict a, double (*restrict out)[M]) {
  for (int i = 0; i < n; i++) {
    memset(out[i], 0, sizeof out[i]);
    for (int k = 0; k < M; k++)
      out[i][M - 1 - k] += a[i + k];
  }
}

int main(void) {
  double *a = allocate(sizeof(double) * (DIM(N) + 64)), *out = allocate(sizeof(double) * (DIM(N) + 64));
  int *label = allocate(sizeof(int) * (DIM(N) + 64)), *found = allocate(sizeof(int) * (DIM(N) + 64));
  double *scratch = allocate(sizeof(double) * 64), (*wide)[M] = allocate(sizeof(double) * M * DIM(N));
  struct particle *p = allocate(sizeof(struct particle) * (DIM(N) + 64));
  long sums[2] = {0};
  fill(a, DIM(N) + 64, 1);
  fill(p, 4 * (size_t)(DIM(N) + 64), 2);
  fill_int(label, DIM(N) + 64, 3, BINS);
#define SEEN digest(out, sizeof(double) * (DIM(N) + 64))
#define FOUND digest(found, sizeof(int) * (DIM(N) + 64))
  TIMED(1, median(N, a, out)); SEEN;
  TIMED(1, votes(N, label, found)); FOUND;
  TIMED(1, sums[0] = cleared(N, label, found)); FOUND;
  TIMED(1, turned(N, a, out)); SEEN;
  TIMED(1, structures(N, a, label, out)); SEEN;
  TIMED(1, nested(N, a, out)); SEEN;
  TIMED(1, by_address(N, a, out)); SEEN;
  TIMED(1, large(N < 500 ? N : 500, a, out)); SEEN;
  TIMED(1, sums[1] = large_and_sum(N < 700 ? N : 700, label, found)); FOUND;
  TIMED(1, partly(N, a, out)); SEEN;
  TIMED(1, carried(N, a, out)); SEEN;
  TIMED(1, scratch_behind(N, a, out)); SEEN;
  TIMED(1, scratch_known(N, a, out)); SEEN;
  digest(shared, sizeof shared);
  TIMED(1, scratch_given(N, M, a, scratch, out)); SEEN;
  digest(scratch, sizeof(double) * 64);
  TIMED(1, shrinking(N, a, scratch, out)); SEEN;
  digest(scratch, sizeof(double) * 64);
  TIMED(1, rows(N, a, out)); SEEN;
  TIMED(1, copied(N, p, out)); SEEN;
  TIMED(1, cleared_rows(N, a, wide));
  digest(wide, sizeof(double) * M * DIM(N));
  digest(sums, sizeof sums);
  return finish();
}
