// The last value that a condition lets through.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

int last(int n, const int *restrict c) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (c[i])
      at = i;
  return at;
}

// CHECK-LABEL: # last
// CHECK: write: "[p0] -> { S0[] -> s__06_lcssa[] : p0 <= 0 }"
// CHECK: write: "[p0] -> { S1[] -> s__067[] : p0 > 0 }"
// CHECK: reduction: "last"
// CHECK: write: "[p0] -> { S2[i0] -> s__067[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: reduction: "last"
// CHECK: write: "[p0] -> { S3[] -> s__06_lcssa[] : p0 > 0 }"
