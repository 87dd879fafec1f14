// A signal that the program blocks and waits for is not taken by a thread of the runtime, begun before it was blocked; those that a thread
// causes itself still come to the program's handlers.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 %s -o %t
// RUN: env OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: waited for it
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 100000 };

static double a[N], b[N];

__attribute__((noinline)) static void work(int n) {
  for (int i = 0; i < n; i++) a[i] = b[i] * 2 + i;
}

int main(void) {
  work(N);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  kill(getpid(), SIGUSR1);
  usleep(1000);
  work(N);
  int got = 0;
  sigwait(&set, &got);
  puts(got == SIGUSR1 && a[9] == 9 ? "waited for it" : "wrong");
}
