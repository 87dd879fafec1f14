// Where arrays are is compared by their addresses alone: an integer that is made of a pointer would let anybody get to the memory, and LLVM would no longer know of tables that
// nobody else has a pointer to. Behind the stores to rows it reads no row's pointer again then.
// RUN: clang-22 -O3 -fno-vectorize -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=ptrtoint

// CHECK-LABEL: define {{.*}}@rows(
// CHECK: ptrtoaddr
void rows(int n, float **a, float **b, float **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: define {{.*}}@arrays(
// CHECK: ptrtoaddr
void arrays(int n, float *a, float *b, float *c) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      c[i * n + j] = a[i * n + j] + b[j * n + i];
}
