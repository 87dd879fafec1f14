// What is found out about data is computed from what the loops do not write: where they write ptr, nothing
// is. What the inner loop alone writes into ptr[i] again and again is written once.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='loopwright<parallel;min-work=0>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -pass-remarks-missed=loopwright -disable-output - 2>&1 | FileCheck %s

void scale(int n, int *restrict ptr, const double *restrict s, double *restrict val) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= ptr[i] = s[i];
}

// CHECK: remark: {{.*}}loop i0; i0 on all cores; i0 in vectors
// CHECK: remark: {{.*}}tested before the loops: the number of iterations does not wrap around; 'M1' and errno do not overlap
// CHECK: remark: {{.*}}loop runs in order: 'argument 2' read by S0 may be overwritten by S0 one iteration later; 'argument 4' written by S0 may be read by S0 in a later iteration
// CHECK-NOT: is written again
