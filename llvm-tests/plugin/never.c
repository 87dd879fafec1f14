// A test before the loops that cannot be true where they run is no success: they are left alone.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: never.c:[[#@LINE+5]]:3: remark: loop nest left as it was: it could only be modelled if {{.*}}an unsigned value is below half its range
// CHECK-NOT: remark
// CHECK-LABEL: define {{.*}} @below_zero
// CHECK-NOT: call {{.*}}fork_call
void below_zero(unsigned n, double *restrict h, const double *restrict x) {
  for (unsigned t = 0; t < n; t++)
    h[t - 5u] = x[t];
}
