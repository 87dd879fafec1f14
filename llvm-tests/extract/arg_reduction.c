// The smallest element and where it was are replaced together.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

int least(int n, const int *restrict x) {
  int m = x[0], at = 0;
  for (int i = 1; i < n; i++)
    if (x[i] < m) {
      m = x[i];
      at = i;
    }
  return at;
}

// CHECK-LABEL: # least
// CHECK: write: "{ S0[] -> s__01015[] }"
// CHECK: write: "{ S1[] -> s__01114[] }"
// CHECK: read: "[p0] -> { S2[i0] -> M0[i0 + 1] : 0 <= i0 <= p0 - 2 }"
// CHECK: read: "[p0] -> { S2[i0] -> s__01015[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "argmin"
// CHECK: read: "[p0] -> { S2[i0] -> s__01114[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "argmin"
// CHECK: write: "[p0] -> { S2[i0] -> s__01114[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "argmin"
// CHECK: write: "[p0] -> { S2[i0] -> s__01015[] : 0 <= i0 <= p0 - 2 }"
// CHECK: reduction: "argmin"
// CHECK: read: "[p0] -> { S3[p0 - 2] -> s__01015[] : p0 >= 2 }"
// CHECK: write: "[p0] -> { S3[p0 - 2] -> s_spec_select13_lcssa[] : p0 >= 2 }"
