// Offsets are computed modulo 2^64. Where subscripts are so small that they are numbers nothing is tested; of sizes without a sign it is
// tested once.
//
// RUN: %loopwright-clang -O3 -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

#include <stddef.h>

// CHECK: offsets.c:[[#@LINE+2]]:3: remark: {{.*}}; the offsets of 'C' do not wrap around
void unsigned_sizes(size_t n, size_t m, double *restrict C, const double *restrict A, const double *restrict B) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < m; k++)
        C[i * n + j] += A[i * m + k] * B[k * n + j];
}

// CHECK: offsets.c:[[#@LINE+3]]:3: remark: loops i, j, k tiled
// CHECK-NOT: offsets of
void small_sizes(int n, int m, double *restrict C, const double *restrict A, const double *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        C[i * n + j] += A[i * m + k] * B[k * n + j];
}

// CHECK-LABEL: define {{.*}} @unsigned_sizes
