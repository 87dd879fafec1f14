// What sorts rows is one function for all loops of functions that have the same attributes, and for these alone. A function of the program that is called like it
// is not taken for it.
//
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}i32 @loopwright.rows.own(
__attribute__((noinline)) int own(void *memory, long count, long work) __asm__("loopwright.rows.own");
int own(void *memory, long count, long work) { return memory && count < work; }

// CHECK-LABEL: define {{.*}}@product(
void product(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: define {{.*}}@once_more(
void once_more(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] -= a[i][k] * b[k][j];
}

// CHECK-LABEL: define {{.*}}@wide(
__attribute__((target("avx2"))) void wide(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

// CHECK: define {{.*}}@[[FIRST:loopwright.rows[0-9.]*]](
// CHECK-LABEL: define {{.*}}@product.rows(
// CHECK: call {{.*}}@[[FIRST]](
// CHECK-LABEL: define {{.*}}@once_more.rows(
// CHECK: call {{.*}}@[[FIRST]](
// CHECK: define {{.*}}@[[OTHER:loopwright.rows[0-9.]*]]({{.*}} #[[WIDE:[0-9]+]]
// CHECK-LABEL: define {{.*}}@wide.rows(
// CHECK: call {{.*}}@[[OTHER]](
// CHECK-NOT: define {{.*}}@loopwright.rows
// CHECK: attributes #[[WIDE]] = {{.*}}+avx2
