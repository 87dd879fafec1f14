// Loops that run until data says so, several iterations of the loop around them side by side in the lanes of vectors: every bit is that of the program.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.short -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin %s -o %t.usual -lm
// RUN: %loopwright-clang -O2 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.native -lm
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads -lm
// RUN: clang-22 -O1 -fno-vectorize -ffp-contract=off %s -o %t.plain -lm
// RUN: %t.plain > %t.expected && %t.short | diff - %t.expected && %t.usual | diff - %t.expected && %t.native | diff - %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff - %t.expected
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "Inputs/rooms.h"

#define KEPT __attribute__((noinline))
#pragma STDC FP_CONTRACT OFF

// CHECK: side-by-side.c:[[#@LINE+3]]:[[#]]: remark: loops y, x; x in vectors, until data ends each lane
KEPT void escape(int w, int h, double x0, double y0, double step, int most, int *restrict out) {
#pragma STDC FP_CONTRACT OFF
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double cx = x0 + x * step, cy = y0 + y * step, zx = 0, zy = 0;
      int k = 0;
      while (k < most && zx * zx + zy * zy < 4) {
        double t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        k++;
      }
      out[y * w + x] = k;
    }
}

// Two ways out that hand on different things, and what is computed behind them.
// CHECK: side-by-side.c:[[#@LINE+3]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void roots(int n, const double *restrict x, double *restrict out, int *restrict steps) {
#pragma STDC FP_CONTRACT OFF
  for (int i = 0; i < n; i++) {
    double r = x[i], last = 0;
    int k = 0, how = 0;
    for (; k < 12; k++) {
      double next = 0.5 * (r + x[i] / r);
      last = r;
      if (next == r) { how = 1; break; }
      r = next;
      if (r < 0.001) { how = 2; break; }
    }
    out[i] = how == 1 ? last + k : r - last;
    steps[i] = k * 4 + how;
  }
}

// Whole numbers that wrap around, of several widths.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void steps(int n, const uint32_t *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    uint32_t v = x[i];
    int k = 0;
    while (v > 1 && k < 300) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    out[i] = k;
  }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void bytes(int n, const uint8_t *restrict x, const uint64_t *restrict y, uint64_t *restrict out) {
  for (int i = 0; i < n; i++) {
    uint8_t a = x[i];
    uint64_t h = y[i];
    short s = (short)(x[i] * 129);
    while (a != 7 && (h & 255) != a) { a = (uint8_t)(a * 5 + 1); h = h * 6364136223846793005u + a; s = (short)(s + a); }
    out[i] = h + (uint64_t)s;
  }
}

// A condition around the loop, and one in it.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void guarded(int n, const float *restrict x, float *restrict out) {
  for (int i = 0; i < n; i++) {
    float v = x[i], s = 0;
    if (v > 1) {
      while (v > 1) {
        if (v > 8) { s += v; v = v * 0.5f; }
        else { s -= 1; v -= 0.75f; if (s < -6) v = v * s; }
      }
      s = s * v;
    }
    out[i] = s;
  }
}

// In place, and downwards.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void in_place(int n, int *x) {
  for (int i = n - 1; i >= 0; i--) {
    int v = x[i];
    while ((v & 3) != 0) v = v * 5 + 3 + 4 * i;
    x[i] = v;
  }
}

// The next iteration begins with what this one has found: in order.
KEPT unsigned handed_on(int n, const int *x) {
  unsigned v = 1;
  for (int i = 0; i < n; i++) while ((v & 7) != (x[i] & 7)) v = v * 5 + 3;
  return v;
}

// Two loops, one after the other, of numbers of different widths.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void halves(int n, const uint32_t *restrict x, const double *restrict y, uint32_t *restrict out, double *restrict at) {
  for (int i = 0; i < n; i++) {
    uint32_t v = x[i], r = 0, bit = 1u << 30;
    double d = y[i];
    while (bit > v) bit >>= 2;
    for (; bit; bit >>= 2) {
      if (v >= r + bit) { v -= r + bit; r = (r >> 1) + bit; }
      else r >>= 1;
    }
    at[i] = d + r;
    while (d > r && d > 0.5) d = d * 0.75;
    out[i] = r + (uint32_t)d;
  }
}

// What a loop ends with as it is: a state, what is computed from it, a counter, the same by two ways out.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void last_state(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) { uint32_t v = x[i]; while (v > 9) v >>= 2; out[i] = v; }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void next_state(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) { uint32_t v = x[i]; do v >>= 2; while (v > 9); out[i] = v; }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void counted(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) { uint32_t v = x[i], k = 0; do { v >>= 2; k++; } while (v > 9); out[i] = k + v; }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void two_ways(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) { uint32_t v = x[i]; while (v) { if ((v & 2) == 0) break; v >>= 2; } out[i] = v; }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void before_the_count(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) {
    uint32_t v = x[i], k = 0;
    for (;;) { v = v * 5 + 1; if (v & 16) break; k++; if (v & 64) break; }
    out[i] = i & 1 ? v : v ^ k;
  }
}

// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void summed(int n, const uint32_t *restrict x, uint32_t *restrict out) {
  for (int i = 0; i < n; i++) { uint32_t v = x[i], s = 1; do { s = s * 3 + v; v &= v - 1; } while (v); out[i] = s; }
}

// Whole numbers divided by ones that are known.
// CHECK: side-by-side.c:[[#@LINE+2]]:[[#]]: remark: loop {{.*}} in vectors, until data ends each lane
KEPT void digits(int n, const int *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int v = x[i] * 2001 - 7, s = 0;
    while (v) { s = s * 3 + v % 10; v /= -10; }
    out[i] = s;
  }
}

// A sum of what the lanes find, in order.
KEPT double sum(int n, const double *x) {
#pragma STDC FP_CONTRACT OFF
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i];
    int k = 0;
    while (v > 1.0625) { v = v * 0.875; k++; }
    s += v * k;
  }
  return s;
}

// Something before, and something behind that reads it.
KEPT void around(int n, const int *restrict x, int *restrict y, int *restrict out) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + i;
    int v = x[i] & 1023;
    while (v > 3) v = (v >> 1) + (v & 1);
    out[i] = v + y[i];
  }
}

static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }

enum { MOST = 700 };

int main(void) {
  for (int kind = 0; kind < 4; kind++)
    for (int n = 0; n <= MOST; n = n < 40 ? n + 1 : n + 53) {
      int *a = room(n * sizeof(int), 0), *out = room(n * sizeof(int), 1), *y = room(n * sizeof(int), 2);
      double *d = room(n * sizeof(double), 3), *e = room(n * sizeof(double), 4);
      float *f = room(n * sizeof(float), 5);
      uint8_t *b = room(n, 6);
      uint64_t h = 0;
#define TAKE(p) for (int i = 0; i < n; i++) h = h * 31 + (uint64_t)(p);
      for (int i = 0; i < n; i++) {
        unsigned r = number();
        int is_long = kind == 0 || (kind == 1 && i % 50 == 3) || (kind == 2 && i % 8 < 5);
        a[i] = kind == 3 ? (int)(r % 3) : is_long ? (int)(r % 100000) + 2 : 1;
        d[i] = kind == 3 ? 1 : is_long ? 1 + r % 1000 * 0.37 : r % 4 * 0.25;
        if (kind == 2 && r % 40 == 0) d[i] = NAN;
        if (kind == 2 && r % 41 == 0) d[i] = INFINITY;
      }
      steps(n, (uint32_t *)a, out); TAKE(out[i])
      roots(n, d, e, out); TAKE(out[i]) TAKE(isnan(e[i]) ? 1 : bits(e[i]))
      for (int i = 0; i < n; i++) f[i] = isfinite(d[i]) ? (float)d[i] : 3, b[i] = (uint8_t)a[i];
      float *g = (float *)out;
      guarded(n, f, g); TAKE(out[i])
      for (int i = 0; i < n; i++) d[i] = isfinite(d[i]) ? d[i] : 1;
      h = h * 31 + bits(sum(n, d));
      uint64_t *wide = (uint64_t *)d;
      TAKE((wide[i] = number() * 77ull) != 0)
      bytes(n, b, wide, (uint64_t *)e); TAKE(((uint64_t *)e)[i])
      around(n, a, y, out); TAKE(out[i]) TAKE(y[i])
      for (int i = 0; i < n; i++) d[i] = number() % 5000 * 0.25;
      halves(n, (uint32_t *)a, d, (uint32_t *)out, e); TAKE(out[i]) TAKE(bits(e[i]))
      last_state(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      next_state(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      counted(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      two_ways(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      before_the_count(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      summed(n, (uint32_t *)a, (uint32_t *)out); TAKE(out[i])
      for (int i = 0; i < n; i++) y[i] = a[i] % 1000000;
      digits(n, y, out); TAKE(out[i])
      in_place(n, a); TAKE(a[i])
      h = h * 31 + (uint64_t)handed_on(n, a);
      printf("%d %d %llx\n", kind, n, (unsigned long long)h);
    }
  for (int w = 1; w < 70; w += 1 + w / 5) {
    static int out[70 * 70];
    uint64_t h = 0;
    int n = w * 9;
    escape(w, 9, -2, -1.3, 3.0 / w, 60, out); TAKE(out[i])
    escape(w, 9, -0.1, -0.1, 0.01, 33, out); TAKE(out[i])
    escape(w, 9, -2, -1.3, 3.0 / w, 0, out); TAKE(out[i])
    printf("%d %llx\n", w, (unsigned long long)h);
  }
}
