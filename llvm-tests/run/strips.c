// Inner loops in vectors of iterations of the outer one, what they carry in registers: every result comes about in its own order, what is left behind the last strip as well.
//
// RUN: %loopwright-clang -ffp-contract=off -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.short -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -ffp-contract=off -O3 -Xclang -load -Xclang %plugin %s -o %t.usual -lm
// RUN: %loopwright-clang -ffp-contract=off -O2 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.native -lm
// RUN: %loopwright-clang -ffp-contract=off -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads -lm
// RUN: clang-22 -ffp-contract=off -O1 -fno-vectorize %s -o %t.plain -lm
// RUN: %t.plain > %t.expected && %t.short | diff - %t.expected && %t.usual | diff - %t.expected && %t.native | diff - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff - %t.expected
// RUN: %loopwright-clang -ffp-contract=off -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Inputs/rooms.h"

#define KEPT __attribute__((noinline))

// Polynomials, all of a strip at once: no memory is reserved for what they are so far.
// CHECK: strips.c:[[#@LINE+4]]:[[#]]: remark: loop i in strips of 32; i in vectors
// IR-LABEL: define {{.*}}@polynomials(
// IR-NOT: malloc
KEPT void polynomials(double *y, const double *x, long n, const double *c, long d) {
  for (long i = 0; i < n; i++) {
    double s = c[d];
    for (long k = d - 1; k >= 0; k--)
      s = s * x[i] + c[k];
    y[i] = s;
  }
}
// IR: ret void

// Sums of neighbours.
// CHECK: strips.c:[[#@LINE+2]]:[[#]]: remark: loop i in strips of 64; i in vectors
KEPT void filter(float *y, const float *x, const float *h, int n, int m) {
  for (int i = 0; i < n; i++) {
    float a = 0;
    for (int k = 0; k < m; k++)
      a += h[k] * x[i + k];
    y[i] = a;
  }
}

// What is summed is in memory, and stays there between the strips.
// CHECK: strips.c:[[#@LINE+2]]:[[#]]: remark: loop i in strips of {{[0-9]+}}; i in vectors
KEPT void in_memory(double *restrict y, const double *restrict x, const double *restrict h, int n, int m) {
  for (int i = 0; i < n; i++) {
    y[i] = 1;
    for (int k = 0; k < m; k++)
      y[i] += h[k] * x[i + k];
  }
}

// Two values are carried, of two sizes: half as many iterations at a time.
// CHECK: strips.c:[[#@LINE+2]]:[[#]]: remark: loop i in strips of 16; i in vectors
KEPT void nearest(int *place, const double *x, int n, const double *y, int m) {
  for (int i = 0; i < n; i++) {
    double best = 1e300;
    int at = -1;
    for (int j = 0; j < m; j++) {
      double d = (x[i] - y[j]) * (x[i] - y[j]);
      if (d < best) {
        best = d;
        at = j;
      }
    }
    place[i] = at;
  }
}

// Rows: the outermost loop stays outside.
// CHECK: strips.c:[[#@LINE+2]]:[[#]]: remark: loop i in strips of 64; i in vectors
KEPT void rows(float *y, const float *x, int n, int w, int m) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < w - m; i++) {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += x[j * w + i + k];
      y[j * w + i] = s / (float)m;
    }
}

// Two inner loops, the second of which goes on where the first one ended, and one within another.
KEPT void several(double *y, double *z, const double *x, int n, int m, int l) {
  for (int i = 0; i < n; i++) {
    double s = x[i], t = 1;
    for (int k = 0; k < m; k++)
      s = 0.5 * (s + x[i] / s);
    for (int k = 0; k < m; k++)
      for (int j = 0; j < l; j++)
        t = t * 0.75 + s * x[i + j];
    y[i] = s + t;
    z[i] = t;
  }
}

// Wrapping around, down to the first one.
KEPT void mixed(unsigned *y, const unsigned *x, int n, int m) {
  for (int i = n - 1; i >= 0; i--) {
    unsigned s = x[i];
    for (int k = 0; k < m; k++)
      s = (s ^ (unsigned)k) * 1664525u + 1013904223u;
    y[i] = s;
  }
}

// How far the inner loop runs differs: no strips.
// CHECK-NOT: strips.c:[[#@LINE+2]]:{{.*}}in strips of
KEPT void triangle(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k <= i; k++)
      s = s * 0.5 + x[k];
    y[i] = s;
  }
}

// Data decides for which elements the inner loop runs: of a vector of which one element needs it, all would take their time.
// CHECK-NOT: strips.c:[[#@LINE+2]]:{{.*}}in strips of
KEPT void some_polynomials(double *y, const double *x, int n, const double *c, int m) {
  for (int i = 0; i < n; i++) {
    double s = x[i];
    if (x[i] > 1.3)
      for (int k = 0; k < m; k++)
        s = s * x[i] + c[k];
    y[i] = s;
  }
}

// What one iteration writes the next one reads: no strips, whatever is asked for before the loops.
KEPT void handed_on(double *y, const double *c, int n, int m) {
  for (int i = 1; i < n; i++) {
    double s = y[i - 1];
    for (int k = 0; k < m; k++)
      s = s * 0.5 + c[k];
    y[i] = s;
  }
}

// Short numbers, the last of which is used behind the loops.
KEPT int last(short *y, const short *x, int n, int m) {
  short s = 0;
  for (int i = 0; i < n; i++) {
    s = x[i];
    for (int k = 0; k < m; k++)
      s = (short)(s * 3 + k);
    y[i] = s;
  }
  return s;
}

static void show(const char *name, int n, const void *data, size_t bytes) {
  uint32_t hash = 1;
  for (size_t i = 0; i < bytes; i++)
    hash = hash * 31 + ((const unsigned char *)data)[i];
  printf("%s %d: %08x\n", name, n, hash);
}

int main(void) {
  double c[40], z[520];
  float h[40];
  for (int k = 0; k < 40; k++)
    c[k] = (double)(number() % 1000) / 1024, h[k] = (float)c[k];
  for (int n = 0; n < 300; n += n < 70 ? 1 : 37) {
    int m = n % 11;
    double *x = room(8 * (size_t)(n + m), 0), *y = room(8 * (size_t)n, 1);
    float *f = room(4 * (size_t)(n + m), 2), *g = room(4 * (size_t)n, 3);
    int *at = room(4 * (size_t)n, 4);
    unsigned *u = room(4 * (size_t)n, 5), *v = room(4 * (size_t)n, 6);
    short *a = room(2 * (size_t)n, 7), *b = room(2 * (size_t)n, 8);
    for (int i = 0; i < n + m; i++)
      x[i] = 1 + (double)(number() % 4096) / 4096, f[i] = (float)x[i];
    for (int i = 0; i < n; i++)
      u[i] = number(), a[i] = (short)number(), y[i] = i, g[i] = 0, v[i] = 0, b[i] = 0;
    polynomials(y, x, n, c, m);
    show("polynomials", n, y, 8 * (size_t)n);
    filter(g, f, h, n, m);
    show("filter", n, g, 4 * (size_t)n);
    in_memory(y, x, c, n, m);
    show("in memory", n, y, 8 * (size_t)n);
    nearest(at, x, n, c, m);
    show("nearest", n, at, 4 * (size_t)n);
    if (n > 12) {
      memset(g, 0, 4 * (size_t)n);
      rows(g, f, 2, n / 2, m + 1);
      show("rows", n, g, 4 * (size_t)(n / 2));
    }
    several(y, z, x, n, m, m / 2);
    show("several", n, y, 8 * (size_t)n);
    show("several", n, z, 8 * (size_t)n);
    mixed(v, u, n, m);
    show("mixed", n, v, 4 * (size_t)n);
    triangle(y, x, n);
    show("triangle", n, y, 8 * (size_t)n);
    some_polynomials(y, x, n, c, m);
    show("some polynomials", n, y, 8 * (size_t)n);
    handed_on(y, c, n, m);
    show("handed on", n, y, 8 * (size_t)n);
    printf("%d\n", last(b, a, n, m));
    show("last", n, b, 2 * (size_t)n);
    polynomials(x, x, n, c, m);
    filter(f, f, h, n, m);
    show("in place", n, x, 8 * (size_t)n);
    show("in place", n, f, 4 * (size_t)n);
    if (n > 40)
      polynomials(x + 1, x, n - 40, x + n - 20, m), show("beside", n, x, 8 * (size_t)n);
  }
}
