// Numbers as affine pieces: those of a floor are a border if there are few, and a pattern if there are many.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// Two parts: the first one is what loops are made for.
void parts(double *restrict o, const double *restrict u) {
  for (int i = 0; i < 512; i++)
    o[i] = u[(i + 200) & 511];
}

// CHECK-LABEL: # parts
// CHECK: regular: "{ S0[i0] : 0 <= i0 <= 311 }"

// A pattern.
void pattern(double *restrict o, const double *restrict u) {
  for (int i = 0; i < 512; i++)
    o[i] = u[i & 7];
}

// CHECK-LABEL: # pattern
// CHECK-NOT: regular

// What only a few iterations have is none to make loops for.
void few(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i < 3 ? i : n];
}

// CHECK-LABEL: # few
// CHECK: regular: "[p0] -> { S0[i0] : {{.*}}3 <= i0 < p0 }"
