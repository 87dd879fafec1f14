// What a condition lets through, stored one behind the other, as filters and partitions do: in vectors where the processor can put elements together.
//
// RUN: clang-22 -O3 -march=native -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off %s -o %t.with
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -mllvm -loopwright-min-work=0 %s -o %t.short
// RUN: %t.short | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=icelake-server -c -o /dev/null -g -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | FileCheck %s
#include <stdio.h>
#include <string.h>

#define OWN __attribute__((noinline)) long
enum { MOST = 1100 };

// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop i{{.*}}in vectors, packed
OWN above(double *restrict out, const double *restrict x, int n, double t) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > t)
      out[k++] = x[i];
  return k;
}

// Arrays that may be one: asked before the loops.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop i{{.*}}in vectors, packed
OWN where(int *out, const int *x, long n) {
  size_t k = 0;
  for (long i = 0; i < n; i++)
    if (x[i] & 1)
      out[k++] = i;
  return k;
}

// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop i{{.*}}in vectors, packed
OWN partition(float *restrict small, signed char *restrict rest, const float *restrict x, int n) {
  unsigned k = 0, l = 0;
  for (int i = 0; i < n; i++)
    if (x[i] < 3 || x[i] == 5)
      small[k++] = x[i] * 2;
    else
      rest[l++] = i;
  return k * 10000 + l;
}

// A counter that wraps around, and goes back to the first place.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop i{{.*}}in vectors, packed
OWN around(short *restrict last, const short *restrict x, int n) {
  unsigned char k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 1)
      last[k++] = x[i];
  return k;
}

// Bytes beside numbers of eight; from a place on that is given, downward.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop i{{.*}}in vectors, packed
OWN two(long *restrict out, unsigned char *restrict what, const long *restrict x, int n, int from) {
  int k = from;
  for (int i = n - 1; i >= 0; i--)
    if (x[i] != 4 && x[i] > 0) {
      out[k] = x[i];
      what[k + 2] = x[i] + i;
      k++;
    }
  return k;
}

// The rows of a matrix one behind the other.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors, packed
OWN rows(int m, int n, double *restrict out, const double *restrict x) {
  long k = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      if (x[(long)j * n + i] > 2)
        out[k++] = x[(long)j * n + i] + j;
  return k;
}

// In place, by what comes next.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: {{.*}}in vectors, packed
OWN in_place(float *z, int n) {
  long k = 0;
  for (int i = 0; i < n - 1; i++)
    if (z[i] != z[i + 1])
      z[k++] = z[i] + z[i + 1];
  return k;
}

// In place, and read again behind the store, which may be of the same element.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop nest left as it was
OWN read_behind(int *restrict z, int *restrict out, int n) {
  long k = 0;
  for (int i = 0; i < n; i++)
    if (z[i] > 0) {
      z[k] = -1;
      out[k] = z[i];
      k++;
    }
  return k;
}

// What is read here and there is picked up one by one.
// CHECK: packing.c:[[#@LINE+3]]:3: remark: loop nest left as it was
OWN picked_up(int *restrict out, const int *restrict z, int n) {
  long k = 0;
  for (int i = 0; i < n; i++)
    if (z[i] > 1)
      out[k++] = z[z[i] & 7];
  return k;
}

static double x[MOST], y[MOST + 300];
static float f[MOST], g[MOST + 300];
static int a[MOST], b[MOST + 300];
static long u[MOST], v[MOST + 300];
static short p[MOST], q[MOST + 300];
static signed char c[MOST + 300];
static unsigned hash;

static void mix(const void *from, size_t bytes) {
  for (const unsigned char *at = from, *end = at + bytes; at != end; at++)
    hash = hash * 31 + *at;
}

static void fill(int kind) {
  unsigned state = kind + 1;
  for (int i = 0; i < MOST; i++) {
    state = state * 1664525 + 1013904223;
    int value = kind == 0 ? state >> 28 : kind == 1 ? 5 : kind == 2 ? 0 : (state >> 16) % 50 == 0 ? 7 : 0;
    x[i] = f[i] = a[i] = u[i] = p[i] = value;
  }
  memset(y, 1, sizeof y), memset(g, 1, sizeof g), memset(b, 1, sizeof b);
  memset(v, 1, sizeof v), memset(q, 1, sizeof q), memset(c, 1, sizeof c);
}

int main() {
  static const int sizes[] = {0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200, 1000, MOST};
  for (int kind = 0; kind < 4; kind++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      int n = sizes[s];
      fill(kind);
      long found = above(y, x, n, 4) + where(b, a, n) + partition(g, c, f, n) + around(q, p, n);
      mix(y, sizeof y), mix(c, sizeof c);
      found += two(v, (unsigned char *)c, u, n, 3) + rows(n / 100, n < 100 ? n : 100, y, x);
      found += where(a, a, n) + in_place(f, n);
      mix(y, sizeof y), mix(g, sizeof g), mix(b, sizeof b), mix(v, sizeof v), mix(q, sizeof q), mix(c, sizeof c);
      mix(a, sizeof a), mix(f, sizeof f);
      found += read_behind(a, b, n) + (n > 8 ? picked_up(b, a, n) : 0);
      mix(a, sizeof a), mix(b, sizeof b);
      printf("%d %d: %ld %08x\n", kind, n, found, hash);
    }
}
