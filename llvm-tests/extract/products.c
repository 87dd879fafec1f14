// A product of two sizes of 64 bits may not fit: that it does is tested before the loops.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm -g %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

_Noreturn void fail(int i);

// A product of a counter and a size is compared where it is largest.
// CHECK-LABEL: # flat
// CHECK: assumed: {{.*}}n_times_n
// CHECK: # tested: products of sizes fit 64 bits
// CHECK: # tested: no iteration leaves the loops at line [[#@LINE+4]]
void flat(unsigned long n, unsigned long length, double *restrict x) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++) {
      if (i * n + j >= length)
        fail(i);
      x[i * n + j] = 0;
    }
}
