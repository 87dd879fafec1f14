// Numbers that data gives have bounds by what computes them.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void count(int n, const int *restrict key, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[key[i] & 7]++;
}

// CHECK-LABEL: # count
// CHECK: symbols:
// CHECK: - name: "at0"
// CHECK: lower: 0
// CHECK: upper: 7
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: applies: [ "[p0] -> { S0[i0, i1] -> at0[i0] }" ]
// CHECK: read: "[p0] -> { S0[i0, i1] -> M1[i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: write: "[p0] -> { S0[i0, i1] -> M1[i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
