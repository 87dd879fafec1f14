// A pair of which the second one goes its own way is not replaced together.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

int odd(int n, const int *restrict x) {
  int m = x[0], at = 0;
  for (int i = 1; i < n; i++) {
    if (x[i] < m)
      m = x[i];
    if (x[i] <= m)
      at += i;
  }
  return at;
}

// CHECK-LABEL: # odd
// CHECK: write: "{ S0[] -> s__01418[] }"
// CHECK: write: "{ S1[] -> s__01517[] }"
// CHECK: write: "[p0] -> { S2[i0] -> s3[i0] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "+"
// CHECK: write: "[p0] -> { S3[i0] -> s__01418[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "+"
// CHECK: reduction: "min"
// CHECK: write: "[p0] -> { S4[i0] -> s__01517[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "min"
// CHECK: write: "[p0] -> { S5[p0 - 2] -> s__1_lcssa[] : p0 >= 2 }"
