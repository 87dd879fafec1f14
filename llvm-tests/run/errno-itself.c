// What loops write to errno themselves is not undone when what the runtime of threads does to it is.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-analysis=loopwright %s -lm -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck --check-prefix=OUT %s
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck --check-prefix=OUT %s
#include <errno.h>
#include <math.h>
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

// Of elements in the order of a number that is as wide as addresses nothing says that they are where the pointer is: errno may be any of them.
//
// CHECK: errno-itself.c:[[#@LINE+2]]:{{.*}}and errno do not overlap
__attribute__((noinline)) void reversed(unsigned long n, int *restrict p, const int *restrict x) {
  for (unsigned long i = 0; i < n; i++) p[n - 1 - i] += x[i];
}

// CHECK: errno-itself.c:[[#@LINE+3]]:{{.*}}remark: {{.*}}on all cores
// CHECK: errno-itself.c:[[#@LINE+2]]:{{.*}}and errno do not overlap
__attribute__((noinline)) void roots(unsigned long n, int *restrict p, const double *restrict y, double *restrict z) {
  for (unsigned long i = 0; i < n; i++) {
    z[i] = sqrt(y[i]) + p[n - 1 - i];
    p[n - 1 - i] = i;
  }
}

static int x[200000], zeros[1024];
static double y[1000], z[1000];

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
  for (int back = 0; back < 3; back++) {
    // What else is there is put back before anything asks for it.
    int kept[4];
    for (int i = 0; i < 4; i++) kept[i] = (&errno)[i - back];
    errno = 5;
    reversed(3, &errno - back, x);
    int sum = errno;
    errno = 0;
    y[0] = -1, y[1] = y[2] = 4;
    roots(3, &errno - back, y, z);
    int set = errno;
    double seen = z[2 - back];
    for (int i = 0; i < 4; i++) (&errno)[i - back] = kept[i];
    errno = 0;
    roots(1000, x + 1000, y, z);
    int last = errno;
    printf("%d %d %g %d\n", sum, set, seen, last);
  }
  // OUT: 100007
  // OUT-NEXT: 1023
  // OUT-NEXT: 1
  // OUT-NEXT: 100001 3
  // OUT-NEXT: 5 2 35 33
  // OUT-NEXT: 6 1 35 33
  // OUT-NEXT: 5 0 {{-?}}nan 33
  return 0;
}
