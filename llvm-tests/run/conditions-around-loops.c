// Conditions on data around loops are those of the statements inside: loops change places, are tiled and run in parallel, and what the program does
// not touch under a condition is not touched, by tests and samples before the loops neither: rows that are not there are pages that may not be read.
//
// RUN: clang-22 -O3 %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -g -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-tile=5 -g -Rpass-missed=loopwright -Rpass-analysis=loopwright %s -o %t.sampled -lm 2>&1 | FileCheck %s --check-prefix=SAMPLED
// RUN: %loopwright-clang -O3 -fopenmp -g -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t.threads -lm 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %t.with | diff %t.expected -
// RUN: %t.sampled | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WHOLE __attribute__((noinline)) void

// THREADS: conditions-around-loops.c:[[#@LINE+4]]:3: remark: {{.*}}on all cores; {{i1|j}} in vectors
// CHECK: conditions-around-loops.c:[[#@LINE+3]]:3: remark: {{.*}}tiled{{.*}}j in vectors
// SAMPLED: conditions-around-loops.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}in a sample of iterations, conditions on data hold often enough
WHOLE product(int n, int B[restrict n][n], double A[restrict n][n], double C[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      if (B[k][j] != 0)
        for (int i = 0; i < n; i++)
          C[i][j] += A[i][k] * B[k][j];
}

// NaN is different from everything, and not less either.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE sides(int n, const double *restrict x, double A[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (x[i] < 2)
      for (int j = 0; j < n; j++)
        C[j][i] = A[j][i] * x[i];
    else
      for (int j = 0; j < n; j++)
        C[j][i] -= A[j][i];
}

// The second condition is on what is there under the first one only, as are the rows of S.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE nested(int n, const int *restrict there, const double *restrict x, double S[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (there[i])
      if (x[i] != 1)
        for (int j = 0; j < n; j++)
          C[j][i] += S[i][j];
}

// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE either(int n, const int *restrict c, const double *restrict x, double A[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (c[i] || x[i] > 2 || x[n - 1 - i] < 0)
      for (int j = 0; j < n; j++)
        A[j][i] *= 2;
    else
      for (int j = 0; j < n; j++)
        A[j][i] += 2;
}

// What the second condition is computed from is needed inside as well, whether that was asked or not.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE shared(int n, const int *restrict c, const double *restrict x, const double *restrict y, double A[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    double v = x[i] * 2;
    if (c[i] || y[i] > v)
      for (int j = 0; j < n; j++)
        A[j][i] += v;
  }
}

// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE goes_on(int n, const double *restrict x, double A[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    if (!(x[i] > 0))
      continue;
    for (int j = 0; j < n; j++)
      C[j][i] += A[j][i];
    for (int j = 1; j < n; j++)
      A[j][i] += C[j - 1][i];
  }
}

// What the condition is on is written behind the loop that it is around.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE sums(int n, double A[restrict n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    if (y[i] > 0.5)
      for (int j = 0; j < n; j++)
        s += A[j][i];
    y[i] = s;
  }
}

// Here it is written in that loop, once it was asked: how often it holds is not known before the loops.
// SAMPLED: conditions-around-loops.c:[[#@LINE+3]]:3: remark: loop nest left as it was: the condition on what is read from 'C' is not an affine comparison
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE written(int n, double A[restrict n][n], double C[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      if (C[0][j] != 0)
        for (int i = 0; i < n; i++)
          C[i][j] += A[i][k];
}

// Nothing writes to the row that it is on, though to others.
// CHECK: conditions-around-loops.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors
// SAMPLED: conditions-around-loops.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}in a sample of iterations, conditions on data hold often enough
WHOLE first_row(int n, double A[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (C[0][i] > 0)
      for (int j = 1; j < n; j++)
        C[j][i] = C[j - 1][i] + A[j][i];
}

// Inside of a loop that does not change it, a condition is one around that loop.
// CHECK: conditions-around-loops.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors
// SAMPLED: conditions-around-loops.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}in a sample of iterations, conditions on data hold often enough
WHOLE inside(int n, const int *restrict c, double A[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      if (c[i] > 0)
        C[j][i] = C[j - 1][i] + A[j][i];
}

// Of two such conditions, the second one is on what is there under the first one only, and one further in is on what each iteration reads.
// CHECK: conditions-around-loops.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors
// SAMPLED: conditions-around-loops.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}in a sample of iterations, conditions on data hold often enough
WHOLE inside_nested(int n, const int *restrict there, const double *restrict x, double S[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (there[i] && x[i] != 1) {
        if (S[i][j] > 0)
          C[j][i] += S[i][j];
      } else
        C[j][i] -= 1;
}

// What the condition is on may be written in the loop: it is asked each time. What is handed on from behind it is a value.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE inside_written(int n, double A[restrict n][n], double C[restrict n][n], double *restrict last) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (C[n / 2][i] > 0)
        C[j][i] -= A[j][i];
  for (int i = 0; i < n; i++) {
    double v = 0;
    for (int j = 0; j < n; j++)
      if (last[i] > 0)
        v = A[j][i];
    last[i] = v;
  }
}

// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE chosen(int n, const int *restrict c, const int *restrict key, double A[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    if (c[key[i]])
      for (int j = 0; j < n; j++)
        C[j][i] += A[j][i];
}

// THREADS: conditions-around-loops.c:[[#@LINE+3]]:3: remark: {{.*}}each thread reduces into its own copy of 's'
__attribute__((noinline)) long all(int n, const int *restrict c, int A[restrict n][n]) {
  long s = 0;
  for (int i = 0; i < n; i++)
    if (c[i])
      for (int j = 0; j < n; j++)
        s += A[j][i];
  return s;
}

// Nobody says that the arrays are apart: they are tested, and the test asks nothing.
// CHECK: conditions-around-loops.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
WHOLE overlapping(int n, const int *c, double *A, double *C) {
  for (int i = 0; i < n; i++)
    if (c[i])
      for (int j = 0; j < n; j++)
        C[j * n + i] += A[j * n + i];
}

enum { most = 70, page = 4096 };

static unsigned long state;
static int draw(void) { return (state = state * 6364136223846793005ul + 1442695040888963407ul) >> 40; }

// So many bytes right before a page that may not be read.
static void *before_end(size_t bytes) {
  size_t size = (bytes / page + 2) * page;
  char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + size - page, page, PROT_NONE);
  return memory + size - page - bytes;
}

static void fill(double *a, int n) {
  for (int i = 0; i < n; i++) {
    int one = draw() % 16;
    a[i] = one == 0 ? NAN : one == 1 ? -0.0 : draw() % 9 - 3;
  }
}

static void show(const char *name, int n, const double *a, int count) {
  unsigned long sum = 0;
  for (int i = 0; i < count; i++) {
    unsigned long bits = 7;
    if (a[i] == a[i])
      memcpy(&bits, &a[i], 8);
    sum = sum * 31 + bits;
  }
  printf("%s %d %lx\n", name, n, sum);
}

// Large enough for the new loops to pay, if the conditions mostly hold: that is looked at before.
static void large(int n, int often) {
  int half = n / 2;
  double *A = before_end(8 * n * n), *C = before_end(8 * n * n), *S = before_end(8 * half * n), *z = before_end(8 * half);
  int *B = before_end(4 * n * n), *there = before_end(4 * n);
  fill(A, n * n), fill(C, n * n), fill(S, half * n), fill(z, half);
  for (int i = 0; i < n * n; i++)
    B[i] = draw() % 100 < often;
  for (int i = 0; i < n; i++)
    there[i] = i < half && draw() % 100 < often;
  product(n, (void *)B, (void *)A, (void *)C);
  nested(n, there, z, (void *)S, (void *)C);
  first_row(n, (void *)A, (void *)C);
  inside(n, B, (void *)A, (void *)C);
  inside_nested(n, there, z, (void *)S, (void *)C);
  show("large", n, C, n * n);
}

int main(void) {
  for (int often = 0; often <= 100; often += 20)
    large(331, often);
  int sizes[] = {0, 1, 2, 3, 8, 33, most};
  for (int at = 0; at < 7; at++)
    for (int often = 0; often <= 100; often += 25) {
      int n = sizes[at], half = n / 2;
      double *A = before_end(8 * n * n), *C = before_end(8 * n * n), *S = before_end(8 * half * n);
      double *x = before_end(8 * n), *z = before_end(8 * half), *y = before_end(8 * n);
      int *B = before_end(4 * n * n), *c = before_end(4 * n), *there = before_end(4 * n), *key = before_end(4 * n);
      int *I = before_end(4 * n * n);
      fill(A, n * n), fill(C, n * n), fill(S, half * n), fill(x, n), fill(z, half), fill(y, n);
      for (int i = 0; i < n * n; i++)
        B[i] = draw() % 100 < often ? draw() % 5 + 1 : 0, I[i] = draw();
      for (int i = 0; i < n; i++)
        c[i] = draw() % 100 < often, there[i] = i < half && c[i], key[i] = draw() % n;
#define SHOW(name) show(name, n, A, n *n), show(name, n, C, n *n)
      product(n, (void *)B, (void *)A, (void *)C), SHOW("product");
      sides(n, x, (void *)A, (void *)C), SHOW("sides");
      nested(n, there, z, (void *)S, (void *)C), SHOW("nested");
      either(n, c, x, (void *)A), SHOW("either");
      shared(n, c, x, y, (void *)A), SHOW("shared");
      goes_on(n, x, (void *)A, (void *)C), SHOW("goes on");
      sums(n, (void *)A, y), show("sums", n, y, n);
      written(n, (void *)A, (void *)C), SHOW("written");
      first_row(n, (void *)A, (void *)C), SHOW("first_row");
      inside(n, c, (void *)A, (void *)C), SHOW("inside");
      inside_nested(n, there, z, (void *)S, (void *)C), SHOW("inside_nested");
      inside_written(n, (void *)A, (void *)C, y), SHOW("inside_written"), show("last", n, y, n);
      chosen(n, c, key, (void *)A, (void *)C), SHOW("chosen");
      printf("all %ld\n", all(n, c, (void *)I));
      overlapping(n, c, A, C), SHOW("overlapping");
      if (n > 2)
        overlapping(n - 1, c, A, A + 1), SHOW("overlapping");
    }
}
