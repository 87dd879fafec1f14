// What is a member of one element may be another member of another one, where data holds the pointers.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

struct item { long a; int b; };
void items(int n, struct item **restrict tab, const long *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    struct item *p = tab[i];
    p->a = x[i];
    y[i] = p->b;
  }
}

// CHECK-LABEL: # items
// CHECK: read: "[p0] -> { S0[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: may_write: "[p0] -> { S0[i0] -> M2[o0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M3[o0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> M4[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M2[o0] : p0 > 0 and 0 <= i0 < p0 }"
