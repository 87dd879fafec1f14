// Loops both of which carry dependences forward: threads share the outer one, each behind the one before, whatever there is in an iteration.
//
// RUN: clang-22 -O3 -march=native -ffp-contract=off %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.threads -lm 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=5 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=70 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=7 OMP_DYNAMIC=true KMP_SCHEDULE=static,greedy %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -fopenmp %s -o %t.worth -lm
// RUN: env OMP_NUM_THREADS=3 %t.worth | diff %t.expected -

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline))
enum { N = 150 };

// Much to do in each iteration.
#define BENT(x, y) ((x) / (2 + (y) * (y)) + (y) / (3 + (x) * (x)) + ((x) + 1) / (5 + (y) * (y)) + ((y) + 1) / (7 + (x) * (x)))

// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores as a pipeline, in steps of
OWN void relaxed(int n, int m, double (*a)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) a[i][j] = BENT(a[i][j], a[i - 1][j]) + BENT(a[i][j - 1], a[i - 1][j]);
}

// From the last row and the last column on.
// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores as a pipeline, in steps of
OWN void backward(int n, int m, double (*a)[N]) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--) a[i][j] = BENT(a[i][j], a[i + 1][j + 1]) + BENT(a[i][j + 1], a[i + 1][j]);
}

// Each iteration has scratch of its own, in which nothing can be moved.
// CHECK: pipelines.c:[[#@LINE+3]]:3: remark: {{.*}}on all cores as a pipeline, in steps of {{.*}}own copy of 'w'
OWN void blocks(int n, int m, double (*x)[N][3], double (*d)[N][3][3]) {
  double w[3][3];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) w[k][l] = d[i][j][k][l];
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) x[i][j][k] -= w[k][l] * (x[i - 1][j][l] + x[i][j - 1][l]) * 0.1;
      double t = w[1][0] / (w[0][0] + 4);
      for (int r = 0; r < 3; r++) w[1][r] -= t * w[0][r];
      x[i][j][1] -= t * x[i][j][0];
      t = w[2][1] / (w[1][1] + 4);
      for (int r = 0; r < 3; r++) w[2][r] -= t * w[1][r];
      x[i][j][2] -= t * x[i][j][1];
      for (int k = 2; k >= 0; k--) x[i][j][k] /= w[k][k] + 5;
    }
}

// A distance that goes back along one loop: threads cannot be behind each other.
// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: {{.*}}tiles of a diagonal on all cores
OWN void crossing(int n, int m, double (*a)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m - 1; j++) a[i][j] = a[i][j] + a[i - 1][j + 1] * 0.25 + a[i][j - 1] * 0.25;
}

// The longest common part of two texts: iterations that do so little that a step of a row is slower than the row.
// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: loop nest left as it was
OWN void common(int n, int m, const char *a, const char *b, int (*t)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      t[i][j] = a[i] == b[j] ? t[i - 1][j - 1] + 1 : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
}

// Three loops, all of which carry something.
// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores as a pipeline, in steps of
OWN void space(int n, int m, double (*a)[40][40]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      for (int k = 1; k < 40; k++) a[i][j][k] += (a[i - 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1]) * 0.3;
}

// Whether calls set errno is seen behind the loops.
// CHECK: pipelines.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores as a pipeline, in steps of
OWN void roots(int n, int m, double (*restrict a)[N]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) a[i][j] = sqrt(a[i][j]) + exp(-a[i - 1][j] * a[i - 1][j]) * 0.5 + a[i][j - 1] * 0.25;
}

// A sum and a largest element beside what goes forward: threads have no copies in a pipeline, and share nothing else.
// CHECK-NOT: pipelines.c:[[#@LINE+3]]:3: remark: {{.*}}pipeline
OWN long beside(int n, int m, long (*restrict b)[N], long *restrict sum) {
  long most = 0;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      b[i][j] = (BENT(b[i - 1][j], b[i][j - 1]) + BENT(b[i][j - 1], b[i - 1][j]) * 3 + j) & 63;
      *sum += b[i][j];
      most = b[i][j] > most ? b[i][j] : most;
    }
  return most;
}

// A value that goes from row to row beside the table.
OWN double carried(int n, int m, double (*a)[N]) {
  double s = 1;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      a[i][j] = a[i - 1][j] + a[i][j - 1] * s;
      s = s * 0.5 + 0.25;
    }
  return s;
}

static double a[N][N], x[N][N][3], d[N][N][3][3], cube[40][40][40];
static int t[N][N];
static long b[N][N];
static char first[N], second[N];

static void show(const char *what, const void *memory, size_t size) {
  unsigned long hash = 1469598103934665603ul;
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211ul;
  printf("%s %lx\n", what, hash);
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 9}, {2, 2}, {3, 150}, {150, 3}, {17, 33}, {40, 40}, {97, 65}, {150, 150}};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[i][j] = 1.0 / (i + 2 * j + 1);
        first[i] = "abcd"[i * i % 7 % 4], second[j] = "abcd"[j * 5 % 11 % 4], t[i][j] = 0;
        for (int k = 0; k < 3; k++) {
          x[i][j][k] = i - j * 0.25 + k;
          for (int l = 0; l < 3; l++) d[i][j][k][l] = (i * 3 + j * 5 + k * 7 + l) % 11;
        }
      }
    for (int i = 0; i < 40 * 40 * 40; i++) (&cube[0][0][0])[i] = 1.0 / (i + 1);
    printf("%d %d\n", n, m);
    relaxed(n, m, a), show("relaxed", a, sizeof a);
    backward(n, m, a), show("backward", a, sizeof a);
    blocks(n, m, x, d), show("blocks", x, sizeof x);
    crossing(n, m, a), show("crossing", a, sizeof a);
    common(n, m, first, second, t), show("common", t, sizeof t);
    space(n < 40 ? n : 40, m < 40 ? m : 40, cube), show("space", cube, sizeof cube);
    errno = 0;
    if (n > 5 && m > 5) a[n / 2][m / 2] = -1e6;
    roots(n, m, a), show("roots", a, sizeof a);
    printf("%d\n", errno != 0);
    long sum = 0, most = beside(n, m, b, &sum);
    printf("%ld %ld\n", sum, most), show("beside", b, sizeof b);
    double s0 = carried(n, m, a);
    show("carried", a, sizeof a), show("s", &s0, sizeof s0);
  }
}
