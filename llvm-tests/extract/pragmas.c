// A loop of which the source says what it is to become is kept, with the loops around it; beside it loops are rewritten. Without unrolling no
// iterations are written out. Wishes that leave the way open are none for us.
//
// RUN: %loopwright-clang -O3 -Wno-pass-failed -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>%t.remarks
// RUN: FileCheck %s --input-file %t.remarks
// RUN: %loopwright-clang -O3 -Wno-pass-failed -fno-unroll-loops -DFREE -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: %loopwright-clang -O3 -Wno-pass-failed -DFREE -mllvm -loopwright-only=not_unrolled -S -emit-llvm %s -o - | FileCheck %s --check-prefix=KEPT
// FLAG-NOT: in registers
// FLAG: tiled
// FLAG-NOT: in registers

#define KERNEL(name, pragma) \
  void name(int n, const double *restrict a, const double *restrict b, double *restrict c) { \
    for (int i = 0; i < n; i++) \
      for (int j = 0; j < n; j++) \
        _Pragma(pragma) for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j]; \
  }

#ifndef FREE
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'vectorize(disable)' of a loop, so it is kept{{.*}}; take the pragma away
KERNEL(not_vectorised, "clang loop vectorize(disable)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'vectorize_width(2)' of a loop
KERNEL(of_two, "clang loop vectorize_width(2)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'interleave(disable)' of a loop
KERNEL(not_interleaved, "clang loop interleave(disable)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'interleave_count(4)' of a loop
KERNEL(interleaved, "clang loop interleave_count(4)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'unroll_count(4)' of a loop
KERNEL(four, "clang loop unroll_count(4)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'unroll(full)' of a loop
KERNEL(all, "clang loop unroll(full)")
// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: loop nest left as it was: the source says 'distribute(disable)' of a loop
KERNEL(not_distributed, "clang loop distribute(disable)")
#endif

// CHECK: pragmas.c:[[#@LINE+1]]:{{.*}} remark: {{.*}}tiled {{.*}} in registers
KERNEL(wished, "clang loop vectorize(enable) unroll(enable)")
// CHECK-NOT: in registers
// CHECK: pragmas.c:[[#@LINE+6]]:{{.*}} remark: {{.*}}tiled
// CHECK-NOT: in registers
// KEPT-LABEL: @not_unrolled(
// KEPT: br i1 {{.*}}, !llvm.loop ![[KEPT:[0-9]+]]
// KEPT-DAG: ![[KEPT]] = distinct !{![[KEPT]], {{.*}}![[DISABLE:[0-9]+]]
// KEPT-DAG: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
KERNEL(not_unrolled, "clang loop unroll(disable)")

#ifndef FREE
// The loop beside the kept one, inside of the same loop, is rewritten.
void beside(int n, int m, double *restrict x, double *restrict a, const double *restrict b) {
  for (int t = 0; t < m; t++) {
#pragma clang loop vectorize(disable)
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * 0.5 + x[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          a[i * n + j] += b[i * n + k] * b[k * n + j];
  }
}
// CHECK: pragmas.c:[[#@LINE-10]]:{{.*}} remark: {{.*}}tiled
#endif
