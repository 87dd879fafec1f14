// What a program says before it leaves a loop is said outside of it, also where the way out leads through a block inside that ends the life of a variable: the loop is seen.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | FileCheck %s
// RUN: clang-22 -O2 -DRUN %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -DRUN -mllvm -loopwright-min-work=0 %s -o %t.changed && %t.changed > %t.found && diff %t.expected %t.found
#include <stdio.h>

// CHECK-DAG: left-by-a-call.c:[[#@LINE+2]]:3: remark: loop i0; i0 in vectors; the exit at line {{[0-9]+}} is found first
__attribute__((noinline)) static int gather(double *restrict y, const double *restrict x, const int *restrict from, int n, int most) {
  for (int i = 0; i < n; i++) {
    int k = from[i];
    if (k >= most) {
      puts("too large");
      return -1;
    }
    y[i] += x[k];
  }
  return 0;
}

// Here it is inside.
// CHECK-DAG: left-by-a-call.c:[[#@LINE+2]]:3: remark: loop nest left as it was: the call to 'puts'
__attribute__((noinline)) static int warn(double *restrict y, const double *restrict x, const int *restrict from, int n, int most) {
  for (int i = 0; i < n; i++) {
    int k = from[i];
    if (k >= most) {
      puts("too large");
      continue;
    }
    y[i] += x[k];
  }
  return 0;
}

double x[100], y[200];
int from[200];
int main(void) {
  for (int i = 0; i < 100; i++)
    x[i] = i * .5;
  for (int bad = 0; bad < 200; bad += 37) {
    for (int i = 0; i < 200; i++)
      from[i] = i * 7 % 100 + (i == bad ? 100 : 0);
    printf("%d %d %d\n", gather(y, x, from, 200, 100), gather(y, x, from, bad, 100), warn(y, x, from, 200, 100));
  }
  for (int i = 0; i < 200; i++)
    printf("%g\n", y[i]);
}
