// Where flags let copies of a computation differ, or a library computes vectors by other functions, the iteration that leaves would not be the one that was
// found: such exits stay where they are. A loop that says that it ran to its end has written all elements.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.strict -lm 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffast-math -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.fast -lm 2>&1 | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.contracted -lm 2>&1 | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fno-math-errno -fveclib=libmvec -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.library -lm
// RUN: %t.strict && %t.fast && %t.contracted && %t.library
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 3000, PROGRAMS = 300 };

// STRICT: exits-of-floats.c:[[#@LINE+4]]:3: remark: {{.*}}is found first
// FREE: exits-of-floats.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}can be left in the middle
__attribute__((noinline)) int sum(int n, const double *restrict a, double *restrict b, double limit) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * a[i];
    if (sum > limit)
      return i;
    b[i] = (a[i] * a[i] * 3.0 + 1) / (a[i] + 2) + a[i] * (a[i] - 1) / 3;
  }
  return -1;
}

// CHECK: exits-of-floats.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}can be left in the middle
__attribute__((noinline)) int counted(int n, const double *restrict a, double *restrict b, double limit) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    double e = exp(a[i]);
    if (e >= limit)
      count++;
    if (count > 20)
      return i;
    b[i] = (e * a[i] * 3.0 + 1) / (a[i] + 2) + a[i] * (a[i] - 1) / 3;
    b[i] = b[i] / (b[i] * b[i] + 2) + 3 / (b[i] + 4);
  }
  return -1;
}

// Whole numbers are what they are, whatever is allowed for others.
// CHECK: exits-of-floats.c:[[#@LINE+3]]:3: remark: {{.*}}is found first
__attribute__((noinline)) int keyed(int n, const int *restrict key, const double *restrict a, double *restrict b) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += key[i];
    if (sum > 20000)
      return i;
    b[i] = (a[i] * a[i] * 3.0 + 1) / (a[i] + 2) + a[i] * (a[i] - 1) / 3;
  }
  return -1;
}

// The source lets LLVM add up in another order, once the loop is counted.
// CHECK: exits-of-floats.c:[[#@LINE+4]]:3: remark: loop nest left as it was: {{.*}}can be left in the middle
__attribute__((noinline)) int in_any_order(int n, const double *restrict a, double *restrict b, double limit) {
  double sum = 0;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; i++) {
    sum += a[i];
    if (sum > limit)
      return i;
    b[i] = (a[i] * a[i] * 3.0 + 1) / (a[i] + 2) + a[i] * (a[i] - 1) / 3;
  }
  return -1;
}

// Searches ask in vectors, and then again what leaves.
// STRICT: exits-of-floats.c:[[#@LINE+4]]:3: remark: the search {{.*}}asks
// FREE: exits-of-floats.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}ends where the data says so
__attribute__((noinline)) long product(const float *x, const float *y, float key) {
  long i = 0;
  while (x[i] * y[i] != key)
    i++;
  return i;
}

// STRICT: exits-of-floats.c:[[#@LINE+4]]:3: remark: the search {{.*}}asks
// FREE: exits-of-floats.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}ends where the data says so
__attribute__((noinline)) long ratio(const float *x, const float *y, float key) {
  long i = 0;
  while (x[i] / y[i] != key)
    i++;
  return i;
}

static float x[MOST], y[MOST];
static double a[MOST], b[MOST];
static int key[MOST];

// Whether the first elements up to where a loop was left are written, and no others.
static int is_right(int left) {
  int most = left < 0 ? MOST : left;
  for (int i = 0; i < MOST; i++)
    if ((b[i] != 0) != (i < most))
      return 0;
  for (int i = 0; i < MOST; i++)
    b[i] = 0;
  return 1;
}

int main(void) {
  for (int program = 0; program < PROGRAMS; program++) {
    unsigned state = 77u + (unsigned)program;
    double all = 0;
    int at = program * 10;
    for (int i = 0; i < MOST; i++) {
      state = state * 1664525u + 1013904223u;
      a[i] = 0.1 + (state >> 8) / 3e6, key[i] = (int)(state >> 28);
      all += i <= at ? a[i] * a[i] : 0;
      x[i] = 3 + i % 7 + program * 0.37f, y[i] = i % 7 + program * 1.1f + 50;
    }
    y[at] = x[at];
    if (ratio(x, y, 1) > at || product(x, y, x[at] * y[at]) > at) {
      printf("search of program %d\n", program);
      return 1;
    }
    if (!is_right(sum(MOST, a, b, all)) || !is_right(counted(MOST, a, b, exp(a[at / 10]))) || !is_right(keyed(MOST, key, a, b)) || !is_right(in_any_order(MOST, a, b, all / 3))) {
      printf("program %d\n", program);
      return 1;
    }
  }
  return 0;
}
