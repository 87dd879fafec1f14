// What stands in the way is named in the words of the source.
// Tests: 000 2.2
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void f(double);
void calls(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    f(a[i]);
}
void early(int n, double *restrict a) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    a[i] = 0;
  }
}

// CHECK-LABEL: # calls: the call to 'f' may read or write memory or not return; if it only computes, define it in this file
// CHECK-LABEL: # early: the loop can be left in the middle (break, return or goto)
