// Loops of three and of four iterations are written out, or left to be so: tiled, or with the sum in memory between them, they would be slower.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='loopwright<cache=524288;vector-bits=256;cores=4>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -pass-remarks-missed=loopwright -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %loopwright -passes='loopwright<parallel;cache=524288;vector-bits=256;cores=4>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %loopwright -passes='loopwright<cache=524288;vector-bits=512;only=small>' -S %t.ll | opt-22 -O3 -mattr=+avx512f -S | FileCheck %s --check-prefix=SMALL
//
// CHECK-NOT: tiled {{[0-9]}}
// CHECK: loop nest left as it was: no transformation that pays was found: no other order of these loops is faster on one core
// CHECK-NOT: tiled {{[0-9]}}
// CHECK: loop nest left as it was: no transformation that pays was found: the loops that were found are predicted to take {{[0-9]+}}% of the program's time
// CHECK-NOT: tiled {{[0-9]}}
// SMALL-LABEL: @small
// SMALL-NOT: gather
// SMALL: ret void
// THREADS: on all cores; i1 in vectors
// THREADS: in the program's order, outermost loops without dependences on all cores

void convolution(int h, int w, float (*restrict out)[2000], float (*restrict in)[2000], float (*restrict f)[3]) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float s = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          s += in[y + a - 1][x + b - 1] * f[a][b];
      out[y][x] = s;
    }
}

void products(int n, double (*restrict C)[4][4], double (*restrict A)[4][4], double (*restrict B)[4][4]) {
  for (int b = 0; b < n; b++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        double s = 0;
        for (int k = 0; k < 4; k++)
          s += A[b][i][k] * B[b][k][j];
        C[b][i][j] = s;
      }
}

// A product of matrices of five rows: where LLVM writes out the loop over a row, it shall not gather and scatter columns instead.
void small(double (*restrict c)[5], double (*restrict a)[5], double (*restrict b)[5]) {
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      c[i][j] -= a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j] + a[i][4] * b[4][j];
}
