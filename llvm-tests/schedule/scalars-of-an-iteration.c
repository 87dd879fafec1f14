// Tridiagonal systems side by side, with the loop over systems outside: with that loop inside all steps are in vectors. What one statement hands on to others of its iteration is in
// registers, in whichever order the loops are, and no jump through memory.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes=loopwright -pass-remarks=loopwright -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %loopwright -passes='print<loopwright-schedule>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=ORDER

#define STEPS 128
#define SYSTEMS 512

double b[STEPS][SYSTEMS], c[STEPS][SYSTEMS], d[STEPS][SYSTEMS];

// CHECK: S0, S1, S2{{.*}}i0 in vectors
// ORDER: mark: "vector"
// ORDER: [{ S0[i0, i1] -> [(i0)]; S1[i0, i1] -> [(i0)]; S2[i0, i1] -> [(i0)] }]
void solve(void) {
  for (int l = 0; l < SYSTEMS; l++) {
    for (int k = 1; k < STEPS; k++) {
      double m = -.3 / b[k - 1][l];
      b[k][l] -= m * c[k - 1][l];
      d[k][l] -= m * d[k - 1][l];
    }
    d[STEPS - 1][l] /= b[STEPS - 1][l];
    for (int k = STEPS - 2; k >= 0; k--)
      d[k][l] = (d[k][l] - c[k][l] * d[k + 1][l]) / b[k][l];
  }
}
