// Conditions are sets of iterations.
// Tests: 000 2.3.4
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void some(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++)
    if (i > 2 && i != m)
      a[i] = 0;
}

// CHECK-LABEL: # some
// CHECK: assumed: "{ : }"
// CHECK: domain: "[p0, p1] -> { S0[i0] : p0 > 0 and 3 <= i0 < p0 and i0 < p1 or p0 > 0 and 3 <= i0 < p0 and i0 > p1 }"
// CHECK: write: "[p0, p1] -> { S0[i0] -> M0[i0] : p0 > 0 and 3 <= i0 < p0 and i0 < p1 or p0 > 0 and 3 <= i0 < p0 and i0 > p1 }"
// CHECK-NOT: # tested

// A truth that is found before the region, in whatever way, is a parameter: loops inside of the condition are in the domain.
void known_before(int n, double x, double *restrict a) {
  _Bool is_large = x > 0.5;
  for (int i = 0; i < n; i++)
    if (is_large)
      for (int j = 0; j < n; j++)
        a[i * 1000 + j] = 1;
}

// CHECK-LABEL: # known_before
// CHECK: domain: "[p0, [[TRUTH:[a-z_0-9]+]]] -> { S0[i0, i1] :
