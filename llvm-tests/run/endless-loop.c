// A loop without end is left in the middle of the loop inside, under a condition. All ways to the function's end come by there; not so all iterations.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
#include <stdio.h>

__attribute__((noinline)) int steps(int n, int m, double *restrict a, double *restrict b) {
  for (int t = 0;; t++) {
    // CHECK: endless-loop.c:{{.*}}: remark: {{.*}}no iteration leaves the loops
    for (int i = 0; i < n; i++) {
      a[i] += 1;
      if (i >= m) {
        b[i] += 2;
        if (i + t > 60)
          return i;
      }
    }
  }
}

int main(void) {
  static double a[50], b[50];
  printf("%d\n", steps(40, 20, a, b));
  for (int i = 0; i < 50; i++)
    printf("%g %g\n", a[i], b[i]);
}
