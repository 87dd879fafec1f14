// Two pointers into one object that no test could find apart: the loops would never run in a new form, which is said.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// A hundred elements, and as many from at most seven behind the first.
// CHECK: # near: {{.*}} are parts of one object that always overlap
void near(double *a, long k) {
  double *b = a + (k & 7);
  for (int i = 0; i < 100; i++) b[i] = a[i];
}

// At most 127 behind the first: they may be apart.
// CHECK-LABEL: # far
// CHECK: # tested: {{.*}} do not overlap
void far(double *a, long k) {
  double *b = a + (k & 127);
  for (int i = 0; i < 100; i++) b[i] = a[i];
}
