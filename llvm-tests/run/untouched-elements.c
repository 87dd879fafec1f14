// Copies of minima and maxima of floats: nobody looks at elements that the program does not touch. Here some of them are on a page that may
// not be read, between the bins. What leaves a minimum as it is depends on what the flags say of NaN and infinity.
//
// RUN: clang-22 -O1 %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -ffinite-math-only -fno-signed-zeros -Rpass=loopwright %s -o %t.finite -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -fno-honor-nans -fno-signed-zeros -Rpass=loopwright %s -o %t.no-nan -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -fno-signed-zeros -fno-math-errno -Rpass=loopwright %s -o %t.all -lm 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env OMP_NUM_THREADS=3 %t.finite | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.no-nan | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.all | diff %t.expected -

#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { n = 30000, page = 4096, bins = 3 * page / 4 };

// CHECK: untouched-elements.c:[[#@LINE+3]]:3: remark: {{.*}}each thread reduces into its own copy of
// ALL: untouched-elements.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void most(int n, float *restrict m, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++)
    m[key[i]] = fmaxf(m[key[i]], x[i]);
}

// CHECK: untouched-elements.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void chosen(int n, float *restrict m, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++)
    m[key[i]] = m[key[i]] > x[i] ? m[key[i]] : x[i];
}

// CHECK: untouched-elements.c:[[#@LINE+2]]:3: remark: {{.*}}each thread reduces into its own copy of
__attribute__((noinline)) void least(int n, float *restrict m, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++)
    if (x[i] < m[key[i]])
      m[key[i]] = x[i];
}

__attribute__((noinline)) void doubles(int n, double *restrict m, const int *restrict key, const float *restrict x) {
  for (int i = 0; i < n; i++)
    m[key[i] / 2] = fmin(m[key[i] / 2], x[i]);
}

__attribute__((noinline)) void bits(int n, unsigned *restrict m, const int *restrict key) {
  for (int i = 0; i < n; i++)
    m[key[i]] |= key[i] * 31;
}

static void show(const char *memory) {
  unsigned long sum = 0;
  for (int at = 0; at < 3 * page; at += 4) {
    unsigned word;
    if (at / page == 1)
      continue;
    memcpy(&word, memory + at, 4);
    sum = sum * 31 + word;
  }
  printf("%lx\n", sum);
}

int main(void) {
  char *memory = mmap(0, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE))
    return 1;
  static int key[n];
  static float x[n];
  for (int i = 0; i < n; i++) {
    int any = (int)(i * 7919u % (bins / 3 * 2));
    key[i] = any < bins / 3 ? any : any + bins / 3;
    x[i] = (float)(int)(i * 2654435761u % 100001u) - 50000;
  }
  show(memory);
  most(n, (float *)memory, key, x), show(memory);
  memset(memory, 0, page), memset(memory + 2 * page, 0, page);
  chosen(n, (float *)memory, key, x), show(memory);
  least(n, (float *)memory, key, x), show(memory);
  memset(memory, 0, page), memset(memory + 2 * page, 0, page);
  doubles(n, (double *)memory, key, x), show(memory);
  memset(memory, 0, page), memset(memory + 2 * page, 0, page);
  bits(n, (unsigned *)memory, key), show(memory);
}
