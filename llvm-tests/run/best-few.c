// The best few so far, which take each other's places: blocks of iterations are asked whether they change any of them, and every bit is that of the
// program's own loop.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.short 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin %s -o %t.usual
// RUN: %loopwright-clang -O2 -march=native -ffast-math -Xclang -load -Xclang %plugin %s -o %t.fast
// RUN: clang-22 -O1 -fno-vectorize %s -o %t.plain
// RUN: clang-22 -O1 -ffast-math -fno-vectorize %s -o %t.plain.fast
// RUN: %t.plain > %t.expected && %t.short | diff - %t.expected && %t.usual | diff - %t.expected
// RUN: %t.plain.fast ordered > %t.expected && %t.fast ordered | diff - %t.expected
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KEPT __attribute__((noinline))

// CHECK: best-few.c:[[#@LINE+2]]:[[#]]: remark: loop i; i in vectors, until the best so far is replaced
KEPT void least_two(int n, const int *a, int *out) {
  int x = 0x7fffffff, y = x; for (int i = 0; i < n; i++) {
    if (a[i] < x) { y = x; x = a[i]; }
    else if (a[i] < y) y = a[i];
  }
  out[0] = x, out[1] = y;
}

// CHECK: best-few.c:[[#@LINE+2]]:[[#]]: remark: loop i; i in vectors, until the best so far is replaced
KEPT void least_two_where(int n, const double *a, double *out) {
  double x = 1e300, y = 1e300; int at = -1, at2 = -1; for (int i = 0; i < n; i++) {
    if (a[i] < x) { y = x; at2 = at; x = a[i]; at = i; }
    else if (a[i] < y) { y = a[i]; at2 = i; }
  }
  out[0] = x, out[1] = y, out[2] = at, out[3] = at2;
}

// CHECK: best-few.c:[[#@LINE+2]]:[[#]]: remark: loop i; i in vectors, until the best so far is replaced
KEPT void largest_three(int n, const float *a, float *out) {
  float x = -1, y = -1, z = -1; for (int i = 0; i < n; i++) {
    float v = a[i];
    if (v >= x) { z = y; y = x; x = v; }
    else if (v >= y) { z = y; y = v; }
    else if (v >= z) z = v;
  }
  out[0] = x, out[1] = y, out[2] = z;
}

struct item { float key; int id; short kind; };

// What goes with the best is read where it replaces.
// CHECK: best-few.c:[[#@LINE+2]]:[[#]]: remark: loop i; i in vectors, until the best so far is replaced
KEPT void items(int n, const struct item *a, float *out) {
  float x = 1e30f, y = 1e30f; int id = 0, id2 = 0; for (int i = 0; i < n; i++) {
    if (a[i].key < x) { y = x; id2 = id; x = a[i].key; id = a[i].id; }
    else if (a[i].key < y && a[i].kind > 1) { y = a[i].key; id2 = a[i].id; }
  }
  out[0] = x, out[1] = y, out[2] = id, out[3] = id2;
}

// The place of what is read depends on what an earlier iteration has changed: it cannot be tried.
KEPT void next_place(int n, const int *a, const int *table, int *out) {
  int x = 0x7fffffff, y = x, at = 1 << 28; for (int i = 0; i < n; i++) {
    if (a[i] < x) { y = x; x = a[i]; at = i; }
    else if (a[i] > 900 && table[at] < y) y = table[at];
  }
  out[0] = x, out[1] = y;
}

// Nor can what divides by it.
KEPT void quotients(int n, const int *a, int *out) {
  int x = 0, y = 0; for (int i = 0; i < n; i++) {
    if (a[i] > x) { y = x; x = a[i]; }
    else if (x > 1500 && 100000 / (x - 1500) < y) y = a[i];
  }
  out[0] = x, out[1] = y;
}

// Something else goes on with what the best is.
KEPT long sums_beside(int n, const int *a) {
  int x = 0x7fffffff, y = x; long sum = 0; for (int i = 0; i < n; i++) {
    sum = sum * 3 + x;
    if (a[i] < x) { y = x; x = a[i]; }
    else if (a[i] < y) y = a[i];
  }
  return sum + y;
}

// In each row from the beginning, and over all rows.
KEPT void rows(int n, int m, const double *a, double *out) {
  for (int i = 0; i < n; i++) {
    double x = 1e300, y = 1e300; for (int j = 0; j < m; j++) {
      double v = a[i * m + j];
      if (v < x) { y = x; x = v; }
      else if (v < y) y = v;
    }
    out[i] = y - x;
  }
}

KEPT void of_all_rows(int n, int m, const int *a, int *out) {
  int x = 0, y = 0; for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int v = a[i * m + j];
      if (v > x) { y = x; x = v; }
      else if (v > y) y = v;
    }
  out[0] = x, out[1] = y;
}

// The least step so far, by numbers that wrap around with values of later iterations only.
KEPT void closest(int n, const int *a, int *out) {
  int low = -2000000000, high = 2000000000; for (int i = 0; i < n; i++) {
    if (a[i] > 500 && a[i] < high && high - a[i] >= 1) { high = a[i]; }
    else if (a[i] <= 500 && a[i] > low) { low = a[i]; high = high - 1 > 500 ? high - 1 : high; }
  }
  out[0] = low, out[1] = high;
}

// What one of them becomes is computed before it is decided, and by which way it comes there says what it is.
// CHECK: best-few.c:[[#@LINE+2]]:[[#]]: remark: loop i; i in vectors, until the best so far is replaced
KEPT void by_ways(int n, const int *a, const int *b, int *out) {
  int x = 1000, y = 1000, z = 1000; for (int i = 0; i < n; i++) {
    int v = a[i], least = v < z ? v : z;
    if (b[i] & 1) {
      if (v < x) { y = x; x = v; }
      z = x;
    } else if (b[i] & 2) {
      y = v < y ? v : y;
      z = least;
    } else
      z = least;
  }
  out[0] = x, out[1] = y, out[2] = z;
}

enum { MOST = 700, KINDS = 6 };

// Ends where memory ends.
static char *room, *end;

static double number(int kind, int i, int n) {
  switch (kind) {
  case 0: return rand() % 1000;
  case 1: return n - i;
  case 2: return i;
  case 3: return rand() % 3;
  case 4: return i % 97 ? 999 : rand() % 1000;
  default: return 7;
  }
}

int main(int argc, char **argv) {
  int is_ordered = argc > 1;
  size_t size = 1 << 16;
  room = mmap(0, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  end = room + size;
  mprotect(end, 4096, PROT_NONE);
  for (int kind = 0; kind < KINDS; kind++)
    for (int n = 0; n <= MOST; n = n < 40 ? n + 1 : n + 37) {
      int *a = (int *)end - n, out[4] = {0};
      for (int i = 0; i < n; i++) a[i] = number(kind, i, n);
      least_two(n, a, out); printf("%d %d %d", n, out[0], out[1]);
      next_place(n, a, a, out); printf(" %d %d", out[0], out[1]);
      quotients(n, a, out); printf(" %d %d", out[0], out[1]);
      closest(n, a, out); printf(" %d %d", out[0], out[1]);
      printf(" %ld", sums_beside(n, a));
      by_ways(n, a, a + (n > 5 ? -3 : 0), out); printf(" %d %d %d", out[0], out[1], out[2]);
      of_all_rows(n / 7, 7, a, out); printf(" %d %d", out[0], out[1]);
      of_all_rows(3, n / 3, a, out); printf(" %d %d\n", out[0], out[1]);
      double *d = (double *)end - n, best[4] = {0}, steps[MOST];
      for (int i = 0; i < n; i++) {
        d[i] = number(kind, i, n);
        if (!is_ordered && rand() % 50 == 0) d[i] = rand() % 2 ? NAN : -0.0;
      }
      least_two_where(n, d, best); printf("%a %a %a %a", best[0], best[1], best[2], best[3]);
      rows(n / 9, 9, d, steps); for (int i = 0; i < n / 9; i++) printf(" %a", steps[i]);
      rows(2, n / 2, d, steps); printf(" %a %a\n", steps[0], steps[1]);
      float *f = (float *)end - n, three[4] = {0};
      for (int i = 0; i < n; i++) f[i] = number(kind, i, n);
      largest_three(n, f, three); printf("%a %a %a", three[0], three[1], three[2]);
      struct item *s = (struct item *)end - n;
      for (int i = 0; i < n; i++) s[i] = (struct item){number(kind, i, n), rand(), rand() % 4};
      items(n, s, three); printf(" %a %a %a %a\n", three[0], three[1], three[2], three[3]);
    }
}
