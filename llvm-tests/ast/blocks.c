// The product of two matrices: blocks of four rows and four terms without holes are written out inside of the vector loop, the others run in
// plain loops, one nest for all of them.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-ast>' -disable-output - 2>&1 | FileCheck %s

void product(long n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

// CHECK: mark "pack {{M[0-9] M[0-9]}}"
// CHECK-NEXT: for ([[BI:c[0-9]+]] = 8 * {{c[0-9]+}};
// CHECK-NEXT: for ([[BK:c[0-9]+]] =
// CHECK-NEXT: if (p0 >= 4 * [[BK]] + 4 && p0 >= 4 * [[BI]] + 4) {
// CHECK-NEXT: mark "vector"
// CHECK-NEXT: for ([[J:c[0-9]+]] =
// CHECK-NEXT: S0(4 * [[BI]], [[J]], 4 * [[BK]]);
// CHECK-NEXT: S0(4 * [[BI]], [[J]], 4 * [[BK]] + 1);
// CHECK: S0(4 * [[BI]] + 3, [[J]], 4 * [[BK]] + 3);
// CHECK-NEXT: }
// CHECK: if (4 * [[BK]] + 3 >= p0 || p0 >= 4 * [[BK]] + 4 && 4 * [[BI]] + 3 >= p0) {
// CHECK-NEXT: for ([[I:c[0-9]+]] = 4 * [[BI]]; [[I]] <= min(p0 - 1, 4 * [[BI]] + 3);
// CHECK-NEXT: for ([[K:c[0-9]+]] = 4 * [[BK]]; [[K]] <= min(p0 - 1, 4 * [[BK]] + 3);
// CHECK: S0([[I]], {{c[0-9]+}}, [[K]]);
// CHECK-NOT: S0
