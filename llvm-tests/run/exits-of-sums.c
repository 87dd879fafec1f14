// Loops that add up, count or take the most until data ends them: once the exit is found first, LLVM makes vectors of the loop as it is, which is left to it. Sums of
// floating-point numbers stay in order, and with them the loop. Arrays end where pages do.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.validated | diff %t.expected -
// RUN: %loopwright-clang -O2 -Xclang -load -Xclang %plugin -mllvm -loopwright-first=0 -g -Rpass=loopwright %s -o %t.none 2>&1 | FileCheck --check-prefix=NONE --allow-empty %s
// NONE-NOT: found first
// RUN: %t.none | diff %t.expected -
#include <stdio.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline)) long
enum { PAGE = 4096, PAGES = 6, BYTES = PAGE * PAGES, MOST = 3000 };

// CHECK: exits-of-sums.c:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; the exit at line [[#@LINE+4]] is found first
OWN sum(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      return -1;
    s += x[i];
  }
  return s;
}

// CHECK: exits-of-sums.c:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; the exit at line [[#@LINE+4]] is found first
OWN count(const int *x, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] == -7)
      break;
    if (x[i] > 40)
      s++;
  }
  return s;
}

// CHECK: exits-of-sums.c:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; the exit at line [[#@LINE+4]] is found first
OWN most(const short *x, int n, int *at) {
  short most = 0, seen = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      return *at = i, most * 1000 + seen;
    most = x[i] > most ? x[i] : most;
    seen |= x[i];
  }
  return most;
}

// What the sum is where the loop is left, before and behind the element, which the last iteration says.
// CHECK: exits-of-sums.c:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; the exit at line [[#@LINE+5]] is found first
OWN behind(const unsigned char *x, int n, unsigned long key) {
  unsigned long s = 0;
  for (int i = n - 1; i >= 0; i--) {
    s += x[i];
    if (x[i] == key)
      return (long)(s * 100 + (unsigned long)i);
    s ^= 0;
  }
  return (long)s;
}

// CHECK: exits-of-sums.c:[[#@LINE+3]]:3: remark: loop nest left as it was
OWN in_order(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      return -1;
    s += x[i];
  }
  return (long)s;
}

static unsigned state = 7;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

// Elements that end with the last page that is there.
static void *placed(char *pages, int n, int size) { return pages + BYTES - (long)n * size; }

int main(void) {
  char *pages = mmap(0, BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + BYTES, PAGE, PROT_NONE);
  long sums[5] = {0};
  for (int round = 0; round < 900; round++) {
    int n = round < 300 ? round : (int)next(MOST), is_there = next(3) != 0 && n, hit = n ? (int)next((unsigned)n) : 0, at = -1;
    int *x = placed(pages, n, sizeof *x);
    for (int i = 0; i < n; i++)
      x[i] = (int)next(50);
    if (is_there)
      x[hit] = -7;
    sums[0] += sum(x, n) * (round + 1), sums[1] += count(x, n) * (round + 1);
    short *w = placed(pages, n, sizeof *w);
    for (int i = 0; i < n; i++)
      w[i] = (short)next(3000);
    if (is_there)
      w[hit] = -1;
    sums[2] += most(w, n, &at) * (round + 1) + at;
    unsigned char *c = placed(pages, n, 1);
    for (int i = 0; i < n; i++)
      c[i] = (unsigned char)next(200);
    if (is_there)
      c[hit] = 201;
    sums[3] += behind(c, n, 201) * (round + 1);
    float *f = placed(pages, n, sizeof *f);
    for (int i = 0; i < n; i++)
      f[i] = (float)next(9000) / 7;
    if (is_there)
      f[hit] = -1;
    sums[4] += in_order(f, n) * (round + 1);
  }
  for (int i = 0; i < 5; i++)
    printf("%ld\n", sums[i]);
  return 0;
}
