// A promise of the program that is false makes the new loops wrong, as a fault of the optimizer would: that is found when it happens, and
// not before. The program says which loops these are, and ends with the exit code of its own for this.
//
// RUN: %loopwright-clang -O2 -g -mllvm -loopwright-validate %s -o %t.one
// RUN: %t.one
// RUN: sh -c '%t.one lie 2> %t.err; test $? = 88'
// RUN: FileCheck --check-prefix=MEMORY %s < %t.err
// RUN: sh -c '%t.one lie about it 2> %t.err; test $? = 88'
// RUN: FileCheck --check-prefix=VALUE %s < %t.err
// RUN: %loopwright-clang -O2 -g -fopenmp -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.many
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t.many
// RUN: sh -c 'OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t.many lie 2> %t.err; test $? = 88'
// RUN: FileCheck --check-prefix=MEMORY %s < %t.err
#include <stdio.h>

// MEMORY: loopwright: 'to' is not what the original loops leave there
// MEMORY-NEXT: loopwright: function transposed, loops at {{.*}}validate-finds.c:[[#@LINE+2]]:3: {{.*}}loops 
__attribute__((noinline)) void transposed(int n, double *restrict to, const double *restrict from) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      to[j * n + i] = from[j * n + i] * 0.5 + j;
}

// VALUE: loopwright: {{.*}} is not what the original loops leave there
// VALUE-NEXT: loopwright: function summed, loops at {{.*}}validate-finds.c:[[#@LINE+3]]:3: {{.*}}loops 
__attribute__((noinline)) long summed(int n, long *restrict to, const long *restrict from) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      to[j * n + i] = j ^ i;
      sum += from[j * n + i];
    }
  return sum;
}

int main(int argc, char **argv) {
  static double x[4096];
  static long y[4096];
  for (int i = 0; i < 4096; i++)
    y[i] = x[i] = i % 13;
  int distance = argc > 1 ? 33 : 2000;
  if (argc < 3)
    transposed(32, x + distance, x);
  printf("%f %ld\n", x[2100], summed(32, y + distance, y));
}
