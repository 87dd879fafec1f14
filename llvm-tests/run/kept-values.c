// Of what is read when something is taken, no element is read that the program does not read: the rest of the names is not there.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: 3 of 1003
// CHECK: written: 1003
// CHECK: none: -1
#include <stdio.h>
#include <sys/mman.h>

// SAID: loop i; i on all cores; {{.*}}each thread reduces into its own copy of {{.*}}'name'
__attribute__((noinline)) static int nearest(int n, const double *d, const int *names) {
  double least = 1e300;
  int name = -1;
  for (int i = 0; i < n; i++)
    if (d[i] < least) {
      least = d[i];
      name = names[i];
    }
  return name;
}

// What is kept may have been written since: it is read where the program reads it.
// SAID: [[#@LINE+3]]:3: remark: S{{[0-9]+}}: loop i; i on all cores; i in vectors [
__attribute__((noinline)) static int written(int n, const double *d, int *names) {
  double least = 1e300;
  for (int i = 0; i < n; i++) {
    if (d[i] < least) {
      least = d[i];
      names[n] = names[i];
    }
    names[i] = (int)(1e6 / (1 + i) / (2 + i) / (5 + i) + 1e7 / (3 + i) / (4 + i));
  }
  return names[n];
}

int main(void) {
  static double d[100000], far[100000];
  int *names = mmap(0, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(names, 4096, PROT_READ | PROT_WRITE);
  for (int i = 0; i < 1024; i++) names[i] = 1000 + i;
  for (int i = 0; i < 100000; i++) d[i] = 100 + i % 977, far[i] = 1e300;
  d[1] = 50, d[3] = 7, d[5000] = 7;
  printf("%d of %d\n", nearest(100000, d, names) - 1000, nearest(100000, d, names));
  printf("written: %d\n", written(1000, d, names));
  printf("none: %d\n", nearest(100000, far, names));
}
