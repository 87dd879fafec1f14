// Loops that may only be run in another order if data is as it should be: rows that follow one another, lengths that fit. Data that is not has to lead to the
// original loops, in whichever row it is.
//
// RUN: %loopwright-clang -O2 -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive %t | FileCheck --check-prefix=SAID %s
#include <stdio.h>
#include <string.h>

#define ROWS 64
#define WIDTH 64
#define SIZE (ROWS * WIDTH + WIDTH)

// CHECK: inspected.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
static void __attribute__((noinline)) rows(int n, const int *restrict ptr, long *restrict val) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] = val[k] * 3 + i;
}

// CHECK: inspected.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
static void __attribute__((noinline)) found(int n, const int *restrict start, const int *restrict length, long *restrict val) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < length[i]; k++)
      val[start[i] + k] = val[start[i] + k] * 3 + i;
}

// CHECK: inspected.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
static void __attribute__((noinline)) lengths(int n, const long *restrict length, long (*restrict val)[WIDTH]) {
  for (int i = 0; i < n; i++)
    for (long k = 0; k < length[i]; k++)
      val[i][k] = val[i][k] * 3 + i;
}

static int ptr[ROWS + 1], start[ROWS], length[ROWS];
static long long_length[ROWS], val[SIZE], expected[SIZE];

static void reset(void) {
  for (int i = 0; i < SIZE; i++)
    val[i] = expected[i] = i;
  for (int i = 0; i <= ROWS; i++)
    ptr[i] = i * WIDTH;
  for (int i = 0; i < ROWS; i++) {
    start[i] = i * WIDTH;
    length[i] = long_length[i] = WIDTH;
  }
}

__attribute__((optnone)) static void update(int from, int to, int i) {
  for (int k = from; k < to; k++)
    expected[k] = expected[k] * 3 + i;
}

static int compared(void) { return memcmp(val, expected, sizeof val) != 0; }

static int tried(void) {
  for (int i = 0; i < ROWS; i++)
    update(ptr[i], ptr[i + 1], i);
  rows(ROWS, ptr, val);
  int wrong = compared();
  memcpy(expected, val, sizeof val);
  for (int i = 0; i < ROWS; i++)
    update(start[i], start[i] + length[i], i);
  found(ROWS, start, length, val);
  wrong |= compared() << 1;
  memcpy(expected, val, sizeof val);
  for (int i = 0; i < ROWS; i++)
    update(i * WIDTH, i * WIDTH + (int)long_length[i], i);
  lengths(ROWS, long_length, (long (*)[WIDTH])val);
  return wrong | compared() << 2;
}

int main(void) {
  reset();
  // SAID: as they should be: 0
  printf("as they should be: %d\n", tried());
  // Rows that are empty, or between which there is something, follow one another as well.
  reset();
  ptr[20] = ptr[19];
  length[3] = length[60] = 0;
  start[3] = 0;
  long_length[0] = long_length[63] = 0;
  // SAID: empty: 0
  printf("empty: %d\n", tried());
  int wrong = 0;
  for (int at = 1; at < ROWS; at++) {
    reset();
    // All later rows begin where an earlier one is.
    for (int i = at; i < ROWS; i++) {
      ptr[i] = i % 2 ? 0 : ROWS * WIDTH / 2;
      start[i] = 7;
    }
    long_length[at - 1] = WIDTH + 1;
    wrong |= tried();
    reset();
    start[at] = start[at - 1] + WIDTH - 1;
    ptr[at] = at > 1 ? ptr[at] + 1 : 0;
    ptr[at + 1] = ptr[at - 1];
    long_length[at] = WIDTH + WIDTH / 2;
    wrong |= tried();
  }
  // SAID: as they should not be: 0
  printf("as they should not be: %d\n", wrong);
}
