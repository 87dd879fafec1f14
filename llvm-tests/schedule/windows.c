// A window that is cut off where the picture ends is no longer than it is by itself: where it is short, asking for the least in blocks does not pay, and the program's own loops run.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-schedule>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # erode
// CHECK: # pays: from {{[0-9]+}} operations and{{.*}} p2 from {{(64|96|128)}} on
void erode(const float *restrict s, float *restrict o, int w, int h, int r) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float least = 1e30f;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0 || xx < 0 || yy >= h || xx >= w)
            continue;
          if (s[yy * w + xx] < least)
            least = s[yy * w + xx];
        }
      o[y * w + x] = least;
    }
}
