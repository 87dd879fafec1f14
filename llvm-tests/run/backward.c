// Loops that LLVM leaves in single steps as a dependence goes backward in their text: they run in vectors on one thread, in another order, in strips of
// several loops where that takes several, and compute the same.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loop-vectorize %s -o %t.with 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>

#define OWN __attribute__((noinline)) void
enum { N = 3001 };

// The next element is read before it is written.
// CHECK: backward.c:[[#@LINE+3]]:3: remark: loop i + 1; i + 1 in vectors
// LLVM: backward.c:[[#@LINE+1]]:5: remark: vectorized loop
OWN reads_next(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 0; i < n - 1; i++) {
    a[i] = a[i] * 0.5f + c[i];
    b[i] += a[i + 1] * c[i];
  }
}

// What the iteration before has written is read further up.
// CHECK: backward.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN reads_last(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i] * 0.5f;
    b[i] = a[i + 1] * 0.25f + c[i];
  }
}

// A loop that overwrites what it reads in later iterations, beside one that reads what it has written.
// CHECK: backward.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN both_ways(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i] * 0.5f;
    b[i] = b[i + 1] * 0.25f - c[i];
  }
}

// CHECK: backward.c:[[#@LINE+2]]:3: remark: {{.*}}in strips of 1024; {{.*}}in vectors
OWN in_turns(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 2; i < n; i++) {
    a[i] = b[i - 1] + b[i - 2] * 0.5f;
    b[i] = c[i] * c[i] + 0.25f;
  }
}

// The element behind is written twice.
// CHECK: backward.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN overwrites(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 0; i < n - 1; i++) {
    a[i] = b[i] + c[i] * 0.5f;
    b[i] = c[i] + b[i] * 0.25f;
    a[i + 1] = b[i] + a[i + 1] * 0.125f;
  }
}

// A sum along the loop takes its time all the same.
// CHECK: backward.c:[[#@LINE+2]]:3: remark: loop nest left as it was
OWN sums(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 1; i < n; i++) {
    a[i] = a[i - 1] * 0.5f + c[i];
    b[i] = c[i] * c[i] + b[i];
  }
}

// What is overwritten later has been read further up, in one vector with what is behind it: LLVM makes vectors of the loop as it stands.
// CHECK: backward.c:[[#@LINE+3]]:3: remark: loop nest left as it was
// LLVM: backward.c:[[#@LINE+2]]:3: remark: vectorized loop
OWN reads_both(int n, float *restrict a, float *restrict b, const float *restrict c) {
  for (int i = 0; i < n - 2; i++) {
    a[i] = a[i + 1] * 0.5f + a[i + 2] * 0.25f;
    b[i] = c[i] + a[i + 1];
  }
}

int main(void) {
  static float a[N], b[N], c[N];
  void (*all[])(int, float *restrict, float *restrict, const float *restrict) = {reads_next, reads_last, both_ways,
                                                                               in_turns,   overwrites, sums,
                                                                               reads_both};
  for (int which = 0; which < 7; which++)
    for (int n = 0; n <= N; n += n < 70 ? 1 : n < 1000 ? 211 : 667) {
      for (int i = 0; i < N; i++) {
        a[i] = (float)(i * 7 % 13) - 5;
        b[i] = (float)(i * 5 % 17) * 0.5f;
        c[i] = (float)(i * 3 % 11) - 4;
      }
      all[which](n, a, b, c);
      double sum = 0;
      for (int i = 0; i < N; i++)
        sum = sum * 0.75 + a[i] - 0.5 * b[i];
      printf("%d %d %a\n", which, n, sum);
    }
}
