// The printer of candidates shows every way to run a region that was looked at, with its cost or why it was rejected, and ends in what is done:
// the text of the remark.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -g -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='print<loopwright-candidates;parallel>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %loopwright -passes='print<loopwright-candidates>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %loopwright -passes='loopwright<parallel>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=DONE

// Copies pay where nothing else makes the loop parallel.
// CHECK: # histogram, line [[#@LINE+11]]
// CHECK-NEXT: shared, expanded, measured model
// CHECK-NEXT: the program as it is: 1 statement in sequential loops, loops as they were
// CHECK-NEXT: the scheduler's order; copies of h: 0 statements in sequential loops, better loops, copies of 1 array: chosen
// CHECK-NEXT: done: [[HISTOGRAM:.*its own copy of 'h']]
// DONE: each thread reduces into its own copy of 'h'
// ONE: # histogram, line [[#@LINE+5]]
// ONE-NEXT: plain model
// ONE-NEXT: the program as it is: 1 statement in sequential loops
// ONE-NEXT: the scheduler's order: rejected: no loop becomes parallel, tiled or vectorised
void histogram(int n, const int *restrict key, long *restrict h) {
  for (int i = 0; i < n; i++)
    h[key[i]]++;
}

// Nothing helps where each iteration needs the one before.
// CHECK: # scan, line [[#@LINE+6]]
// CHECK: the scheduler's order: rejected: no loop becomes parallel, tiled or vectorised
// CHECK-NEXT: the program's order: rejected: no loop becomes parallel, tiled or vectorised
// CHECK-NEXT: left as it was: no transformation that pays was found
// DONE-NOT: scan
void scan(int n, double *restrict a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i] * 0.5 + a[i - 1];
}

// Where each iteration has an array of its own, so has each thread, in the program's order.
// CHECK: # own, line [[#@LINE+6]]
// CHECK: the program as it is: 2 statements in sequential loops
// CHECK-NEXT: the program's order, all of it parallel: 0 statements in sequential loops, better loops: chosen
// CHECK-NEXT: done: in the program's order, {{.*}}each thread has its own copy of 'v'
// DONE: in the program's order, {{.*}}each thread has its own copy of 'v'
void own(int n, double (*restrict a)[20], double *restrict b) {
  for (int i = 0; i < n; i++) {
    double v[20];
    for (int j = 0; j < 20; j++)
      v[j] = a[i][19 - j] * b[j];
    for (int j = 0; j < 20; j++)
      a[i][j] = v[j] + v[19 - j];
  }
}

// A test of data makes the rows parallel: that model is looked at where the first one leaves statements in sequential loops.
// CHECK: # rows, line [[#@LINE+7]]
// CHECK: shared, expanded, measured model
// CHECK: shared, expanded, measured, inspected, in parts model
// CHECK-NEXT: the program as it is: 1 statement in sequential loops
// CHECK-NEXT: the scheduler's order: 0 statements in sequential loops, better loops, data inspected: chosen
// DONE: tested before the loops
void rows(int n, const int *restrict ptr, double *restrict val, const double *restrict s) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= s[i];
}
