// A function that a loop calls needs stack, which a thread may have little of: such loops are not shared; with a small frame they are.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=4 OMP_STACKSIZE=16k OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: 1.5
#include <stdio.h>

enum { N = 640 };

static double a[N], b[N];

__attribute__((noinline, const)) static double large(int n) {
  double t[3000], s = 0;
  for (int i = 0; i < n; i++) t[i] = i * 0.5;
  for (int i = 0; i < n; i++) s += t[i * 7919L % n] * t[n - 1 - i];
  return s;
}

__attribute__((noinline, const)) static double small(int n) {
  double t[30], s = 0;
  for (int i = 0; i < 30; i++) t[i] = i * 0.5 + n;
  for (int i = 0; i < 30; i++) s += t[i * 79 % 30];
  return s;
}

// SAID: whether 'large' has the stack that it needs is not known to be the same on every thread
__attribute__((noinline)) static void large_ones(int n) {
  for (int i = 0; i < n; i++) a[i] = large(2000 + i);
}

// SAID: parallel
__attribute__((noinline)) static void small_ones(int n) {
  for (int i = 0; i < n; i++) b[i] = small(i);
}

int main(void) {
  large_ones(N);
  small_ones(N);
  double difference = 0;
  for (int i = 0; i < N; i++) difference += (a[i] != large(2000 + i)) + (b[i] != small(i));
  printf("%g\n", difference + 1.5);
}
