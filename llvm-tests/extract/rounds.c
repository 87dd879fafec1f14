// A loop whose buffers take turns, several iterations in one: how many rounds there are is one expression, not one for three iterations at most and one for more.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %t.ll 2>&1 | FileCheck %s

// CHECK-LABEL: # swapped
// CHECK: domain: "[p0, p1] -> { S{{[0-9]+}}[i0, i1] : 2i0 <= p0 - 2 and {{[^;]*}} }"
void swapped(int n, int m, int *restrict p, int *restrict q) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      q[j] = p[j - 1] + p[j] * q[j - 1];
    int *held = p;
    p = q;
    q = held;
  }
}
