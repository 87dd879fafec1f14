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

// The addresses of planes that are named by constants say how long rows are, and not how many there are: that the type of the variable says.
double u[3][64][64];
void planes(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[0][i][j] = u[1][i][j] + u[2][i][j];
}

// CHECK-LABEL: # planes
// CHECK: shape: [ "{ [(3)] }", "{ [(64)] }", "{ [(64)] }" ]
// CHECK: # tested: the subscripts of 'u' stay within its rows
