// The first question to the runtime of parallel loops starts it: that is no place where a thread is cancelled, and errno is the program's.
//
// Where it is measured which elements are touched, the question how many threads there are comes before everything else.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 %s -o %t
// RUN: env OMP_NUM_THREADS=1 %t cancelled | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t cancelled | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t errno | FileCheck %s
// CHECK: right
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 20000 };

static double x[N], y[N], v[N];
static int col[N];
static int is_cancelled, was_whole;

__attribute__((noinline)) static void product(int n, const int *c, const double *a, const double *b, double *r) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = i; k < n && k < i + 3; k++) s += a[k] * b[c[k]];
    r[i] = s;
  }
}

static void *run(void *unused) {
  while (!__atomic_load_n(&is_cancelled, __ATOMIC_ACQUIRE)) {}
  product(N, col, v, x, y);
  was_whole = 1;
  pthread_testcancel();
  return unused;
}

int main(int argc, char **argv) {
  for (int i = 0; i < N; i++) col[i] = i * 7 % (N - 1), v[i] = i;
  int is_right = 1;
  if (argc > 1 && argv[1][0] == 'c') {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, run, 0);
    pthread_cancel(thread);
    __atomic_store_n(&is_cancelled, 1, __ATOMIC_RELEASE);
    pthread_join(thread, &result);
    is_right = was_whole && result == PTHREAD_CANCELED;
  }
  for (int before = 0; before < 80; before += 77) {
    errno = before;
    product(N, col, v, x, y);
    is_right &= errno == before;
  }
  puts(is_right ? "right" : "wrong");
}
