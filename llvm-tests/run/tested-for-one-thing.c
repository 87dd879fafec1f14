// Loops of which only one thing has to be tested, each another one: where it is so new loops run, where it is not the program's own.
//
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass-analysis=loopwright -Wl,--wrap=__kmpc_fork_call %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

#define OWN __attribute__((noinline)) static void

enum { N = 40 };

// SAID: tested before the loops: 'x' and 'y' do not overlap [
OWN apart(const double *x, double *y) {
  for (int i = 0; i < N; i++) y[i] = x[i] + 1;
}

// SAID: tested before the loops: no rows overlap: {{.*}} [
OWN rows(double **a, double **b) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = b[i][j] + 1;
}

// SAID: tested before the loops: 'x' and 'y' do not overlap [
OWN measured(const int *restrict at, const double *x, double *y) {
  for (int i = 0; i < N; i++) y[i] = x[at[i]] + 1;
}

// SAID: tested before the loops: 'p' and errno do not overlap [
OWN not_errno(int *restrict p, const int *restrict x) {
  for (int i = 0; i < N; i++) *p += x[i];
}

// SAID: tested before the loops: the subscripts of 'val' stay within its rows [
OWN inspected(const long *restrict length, double (*restrict val)[N]) {
  for (int i = 0; i < N; i++)
    for (long k = 0; k < length[i]; k++) val[i][k] = val[i][k] * 0.5 + 1;
}

OWN limited(long from, const double *restrict x, double *restrict y) {
  for (long i = from; i < from + N; i++) y[i - from] = x[i] + 1;
}

OWN counted(const int *restrict key, long *restrict count) {
  for (int i = 0; i < N; i++) count[key[i]] += i;
}

OWN sums(double (*restrict a)[N], double *restrict x, double *restrict y) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) sum += a[j][i] * x[j];
    y[i] = sum;
  }
}

// What tries them stays as it is.
#pragma clang optimize off

static double memory[8 * N], square[2 * N][N], *a[N], *b[N];
static int numbers[N], ones[N];
static long lengths[N], counts[2 * N];

static void reset(void) {
  for (int i = 0; i < 8 * N; i++) memory[i] = i % 7;
  for (int i = 0; i < N; i++) {
    a[i] = square[i], b[i] = square[N + i], numbers[i] = i * 7 % N, lengths[i] = i % N, ones[i] = 1;
    for (int j = 0; j < N; j++) square[i][j] = 0, square[N + i][j] = i + j;
  }
}

static void said(const char *what, long forked, double found) {
  printf("%s: %s, %g\n", what, forks > forked ? "new loops" : "own loops", found);
}

int main(void) {
  for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
    reset();
    long forked = forks;
    apart(memory, memory + (is_wrong ? 1 : N)), said("apart", forked, memory[N]);
    reset(), forked = forks;
    if (is_wrong) a[3] = a[5];
    rows(a, b), said("rows", forked, a[5][5]);
    reset(), forked = forks;
    measured(numbers, memory, memory + (is_wrong ? N - 1 : N)), said("measured", forked, memory[N + 3]);
    forked = forks, errno = 0;
    int own = 0;
    not_errno(is_wrong ? &errno : &own, ones);
    int sum = is_wrong ? errno : own;
    said("not errno", forked, sum);
    reset(), forked = forks;
    if (is_wrong) lengths[3] = N + 1;
    inspected(lengths, square), said("inspected", forked, square[4][0]);
    reset(), forked = forks;
    long from = is_wrong ? 1l << 41 : 5;
    limited(from, (const double *)((uintptr_t)memory - 8 * from), memory + N), said("limited", forked, memory[N + 3]);
    reset(), forked = forks;
    for (int i = 0; i < N; i++) numbers[i] = i % 3;
    counted(numbers, counts), said("counted", forked, counts[1]);
    reset(), forked = forks;
    sums(square + N, memory, memory + 2 * N), said("sums", forked, memory[2 * N + 1]);
  }
  // CHECK: apart: new loops, 1{{$}}
  // CHECK-NEXT: rows: new loops, 11{{$}}
  // CHECK-NEXT: measured: new loops, 1{{$}}
  // CHECK-NEXT: not errno: new loops, 40{{$}}
  // CHECK-NEXT: inspected: new loops, 1{{$}}
  // CHECK-NEXT: limited: new loops, 4{{$}}
  // CHECK-NEXT: counted: new loops, 247{{$}}
  // CHECK-NEXT: sums: new loops, 2420{{$}}
  // CHECK-NEXT: apart: own loops, 40{{$}}
  // CHECK-NEXT: rows: own loops, 11{{$}}
  // CHECK-NEXT: measured: own loops, 1{{$}}
  // CHECK-NEXT: not errno: own loops, 40{{$}}
  // CHECK-NEXT: inspected: own loops, 1.5{{$}}
  // CHECK-NEXT: limited: own loops, 4{{$}}
  // CHECK-NEXT: counted: new loops, 494{{$}}
  // CHECK-NEXT: sums: new loops, 2420{{$}}
}
