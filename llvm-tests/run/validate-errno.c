// Where the program has promised not to look at `errno`, the functions it calls may set it all the same: with threads it is afterwards what it was
// before, with the original loops what a function made of it. That is no difference that `validate` tells.
//
// RUN: %loopwright-clang -O3 -fno-math-errno -fopenmp -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate -Rpass=loopwright -Rpass-analysis=loopwright -g %s -o %t -lm 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s --check-prefix=RUNS
#include <math.h>
#include <stdio.h>

double x[400], y[400];

__attribute__((noinline)) void logarithms(int n) {
  // CHECK: validate-errno.c:[[#@LINE+1]]:3: remark: {{.*}}loop i; i on all cores
  for (int i = 0; i < n; i++)
    y[i] = log(x[i]);
}

int main(void) {
  for (int i = 0; i < 400; i++)
    x[i] = i == 390 ? 0 : i + 1;
  logarithms(400);
  // RUNS: 2.07944 -inf
  printf("%g %g\n", y[7], y[390]);
}
