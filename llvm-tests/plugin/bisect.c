// The loop nest that makes a command fail is found; 'first' and 'regions' leave the others as they were, and say so.
//
// Each function has one nest that can be parallel, 'both' has two of them. The command stands for a test that fails if one is.
// DEFINE: %{compile} = %loopwright-clang -O3 -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: %loopwright-binary bisect -- sh -c '%{compile} && ! grep -q both[.]threads %t.ll' 2>%t.steps | FileCheck %s
// RUN: FileCheck %s --check-prefix=STEPS --input-file %t.steps
// CHECK: bisect.c both 1{{$}}
// STEPS: bisect: all regions: fails
// STEPS-NEXT: bisect: 0 of 4 regions: succeeds
// STEPS-NEXT: bisect: 4 of 4 regions: fails
//
// RUN: not %loopwright-binary bisect -- sh -c '%{compile}' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: loopwright: the command succeeds: there is nothing to look for
// RUN: not %loopwright-binary bisect -- false 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: loopwright: the command fails, but no loop nest was optimized
//
// RUN: %{compile} -mllvm -loopwright-first=1 -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: bisect.c:[[#@LINE+10]]:{{.*}} remark: {{.*}}on all cores
// FIRST: bisect.c:[[#@LINE+13]]:{{.*}} remark: loop nest left as it was: it is not among the loop nests that 'first' or 'regions' allow
// FIRST-NOT: parallel
//
// RUN: not %loopwright-clang -O3 -mllvm -loopwright-regions=%t.nowhere -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: error: loopwright: the list of regions '{{.*}}.nowhere' cannot be read

void call(double *);

void first(int n, double *restrict a) {
  for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;
}

void second(int n, double *restrict a) {
  for (int i = 0; i < n; i++) a[i] = a[i] * a[i] - 1;
}

void both(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) a[i] = b[i] + 1;
  call(a);
  for (int i = 0; i < n; i++) b[i] = a[i] - 1;
}

// A list that cannot be written is said once; the program is compiled.
// RUN: %{compile} -mllvm -loopwright-list-regions=%t.nowhere/list 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: loopwright: the list of regions '{{.*}}.nowhere/list' cannot be written: No such file
// UNWRITTEN-NOT: loopwright:
