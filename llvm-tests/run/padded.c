// Sums over the neighbours that a point has, as those with zeros around a picture, in vectors of points: those that have all of them in loops of their own, without conditions.
//
// RUN: clang-22 -O1 -ffp-contract=off %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with -lm 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -mllvm -loopwright-min-work=0 -mllvm -loopwright-check %s -o %t.checked -lm
// RUN: %t.checked | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads -lm
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline)) void

// CHECK: padded.c:[[#@LINE+2]]:3: remark: {{.*}}loop x; x in vectors | borders apart
OWN with_zeros(int w, int h, float *restrict o, const float *restrict u, const float *restrict k) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w)
            continue;
          s += u[yy * w + xx] * k[(dy + 1) * 3 + dx + 1];
        }
      o[y * w + x] = s;
    }
}

// Five by five, and two sums that share a factor.
// CHECK: padded.c:[[#@LINE+2]]:3: remark: {{.*}}loop x; x in vectors | borders apart
OWN weighed(int w, int h, float *restrict o, const float *restrict u, const float *restrict k) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0, all = 0, own = u[y * w + x];
      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
          if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w) {
            float v = u[(y + dy) * w + x + dx], g = k[(dy + 2) * 5 + dx + 2] / (1 + (v - own) * (v - own));
            s += g * v;
            all += g;
          }
      o[y * w + x] = s / all;
    }
}

// Of integers, and no sum: each is multiplied first. Only rows have an end.
// CHECK: padded.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN hashed(int w, int h, unsigned *restrict o, const unsigned *restrict u) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      unsigned s = 1;
      for (int d = -3; d <= 3; d++)
        if (x + d >= 0 && x + d < w)
          s = s * 31 + u[y * w + x + d];
      o[y * w + x] = s;
    }
}

// What some neighbours replace and others add to.
OWN mixed(int w, int h, float *restrict o, const float *restrict u) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int d = -2; d <= 2; d++) {
        if (x + d < 0)
          s = u[y * w] * 0.5f - s;
        else if (x + d < w)
          s += u[y * w + x + d];
      }
      o[y * w + x] = s;
    }
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 7}, {5, 5}, {9, 4}, {33, 6}, {64, 40}, {130, 67}};
  for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    int w = sizes[n][0], h = sizes[n][1];
    size_t all = (size_t)w * h;
    float *u = malloc(sizeof(float) * all), *o = malloc(sizeof(float) * all), k[25];
    unsigned *v = malloc(sizeof(unsigned) * all), *p = malloc(sizeof(unsigned) * all);
    for (size_t i = 0; i < all; i++)
      u[i] = (float)(i * 37 % 101) * 0.37f - 11, v[i] = i * 2654435761u;
    for (int i = 0; i < 25; i++)
      k[i] = 1 + i * 0.17f;
    for (int which = 0; which < 4; which++) {
      memset(o, 0, sizeof(float) * all);
      switch (which) {
      case 0: with_zeros(w, h, o, u, k); break;
      case 1: weighed(w, h, o, u, k); break;
      case 2: hashed(w, h, p, v); break;
      case 3: mixed(w, h, o, u); break;
      }
      unsigned long sum = 0;
      for (size_t i = 0; i < all; i++) {
        unsigned bits;
        memcpy(&bits, which == 2 ? (void *)&p[i] : (void *)&o[i], sizeof bits);
        sum = sum * 31 + bits;
      }
      printf("%d %dx%d %lx\n", which, w, h, sum);
    }
    free(u), free(o), free(v), free(p);
  }
}
