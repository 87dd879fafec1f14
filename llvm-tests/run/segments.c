// Addresses in a segment are relative to where it begins: they are not compared with others. (Of x86-64 on Linux.)
//
// RUN: %loopwright-clang -O2 -mllvm -loopwright-min-work=0 -Rpass=loopwright -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %t | FileCheck %s
// CHECK: 64 2
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 64, SET_GS = 0x1001 };

static double memory[N * N + N];

// SAID: loop nest left as it was: {{.*}}is in an address space of its own
__attribute__((noinline)) static void down(double __seg_gs (*a)[N], double (*b)[N], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[j][i] = b[j][i] + 1;
}

// SAID: loop nest left as it was: {{.*}}is in an address space of its own
__attribute__((noinline)) static void all(double __seg_gs *a, double (*b)[N], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[j][i] = *a + 1;
}

int main(void) {
  syscall(SYS_arch_prctl, SET_GS, (unsigned long)memory);
  down((double __seg_gs (*)[N])(8 * N), (double (*)[N])memory, N);
  double last = memory[N * N + 5];
  all((double __seg_gs *)(8 * 5), (double (*)[N])memory, N);
  printf("%g %g\n", last, memory[N * N - 1]);
}
