// Numbers of 64 bits that decide how far loops go are inspected before them, and are taken for numbers as far as 2^40, on both sides: beyond that, the program's
// own loops run, whatever else the numbers would be good for.
//
// RUN: %loopwright-clang -O2 -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright -Wl,--wrap=__kmpc_fork_call %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

#define OWN __attribute__((noinline)) static void

enum { N = 12, WIDTH = 16 };

// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN between(int n, const long *restrict begin, const long *restrict end, int *restrict val) {
  for (int i = 0; i < n; i++)
    for (long k = begin[i]; k < end[i]; k++)
      val[k] = val[k] * 3 + i;
}

// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN lengths(int n, const long *restrict length, int (*restrict val)[WIDTH]) {
  for (int i = 0; i < n; i++)
    for (long k = 0; k < length[i]; k++)
      val[i][k] = val[i][k] * 3 + i;
}

// Without a sign.
OWN sizes(int n, const unsigned long *restrict length, int (*restrict val)[WIDTH]) {
  for (int i = 0; i < n; i++)
    for (unsigned long k = 0; k < length[i]; k++)
      val[i][k] = val[i][k] * 3 + i;
}

// What is known of them otherwise: of one number that it is no less, of the other that it is no more.
// What iterations have that do not run is not looked at.
// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN triangle(int n, long (*restrict length)[N], int (*restrict val)[N][WIDTH]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (long k = 0; k < length[i][j]; k++)
        val[i][j][k] = val[i][j][k] * 3 + i;
}

// Numbers of which one limit is known.
// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN backwards(int n, const long *restrict last, const long *restrict before, int *restrict val) {
  for (int i = 0; i < n; i++)
    for (long k = last[i] | LONG_MIN; k > before[i]; k--)
      val[k] = val[k] * 3 + i;
}

// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN capped(int n, unsigned long m, const unsigned long *restrict length, int (*restrict val)[WIDTH]) {
  for (int i = 0; i < n; i++)
    for (unsigned long k = 0; k < length[i] && k < m; k++)
      val[i][k] = val[i][k] * 3 + i;
}

// SAID-DAG: inspected-numbers.c:[[#@LINE+2]]:3: remark: {{.*}}i0 on all cores
OWN at_most(int n, const long *restrict length, int (*restrict val)[WIDTH]) {
  for (int i = 0; i < n; i++)
    for (long k = 0; k < (length[i] < 100 ? length[i] : 100); k++)
      val[i][k] = val[i][k] * 3 + i;
}

// What tries them stays as it is.
#pragma clang optimize off

static long start[N], length[N];
static int val[N][WIDTH], expected[N][WIDTH];
static int n_wrong, n_shared, n_alone;

static void reset(void) {
  for (int i = 0; i < N; i++) {
    start[i] = i * WIDTH, length[i] = WIDTH - i % 3;
    for (int k = 0; k < WIDTH; k++) val[i][k] = expected[i][k] = i + k;
  }
}

__attribute__((optnone)) static void update(long from, long to, int i) {
  for (long k = from; k < to; k++) expected[0][k] = expected[0][k] * 3 + i;
}

static void checked(long forked, int is_small) {
  int is_shared = forks > forked;
  n_wrong += memcmp(val, expected, sizeof val) != 0 || is_shared != is_small;
  *(is_shared ? &n_shared : &n_alone) += 1;
}

static void said(const char *what) {
  printf("%s: %d wrong, shared %d, alone %d\n", what, n_wrong, n_shared, n_alone);
  n_wrong = n_shared = n_alone = 0;
}

static int cube[N][N][WIDTH], expected_cube[N][N][WIDTH];
static long lengths_of_cube[N][N];

enum { BETWEEN, LENGTHS, AT_MOST, CAPPED };

// Of a row that has no elements, or few, by these numbers.
static void tried(int which, int row, long begin, long end, int is_small) {
  long ends[N], forked = forks;
  reset();
  for (int i = 0; i < N; i++) {
    if (which != BETWEEN) start[i] = 0;
    ends[i] = start[i] + length[i];
  }
  start[row] = begin, ends[row] = end;
  for (int i = 0; i < N; i++) {
    long base = which == BETWEEN ? 0 : i * WIDTH;
    update(base + start[i], base + (which == CAPPED && (unsigned long)ends[i] > WIDTH ? WIDTH : ends[i]), i);
  }
  if (which == BETWEEN) between(N, start, ends, val[0]);
  if (which == LENGTHS) lengths(N, ends, val);
  if (which == AT_MOST) at_most(N, ends, val);
  if (which == CAPPED) capped(N, WIDTH, (unsigned long *)ends, val);
  checked(forked, is_small);
}

static void tried_triangle(int row, int column, long number, int is_small) {
  long forked = forks;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) lengths_of_cube[i][j] = (i + j) % WIDTH;
  lengths_of_cube[row][column] = number;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      for (long k = 0; k < lengths_of_cube[i][j]; k++) expected_cube[i][j][k] = expected_cube[i][j][k] * 3 + i;
  triangle(N, lengths_of_cube, cube);
  n_wrong += memcmp(cube, expected_cube, sizeof cube) != 0;
  checked(forked, is_small);
}

// A row of so many elements that begins so far from where the one before it ends; `n` rows are looked at, the others would not do.
static void tried_rows(int n, int row, long length_of_row, long distance, int is_in_order) {
  long ends[N], forked = forks;
  reset();
  start[row] = start[row - 1] + length[row - 1] + distance, length[row] = length_of_row;
  for (int i = n; i < N; i++) start[i] = 0;
  for (int i = 0; i < N; i++) ends[i] = start[i] + length[i];
  for (int i = 0; i < n; i++) update(start[i], ends[i], i);
  between(n, start, ends, val[0]);
  checked(forked, is_in_order);
  if (n == N) return;
  forked = forks, reset(), length[n] = WIDTH + 1;
  for (int i = 0; i < n; i++) update(i * WIDTH, i * WIDTH + length[i], i);
  lengths(n, length, val);
  checked(forked, 1);
}

// Nothing is read behind the last number, where there may be no memory.
static void tried_at_end(void) {
  enum { PAGE = 1 << 16 };
  char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + PAGE, PAGE, PROT_NONE);
  long *own = (long *)(memory + PAGE) - N, forked = forks;
  reset(), memcpy(own, length, sizeof length);
  for (int i = 0; i < N; i++) update(i * WIDTH, i * WIDTH + own[i], i);
  lengths(N, own, val);
  checked(forked, 1);
}

// Rows that end before `val`.
static void tried_backwards(int row, long number, int is_small) {
  long last[N], before[N], forked = forks;
  reset();
  for (int i = 0; i < N; i++) before[i] = (i - N) * WIDTH - 1, last[i] = before[i] + WIDTH - i % 3;
  last[row] = number, before[row] = 5;
  for (int i = 0; i < N; i++) update(before[i] + 1 + N * WIDTH, last[i] + 1 + N * WIDTH, i);
  backwards(N, last, before, val[0] + N * WIDTH);
  checked(forked, is_small);
}

int main(void) {
  const long limit = 1l << 40, numbers[] = {0, 5, limit - 1, limit, limit + 1, limit + 2, 1l << 62, LONG_MAX};
  for (int which = 0; which < 4; which++) {
    for (int at = 0; at < 8; at++)
      for (int row = 0; row < N; row += 5) {
        long number = numbers[at];
        int is_small = at < 4;
        if (which == BETWEEN) {
          tried(which, row, number, 0, is_small);
          tried(which, row, -number, -number, is_small), tried(which, row, 5, -number, is_small);
        }
        if (which == LENGTHS || which == AT_MOST) tried(which, row, 0, -number, is_small);
        if (which == CAPPED) tried(which, row, 0, number, at < 2), tried(which, row, 0, -number, at == 0);
      }
    said((const char *[]){"between", "lengths", "at most", "capped"}[which]);
  }
  for (int extra = -2; extra < 3; extra++) {
    long forked = forks;
    reset();
    length[3] = WIDTH + extra;
    for (int i = 0; i < N; i++) update(i * WIDTH, i * WIDTH + length[i], i);
    sizes(N, (unsigned long *)length, val);
    checked(forked, extra <= 0);
  }
  said("sizes");
  for (int column = 0; column < N; column++) tried_triangle(5, column, 2 * WIDTH, column > 5), tried_triangle(5, column, -(1l << 50), column > 5);
  said("triangle");
  for (int row = 1; row < N; row++)
    for (int distance = -3; distance <= 2; distance++) {
      tried_rows(N, row, 1, distance, distance >= 0), tried_rows(N, row, 4, distance, distance >= 0), tried_rows(N, row, 0, distance, 1);
      if (row < N - 2) tried_rows(N - 2, row, 2, distance, distance >= 0), tried_rows(N, row, 3 * WIDTH, distance, 0);
    }
  tried_at_end(), said("in order");
  for (int at = 1; at < 8; at++) tried_backwards(at, -numbers[at], at < 4);
  said("backwards");
  // CHECK: between: 0 wrong, shared 36, alone 36{{$}}
  // CHECK-NEXT: lengths: 0 wrong, shared 12, alone 12{{$}}
  // CHECK-NEXT: at most: 0 wrong, shared 12, alone 12{{$}}
  // CHECK-NEXT: capped: 0 wrong, shared 9, alone 39{{$}}
  // CHECK-NEXT: sizes: 0 wrong, shared 3, alone 2{{$}}
  // CHECK-NEXT: triangle: 0 wrong, shared 12, alone 12{{$}}
  // CHECK-NEXT: in order: 0 wrong, shared 214, alone 147{{$}}
  // CHECK-NEXT: backwards: 0 wrong, shared 3, alone 4{{$}}
}
