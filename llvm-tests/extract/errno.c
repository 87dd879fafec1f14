// A call that may set errno is computed where it stands; a pointer to int that is written beside it is tested not to be errno.
//
// RUN: %loopwright-clang -O3 -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -fopenmp %s -o - 2>&1 | FileCheck %s

double sqrt(double);
int *__errno_location(void) __attribute__((const, nothrow));

void roots(int n, const double *restrict x, double *restrict y, int *told) {
  // CHECK: errno.c:[[#@LINE+1]]:3: remark: {{.*}}'told' and errno
  for (int i = 0; i < n; i++) {
    y[i] = sqrt(x[i]);
    told[i] = i;
  }
}
