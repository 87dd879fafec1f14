// Tables of rows, each with its length, in loops that are left where an index is too large. What is read for that is found first, in as many steps as there are rows, as long as no row lies over
// what is read: here types do not tell.
//
// RUN: clang-22 -O1 -fno-strict-aliasing %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -Rpass=loopwright %s -o %t.one 2>&1 | FileCheck %s
// RUN: %t.one | diff %t.expected -
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -fopenmp -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated
// RUN: env OMP_NUM_THREADS=2 %t.validated | diff %t.expected -
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline)) long
#define LEFT return 1000000 + i * 1000 + j

struct row {
  long *p, n;
};
struct table {
  struct row *r;
  long n;
};

// CHECK: rows-with-checks.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors{{.*}}is found first
OWN step(struct table *restrict a, struct table *restrict b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++) {
      if (i + 1 >= a->n || i >= b->n)
        LEFT;
      if ((unsigned long)j >= (unsigned long)a->r[i - 1].n)
        LEFT;
      if (j >= a->r[i + 1].n)
        LEFT;
      if ((unsigned long)j + 1 >= (unsigned long)a->r[i].n)
        LEFT;
      if ((unsigned long)j >= (unsigned long)b->r[i].n)
        LEFT;
      b->r[i].p[j] = 3 * (a->r[i - 1].p[j] + a->r[i + 1].p[j]) + a->r[i].p[j - 1] - a->r[i].p[j + 1] - 500;
    }
  return 0;
}

// CHECK: rows-with-checks.c:[[#@LINE+2]]:3: remark: {{.*}}tiled{{.*}}is found first
OWN product(struct table *restrict a, struct table *restrict b, struct table *restrict c, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      long s = 0;
      for (long k = 0; k < n; k++) {
        if (i >= a->n || k >= a->r[i].n || k >= b->n || j >= b->r[k].n)
          LEFT;
        s += a->r[i].p[k] * b->r[k].p[j];
      }
      if (i >= c->n || j >= c->r[i].n)
        LEFT;
      c->r[i].p[j] = s;
    }
  return 0;
}

// Rows of a triangle, and as long as a row says.
OWN triangle(struct table *restrict a, struct table *restrict b, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      if (i >= a->n || j >= a->r[i].n)
        LEFT;
      if (i >= b->n || j >= b->r[i].n)
        LEFT;
      b->r[i].p[j] += a->r[i].p[j] * 5;
    }
  return 0;
}

// The counter may wrap around before it comes to the end, as nobody says that it does not.
OWN endless(struct table *restrict a, unsigned long from, unsigned long end) {
  for (long i = 0; i < 3; i++)
    for (unsigned long j = from; j != end; j++) {
      if (i >= a->n || j - 2 >= (unsigned long)a->r[i].n)
        LEFT;
      a->r[i].p[j - 2] += i + 1;
    }
  return 0;
}

// As many steps as there are bytes in 64 bits, as far as anybody says before.
struct counted {
  long n, *p;
};

OWN longest(struct counted *r, long n, long m, const long *restrict x) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      if (j >= r[i].n)
        LEFT;
      r[i].p[j] = (x[j] + x[j + 1]) * 3 + i;
    }
  return 0;
}

enum { ROWS = 24, COLUMNS = 40, ROOM = 4096 };

// The memory of all tables and rows: always at the same place, as rows over tables read addresses.
static char *memory;
static size_t used;

static void *some(size_t bytes) {
  void *here = memory + used;
  used += (bytes + 63) / 64 * 64;
  return here;
}

static struct table made(long rows, long columns, int seed) {
  struct table t = {some((ROWS + 2) * sizeof(struct row)), rows};
  for (long i = 0; i < ROWS + 2; i++) {
    t.r[i].n = columns;
    t.r[i].p = some((COLUMNS + 2) * sizeof(long));
    for (long j = 0; j < COLUMNS + 2; j++)
      t.r[i].p[j] = (i * 37 + j * 11 + seed) % 101;
  }
  return t;
}

static void overwritten(long m) {
  static long x[16], row[64], lengths[32];
  struct counted *r = (struct counted *)(lengths + 10);
  x[6] = 1;
  for (int i = 0; i < 4; i++)
    r[i] = (struct counted){1L << 62, row};
  r[0].p = &r[0].n - 6;
  printf("%ld", longest(r, 4, m, x));
  printf(" %ld\n", r[0].n);
}

int main(void) {
  for (int bits = 3; bits < 63; bits++)
    overwritten((1L << bits) + 1);
  size_t all = 1 << 20;
  memory = mmap((void *)0x200000000000, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  for (int n = 0; n <= ROWS; n += 1 + n / 4)
    for (int what = 0; what < 12; what++) {
      used = 0;
      memset(memory, 0, all);
      struct table t[3];
      for (int q = 0; q < 3; q++)
        t[q] = made(ROWS, COLUMNS, q);
      struct table *one = &t[what % 3];
      switch (what / 3) {
      case 1: one->r[n / 2].n = n / 2; break;
      case 2: one->n = n - 1; break;
      case 3: // The element that is written of a row is the length of another one.
        if (n > 3)
          t[1].r[1].p = &t[what == 11].r[what == 9 ? n / 2 : n - 1].n - 1;
      }
      long results[5] = {step(&t[0], &t[1], n, what < 9 ? n + 9 : 3)};
      if (what < 9) {
        results[1] = product(&t[0], &t[1], &t[2], n);
        results[2] = triangle(&t[1], &t[2], n);
        results[3] = endless(&t[0], 2, n + 3);
        results[4] = endless(&t[1], n + 30, 5);
      }
      unsigned long sum = 0;
      for (size_t i = 0; i < used; i += sizeof(long)) {
        long word;
        memcpy(&word, memory + i, sizeof word);
        sum = sum * 31 + word;
      }
      printf("%d %d %ld %ld %ld %ld %ld %lx\n", n, what, results[0], results[1], results[2], results[3], results[4], sum);
    }
}
