// What functions ask for in the source: to stay as they are, to run on all cores or on one, other options; a wrong word is an error.
//
// RUN: %loopwright-clang -O3 -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>%t.remarks
// RUN: FileCheck %s --input-file %t.remarks
// RUN: %loopwright-clang -O3 -fopenmp -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OPENMP
// RUN: %loopwright-clang -O3 -mllvm -loopwright-no-parallel -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %loopwright-clang -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
//
// RUN: not %loopwright-clang -O3 -DWRONG='"loopwright:stats"' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: loopwright: annotation of 'plain': 'stats' is not for one function; there are off, parallel, no-parallel, tile, no-tile, fuse,
// RUN: not %loopwright-clang -O3 -DWRONG='"loopwright:tile=many"' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: loopwright: annotation of 'plain': option 'tile' has the wrong value 'many': tile=N
// RUN: %loopwright-clang -O3 -DWRONG='"of another tool:off"' -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck %s
//
// The program is the same with each of them.
// RUN: %loopwright-clang -O3 %s -DMAIN -lomp -o %t.with && clang-22 -O3 %s -DMAIN -o %t.without
// RUN: %t.without > %t.out && test -s %t.out && env OMP_NUM_THREADS=3 %t.with | diff %t.out -
#ifndef WRONG
#define WRONG "anything"
#endif
#define PRODUCT \
  for (int i = 0; i < n; i++) \
    for (int j = 0; j < n; j++) \
      for (int k = 0; k < n; k++) \
        c[i * n + j] += a[i * n + k] * b[k * n + j];

// CHECK-NOT: parallel
// CHECK: annotations.c:[[#@LINE+3]]:{{.*}} remark: {{.*}}tiled {{[0-9]+}}x
__attribute__((annotate(WRONG)))
void plain(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  PRODUCT
}
// CHECK-NOT: annotations.c:[[#@LINE+6]]:
// OPENMP-NOT: annotations.c:[[#@LINE+5]]:
// IR-LABEL: @off(
// IR-NOT: omp
// IR: ret void
__attribute__((annotate("loopwright:off")))
void off(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  PRODUCT
}
// CHECK: annotations.c:[[#@LINE+5]]:{{.*}} remark: {{.*}}tiled {{.*(parallel|all cores)}}
// ONE-NOT: {{parallel|all cores}}
// ONE: annotations.c:[[#@LINE+3]]:{{.*}} remark: {{.*}}tiled
__attribute__((annotate("loopwright:parallel")))
void parallel(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  PRODUCT
}
// CHECK-NOT: parallel
// CHECK: annotations.c:[[#@LINE+6]]:{{.*}} remark: {{.*}}tiled 48x48x48
// OPENMP: annotations.c:[[#@LINE+5]]:
// OPENMP-NOT: parallel
// OPENMP-SAME: tiled 48x48x48
__attribute__((annotate("loopwright:no-parallel;tile=48")))
void other(int n, const double *restrict a, const double *restrict b, double *restrict c) {
  PRODUCT
}

#ifdef MAIN
#include <stdio.h>
double x[4][10000];
int main(void) {
  void (*all[4])(int, const double *, const double *, double *) = {plain, off, parallel, other};
  for (int i = 0; i < 20000; i++)
    x[0][i] = i * 37 % 101 / 101.0;
  for (int i = 0; i < 4; i++) {
    all[i](100, x[0], x[1], x[2]);
    printf("%.17g %.17g\n", x[2][0], x[2][5050]);
  }
}
#endif
