// The numbers that say which elements are touched are noted as they are read, narrow, so that LLVM finds the least and the largest in vectors; whole addresses
// where no number is all that an address depends on, or where elements are so large that products with them might not fit.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -S -emit-llvm %s -o - | FileCheck %s
//
// The sum of a base and a product need not be within an object, as long as it does not wrap around.
// RUN: clang-22 -O1 -fopenmp -march=x86-64-v3 -S -emit-llvm %s -o - | sed -E "s/getelementptr inbounds( nuw)?/getelementptr nusw\1/" | %loopwright -passes='loopwright<parallel>,default<O3>' -S | FileCheck %s

// CHECK-LABEL: define {{.*}}@signed_numbers(
// CHECK-DAG: call i32 @llvm.vector.reduce.smin.v{{[0-9]+}}i32
// CHECK-DAG: call i32 @llvm.vector.reduce.smax.v{{[0-9]+}}i32
void signed_numbers(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = x[at[i]];
}

// CHECK-LABEL: define {{.*}}@unsigned_numbers(
// CHECK-DAG: call i32 @llvm.vector.reduce.umin.v{{[0-9]+}}i32
// CHECK-DAG: call i32 @llvm.vector.reduce.umax.v{{[0-9]+}}i32
void unsigned_numbers(int n, const unsigned *at, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = x[at[i]];
}

struct large { double of[(1l << 32) / 8]; };

// CHECK-LABEL: define {{.*}}@large_elements(
// CHECK-DAG: call i64 @llvm.{{.*}}umin.{{.*}}i64
// CHECK-DAG: call i64 @llvm.{{.*}}umax.{{.*}}i64
void large_elements(int n, const int *at, const struct large *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = x[at[i]].of[1];
}
// CHECK-LABEL: define {{.*}}@signed_numbers.part(
