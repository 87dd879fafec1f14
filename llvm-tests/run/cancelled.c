// A thread that is cancelled ends where the program tests for that, not in the middle of a loop that has become parallel.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: whole
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 400000, ROUNDS = 20 };

static double a[N];

__attribute__((noinline)) static void step(void) {
  for (int i = 0; i < N; i++) a[i] += 1;
}

static void *run(void *unused) {
  for (;;) {
    step();
    pthread_testcancel();
  }
  return unused;
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    for (int i = 1; i < N; i++)
      if (a[i] != a[0]) {
        puts("torn");
        return 1;
      }
  }
  puts("whole");
  return 0;
}
