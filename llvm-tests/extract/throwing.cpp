// Calls that end a block, as they may throw, stay at its end: a block is cut around other calls and stores only.
//
// RUN: %loopwright-clang -O3 -gline-tables-only -c %s -Rpass-missed=loopwright -o /dev/null 2>&1 | FileCheck %s

double a[400][8], b[400][8];
int bad = 1000;

// CHECK-NOT: law of the optimizer
__attribute__((noinline)) static void move(double *to, const double *from, int i) {
  for (int k = 0; k < 5; k++) to[k] = from[k] * 2;
  if (i == bad) throw 5;
}

// CHECK: throwing.cpp:[[#@LINE+3]]:{{.*}} remark: loop nest left as it was: a call may throw
int caught(int n) {
  int thrown = 0;
  for (int i = 0; i < n; i++) {
    try {
      move(b[i], a[i], i);
    } catch (int what) {
      thrown += what;
    }
  }
  return thrown;
}
// CHECK-NOT: law of the optimizer
