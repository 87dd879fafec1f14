// The key may be looked up: a[at] is the key of at.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

int largest(int n, const double *restrict a) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[at])
      at = i;
  return at;
}

// CHECK-LABEL: # largest
// CHECK: write: "[p0] -> { S0[] -> s__08_lcssa[] : p0 <= 1 }"
// CHECK: write: "[p0] -> { S1[] -> s__089[] : p0 >= 2 }"
// CHECK: reduction: "argmax"
// CHECK: write: "[p0] -> { S2[i0] -> s__089[] : p0 >= 2 and 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "argmax"
// CHECK: write: "[p0] -> { S3[] -> s__08_lcssa[] : p0 >= 2 }"
