// A parallel loop that carries reductions: shares of its iterations work on cells of their own, which are then combined in their order.
// Without permission the order of a floating-point sum stays, and so do its bits.
//
// RUN: %loopwright-clang -O3 -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: reductions.c:[[#@LINE+6]]:3: remark: {{.*}}i0 on all cores; each thread reduces into its own copy of
// CHECK: reductions.c:[[#@LINE+13]]:3: remark: loop nest left as it was: no transformation that pays was found
// CHECK: reductions.c:[[#@LINE+20]]:3: remark: {{.*}}i0 on all cores; each thread reduces into its own copy of

long whole(int n, int m, const int *restrict a) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += a[i + j];
  return sum;
}

double strict(int n, const double *restrict a) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] / 3;
  return sum;
}

double free_to_reorder(int n, const double *restrict a) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] / 3;
  return sum;
}

// CHECK-DAG: define internal void @whole.threads(
// CHECK-DAG: define internal void @free_to_reorder.threads(
// CHECK-NOT: @strict.threads
