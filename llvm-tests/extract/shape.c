// Rows of n + 2 elements, as of a grid with a border, and of 2 r + 1, as those of a filter.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void grid(int n, double *restrict a) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      a[(long)i * (n + 2) + j] += 1;
}

// CHECK-LABEL: # grid
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0 + 1, i1 + 1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M0[i0 + 1, i1 + 1] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: # tested: the offsets of 'argument 2' do not wrap around

void filter(int h, int w, int r, float *restrict o, const float *restrict x, const float *restrict k) {
  for (int y = r; y < h - r; y++)
    for (int u = r; u < w - r; u++)
      for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
          o[y * w + u] += x[(y + j) * w + u + i] * k[(j + r) * (2 * r + 1) + i + r];
}

// CHECK-LABEL: # filter
// CHECK: source_name: "argument 6"
// CHECK: S0[i0, i1, i2, i3] -> M{{[01]}}[i2, i3]
