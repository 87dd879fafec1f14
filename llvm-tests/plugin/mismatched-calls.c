// Calls that do not fit the function that they name: C without prototypes has them, and what they would do, if they ran, is undefined. They are calls of
// something unknown; the function is optimized all the same, and the others that call it are read.
//
// RUN: %loopwright-clang -O3 -std=gnu17 -w -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error

void scale();
double half();

void rarely(double *a, int n) {
  if (n > 100)
    scale(a);
}

// CHECK: mismatched-calls.c:[[#@LINE+2]]:3: remark: loop nest left as it was: the call {{.*}} may read or write memory
void halves(double *a, double *b, int n) {
  for (int i = 0; i < n; i++) {
    b[i] += a[i];
    a[i] = half(n);
  }
}

// CHECK: mismatched-calls.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
void scale(double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] *= 3;
}

double half(double *x) {
  *x *= 0.5;
  return *x;
}
