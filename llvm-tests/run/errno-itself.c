// What loops write to errno themselves is not undone when what the runtime of threads does to it is.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck --check-prefix=OUT %s
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck --check-prefix=OUT %s
#include <errno.h>
#include <stdio.h>

// CHECK: errno-itself.c:[[#@LINE+2]]:{{.*}}{{.*}} and errno do not overlap
__attribute__((noinline)) void sum(int n, int *restrict p, const int *restrict x) {
  for (int i = 0; i < n; i++) *p += x[i];
}

__attribute__((noinline)) void bins(int n, int *p, const int *x) {
  for (int i = 0; i < n; i++) p[x[i]] |= i;
}

__attribute__((noinline)) void most(int n, int *p, const int *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 1; j++) p[j] = p[j] > x[i] ? p[j] : x[i];
}

static int x[200000], zeros[1024];

int main(void) {
  for (int i = 0; i < 200000; i++) x[i] = i & 1;
  errno = 7;
  sum(200000, &errno, x);
  printf("%d\n", errno);
  errno = 0;
  bins(1024, &errno, zeros);
  printf("%d\n", errno);
  errno = -7;
  most(1000, &errno, x);
  printf("%d\n", errno);
  int own = 1;
  errno = 3;
  sum(200000, &own, x);
  printf("%d %d\n", own, errno);
  // OUT: 100007
  // OUT-NEXT: 1023
  // OUT-NEXT: 1
  // OUT-NEXT: 100001 3
  return 0;
}
