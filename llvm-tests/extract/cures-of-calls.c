// Cures that would not help are not given: a function that calls itself cannot be inlined, what is alone in its loop needs no loop of its own, and what is
// marked to be inlined need not be marked.
//
// RUN: %loopwright-clang -O3 -g -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
#include <math.h>
double outside(int);

// CHECK: the call to 'deeper' {{.*}}; let it have a loop of its own [
void deeper(int n, int depth, double *a) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * 2 + depth;
    if (depth > 0)
      deeper(i, depth - 1, a);
  }
}

// CHECK: the call to 'outside' {{.*}}; if it only computes, define it in this file [
void alone(int n) {
  for (int i = 0; i < n; i++)
    outside(i);
}

// CHECK: the call to 'outside' {{.*}}; if it only computes, declare it __attribute__((const)) or define it in this file; else let it have a loop of its own [
void beside(int n, double *a) {
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    a[i] *= outside(i);
  }
}

static inline __attribute__((always_inline)) void update(int n, int i, double *a, const double *b) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      a[i * n + j] += b[j * n + k] * b[k * n + i];
  for (int j = 0; j < n; j++)
    a[i * n + j] *= 3;
}
// CHECK: the call to 'update' {{.*}}; look behind LLVM's inlining: the option position=late [
void inlined(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++)
    update(n, i, a, b);
  for (int i = 0; i < n; i++)
    update(n, i, a, a);
}

// CHECK: the call to 'lrint' {{.*}}; -fno-math-errno keeps it from setting errno [
void rounded(int n, long *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = lrint(b[j * n + i]);
}

// A product of complex numbers has a call for parts that are no numbers.
// CHECK: the call to '__muldc3' {{.*}}; -fcx-limited-range computes it without the call, and without regard to infinite parts [
void products(int n, _Complex double *a, const _Complex double *b) {
  for (int i = 0; i < n; i++)
    a[i] *= b[i];
}
