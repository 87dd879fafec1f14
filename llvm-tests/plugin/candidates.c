// The printer of candidates shows every way to run a region that was looked at, with its cost or why it was rejected, and ends in what is done:
// the text of the remark.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -g -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='print<loopwright-candidates;parallel>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %loopwright -passes='print<loopwright-candidates>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %loopwright -passes='loopwright<parallel>' -pass-remarks=loopwright -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=DONE

// Copies pay where nothing else makes the loop parallel.
// CHECK-LABEL: # histogram, line [[#@LINE+3]]
// ONE-LABEL: # histogram, line [[#@LINE+2]]
void histogram(int n, const int *restrict key, long *restrict h) {
  for (int i = 0; i < n; i++)
    h[key[i]]++;
}

// No copies of what is no sum: the program's order is no better either.
// CHECK-LABEL: # scan, line [[#@LINE+3]]
// ONE-LABEL: # scan, line [[#@LINE+2]]
void scan(int n, double *restrict a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i] * 0.5 + a[i - 1];
}

// Where each iteration has an array of its own, so has each thread.
// CHECK-LABEL: # own, line [[#@LINE+3]]
// ONE-LABEL: # own, line [[#@LINE+2]]
void own(int n, double (*restrict a)[20], double *restrict b) {
  for (int i = 0; i < n; i++) {
    double v[20];
    for (int j = 0; j < 20; j++)
      v[j] = a[i][19 - j] * b[j];
    for (int j = 0; j < 20; j++)
      a[i][j] = v[j] + v[19 - j];
  }
}
