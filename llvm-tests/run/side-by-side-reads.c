// Loops that read where data says and run until data says so, side by side: each lane reads what its iteration reads, and nothing else.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.short -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin %s -o %t.usual -lm
// RUN: %loopwright-clang -O2 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.native -lm
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads -lm
// RUN: clang-22 -O1 -fno-vectorize %s -o %t.plain -lm
// RUN: %t.plain > %t.expected && %t.short | diff - %t.expected && %t.usual | diff - %t.expected && %t.native | diff - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff - %t.expected
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Inputs/rooms.h"

#define KEPT __attribute__((noinline))

// What is asked for is read in the first round; where there is nothing, nothing is read.
// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void places(const int *restrict a, long n, const int *restrict q, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    long lo = 0, hi = n;
    while (lo < hi) { long mid = (lo + hi) / 2; if (a[mid] < q[i]) lo = mid + 1; else hi = mid; }
    out[i] = lo;
  }
}

// Found or not, with what is read again.
// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void found(const double *restrict a, int n, const double *restrict q, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int lo = 0, hi = n - 1, r = -1;
    while (lo <= hi) {
      int mid = lo + (hi - lo) / 2;
      if (a[mid] == q[i]) { r = mid; break; }
      if (a[mid] < q[i]) lo = mid + 1; else hi = mid - 1;
    }
    out[i] = r;
  }
}

// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void lengths(const int *restrict next, const int *restrict start, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int c = 0, p = start[i];
    while (p >= 0) { p = next[p]; c++; }
    out[i] = c;
  }
}

// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void roots(const int *restrict parent, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int p = i;
    while (parent[p] != p) p = parent[p];
    out[i] = p;
  }
}

// Members.
typedef struct { float worth; int step; } cell;
// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void walks(const cell *restrict cells, const int *restrict start, int m, float *restrict out) {
  for (int i = 0; i < m; i++) {
    int p = start[i];
    float worst = 1;
    while (cells[p].worth > 0.25f) {
      if (cells[p].worth < worst) worst = cells[p].worth;
      p += cells[p].step;
    }
    out[i] = p & 1 ? worst : -worst;
  }
}

// Read under a condition that is not the same in each round.
// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void sometimes(const uint16_t *restrict next, const uint64_t *restrict extra, const int *restrict q, int m, uint64_t *restrict out) {
  for (int i = 0; i < m; i++) {
    uint64_t s = 7;
    unsigned p = (unsigned)q[i] & 255;
    while (p > 1) {
      if (p & 1) s = s * 5 + extra[p >> 1];
      if (p & 2) s ^= extra[q[i] & 127];
      p = next[p];
    }
    out[i] = s;
  }
}

// A tree in an array, and a table of steps.
// CHECK: side-by-side-reads.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void leaves(const float *restrict at, const int8_t *restrict axis, float (*restrict x)[4], int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int node = 0;
    while (axis[node] >= 0) node = 2 * node + (x[i][axis[node]] < at[node] ? 1 : 2);
    out[i] = node;
  }
}

// What is searched is written before, for each of the rows anew.
KEPT void each_row(int rows, int n, int m, const int *restrict x, const int *restrict q, int *restrict out) {
  int sums[64];
  for (int r = 0; r < rows; r++) {
    sums[0] = x[r];
    for (int i = 1; i < n; i++) sums[i] = sums[i - 1] + (x[r + i] & 7);
    for (int i = 0; i < m; i++) {
      int lo = 0, hi = n;
      while (lo < hi) { int mid = (lo + hi) >> 1; if (sums[mid] < q[i]) lo = mid + 1; else hi = mid; }
      out[r * m + i] = lo;
    }
  }
}

// What is read is written by other iterations: in order.
KEPT void compressed(int *parent, int m) {
  for (int i = 0; i < m; i++) {
    int p = i;
    while (parent[p] != p) p = parent[p];
    parent[i] = p;
  }
}

// What was read before is written, in loops of its own or where data says, and read again.
KEPT void written_between(int *restrict x, const int *restrict q, const int *restrict next, int m, int most, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int v = x[i], p = q[i], c = 0;
    for (int j = 0; j < most; j++) x[i] += j;
    while (p > 0) { if (p & 1) c += x[i]; else c ^= v; p = next[p]; }
    out[i] = c;
  }
}
KEPT void written_somewhere(int *restrict x, int *restrict y, const int *restrict z, const int *restrict q, const int *restrict next, int m, int *restrict out) {
  for (int i = 0; i < m; i++) {
    int v = x[i], p = q[i], c = 0;
    y[i] = v * 2;
    x[i + (z[0] > 9)] = 7;
    while (p > 0) { if (p & 1) c += x[i]; else c ^= v; p = next[p]; }
    out[i] = c;
  }
}

static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }

int main(void) {
  for (int n = 0; n <= 900; n = n < 6 ? n + 1 : n * 2 + 1)
    for (int m = 0; m <= 700; m = m < 40 ? m + 1 : m + 73) {
      int *a = room(n * sizeof(int), 0), *q = room(m * sizeof(int), 1), *out = room(m * sizeof(int), 2);
      double *d = room(n * sizeof(double), 3), *e = room(m * sizeof(double), 4);
      uint64_t h = 0;
#define TAKE(m, p) for (int i = 0; i < m; i++) h = h * 31 + (uint64_t)(p);
      for (int i = 0; i < n; i++) a[i] = number() % (2 * n);
      qsort(a, n, sizeof(int), compare);
      for (int i = 0; i < n; i++) d[i] = a[i] * 0.5;
      int is_alike = m % 3 == 0;
      for (int i = 0; i < m; i++) q[i] = is_alike && i % 20 ? n / 2 : (int)(number() % (2 * n + 2)) - 1, e[i] = q[i] * 0.5;
      places(n ? a : 0, n, q, m, out); TAKE(m, out[i])
      found(n ? d : 0, n, e, m, out); TAKE(m, out[i])
      for (int i = 0; i < n; i++) a[i] = i && number() % 9 ? (int)(number() % i) : -1;
      for (int i = 0; i < m; i++) q[i] = n && number() % 5 ? (int)(number() % n) : -1;
      lengths(a, q, m, out); TAKE(m, out[i])
      for (int i = 0; i < n; i++) a[i] = i && number() % 9 ? (int)(number() % i) : i;
      roots(a, n < m ? n : m, out); TAKE((n < m ? n : m), out[i])
      compressed(a, n); TAKE(n, a[i])
      if (n) {
        cell *cells = room(n * sizeof(cell), 5);
        float *worth = room(m * sizeof(float), 6);
        for (int i = 0; i < n; i++) {
          int left = n - 1 - i;
          cells[i] = (cell){left ? (number() % 1000) * 0.001f : 0, left ? 1 + number() % left : 0};
        }
        for (int i = 0; i < m; i++) q[i] = number() % n;
        walks(cells, q, m, worth); TAKE(m, (int)(worth[i] * 4096))
      }
      uint16_t *next = room(256 * sizeof(uint16_t), 7);
      uint64_t *extra = room(128 * sizeof(uint64_t), 8), *wide = (uint64_t *)e;
      for (int i = 0; i < 256; i++) next[i] = i ? number() % i : 0;
      for (int i = 0; i < 128; i++) extra[i] = number() * 4099ull;
      for (int i = 0; i < m; i++) q[i] = number();
      sometimes(next, extra, q, m, wide); TAKE(m, wide[i])
      int nodes = 2 * (n < 300 ? n : 300) + 1;
      float *at = room(nodes * sizeof(float), 9), (*x)[4] = room(m * sizeof(*x), 10);
      int8_t *axis = room(nodes, 11);
      for (int i = 0; i < nodes; i++) at[i] = number() % 100 * 0.01f, axis[i] = i < nodes / 2 && number() % 8 ? (int8_t)(number() % 4) : -1;
      for (int i = 0; i < m; i++) for (int k = 0; k < 4; k++) x[i][k] = number() % 100 * 0.01f;
      leaves(at, axis, x, m, out); TAKE(m, out[i])
      static int rows[9 * 40], sums[9 + 64], asked[40];
      for (int i = 0; i < 9 + 64; i++) sums[i] = number() % 50;
      int some = m < 40 ? m : 40;
      for (int i = 0; i < some; i++) asked[i] = number() % 250;
      each_row(9, n < 64 ? n + 1 : 64, some, sums, asked, rows); TAKE(9 * some, rows[i])
      static int step[256], words[701], more[701], few[1];
      for (int i = 0; i < 256; i++) step[i] = i ? number() % i : 0;
      for (int i = 0; i < m; i++) q[i] = number() & 255, words[i] = number();
      written_between(words, q, step, m, n % 7, out); TAKE(m, out[i])
      written_somewhere(words, more, few, q, step, m, out); TAKE(m, out[i]) TAKE(m, words[i] + more[i])
      printf("%d %d %llx\n", n, m, (unsigned long long)h);
    }
}
