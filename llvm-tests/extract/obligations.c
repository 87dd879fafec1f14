// A reading that fails owes nothing: that m - 2 does not wrap around is asked for a subscript that depends on
// data anyway.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void interpolate(int n, int m, const double *restrict x, const double *restrict f, double *restrict y) {
  for (int i = 0; i < n; i++) {
    int k = (int)(x[i] * (m - 1));
    if (k > m - 2)
      k = m - 2;
    y[i] = f[k];
  }
}

// CHECK-LABEL: # interpolate
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: read: "[p0, p1] -> { S0[i0] -> M1[o0] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and -2147483648 <= p1 <= 2147483647 }"
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M2[i0] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK-NOT: # tested
