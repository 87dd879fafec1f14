// Where data decides about an access rows are looked for all the same.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void places(int n, const int *restrict key, double (*restrict a)[64]) {
  for (int i = 0; i < n; i++)
    a[i][key[i] & 63] = 0;
}

// CHECK-LABEL: # places
// CHECK: shape: [ "" ]
// CHECK: shape: [ "" ]
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 63 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[64i0 + i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 63 }"
