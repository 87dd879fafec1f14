// Of an address that depends on one number, that number is noted, narrow as it is; of one that takes two, the whole address.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@ints(
// CHECK: @llvm.smin.{{[a-z0-9]*}}i32
void ints(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]];
}

// CHECK-LABEL: define {{.*}}@unsigned_ints(
// CHECK: @llvm.umin.{{[a-z0-9]*}}i32
void unsigned_ints(int n, const unsigned *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]];
}

// CHECK-LABEL: define {{.*}}@two(
// CHECK: @llvm.umin.{{[a-z0-9]*}}i64
void two(int n, const long *at, const long *more, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = (x + at[i])[more[i]];
}
