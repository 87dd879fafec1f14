// Short loops that an outer one cuts are written out, each iteration under its condition, below a parallel loop; of points that have all neighbours, without conditions, in vectors. Results are those of the program.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-ast;parallel>' -disable-output - 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 %s -o %t
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected && env OMP_NUM_THREADS=3 %t | diff - %t.expected
#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline))

// CHECK-LABEL: # erode
// CHECK: for (c0 = 0; c0 <= p0 - 1; c0 += 1) depth(0) coincident parallel {
// CHECK: for (c3 = 1; c3 <= p1 - 2; c3 += 1) depth(1) coincident mark("vector") {
// CHECK-NOT: if (
// CHECK: S1(c0, c3, 2, 2);
// CHECK-NEXT: S2(c0, c3);
KEPT void erode(const unsigned char *in, unsigned char *out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      unsigned char m = 255;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
          if (in[yy * w + xx] < m) m = in[yy * w + xx];
        }
      out[y * w + x] = m;
    }
}

// Sums whose last bits the order decides, with a window at the beginning of which nothing is.
// CHECK-LABEL: # smooth
KEPT void smooth(const float *in, float *out, int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = i < 4 ? 0 : i - 4; k <= i; k++) s = s * 0.7f + in[k];
    out[i] = s;
  }
}

int main() {
  for (int w = 0; w < 9; w++)
    for (int h = 0; h < 9; h++) {
      unsigned char *in = malloc(w * h + 1), *out = malloc(w * h + 1);
      for (int i = 0; i < w * h; i++) in[i] = i * 37 % 101, out[i] = 0;
      erode(in, out, w, h);
      for (int i = 0; i < w * h; i++) printf("%d ", out[i]);
      printf("\n");
      float x[9], y[9] = {0};
      for (int i = 0; i < 9; i++) x[i] = i * 0.3f + w;
      smooth(x, y, h);
      for (int i = 0; i < 9; i++) printf("%a ", y[i]);
      printf("\n");
    }
}
