// Behind a condition control always comes to the same place again, unless it leaves the loop in the middle: what is there runs in each iteration, and
// needs no condition.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm -g %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

_Noreturn void fail(int i);

// CHECK-LABEL: # behind
// CHECK: domain: "[n] -> { S{{[0-9]+}}[i] : n > 0 and 0 <= i < n }"
// CHECK: write: {{.*}} -> y[i]
void behind(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 0)
      x[i] = -x[i];
    y[i] = 1;
  }
}

// CHECK-LABEL: # left
// CHECK: write: {{.*}}S[[LAST:[0-9]+]][i] -> y[i]
void left(int n, int m, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    if (i > 3)
      x[i] = 2;
    if (i >= m)
      fail(i);
    y[i] = 1;
  }
}
