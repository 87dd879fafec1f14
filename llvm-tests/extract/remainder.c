// A remainder by a number that is known when the program runs is affine in pieces, where what is divided is known to be less than a few times that number.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// The neighbours on a ring.
void ring(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[(i + 1) % n] - u[(i + n - 1) % n];
}

// CHECK-LABEL: # ring
// CHECK: read: "[p0] -> { S0[i0] -> M0[i0 + 1] : p0 > 0 and 0 <= i0 <= p0 - 2; S0[p0 - 1] -> M0[0] : p0 > 0 }"
// CHECK: read: "[p0] -> { S0[0] -> M0[p0 - 1] : p0 > 0; S0[i0] -> M0[i0 - 1] : p0 > 0 and 0 < i0 < p0 }"

// Nobody knows how often it is in there.
void often(int n, int m, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i % m];
}

// CHECK-LABEL: # often
// CHECK: S0[i0] -> M0[o0] : {{.*}} and o0 >= 0 }"
