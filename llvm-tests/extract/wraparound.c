// A variable that is a step behind is an expression of two pieces, not a value that is handed on: the first iteration has it from before the loop.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// The edges of a polygon.
void edges(int n, double *restrict e, const double *restrict x) {
  for (int i = 0, j = n - 1; i < n; j = i++)
    e[i] = x[i] - x[j];
}

// CHECK-LABEL: # edges
// CHECK: read: "[p0] -> { S0[0] -> M0[p0 - 1] : p0 > 0; S0[i0] -> M0[i0 - 1] : p0 > 0 and 0 < i0 < p0 }"

// What is a step behind another one that is behind.
void two_behind(float *restrict a, const float *restrict b) {
  int one = 999, two = 998;
  for (int i = 0; i < 1000; i++) {
    a[i] = b[i] + b[one] * b[two];
    two = one;
    one = i;
  }
}

// CHECK-LABEL: # two_behind
// CHECK: read: "{ S0[0] -> M0[999]; S0[i0] -> M0[i0 - 1] : 0 < i0 <= 999 }"
// CHECK: read: "{ S0[0] -> M0[998]; S0[1] -> M0[999]; S0[i0] -> M0[i0 - 2] : 2 <= i0 <= 999 }"

// Of itself, nothing is behind.
int handed_on(int n, const int *x) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s = s * 3 + x[i];
  return s;
}

// CHECK-LABEL: # handed_on
// CHECK: kind: scalar
