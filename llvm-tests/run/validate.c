// With `validate` both versions of every region run: right programs say nothing and compute the same, also where what is written has holes,
// which belong to other threads or are not there at all.
//
// RUN: clang-22 -O2 %s -o %t.plain -lm
// RUN: %loopwright-clang -O2 -mllvm -loopwright-validate -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o %t.one -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O2 -fopenmp -mllvm -loopwright-validate -mllvm -loopwright-min-work=0 %s -o %t.many -lm
// RUN: %t.plain > %t.expected
// RUN: %t.one 2>&1 | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t.many 2>&1 | diff %t.expected -
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// Of the large arrays a corner is in use.
enum { N = 65, LARGE = 2000, PAGE = 4096, ROUNDS = 200 };

static double C[LARGE][LARGE], A[LARGE][LARGE], B[LARGE][LARGE];

// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void triangle(int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * B[k][i];
}

// Every other element; and a sum, which is used behind the loops. These are changed if there are threads.
__attribute__((noinline)) long counts(int n, long (*restrict x)[2 * N], long (*restrict y)[N]) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[j][2 * i] = y[j][i] + i;
      sum += y[j][i];
    }
  return sum;
}

// Written where data says, and read anyway.
// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void least(int n, int m, int (*restrict best)[N], int (*restrict x)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if (best[k][i] > 4)
        best[k][i] = x[k][i];
}

// Written where data says, and not touched elsewhere.
// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void some(int n, int m, int (*restrict y)[N], int (*restrict x)[N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if (x[k][i] > 4)
        y[k][i] = x[k][i] + i;
}

// The same with places from data, which is changed if there are threads; and where these are too far apart to be looked for.
__attribute__((noinline)) void bins(int n, short *restrict h, const int *restrict key) {
  for (int i = 0; i < n; i++)
    if (key[i] % 3)
      h[key[i]]++;
}

// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void roots(int n, int m, double (*restrict y)[LARGE], double (*restrict x)[LARGE]) {
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      y[i][k] = sqrt(x[i][k]);
}

// The columns of a thread: others are between them.
// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void columns(int n, int m, long (*restrict x)[2 * N], long (*restrict y)[N]) {
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      x[i][k] = x[i][k] * 3 + y[i][k] + k;
}

// Rows a page apart, and the page behind each is not there.
// CHECK: validate.c:[[#@LINE+2]]:{{.*}} validated
__attribute__((noinline)) void pages(int n, int m, char (*restrict x)[2 * PAGE], char (*restrict y)[N]) {
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      x[i][k + PAGE - m] = y[k][i] + i;
}

// An array of each iteration is nobody's behind the loop, which is changed if there are threads.
__attribute__((noinline)) void rows(int n, int m, double (*restrict x)[LARGE]) {
  for (int i = 0; i < n; i++) {
    double t[N];
    for (int j = 0; j < m; j++)
      t[j] = x[i][m - 1 - j] * 0.5;
    for (int j = 0; j < m; j++)
      x[i][j] += t[j];
  }
}

static long shared[N][2 * N], others[N][N];

static void *mine(void *first) {
  for (int round = 0; round < ROUNDS; round++)
    columns(N, N, (long(*)[2 * N])(shared[0] + (long)first), others);
  return NULL;
}

static void show(const char *what, const void *memory, size_t bytes) {
  unsigned long h = 1469598103934665603ul;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ ((const unsigned char *)memory)[i]) * 1099511628211ul;
  printf("%s %016lx\n", what, h);
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (i * 7 + j * 3) % 11 * 0.3;
      B[i][j] = (i * 5 + j) % 13 * 0.7;
      others[i][j] = i ^ j;
    }
  triangle(N);
  show("triangle", C, sizeof C);
  static long x[N][2 * N];
  printf("%ld\n", counts(N, x, others));
  show("counts", x, sizeof x);
  static int best[N][N], y[N][N];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      best[i][k] = (i * 3 + k) % 9;
      y[i][k] = (i * 31 + k * 17) % 23 - 3;
    }
  least(N, N, best, y);
  show("least", best, sizeof best);
  some(N, N, best, y);
  show("some", best, sizeof best);
  static short h[1 << 20];
  static int key[3 * N];
  for (int apart = 1; apart <= 4096; apart *= 64) {
    for (int i = 0; i < 3 * N; i++)
      key[i] = i * i % 97 * apart;
    bins(3 * N, h, key);
    show("bins", h, sizeof h);
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    A[3][4] *= sign;
    errno = 0;
    roots(N, N, C, A);
    show("roots", C, sizeof C);
    printf("%d\n", errno != 0);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, mine, (void *)N);
  mine((void *)0);
  pthread_join(thread, NULL);
  show("columns", shared, sizeof shared);
  char(*apart)[2 * PAGE] = mmap(NULL, 2 * PAGE * N, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static char from[N][N];
  memset(from, 5, sizeof from);
  for (int i = 0; i < N; i++)
    mprotect(apart[i], PAGE, PROT_READ | PROT_WRITE);
  pages(N, 8, apart, from);
  for (int i = 0; i < N; i += 16)
    show("pages", apart[i], PAGE);
  rows(N, N, B);
  show("rows", B, sizeof B);
}
