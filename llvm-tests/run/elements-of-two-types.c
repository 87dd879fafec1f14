// Elements of one size and several types in one array: members of a structure, unions. The type of a reduction is that of its accesses, and
// updates by one operator of two types are no reduction where they may meet.
//
// RUN: clang-22 -O1 -ffast-math %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -ffast-math %s -o %t.sequential
// RUN: %t.sequential | diff %t.expected -
// RUN: %loopwright-clang -O3 -ffast-math -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.parallel 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 %t.parallel | diff %t.expected -

#include <stdio.h>
#include <string.h>

struct bin {
  int count;
  float sum;
};
typedef union {
  float f;
  int i;
} number;
typedef union {
  double d;
  long l;
  void *p;
} wide;

// CHECK: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void bins(int n, struct bin *restrict h, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++) {
    h[key[i] & 31].count++;
    h[key[i] & 31].sum += x[i];
  }
}

__attribute__((noinline)) void some(int n, struct bin *restrict h, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++)
    if (x[i] > 3) {
      h[key[i] & 31].count++;
      h[key[i] & 31].sum += x[i];
    }
}

// CHECK: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void members(int n, struct bin *restrict h, const float *restrict x) {
  for (int i = 0; i < n; i++) {
    h[3].count += i & 7;
    h[5].sum += x[i];
  }
}

// The first access is one of another type than the reduction.
// CHECK: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void after_floats(int n, number *restrict h, const int *restrict key, float *restrict first) {
  for (int i = 0; i < 16; i++)
    first[i] = h[i].f;
  for (int i = 0; i < n; i++)
    h[key[i] & 15].i += i;
}

// CHECK: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void after_doubles(int n, wide *restrict h, const int *restrict key, double *restrict first) {
  for (int i = 0; i < 16; i++)
    first[i] = h[i].d;
  for (int i = 0; i < n; i++)
    h[key[i] & 15].l ^= i * 0x123456789;
}

// CHECK: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void after_pointers(int n, wide *restrict h, const int *restrict key, void **restrict first) {
  for (int i = 0; i < 16; i++)
    first[i] = h[i].p;
  for (int i = 0; i < n; i++)
    h[key[i] & 15].l += i * 0x123456789;
}

// Sums of bits taken for one type and for the other do not commute.
// CHECK-NOT: elements-of-two-types.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces
__attribute__((noinline)) void sums_of_both(int n, number *restrict h, const int *restrict key) {
  for (int i = 0; i < n; i++) {
    h[key[i] & 15].i += 1 << 20;
    h[key[i] * 5 & 15].f += 1;
  }
}

__attribute__((noinline)) void extremes_of_both(int n, int m, number *restrict h, const int *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      h[j].i = h[j].i > a[i * m + j] ? h[j].i : a[i * m + j];
      h[m - 1 - j].f = h[m - 1 - j].f < (float)a[i * m + j] ? h[m - 1 - j].f : (float)a[i * m + j];
    }
}

static void show(const void *memory, size_t bytes) {
  unsigned long sum = 0;
  for (size_t at = 0; at < bytes; at++)
    sum = sum * 31 + ((const unsigned char *)memory)[at];
  printf("%lx\n", sum);
}

int main(void) {
  enum { n = 20000 };
  static int key[n];
  static float x[n], first[16];
  static double firsts[16];
  static void *pointers[16];
  static struct bin h[32];
  static number u[16];
  static wide w[16];
  for (int i = 0; i < n; i++) {
    key[i] = (int)(i * 7919u >> 3);
    x[i] = (float)(i % 8);
  }
  bins(n, h, key, x), show(h, sizeof h);
  some(n, h, key, x), show(h, sizeof h);
  members(n, h, x), show(h, sizeof h);
  after_floats(n, u, key, first), show(u, sizeof u), show(first, sizeof first);
  after_doubles(n, w, key, firsts), show(w, sizeof w), show(firsts, sizeof firsts);
  after_pointers(n, w, key, pointers), show(w, sizeof w), show(pointers, sizeof pointers);
  for (int i = 0; i < 16; i++)
    u[i].f = 1;
  sums_of_both(300, u, key), show(u, sizeof u);
  extremes_of_both(n / 16, 16, u, key), show(u, sizeof u);
}
