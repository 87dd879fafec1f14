// Loops of a program's own malloc reserve no memory and start no threads, which would call it again.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 %t | FileCheck --check-prefix=OUT %s
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static unsigned char pool[1 << 22] __attribute__((aligned(16)));
static unsigned char is_free[1 << 17];
static size_t used;
static long n_free;

void *malloc(size_t n) {
  long s = 0;
  // CHECK: own-malloc.c:[[#@LINE+1]]:{{.*}} memory that 'malloc' of this file reserves
  for (int i = 0; i < 1 << 17; i++) s += is_free[i];
  n_free = s;
  void *p = pool + used;
  used += (n + 31) & ~15ul;
  return used > sizeof pool ? 0 : p;
}

void free(void *p) { (void)p; }

void *calloc(size_t a, size_t b) {
  void *p = malloc(a * b);
  return p ? memset(p, 0, a * b) : p;
}

void *realloc(void *p, size_t n) {
  void *q = malloc(n);
  if (p && q) memmove(q, p, n);
  return q;
}

int main(void) {
  memset(is_free, 1, 1000);
  void *p = malloc(100);
  printf("%ld %d\n", n_free, p != 0); // OUT: 1000 1
  return 0;
}
