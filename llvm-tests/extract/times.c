// What an instance takes is what LLVM says of the target: of one value, and of vectors. With vectors of eight doubles a vector of divisions takes longer
// than one division, and a vector of additions as long as one; without them only half a vector fits. A call takes what calls take, and in vectors as
// many times as there are elements.
//
// RUN: clang-22 -O3 -march=x86-64-v4 -mprefer-vector-width=512 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s
double pow(double, double) __attribute__((const));

void added(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
}

void divided(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] / a[i];
}

void called(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = pow(b[i], a[i]);
}

// CHECK-LABEL: # added
// CHECK: operations: 1
// CHECK-NEXT: vector_time: 8
// CHECK-LABEL: # divided
// CHECK: operations: {{[0-9]+}}
// CHECK-NEXT: vector_time: {{[0-9][0-9][0-9]$}}
// CHECK-LABEL: # called
// CHECK: operations: {{[0-9]+}}
// CHECK-NEXT: vector_time: {{[0-9][0-9][0-9][0-9]$}}
