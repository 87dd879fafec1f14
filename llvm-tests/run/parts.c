// A number of parts, as a quotient by a number that the program is given, is a number of iterations; whether the last part is whole or not, and whether
// there is any.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CHECK: parts.c:[[#@LINE+2]]:3: remark: {{.*}}tiled
__attribute__((noinline)) void product(size_t length, size_t n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (size_t i = 0; i < length / n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// The body runs once where there is no whole part.
__attribute__((noinline)) void at_least_one(size_t length, size_t n, const double *restrict a, double *restrict b) {
  size_t i = 0;
  do {
    for (size_t j = 0; j < n; j++)
      b[j] += a[i * n + j] * 0.5;
  } while (++i < length / n);
}

int main(void) {
  for (size_t n = 1; n < 90; n += n < 6 ? 1 : 13)
    for (size_t length = 0; length <= n * n + 1; length += 1 + length / 3) {
      double *all = malloc(4 * (n * n + 2) * sizeof *all), *a = all, *b = a + n * n + 2, *c = b + n * n + 2, sum = 0;
      for (size_t i = 0; i < 4 * (n * n + 2); i++)
        all[i] = (double)(i * 7 % 31) / 3.0;
      product(length, n, a, b, c);
      at_least_one(length, n, a, b);
      unsigned long long bits = 0;
      for (size_t i = 0; i < 4 * (n * n + 2); i++) {
        unsigned long long one;
        memcpy(&one, all + i, sizeof one);
        bits = bits * 31 + one;
      }
      printf("%zu %zu %llx\n", n, length, bits);
      free(all);
    }
}
