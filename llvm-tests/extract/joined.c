// What is asked of the bits of several numbers at once is asked of each.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// (dx | dy) != 0
void around(int n, double *restrict o, const double *restrict u) {
  for (int i = 10; i < n; i++)
    for (int dx = -1; dx <= 1; dx++)
      for (int dy = -1; dy <= 1; dy++)
        if (dx != 0 || dy != 0)
          o[i * 9 + dx * 3 + dy] = u[i];
}

// CHECK-LABEL: # around
// CHECK: domain: "[p0] -> { S0[i0, i1, i2] : p0 >= 11 and 0 <= i0 <= p0 - 11 and -2i1 + 4 <= i2 <= 2 and 0 < i1 <= 2 or p0 >= 11 and 0 <= i0 <= p0 - 11 and 0 <= i1 <= 1 and 0 <= i2 <= -2i1 + 2 }"

// (x | y) > -1, with the signs of both
void inside(int n, int m, double *restrict o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++) {
      int x = i - m, y = j - 5;
      if (x >= 0 && y >= 0)
        o[i * 100 + j] = 1;
    }
}

// CHECK-LABEL: # inside
// CHECK: domain: "[p0, p1] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 5 <= i1 <= 99 and i0 >= p1 }"

// (x & y) < 0
void outside(int n, int m, double *restrict o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++) {
      int x = i - m, y = j - 5;
      if (x < 0 && y < 0)
        o[i * 100 + j] = 1;
    }
}

// CHECK-LABEL: # outside
// CHECK: domain: "[p0, p1] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and i0 < p1 and 0 <= i1 <= 4 }"

// (x ^ y) < 0
void other_signs(int n, int m, double *restrict o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++) {
      int x = i - m, y = j - 5;
      if ((x ^ y) < 0)
        o[i * 100 + j] = 1;
    }
}

// CHECK-LABEL: # other_signs
// CHECK: domain: "[p0, p1] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and i0 < p1 and 5 <= i1 <= 99 or p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 4 and i0 >= p1 }"

// Three at once.
void all_three(int n, double *restrict o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 10; j++)
      for (int k = 0; k < 10; k++)
        if (((i - 3) | (j - 4) | (k - 5)) == 0)
          o[i * 100 + j * 10 + k] = 1;
}

// CHECK-LABEL: # all_three
// CHECK: domain: "[p0] -> { S0[3, 4, 5] : p0 >= 4 }"
