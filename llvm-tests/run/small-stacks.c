// Parallel loops need no more of the stack than they must: nothing in calls that do not come to them, or are over with them; next to nothing
// where they run on one thread; and little in threads with the smallest stacks that there are.
//
// RUN: clang-22 -O3 -march=native %s -o %t.plain -lm
// RUN: %loopwright-clang -O3 -march=native -fopenmp -Rpass=loopwright %s -o %t.with -lm 2> %t.remarks
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.forks -lm
// RUN: FileCheck %s --input-file %t.remarks
// RUN: %t.plain 20000 > %t.expected
// RUN: %t.with 20000 | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t.with 20000 | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OMP_STACKSIZE=16k OMP_WAIT_POLICY=passive %t.with 20000 | diff %t.expected -
// RUN: %t.plain 300 > %t.expected
// RUN: env OMP_NUM_THREADS=3 OMP_STACKSIZE=16k OMP_WAIT_POLICY=passive %t.forks 300 | diff %t.expected -
//
// CHECK: small-stacks.c:[[#@LINE+15]]:3: remark: {{.*}}each thread reduces into its own copy of

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 64, BINS = 16, ROW = 700 };

/* A reduction at each level. */
__attribute__((noinline)) long sums(int depth, const int *a, int n) {
  if (depth == 0)
    return 0;
  long sum = 0, most = a[0], all = -1;
  for (int i = 0; i < n; i++) {
    sum += a[i] ^ depth;
    most = a[i] > most ? a[i] : most;
    all &= a[i] | depth;
  }
  return sum + most + (all & 7) + sums(depth - 1, a, n) / 2;
}

/* The same before and after the recursion, and into an array. */
__attribute__((noinline)) long histogram(int depth, const int *restrict a, int *restrict bins, int n) {
  if (depth == 0)
    return 0;
  for (int i = 0; i < n; i++)
    bins[a[i] & (BINS - 1)] += depth;
  long below = histogram(depth - 1, a, bins, n);
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * (long)depth;
  return sum + (below & 0xffff);
}

/* Calls that set errno, and no reduction. */
__attribute__((noinline)) double roots(int depth, const double *restrict x, double *restrict y, int n) {
  if (depth == 0)
    return 0;
  for (int i = 0; i < n; i++)
    y[i] = sqrt(x[i] + depth) * 0.5 + exp(-x[i]);
  return y[depth % n] + roots(depth - 1, x, y, n);
}

/* An array that each iteration has of its own, too large for the stack of a small thread. */
__attribute__((noinline)) void rows(const double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    double row[ROW];
    for (int j = 0; j < ROW; j++)
      row[j] = x[(i + j) % LENGTH] * j;
    double total = 0;
    for (int j = 0; j < ROW; j++)
      total += row[j] * row[ROW - 1 - j];
    y[i] = total;
  }
}

static int a[LENGTH], bins[BINS];
static double x[LENGTH], y[LENGTH];

static void *deep(void *argument) {
  int depth = *(int *)argument;
  printf("%ld\n", sums(depth, a, LENGTH));
  printf("%ld\n", histogram(depth, a, bins, LENGTH));
  printf("%.17g\n", roots(depth, x, y, LENGTH));
  return NULL;
}

static void *with_large_arrays(void *argument) {
  (void)argument;
  rows(x, y, LENGTH);
  return NULL;
}

static void run(void *(*what)(void *), int depth, size_t bytes) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, bytes) ||
      pthread_create(&thread, &attributes, what, &depth) || pthread_join(thread, NULL))
    exit(1);
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < LENGTH; i++)
    a[i] = i * 7919 % 1000, x[i] = i * 0.25;
  run(deep, 1, PTHREAD_STACK_MIN);
  run(deep, depth, 160u * depth + 64 * 1024);
  run(with_large_arrays, 1, 32 * 1024);
  for (int i = 0; i < BINS; i++)
    printf("%d\n", bins[i]);
  for (int i = 0; i < LENGTH; i++)
    printf("%.17g\n", y[i]);
  return 0;
}
