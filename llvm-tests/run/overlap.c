// Pointers that overlap take the original loops: what is printed is what the program without the plugin prints.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -

#include <stdio.h>

__attribute__((noinline)) void shift(int n, int m, double *to, const double *from) {
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      to[i * 8 + k % 8] = from[i * 8 + k % 8] * 0.5 + k;
}

int main(void) {
  static double x[4096];
  for (int distance = 0; distance < 64; distance += 7) {
    for (int i = 0; i < 4096; i++)
      x[i] = i % 13;
    shift(400, 8, x + distance, x);
    double sum = 0;
    for (int i = 0; i < 4096; i++)
      sum = sum * 0.99 + x[i];
    printf("%d %a\n", distance, sum);
  }
}
