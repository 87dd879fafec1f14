// A value that goes round a loop is a scalar array, written before the loop and at its end.
// Tests: 001 non-array
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void running(int n, double *restrict a) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s = s * 0.5 + a[i];
    a[i] = s;
  }
}

// CHECK-LABEL: # running
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[] : p0 > 0 }"
// CHECK: write: "[p0] -> { S0[] -> s__089[] : p0 > 0 }"
// CHECK: domain: "[p0] -> { S1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S1[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S1[i0] -> s2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> s__089[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S2[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S3[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S3[i0] -> s__089[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S3[i0] -> s2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S3[i0] -> s__089[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
