// Tiles fit the second-level cache; a vector that holds one element gains nothing; loops are planned for so many threads. What the options do not say
// of a processor that is not the compiler's is a constant, whatever machine this runs on.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// DEFINE: %{options} =
// DEFINE: %{run} = %loopwright -passes='loopwright<%{options}>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -disable-output %t.ll 2>&1
//
// REDEFINE: %{options} = only=product;cache=65536
// RUN: %{run} | FileCheck %s --check-prefix=SMALL
// REDEFINE: %{options} = only=product;cache=4194304
// RUN: %{run} | FileCheck %s --check-prefix=LARGE
// REDEFINE: %{options} = only=product
// RUN: %{run} | FileCheck %s --check-prefix=DEFAULT
// SMALL: loops i0, i1, i2 tiled 16x128x16
// LARGE: loops i0, i1, i2 tiled 64x256x64
// DEFAULT: loops i0, i1, i2 tiled 32x256x64
//
// REDEFINE: %{options} = only=columns;vector-bits=64
// RUN: %{run} | FileCheck %s --check-prefix=SCALAR
// REDEFINE: %{options} = only=columns;vector-bits=128
// RUN: %{run} | FileCheck %s --check-prefix=VECTOR
// SCALAR: loop nest left as it was: no transformation that pays was found
// VECTOR: loops i0, i1; i0 in vectors
//
// REDEFINE: %{options} = only=columns;parallel;min-work=12345
// RUN: %loopwright -passes='loopwright<%{options}>' -S %t.ll | FileCheck %s --check-prefix=FORK
// FORK: icmp sge i64 {{.*}}, 12345

void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

void columns(int n, double A[restrict n][n], double s[restrict n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      s[j] += A[i][j];
}
