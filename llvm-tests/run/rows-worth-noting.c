// Rows are looked at before loops, and noted, as far as that is a small part of what the loops have to do: all of a table together, if its rows are written in
// order, or each by itself, if there is much more to do. Where only threads would be faster, a program that has one notes nothing.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -mllvm -loopwright-cores=2 -mllvm -loopwright-cache=1048576 -Xclang -load -Xclang %plugin -Wl,--wrap=__kmpc_fork_call,--wrap=malloc %s -o %t
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s --check-prefix=ONE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline)) static void

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

OWN add(int n, int m, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = a[i][j] * 0.5 + b[i][j];
}

OWN planes(int n, int m, double ***x, double ***y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) x[i][j][k] += y[i][j][k] * 0.5;
}

OWN one(int n, int m, double ***x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) x[i][j][k] = x[i][j][k] * 0.5 + 1;
}

// A table of rows, and one of tables.
OWN mixed(int n, int m, double **a, double ***y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) a[i][k] += y[i][j][k] * 0.5;
}

// Faster on one thread, too.
OWN product(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

// What tries them stays as it is.
#pragma clang optimize off

static int n_reserved;
void *__real_malloc(size_t);

void *__wrap_malloc(size_t size) {
  n_reserved++;
  return __real_malloc(size);
}

enum { N = 2000, M = 1200, SIDE = 40 };
static double *a[N], *b[N], *c[N];
static struct {
  double *before[SIDE / 2 * SIDE], elements[2 * N * M], *behind[SIDE / 2 * SIDE];
} memory;
static double *rows_y[SIDE * SIDE], **x[SIDE], **y[SIDE];

enum order { IN_ORDER, READ_BACKWARDS, WRITTEN_BACKWARDS, TABLES_APART };
static const char *const names[] = {"in order", "read backwards", "written backwards", "tables apart"};

static void lay(enum order order, int m) {
  for (int i = 0; i < N; i++) {
    a[i] = memory.elements + (long)(order == WRITTEN_BACKWARDS ? N - 1 - i : i) * m;
    b[i] = memory.elements + (long)(N + (order == READ_BACKWARDS ? N - 1 - i : i)) * m;
  }
  // Of each table of `x` the rows are in order; those of `y` are between them.
  for (int i = 0; i < SIDE; i++) {
    x[i] = order == TABLES_APART && i % 2 ? memory.behind + i / 2 * SIDE : i < SIDE / 2 ? memory.before + i * SIDE : memory.behind + (i - SIDE / 2) * SIDE;
    if (order == TABLES_APART && i % 2 == 0) x[i] = memory.before + i / 2 * SIDE;
    y[i] = rows_y + i * SIDE;
    for (int j = 0; j < SIDE; j++) {
      x[i][j] = memory.elements + (long)((SIDE - 1 - i) * 2 * SIDE + (order == WRITTEN_BACKWARDS ? SIDE - 1 - j : j)) * m;
      y[i][j] = memory.elements + (long)((SIDE - 1 - i) * 2 * SIDE + SIDE + (order == READ_BACKWARDS ? SIDE - 1 - j : j)) * m;
    }
  }
}

static long forked;
static int reserved;

static void begin(void) { forked = forks, reserved = n_reserved; }

static void said(const char *what) { printf(", %s %s%s", what, forks > forked ? "shared" : "alone", n_reserved > reserved ? "" : " without notes"); }

int main(void) {
  static const int lengths[] = {20, 500, M};
  for (int at = 0; at < 3; at++)
    for (enum order order = IN_ORDER; order <= TABLES_APART; order++) {
      int m = lengths[at];
      lay(order, m), printf("rows of %d %s", m, names[order]);
      begin(), add(N, m, a, b), said("add");
      begin(), planes(SIDE, m, x, y), said("planes");
      begin(), one(SIDE, m, x), said("one");
      for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) y[i][j] = memory.elements + (long)(N + i * SIDE + j) * m;
      begin(), mixed(SIDE, m, a, y), said("mixed"), puts("");
    }
  for (int i = 0; i < N; i++) c[i] = memory.elements + (long)i * 400, a[i] = c[i] + 400l * 400, b[i] = a[i] + 400l * 400;
  begin(), product(400, a, b, c), printf("one more"), said("product"), puts("");
  // CHECK: rows of 20 in order, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // CHECK-NEXT: rows of 20 read backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // CHECK-NEXT: rows of 20 written backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // CHECK-NEXT: rows of 20 tables apart, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // CHECK-NEXT: rows of 500 in order, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: rows of 500 read backwards, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: rows of 500 written backwards, add alone, planes alone, one alone, mixed alone{{$}}
  // CHECK-NEXT: rows of 500 tables apart, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: rows of 1200 in order, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: rows of 1200 read backwards, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: rows of 1200 written backwards, add alone, planes alone, one alone, mixed shared{{$}}
  // CHECK-NEXT: rows of 1200 tables apart, add shared, planes shared, one shared, mixed shared{{$}}
  // CHECK-NEXT: one more, product shared{{$}}
  // ONE: rows of 20 in order, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 20 read backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 20 written backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 20 tables apart, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 500 in order, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 500 read backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 500 written backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 500 tables apart, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 1200 in order, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 1200 read backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 1200 written backwards, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: rows of 1200 tables apart, add alone without notes, planes alone without notes, one alone without notes, mixed alone without notes{{$}}
  // ONE-NEXT: one more, product shared{{$}}
}
