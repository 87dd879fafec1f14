// A circle of blocks that is entered at two places is no loop, and may go on for ever all the same: what is behind it is not asked for, and not read, before it.
//
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %t.with | FileCheck %s
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

struct grid { int n; double *u; };

static void woken(int number) {
  (void)number;
  write(1, "still there\n", 12);
  _exit(0);
}

__attribute__((noinline)) void circles(struct grid *g, int n, int m, int again) {
  for (int i = 0; i < n; i++) {
    unsigned k = i;
    if (n & 1)
      goto second;
  first:
    k = k * 3;
  second:
    k ^= 4;
    if (again)
      goto first;
    if (m > 0)
      g->u[i] = g->n;
  }
}

// CHECK: still there
int main(void) {
  signal(SIGALRM, woken);
  alarm(1);
  circles(NULL, 10, 0, 1);
  puts("it ended");
}
