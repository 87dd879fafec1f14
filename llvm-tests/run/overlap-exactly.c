// Arrays that may overlap are compared by the first and the last element that is touched, whatever their strides are, and numbers that loops are given by the
// limits in which nothing wraps around: at the last place where both are apart threads share the loops, one element on the program's own loops run.
//
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -Wl,--wrap=__kmpc_fork_call %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

typedef void loop(int n, int m, long s, const double *x, double *y);

// Each loop twice: with new loops, and as it stands.
#define BOTH(name, ...)                                                                                               \
  __attribute__((noinline)) static void name(int n, int m, long s, const double *x, double *y) { __VA_ARGS__ }        \
  __attribute__((noinline, optnone)) static void name##_plain(int n, int m, long s, const double *x, double *y) { __VA_ARGS__ }

BOTH(forwards, for (int i = 0; i < n; i++) y[i] = x[i] * 2;)
BOTH(backwards, for (int i = 0; i < n; i++) y[-i] = x[3 - i] * 2;)
BOTH(against, for (int i = 0; i < n; i++) y[2 * i] = x[-3 * i] + 1;)
BOTH(strides, for (int i = 0; i < n; i++) y[i] = x[i * s] + 1;)
BOTH(rows, for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * s + j] = x[j] + 1;)
BOTH(columns, for (int i = 0; i < n; i++) y[-5 * i] = x[7 * i] + x[-2 * i];)
BOTH(triangle, for (int i = 0; i < n; i++) for (int j = i; j < n; j++) y[i * s + j] = x[j - i] + 1;)
BOTH(between, for (long i = s; i < s + n; i++) y[i - s] = x[i] + 1;)

// As far as a pointer.
__attribute__((noinline)) static void until_equal(const double *from, const double *end, double *restrict y) {
  for (const double *at = from; at != end; at++) *y++ = *at + 1;
}

__attribute__((noinline)) static void while_below(const double *from, const double *end, double *restrict y) {
  while (from < end) *y++ = *from++ + 1;
}

// What tries them stays as it is.
#pragma clang optimize off

enum { SIZE = 900 };
static double memory[SIZE], before[SIZE], expected[SIZE], far[SIZE], changed[SIZE];
static int n_wrong, n_shared, n_alone;

static void said(const char *what) {
  printf("%s: %d wrong, shared %d, alone %d\n", what, n_wrong, n_shared, n_alone);
  n_wrong = n_shared = n_alone = 0;
}

static void checked(long forked, int is_apart) {
  int is_shared = forks > forked;
  n_wrong += is_shared != is_apart;
  *(is_shared ? &n_shared : &n_alone) += 1;
}

// Each distance of what is written from what is read, of which the ends are found by trying.
static void compared(loop *ours, loop *plain, int n, int m, long s) {
  int read[2] = {SIZE, -1}, written[2] = {SIZE, -1}, middle = SIZE / 2;
  memcpy(memory, before, sizeof before), memset(far, 0, sizeof far), plain(n, m, s, memory + middle, far + middle);
  memcpy(expected, far, sizeof far);
  for (int at = 0; at < SIZE; at++) {
    if (far[at]) written[0] = at < written[0] ? at : written[0], written[1] = at;
    memset(changed, 0, sizeof changed), memory[at] += 1000, plain(n, m, s, memory + middle, changed + middle), memory[at] -= 1000;
    if (memcmp(changed, expected, sizeof changed)) read[0] = at < read[0] ? at : read[0], read[1] = at;
  }
  for (int shift = read[0] - written[1] - 3; shift <= read[1] - written[0] + 3; shift++) {
    if (written[0] + shift < 0 || written[1] + shift >= SIZE) continue;
    memcpy(memory, before, sizeof before), plain(n, m, s, memory + middle, memory + middle + shift), memcpy(expected, memory, sizeof expected);
    long forked = forks;
    memcpy(memory, before, sizeof before), ours(n, m, s, memory + middle, memory + middle + shift);
    n_wrong += memcmp(memory, expected, sizeof expected) != 0;
    checked(forked, written[1] + shift < read[0] || written[0] + shift > read[1]);
  }
}

// Numbers of elements that are added as far as 2^40, on both sides, to addresses from which as many were taken away.
static void large(void) {
  static const long numbers[] = {1l << 30, (1l << 40) - 1, 1l << 40, (1l << 40) + 1, 1l << 41};
  for (int at = 0; at < 5; at++)
    for (int sign = -1; sign <= 1; sign += 2) {
      long forked = forks, number = numbers[at] * sign;
      memcpy(memory, before, sizeof before);
      between(20, 0, number, (const double *)((uintptr_t)memory - 8 * number), memory + 100);
      checked(forked, at < 3);
      for (int j = 0; j < 20; j++) n_wrong += memory[100 + j] != before[j] + 1;
    }
}

static void ranges(void) {
  for (int length = -3; length < 20; length += length > 3 ? 5 : 1)
    for (int which = length < 0; which < 2; which++) {
      long forked = forks;
      memcpy(memory, before, sizeof before);
      which ? while_below(memory + 5, memory + 5 + length, memory + 100) : until_equal(memory + 5, memory + 5 + length, memory + 100);
      for (int i = 0; i < SIZE; i++) n_wrong += memory[i] != (i < 100 || i >= 100 + length ? before[i] : before[i - 95] + 1);
      *(forks > forked ? &n_shared : &n_alone) += 1;
    }
}

int main(void) {
  for (int i = 0; i < SIZE; i++) before[i] = 1 + i * 37 % 101;
#define TRY(name, ...) compared(name, name##_plain, __VA_ARGS__)
  TRY(forwards, 20, 0, 0), TRY(forwards, 2, 0, 0), said("forwards");
  TRY(backwards, 20, 0, 0), said("backwards");
  TRY(against, 20, 0, 0), said("against");
  TRY(strides, 20, 0, 3), TRY(strides, 20, 0, 1), said("strides");
  TRY(rows, 5, 6, 8), TRY(rows, 3, 10, 30), said("rows");
  TRY(columns, 20, 0, 0), said("columns");
  TRY(triangle, 6, 0, 8), said("triangle");
  large(), said("large");
  ranges(), said("ranges");
  // CHECK: forwards: 0 wrong, shared 12, alone 42{{$}}
  // CHECK-NEXT: backwards: 0 wrong, shared 6, alone 39{{$}}
  // CHECK-NEXT: against: 0 wrong, shared 6, alone 96{{$}}
  // CHECK-NEXT: strides: 0 wrong, shared 12, alone 116{{$}}
  // CHECK-NEXT: rows: 0 wrong, shared 12, alone 122{{$}}
  // CHECK-NEXT: columns: 0 wrong, shared 6, alone 267{{$}}
  // CHECK-NEXT: triangle: 0 wrong, shared 6, alone 51{{$}}
  // CHECK-NEXT: large: 0 wrong, shared 6, alone 4{{$}}
  // CHECK-NEXT: ranges: 0 wrong, shared 12, alone 7{{$}}
}
