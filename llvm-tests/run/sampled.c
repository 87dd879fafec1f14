// How often conditions on data hold is estimated by some iterations all over the loops, in steps that are odd: where they hold seldom there, the program's own loops
// run.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-cores=2 -mllvm -loopwright-cache=1048576 -g -Rpass=loopwright -Rpass-analysis=loopwright -Wl,--wrap=__kmpc_fork_call %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
#include <stdio.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

#define OWN __attribute__((noinline)) static void

// SAID: sampled.c:[[#@LINE+2]]:3: remark: {{.*}}in a sample of iterations, conditions on data hold often enough
OWN product(int n, int B[restrict n][n], double A[restrict n][n], double C[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      if (B[k][j] != 0)
        for (int i = 0; i < n; i++)
          C[i][j] += A[i][k] * B[k][j];
}

// In each iteration around one more is looked at, in a triangle.
// SAID: sampled.c:[[#@LINE+2]]:3: remark: {{.*}}in a sample of iterations, conditions on data hold often enough
OWN triangle(int n, int B[restrict n][n], double A[restrict n][n], double C[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= k; j++)
      if (B[k][j] != 0)
        for (int i = 0; i < n; i++)
          C[i][j] += A[i][k] * B[k][j];
}

// What tries them stays as it is.
#pragma clang optimize off

enum { N = 600, STEP = (N - 1) / 12 | 1 };
static int B[N][N];
static double A[N][N], C[N][N];

static const char *tried(void (*loop)(int, int[restrict N][N], double[restrict N][N], double[restrict N][N])) {
  long forked = forks;
  loop(N, B, A, C);
  return forks > forked ? "new loops" : "own loops";
}

// In which iterations the condition holds: those that `some` of a hundred are below, or those that the sample sees, or the others.
static int holds(int what, int k, int j) {
  if (what < 0) return (k % STEP == 0 && j % STEP == 0) == (what == -1);
  return (k * 37 + j * 101) % 100 < what;
}

int main(void) {
  static const int all[] = {-2, -1, 0, 20, 70, 100};
  for (int at = 0; at < 6; at++) {
    int what = all[at];
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) B[k][j] = holds(what, k, j);
    const char *first = tried((void *)product), *second = tried((void *)triangle);
    printf("%d: %s, %s\n", what, first, second);
  }
  // CHECK: -2: own loops, new loops{{$}}
  // CHECK-NEXT: -1: new loops, own loops{{$}}
  // CHECK-NEXT: 0: own loops, own loops{{$}}
  // CHECK-NEXT: 20: own loops, own loops{{$}}
  // CHECK-NEXT: 70: new loops, new loops{{$}}
  // CHECK-NEXT: 100: new loops, new loops{{$}}
}
