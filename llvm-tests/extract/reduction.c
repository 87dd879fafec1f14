// The update of an element by an operator that may be reordered; of doubles only where the program allows it.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void columns(int n, const int (*restrict a)[100], int *restrict s, const double (*restrict x)[100], double *restrict t) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++) {
      s[j] += a[i][j];
      t[j] += x[i][j];
    }
}

// CHECK-LABEL: # columns
// CHECK: reduction: "+"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 99 }"
// CHECK: reduction: "+"
// CHECK: write: "[p0] -> { S1[i0, i1] -> M3[i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 99 }"
