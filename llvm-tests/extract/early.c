// A loop that can be left in the middle is one that is not: what that takes is assumed, and tested before the loops. The mark says that each iteration
// of the program's own might be the last.
// Tests: 001 while, control-flow
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm -g %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

_Noreturn void fail(int i);

// CHECK-LABEL: # checked
// CHECK: assumed: "[n, length] -> { : n > 0 and length >= n }"
// CHECK: domain: "[n] -> { S{{[0-9]+}}[i] : n > 0 and 0 <= i < n }"
// CHECK: mark: "left early"
// CHECK: # tested: no iteration leaves the loops at line [[#@LINE+3]]
void checked(int n, int length, double *restrict x) {
  for (int i = 0; i < n; i++) {
    if (i >= length)
      fail(i);
    x[i] = 0;
  }
}

// Where it is known that none is, nothing is assumed.
// CHECK-LABEL: # known
// CHECK: assumed: "[n] -> { : n > 0 }"
// CHECK-NOT: # tested: no iteration
void known(int n, double *restrict x) {
  for (int i = 0; i < n; i++) {
    if (i > n || i < 0)
      fail(i);
    x[i] = 0;
  }
}

// What data decides is found first, by many elements at once.
// CHECK-LABEL: # searched
// CHECK-NEXT: name: "searched"
void searched(int n, int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 0)
      fail(i);
    y[i] = x[i];
  }
}

// It is not where the loop writes what is read for it afterwards.
// CHECK: # followed: line [[#@LINE+2]]: the loop ends where data says so that it writes itself
void followed(int n, int *x, const int *y) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 0)
      fail(i);
    x[i + 1] = y[i];
  }
}
