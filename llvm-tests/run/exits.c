// An exit that data decides is found first, and then the loop runs up to it: the last iteration as far as it gets, what is used behind it, each of several
// exits, exits in the first iteration and none, arrays that overlap, and no element behind the exit read, as there is no memory there.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-check %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { COLUMNS = 40, ROWS = 60 };

// CHECK: exits.c:[[#@LINE+2]]:3: remark: {{.*}}i in vectors; the exit at line [[#@LINE+3]] is found first
__attribute__((noinline)) int error(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      return -i;
    b[i] = (a[i] * a[i] * 3.0 + 1) / (a[i] + 2) + a[i] * (a[i] - 1) / 3;
  }
  return 1;
}

// What is stored before the exit in its own iteration is stored; the counter and the last value are used behind the loop.
// CHECK: exits.c:[[#@LINE+4]]:3: remark: {{.*}}; the first of the exits at lines [[#@LINE+6]] and [[#@LINE+10]] is found first
__attribute__((noinline)) double several(unsigned n, const double *a, const int *key, double *b, double *c) {
  unsigned i;
  double last = -1;
  for (i = 0; i < n; i++) {
    c[i] = (a[i] - 1) / (a[i] + 3);
    if (key[i] == 7)
      goto found;
    last = a[i];
    b[i] = (last + 1) / (c[i] + 5) - 1 / (last + 7);
    if (a[i] > 100)
      break;
  }
  return i + last;
found:
  return -(double)i - last * 2;
}

// Downwards and in place: what is written is behind what is read.
// CHECK: exits.c:[[#@LINE+2]]:3: remark: {{.*}}; the exit at line [[#@LINE+3]] is found first
__attribute__((noinline)) long in_place(long n, double *restrict a, double *restrict b) {
  for (long i = n - 1; i >= 0; i--) {
    if (!(a[i] >= 0))
      return i;
    b[i] = a[i] / 3 + 1 / (a[i] + 1);
    a[i] = (a[i] + 2) / (a[i] * a[i] + 2) - a[i] / 7;
  }
  return -1;
}

// With loops inside, in another order.
// CHECK: exits.c:[[#@LINE+2]]:3: remark: loops i, j; {{.*}}; the exit at line [[#@LINE+3]] is found first
__attribute__((noinline)) int columns(int n, int m, const double *restrict a, double (*restrict b)[COLUMNS], double (*restrict c)[COLUMNS]) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      return i;
    for (int j = 0; j < m; j++)
      b[j][i] = c[j][i] * a[i] + b[j][i];
  }
  return n;
}

// A loop around it, and the exit leaves both.
__attribute__((noinline)) int around(int steps, int n, const double *restrict a, double *restrict b) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      if (a[i] == t + 90)
        return t * 1000 + i;
      b[i] = (b[i] + a[i]) / (a[i] + 4) + 1 / (b[i] * b[i] + 1);
    }
  return -1;
}

// CHECK: exits.c:[[#@LINE+2]]:3: remark: loop nest left as it was: the loop ends where data says so that it writes itself
__attribute__((noinline)) int fed(int n, double *a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.1)
      return i;
    a[i + 1] = (a[i] + a[i + 1]) / (a[i] * 4) + 1 / (a[i + 1] + 3);
  }
  return -1;
}

// A call between that may not come back.
// CHECK: exits.c:[[#@LINE+3]]:3: remark: loop nest left as it was:
void leave(double);
__attribute__((noinline)) int calls(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      return i;
    b[i] = a[i] / (a[i] + 1) / 3;
    if (a[i] > 1e6)
      leave(b[i]);
  }
  return -1;
}

__attribute__((noinline)) void leave(double x) {
  printf("%g\n", x);
  fflush(stdout);
  exit(0);
}

static double a[400], b[400], c[400], d[ROWS][COLUMNS], e[ROWS][COLUMNS];
static int key[400];

static void fill(int at, double bad) {
  for (int i = 0; i < 400; i++) {
    a[i] = i % 17 + 0.25;
    b[i] = i % 5;
    c[i] = i % 3 + 1;
    key[i] = i % 6;
    d[i % ROWS][i % COLUMNS] = i % 9;
    e[i % ROWS][i % COLUMNS] = i % 11;
  }
  if (at >= 0)
    a[at] = bad;
}

static double sum(void) {
  double all = 0;
  for (int i = 0; i < 400; i++)
    all = all / 3 + a[i] + 2 * b[i] - c[i] / 5 + d[i % ROWS][i % COLUMNS] * i;
  return all;
}

static void all(int n, int at) {
  fill(at, -1);
  int found = error(n, a, b);
  printf("%d %a ", found, sum());
  for (int way = 0; way < 3; way++) {
    fill(at, way == 1 ? 101 : 3);
    if (at >= 0 && way == 2)
      key[at] = 7;
    double result = several(n, a, key, b, c);
    printf("%a %a ", result, sum());
  }
  // Where 'c' begins in the middle of 'a', what is written is read for the exits.
  for (int away = 1; away < 30; away += 7) {
    fill(at, 101);
    double result = several(n, a, key, b, a + away);
    printf("%a %a ", result, sum());
  }
  fill(at, -1);
  long place = in_place(n, a, b);
  printf("%ld %a ", place, sum());
  fill(at, -1);
  int m = n < ROWS ? n : ROWS;
  found = columns(n < COLUMNS ? n : COLUMNS, m, a, d, e);
  printf("%d %a ", found, sum());
  fill(at, 91);
  found = around(3, n, a, b);
  printf("%d %a ", found, sum());
  fill(at, -1);
  found = fed(n, a);
  printf("%d %a ", found, sum());
  fill(at, -1);
  found = calls(n, a, b);
  printf("%d %a\n", found, sum());
}

// The exit is the last element before memory that may not be read.
static void at_the_end(void) {
  char *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 2 * 4096, 4096, PROT_NONE);
  for (int n = 1; n < 200; n += 13) {
    double *end = (double *)(pages + 2 * 4096) - n;
    for (int i = 0; i < n; i++)
      end[i] = i % 7;
    end[n - 1] = -1;
    printf("%d ", error(100000, end, b));
  }
  printf("\n");
}

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 4, 7, 16, 33, 350}, places[] = {-1, 0, 1, 2, 5, 15, 32, 349};
  for (int n = 0; n < 9; n++)
    for (int at = 0; at < 8; at++)
      all(sizes[n], places[at]);
  at_the_end();
  fill(20, 1e9);
  calls(100, a, c);
  return 1;
}
