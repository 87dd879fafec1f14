// The length of a row with a border is a sum of sizes, which is one number, as its type has it: with a sign, and without one where the sum wraps around.
//
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -Wl,--wrap=__kmpc_fork_call %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
#include <stdio.h>
#include <string.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

#define OWN __attribute__((noinline)) static void

OWN bordered(int n, int m, int w, int p, const double *restrict a, double *restrict b) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) b[i * (w + 2 * p) + j] = b[i * (w + 2 * p) + j] * 0.5 + a[i * (w + 2 * p) + j + p];
}

OWN unsigned_sum(unsigned n, unsigned m, unsigned w, unsigned p, const double *restrict a, double *restrict b) {
  unsigned length = w + 2 * p;
  for (unsigned j = 0; j < m; j++)
    for (unsigned i = 0; i < n; i++) b[i * length + j] = b[i * length + j] * 0.5 + a[i * length + j + 1];
}

// What tries them stays as it is.
#pragma clang optimize off

enum { SIZE = 4000 };
static double a[SIZE], b[SIZE], expected[SIZE];

static void tried(int is_unsigned, long w, long p) {
  long n = 30, m = 25, length = is_unsigned ? (unsigned)(w + 2 * p) : w + 2 * p;
  for (int i = 0; i < SIZE; i++) a[i] = i * 7 % 31, b[i] = expected[i] = i * 5 % 29;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) expected[i * length + j] = expected[i * length + j] * 0.5 + a[i * length + j + (is_unsigned ? 1 : p)];
  long forked = forks;
  is_unsigned ? unsigned_sum(n, m, w, p, a, b) : bordered(n, m, w, p, a, b);
  printf("%ld and %ld: %d, %s\n", w, p, memcmp(b, expected, sizeof b) != 0, forks > forked ? "new loops" : "own loops");
}

int main(void) {
  tried(0, 25, 3), tried(0, 20, 20);
  tried(1, 25, 3), tried(1, 20, 20), tried(1, 70, -20), tried(1, 2147483600, 1073741864), tried(1, 4294967290, 20);
  // CHECK: 25 and 3: 0, new loops{{$}}
  // CHECK-NEXT: 20 and 20: 0, new loops{{$}}
  // CHECK-NEXT: 25 and 3: 0, new loops{{$}}
  // CHECK-NEXT: 20 and 20: 0, new loops{{$}}
  // CHECK-NEXT: 70 and -20: 0, new loops{{$}}
  // CHECK-NEXT: 2147483600 and 1073741864: 0, new loops{{$}}
  // CHECK-NEXT: 4294967290 and 20: 0, new loops{{$}}
}
