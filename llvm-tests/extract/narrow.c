// Numbers of few bits are what is left of them when they wrap around; nothing is assumed.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # other
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M1[(i0 + 1) mod 2] :
void other(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++)
    h[(t + 1) % 2] += x[t];
}
