// Subscripts of unsigned numbers, which may wrap around: whether their products do is tested before the loops, as far as the factors may be large enough for
// programs. What is left is told as what is in the way, with a cure; that the cure helps is seen beside it.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: may-wrap.c:[[#@LINE+3]]:3: remark: loops i, j tiled
// CHECK: may-wrap.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}products of strides and counters fit 32 bits
void plane(unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      a[i * n + j] = b[j * n + i];
}

// CHECK: may-wrap.c:[[#@LINE+2]]:3: remark: loops i, j, k
void cube(unsigned n, unsigned m, unsigned l, float *restrict a, const float *restrict b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      for (unsigned k = 0; k < l; k++)
        a[(i * m + j) * l + k] = b[(i * m + j) * l + k] + 1;
}

// Of the first row, less than nothing is asked.
//
// CHECK: may-wrap.c:[[#@LINE+2]]:3: remark: loop nest left as it was: {{.*}}a subscript of 'a' may wrap around{{.*}}; use a signed or a wider type
void above(unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < n; i++)
    a[(i - 1) * n] = b[i];
}

// CHECK: may-wrap.c:[[#@LINE+2]]:3: remark: loops i, j
void signed_numbers(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = b[j * n + i];
}

// CHECK: may-wrap.c:[[#@LINE+2]]:3: remark: loops i, j
void wider_numbers(unsigned long n, double *restrict a, const double *restrict b) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++)
      a[i * n + j] = b[j * n + i];
}
