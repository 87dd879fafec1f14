// Memory that is declared or reserved before a loop, and that each iteration writes before it reads: threads have copies of it. Where an iteration
// reads what an earlier one wrote, or somebody reads it behind the loop, they have none.
//
// RUN: clang-22 -O3 -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native %s -o %t.one
// RUN: %t.one | diff %t.expected -

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline))

// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void variable(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double t[500];
  if (m > 500) m = 500;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 500; j++) t[j] = i + 0.5 * j;
    for (int j = 0; j < 500; j++) B[i][j % 2] += t[499 - j] * t[j];
  }
}

// CHECK: scratch.c:[[#@LINE+3]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void row(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double t[m];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
}

// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void reserved(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc(m * sizeof *t);
  if (!t) return;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = 0;
    for (int j = 0; j < m; j++)
      for (int l = 0; l < m; l++) t[j] += A[i][l] * A[i][j];
    for (int j = 0; j < m; j++) B[i][j] += t[m - 1 - j] + t[j];
  }
  free(t);
}

// CHECK: scratch.c:[[#@LINE+3]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void plane(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double(*t)[m] = malloc(m * m * sizeof(double));
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++) t[j][k] = A[i][j] - A[i][k];
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++) B[i][j] += t[k][j] + 3 * t[j][k];
  }
  free(t);
}

// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of 't', 'u'
OWN void copied(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc(m * sizeof *t);
  float *u = malloc(m * sizeof *u);
  for (int i = 0; i < n; i++) {
    memcpy(t, A[i], m * sizeof *t);
    for (int j = 0; j < m; j++) u[j] = t[m - 1 - j] * 3;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + u[j];
  }
  free(t);
  free(u);
}

// The end of the loop reads less than was written.
// CHECK: scratch.c:[[#@LINE+3]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void part(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc(m * sizeof *t);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m - i; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  free(t);
}

// Filled as a whole before the loop, which is one write more.
// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void cleared(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc(m * sizeof *t);
  memset(t, 0, m * sizeof *t);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  free(t);
}

// Each iteration reserves it and gives it back.
// CHECK: scratch.c:[[#@LINE+2]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void each(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    if (!t) continue;
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
    free(t);
  }
}

// CHECK: scratch.c:[[#@LINE+2]]:3: remark: {{.*}}each thread has its own copy of 't', 'u'
OWN void rows(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    double t[m], u[m + 1];
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2, u[j] = t[j] + 1;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + u[j];
  }
}

// CHECK: scratch.c:[[#@LINE+2]]:3: remark: {{.*}}each thread has its own copy of 't', 'u'
OWN void twice(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int l = 0; l < 3; l++) {
      double *t = malloc(m * sizeof *t), *u = malloc(8 * m);
      memcpy(t, A[i], 8 * m);
      memset(u, 0, 8 * m);
      for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) u[j] += t[k] * A[i][j];
      for (int j = 0; j < m; j++) B[i][j] += l * t[m - 1 - j] + u[j];
      free(u);
      free(t);
    }
}

// It keeps its values for the next call, which writes them before it reads them.
// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of '{{.*}}t'
OWN void kept(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  static double t[100];
  if (m > 100) return;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) {
      if (t[j] > 0.3) B[i][j] = t[m - 1 - j] + t[j];
      else t[j] += 1;
    }
    for (int j = 0; j < m; j++) B[i][j] += t[j];
  }
}

static float square[64][64];
// CHECK: scratch.c:[[#@LINE+3]]:3: remark: {{.*}}each thread has its own copy of 'square'
OWN void two_rows(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  if (m > 64) return;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++) square[j][k] = A[i][j] * A[i][k];
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++) B[i][j] += square[k][j] - 2 * square[0][k];
  }
}

// A block so long that it is one statement of the model, which reads and writes all of the matrix.
#define TAKE(r, p, c) t[r][c] = t[r][c] - f * t[p][c]
#define ROW(r, p) f = t[r][p] / (t[p][p] + 3), TAKE(r, p, 0), TAKE(r, p, 1), TAKE(r, p, 2), TAKE(r, p, 3), TAKE(r, p, 4)
#define STEP(p) ROW((p + 1) % 5, p), ROW((p + 2) % 5, p), ROW((p + 3) % 5, p), ROW((p + 4) % 5, p)
// CHECK: scratch.c:[[#@LINE+4]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN void block(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double t[5][5], f;
  if (m < 25) return;
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < 5; r++)
      for (int c = 0; c < 5; c++) t[r][c] = A[i][5 * r + c];
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4);
    B[i][0] = t[0][0] + t[1][4], B[i][1] = t[2][1] * t[4][3], B[i][2] = t[3][2] - t[3][3];
  }
}

// The same with an element that no iteration writes before that.
#undef ROW
#define ROW(r, p) f = t[r][p] / (t[p][p] + 3), TAKE(r, p, 0), TAKE(r, p, 1), TAKE(r, p, 2), TAKE(r, p, 3), TAKE(r, p, 5)
OWN void block_and_more(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double t[5][6], f;
  for (int r = 0; r < 5; r++) t[r][5] = r;
  if (m < 25) return;
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < 5; r++)
      for (int c = 0; c < 5; c++) t[r][c] = A[i][5 * r + c];
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4);
    B[i][0] = t[0][5] + t[1][4], B[i][1] = t[2][1] * t[4][5], B[i][2] = t[3][2] - t[3][3];
  }
}

// What the first element has comes from before the loop.
// CHECK-NOT: each thread has its own copy
OWN void first(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc((m + 1) * sizeof *t);
  for (int j = 0; j <= m; j++) t[j] = j;
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  free(t);
}

// Some elements are those of an earlier iteration.
OWN void some(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = calloc(m + 1, sizeof *t);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      if (A[i][j] > 0.5) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  free(t);
}

// The same in memory that holds what it holds: what counts is that a write under a condition is not certain.
OWN void conditional(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc((m + 1) * sizeof *t);
  for (int j = 0; j < m; j++) t[j] = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      if (A[i][j] > 0.5) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  free(t);
}

// A value goes from one iteration to the next.
OWN void carried(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc((m + 1) * sizeof *t);
  for (int j = 0; j <= m; j++) t[j] = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) B[i][j] = t[j] + A[i][j];
    for (int j = 0; j < m; j++) t[j] = B[i][m - 1 - j];
  }
  free(t);
}

// The last iteration's is read behind the loop.
OWN double last(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double t[500];
  for (int j = 0; j < 500; j++) t[j] = 7;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m && j < 500; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m && j < 500; j++) B[i][j] = t[j] + 1;
  }
  double sum = 0;
  for (int j = 0; j < 500; j++) sum += t[j];
  return sum;
}

// What the next call reads, and what another function does.
static double shared[100];
OWN void before(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  static double t[100];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) B[i][j] = t[j] + A[i][j];
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2, shared[j] = t[j];
    for (int j = 0; j < m; j++) B[i][j] += shared[m - 1 - j];
  }
}

OWN void after(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) B[i][j] += shared[j] + 1;
}

// It is left behind in an iteration that ends early.
OWN void left(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    if (m > 0 && A[i][0] > 0.9) return free(t);
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
    free(t);
  }
}

// Each iteration's size is another one, and every second iteration reserves none.
OWN void sizes(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    if (i % 2) continue;
    int w = i < m ? i : m;
    double *t = malloc(w * sizeof *t), *u = malloc(m * sizeof *u);
    for (int j = 0; j < w; j++) t[j] = A[i][j] * 2, u[j] = t[j];
    for (int j = 0; j < w; j++) B[i][j] = t[w - 1 - j] + u[j];
    free(t);
    free(u);
  }
}

// It is kept, and given back later.
OWN void collected(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *all[100];
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    all[i] = t;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) B[i][j] = all[i][j] + all[n - 1 - i][j];
  }
  for (int i = 0; i < n; i++) free(all[i]);
}

// Somebody else knows where it is, and finds there what the last iteration left.
double *known;
// CHECK: scratch.c:[[#@LINE+5]]:3: remark: {{.*}}each thread has its own copy of 't'
OWN double shown(int n, int m, double A[restrict n][m], double B[restrict n][m]) {
  double *t = malloc((m + 1) * sizeof *t);
  known = t;
  t[0] = 3;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) t[j] = A[i][j] * 2;
    for (int j = 0; j < m; j++) B[i][j] = t[m - 1 - j] + t[j];
  }
  double found = known[0];
  free(t);
  return found;
}

typedef void Nest(int n, int m, double A[n][m], double B[n][m]);

static uint64_t hash(const void *bytes, size_t n, uint64_t h) {
  for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return h;
}

int main(void) {
  Nest *nests[] = {variable, row, reserved, plane, copied, part, cleared, each, rows, twice, kept, two_rows,
                   first, some, conditional, carried, before, after, left, sizes, collected, block, block_and_more};
  enum { N_NESTS = sizeof nests / sizeof *nests };
  int sizes[] = {0, 1, 2, 3, 7, 64, 65};
  for (int at = 0; at < N_NESTS + 2; at++)
    for (int ni = 0; ni < 7; ni++)
      for (int mi = at == 1 || nests[at % N_NESTS] == rows ? 1 : at == 0 ? 2 : 0; mi < 7; mi++) {
        int n = sizes[ni], m = sizes[mi];
        double *a = malloc((n * m + 1) * sizeof *a), *b = malloc((n * m + 1) * sizeof *b);
        for (int i = 0; i < n * m; i++) a[i] = (i * 37 % 101) / 100.0, b[i] = i;
        double more = 0;
        if (at < N_NESTS) nests[at](n, m, (void *)a, (void *)b);
        else if (at == N_NESTS) more = last(n, m, (void *)a, (void *)b);
        else more = shown(n, m, (void *)a, (void *)b);
        printf("%d %d %d %016lx %a\n", at, n, m, (unsigned long)hash(b, n * m * sizeof *b, 14695981039346656037u), more);
        free(a);
        free(b);
      }
}
