// Subscripts with products from which something is taken away lie between their extremes, which are conditions on sizes: one on the product of all sides of a
// cube, and none that a picture which is flipped would not stay in itself.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck --check-prefix=SCOP %s

// The guard of a loop over the interior and its number of iterations speak of one size.
//
// SCOP: # interior
// SCOP: assumed: {{.*}}{ : 3 <= p0 <= 1048576 and 3 <= p1 <= 1048576 and 3 <= p2 <= 1048576 and {{.*}}p0_times_p1_times_p2 <= 2139095040 }
//
// CHECK: extremes.c:[[#@LINE+3]]:3: remark: loops i, j, k
// CHECK: extremes.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}products of strides and counters fit 32 bits
void interior(unsigned n, unsigned m, unsigned l, double *restrict b, const double *restrict a) {
  for (unsigned i = 1; i < n - 1; i++)
    for (unsigned j = 1; j < m - 1; j++)
      for (unsigned k = 1; k < l - 1; k++)
        b[(i * m + j) * l + k] = a[((i - 1) * m + j) * l + k] + a[(i * m + j + 1) * l + k] + a[(i * m + j) * l + k - 1];
}

// What is taken away is a row at most, wherever the loops are.
//
// CHECK: extremes.c:[[#@LINE+5]]:3: remark: loops y, x
// SCOP: # flipped
// SCOP: assumed: {{.*}}{ : p0 > 0 and p1 > 0 and p0_times_p1 <= 2139095040 }
// SCOP: tested: products of strides and counters fit 32 bits
void flipped(unsigned h, unsigned w, double *restrict a, const double *restrict b) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(h - 1 - y) * w + x] = b[y * w + (w - 1 - x)];
}

// CHECK: extremes.c:[[#@LINE+2]]:3: remark: loops i, j, k, l
void lattice(unsigned n, float *restrict a, const float *restrict b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      for (unsigned k = 0; k < n; k++)
        for (unsigned l = 0; l < n; l++)
          a[((i * n + j) * n + k) * n + l] = b[((i * n + k) * n + j) * n + l];
}

// The length of a row is one number, also where it is a sum.
//
// CHECK: extremes.c:[[#@LINE+2]]:3: remark: loops y, x
void bordered(unsigned h, unsigned w, unsigned p, double *restrict a, const double *restrict b) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(y + p) * (w + 2 * p) + x + p] = b[y * w + x];
}

// CHECK: extremes.c:[[#@LINE+2]]:3: remark: {{.*}}loop x in strips of 32; x in vectors | in the program's order, outermost loops without dependences on all cores
void convolved(unsigned N, unsigned C, unsigned H, unsigned W, unsigned R, float *restrict out, const float *restrict in, const float *restrict f) {
  for (unsigned n = 0; n < N; n++)
    for (unsigned y = 0; y < H - R + 1; y++)
      for (unsigned x = 0; x < W - R + 1; x++)
        for (unsigned c = 0; c < C; c++)
          for (unsigned dy = 0; dy < R; dy++)
            for (unsigned dx = 0; dx < R; dx++)
              out[(n * (H - R + 1) + y) * (W - R + 1) + x] += in[((n * C + c) * H + y + dy) * W + x + dx] * f[(c * R + dy) * R + dx];
}
