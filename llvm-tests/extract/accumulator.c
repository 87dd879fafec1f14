// The sums of both loops are one accumulator.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void total(int n, int m, int (*restrict a)[100], int *restrict s) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += a[i][j];
  *s = sum;
}

// CHECK-LABEL: # total
// CHECK: write: "[p0, p1] -> { S0[] -> s__012_lcssa[] : p0 <= 0 or p0 > 0 and p1 <= 0 }"
// CHECK: write: "[p0, p1] -> { S1[] -> s__01215[] : p0 > 0 and p1 > 0 }"
// CHECK: read: "[p0, p1] -> { S2[i0, i1] -> M0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: read: "[p0, p1] -> { S2[i0, i1] -> s__01215[] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: reduction: "+"
// CHECK: write: "[p0, p1] -> { S2[i0, i1] -> s__01215[] : p0 > 0 and 0 <= i0 < p0 and p1 > 0 and 0 <= i1 < p1 }"
// CHECK: reduction: "+"
// CHECK: read: "[p0, p1] -> { S3[] -> s__01215[] : p0 > 0 and p1 > 0 }"
// CHECK: write: "[p0, p1] -> { S3[] -> s__012_lcssa[] : p0 > 0 and p1 > 0 }"

// What is added in order, and under a condition, is added in its place.
float in_order(int n, const float *restrict a, int m) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    if (i != m)
      sum += a[i];
  return sum;
}

// CHECK-LABEL: # in_order
// CHECK: # S{{[0-9]+}}: [[SUM:[^ ]+]] = f(M0[i0], [[SUM]])
