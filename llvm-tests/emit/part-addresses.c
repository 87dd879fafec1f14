// Where a part under a condition reads what was just stored, its address is that of the new loops, though the program counts in 32 bits: a copy of how the
// program computes it would hide from LLVM that it is the same element, which may then be any other one.
//
// RUN: %loopwright-clang -O3 -mavx2 -Rpass=loopwright -S -emit-llvm %s -o - 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// REMARK: in vectors
// CHECK-LABEL: @masked
// CHECK-NOT: trunc i64
// CHECK: masked.load
// CHECK-NOT: trunc i64
// CHECK: declare
void masked(int n, int lo, float *restrict a, float *restrict b, float *restrict c) {
  for (int i = lo; i < n; i++) {
    if (c[i] > 0.9f)
      a[i] = b[i - 1] * 0.5f;
    b[i] = c[i];
  }
}
