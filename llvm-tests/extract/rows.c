// Rows that follow one another, as a test of the data finds.
// Tests: 001 bounds
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='loopwright<parallel;min-work=0>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -pass-remarks-missed=loopwright -disable-output - 2>&1 | FileCheck %s

void scale(int n, const int *restrict ptr, const double *restrict s, double *restrict val) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= s[i];
}

// CHECK: remark: {{.*}}loop i0; i0 on all cores
// CHECK: remark: {{.*}}tested before the loops: rows of 'M2' follow one another
