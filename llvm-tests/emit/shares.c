// The runtime of OpenMP hands out shares of uneven loops through memory that it writes where nobody sees it. All of it has a value before: what is
// compiled to watch for memory that is read before it is written (-fsanitize=memory) has nothing to say against that.
//
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@triangle.threads(
// CHECK-DAG: store i32 0, ptr %[[LAST:.*]],
// CHECK-DAG: store i64 0, ptr %[[BEGIN:.*]],
// CHECK-DAG: store i64 0, ptr %[[END:.*]],
// CHECK-DAG: store i64 0, ptr %[[STEP:.*]],
// CHECK: @__kmpc_dispatch_init_8(
// CHECK: @__kmpc_dispatch_next_8({{.*}}ptr {{.*}}%[[LAST]], ptr {{.*}}%[[BEGIN]], ptr {{.*}}%[[END]], ptr {{.*}}%[[STEP]])
void triangle(int n, double (*restrict a)[300]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i][j] = a[i][j] * 2 + j;
}
