// What a parallel loop needs of the stack is in a function that is called for the loop; a function that contains one needs room for the values that
// it hands over, no more. Cells of the shares and larger own arrays are on the heap.
//
// RUN: %loopwright-clang -O3 -fopenmp -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}i64 @whole(
// CHECK-NOT: alloca [
// CHECK: call {{.*}}void @whole.loop(
long whole(int n, int m, const int *restrict a) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += a[i + j];
  return sum;
}

// CHECK-LABEL: define {{.*}}void @plain(
// CHECK-NOT: alloca
// CHECK: call {{.*}}void @plain.loop(
void plain(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] += b[i] / 3;
}

// CHECK-LABEL: define internal {{.*}}void @whole.loop(
// CHECK: alloca [{{[0-9]}} x i128]
// CHECK-NOT: alloca [{{[0-9][0-9][0-9]*}} x i128]
// CHECK: call {{.*}}@malloc(
// CHECK: call {{.*}}@__kmpc_fork_call(
