// y2 takes the old value of y1, so it is written first.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void filter(int n, const double *restrict x, double *restrict y) {
  double y1 = 0, y2 = 0;
  for (int i = 0; i < n; i++) {
    double out = x[i] + 0.5 * y1 + 0.25 * y2;
    y2 = y1;
    y1 = out;
    y[i] = out;
  }
}

// CHECK-LABEL: # filter
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[] : p0 > 0 }"
// CHECK: write: "[p0] -> { S0[] -> s__015[] : p0 > 0 }"
// CHECK: domain: "[p0] -> { S1[] : p0 > 0 }"
// CHECK: write: "[p0] -> { S1[] -> s__01213[] : p0 > 0 }"
// CHECK: domain: "[p0] -> { S2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> s__01213[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S2[i0] -> s__015[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S2[i0] -> s4[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S3[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S3[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S3[i0] -> s__01213[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S3[i0] -> s__015[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S3[i0] -> M1[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S4[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S4[i0] -> s__015[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S4[i0] -> s__01213[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: domain: "[p0] -> { S5[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0] -> { S5[i0] -> s4[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S5[i0] -> s__015[] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
