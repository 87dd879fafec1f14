// Loops in which a variable is a step behind the counter: polygons, neighbours on a ring, differences to what was before.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stddef.h>
#include <stdio.h>

#define OWN __attribute__((noinline)) void
enum { N = 1003 };

// CHECK: wraparound.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN edges(int n, double *restrict e, const double *restrict x) {
  for (int i = 0, j = n - 1; i < n; j = i++)
    e[i] = x[i] - x[j];
}

// CHECK: wraparound.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN sizes(int n, double *restrict e, const double *restrict x) {
  for (size_t i = 0, j = (size_t)n - 1; i < (size_t)n; j = i++)
    e[i] = x[i] * x[j];
}

OWN two_behind(int n, double *restrict e, const double *restrict x) {
  int one = n - 1, two = n - 2;
  if (n < 2)
    return;
  for (int i = 0; i < n; i++) {
    e[i] = x[i] + x[one] * x[two];
    two = one;
    one = i;
  }
}

// Behind a product.
OWN behind_twice(int n, double *restrict e, const double *restrict x) {
  int last = 0;
  for (int i = 0; i < n / 2; i++) {
    e[i] = x[last] + 1;
    last = 2 * i + 1;
  }
}

// A row behind, of which the first one is given.
OWN rows(int n, double *restrict e, const double *restrict x) {
  int above = 16;
  for (int i = 0; i < n / 17; i++) {
    for (int j = 0; j < 17; j++)
      e[17 * i + j] = x[17 * i + j] - x[above * 17 % (n / 17 * 17) + j];
    above = i;
  }
}

// What is behind is written: from one iteration to the next it is handed on all the same.
OWN carried(int n, double *restrict e, const double *restrict x) {
  int last = n - 1;
  for (int i = 0; i < n; i++) {
    e[i] = e[last] * 0.5 + x[i];
    last = i;
  }
}

// In each row anew, backwards.
OWN backwards(int n, double *restrict e, const double *restrict x) {
  for (int i = 0; i + 16 < n; i += 17) {
    int next = 0;
    for (int j = 16; j >= 0; j--) {
      e[i + j] = x[i + j] + x[i + next];
      next = j;
    }
  }
}

// Of eight bits, which wrap around.
OWN bytes(int n, double *restrict e, const double *restrict x) {
  unsigned char last = 200;
  for (int i = 0; i < n; i++) {
    e[i] = n > 256 ? x[i] + x[last] : x[i];
    last = (unsigned char)(i + 3);
  }
}

// Used behind the loop.
OWN kept(int n, double *restrict e, const double *restrict x) {
  int last = n - 1;
  for (int i = 0; i < n; i++) {
    e[i] = x[i] + x[last];
    last = i;
  }
  if (n > 0)
    e[0] += last;
}

int main(void) {
  static double x[N + 20], e[N + 20];
  void (*all[])(int, double *restrict, const double *restrict) = {edges,     sizes, two_behind, behind_twice, rows, carried,
                                                                  backwards, bytes, kept};
  for (int which = 0; which < 9; which++)
    for (int n = 0; n <= N; n += n < 40 ? 1 : 107) {
      for (int i = 0; i < N + 20; i++) {
        x[i] = i * 7 % 13 - 5.5;
        e[i] = i * 5 % 17 * 0.5;
      }
      all[which](n, e, x);
      double sum = 0;
      for (int i = 0; i < N + 20; i++)
        sum = sum * 0.75 + e[i];
      printf("%d %d %a\n", which, n, sum);
    }
}
