// Loops over a few neighbours of a point that compute nothing but sums and the like are written out before the model is read; others stay.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # written_out
// CHECK-NOT: [i0, i1, i2
// CHECK: # S0: M1[i0 + 1][i1 + 1] = f(
void written_out(int h, int w, float (*restrict o)[512], float (*restrict u)[512]) {
  for (int y = 1; y < h; y++)
    for (int x = 1; x < w; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          s += u[y + dy][x + dx];
      o[y][x] = s;
    }
}

// A sum that goes on with what it had.
// CHECK-LABEL: # channels
// CHECK: S{{[0-9]+}}[i0, i1, i2, i3] :
void channels(int n, int c, float *restrict o, float (*restrict u)[512][512], float (*restrict k)[3]) {
  for (int x = 1; x < n; x++) {
    float s = 0;
    for (int l = 0; l < c; l++)
      for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
          s += u[l][dy][x + dx] * k[l][dy];
    o[x] = s;
  }
}

// Everything around is short, too.
// CHECK-LABEL: # products
// CHECK: S{{[0-9]+}}[i0, i1, i2, i3] :
void products(int n, double (*restrict c)[4][4], double (*restrict a)[4][4], double (*restrict b)[4][4]) {
  for (int l = 0; l < n; l++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        double s = 0;
        for (int k = 0; k < 4; k++)
          s += a[l][i][k] * b[l][k][j];
        c[l][i][j] = s;
      }
}

// The least one is chosen, not computed.
// CHECK-LABEL: # chosen
// CHECK: S{{[0-9]+}}[i0, i1] :
void chosen(int n, int *restrict o, float (*restrict u)[8]) {
  for (int i = 0; i < n; i++) {
    int at = 0;
    float least = u[i][0];
    for (int k = 1; k < 8; k++)
      if (u[i][k] < least)
        least = u[i][k], at = k;
    o[i] = at;
  }
}

// The source says that it stays.
// CHECK-LABEL: # kept
// CHECK: S{{[0-9]+}}[i0, i1] :
void kept(int n, float *restrict o, float *restrict u) {
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma clang loop unroll(disable)
    for (int k = 0; k < 4; k++)
      s += u[i + k];
    o[i] = s;
  }
}
