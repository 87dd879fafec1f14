// An index is looked at where it is used: i - j - 1 is not negative where j < i.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void below(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[(unsigned)(i - j - 1)] += 1;
}

// CHECK-LABEL: # below
// CHECK: assumed: "[p0] -> { : p0 >= 2 }"
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 < i0 < p0 and 0 <= i1 < i0 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0 - i1 - 1] : p0 > 0 and 0 < i0 < p0 and 0 <= i1 < i0 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M0[i0 - i1 - 1] : p0 > 0 and 0 < i0 < p0 and 0 <= i1 < i0 }"
// CHECK-NOT: # tested
