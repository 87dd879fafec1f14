// Where the subscripts of a statement are plain, but at a border: there they are of other pieces.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// Behind the last element of a ring is the first one.
void ring(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[(i + 1) % n];
}

// CHECK-LABEL: # ring
// CHECK: regular: "[p0] -> { S0[i0] : {{.*}}0 <= i0 <= p0 - 2 }"

// The size is known.
void of_256(double *restrict o, const double *restrict u) {
  for (int i = 0; i < 256; i++)
    o[i] = u[(i + 1) % 256];
}

// CHECK-LABEL: # of_256
// CHECK: regular: "{ S0[i0] : 0 <= i0 <= 254 }"

// There is no border.
void all(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i + 1];
}

// CHECK-LABEL: # all
// CHECK-NOT: regular

// Some points miss neighbours.
void padded(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int d = -1; d <= 1; d++)
      if (i + d >= 0 && i + d < n)
        s += u[i + d];
    o[i] = s;
  }
}

// CHECK-LABEL: # padded
// CHECK: regular: "[p0] -> { S1[i0, i1] : {{.*}}0 < i0 <= p0 - 2 and
