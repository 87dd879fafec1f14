// Which elements rows touch is looked at in runs of rows that follow one another; rows may also leave gaps, overlap, be empty, or go backwards. What
// is touched is found to the byte, from elements that the program reads: behind each array is a page without access. Where what is written ends
// before all of them or begins behind, threads share the loops; where one element is both, the program's own loops run.
//
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -Wl,--wrap=__kmpc_fork_call %s -o %t
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -mllvm -loopwright-min-work=0 -Wl,--wrap=__kmpc_fork_call %s -o %t.v3
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t.v3 | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

enum { ROWS = 40, MOST = 400, SIZE = 3 * MOST, SHAPES = 16 };

struct matrix {
  int n;
  int *from, *to, *col;
  unsigned *ucol;
  double *val, *other;
};

typedef void loops(const struct matrix *m, const int *restrict from, const int *restrict to, const int *restrict col,
                   const double *val, const double *x, double *y);

// Each twice: with new loops, and as it stands.
#define BOTH(name, ...)                                                                                                                    \
  __attribute__((noinline)) static void name(const struct matrix *m, const int *restrict from, const int *restrict to,                      \
                                             const int *restrict col, const double *val, const double *x, double *y) __VA_ARGS__            \
  __attribute__((noinline, optnone)) static void name##_plain(const struct matrix *m, const int *restrict from, const int *restrict to,     \
                                                              const int *restrict col, const double *val, const double *x, double *y)       \
      __VA_ARGS__

BOTH(product, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = from[i]; k < to[i]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
})
BOTH(next_row, {
  int n = m->n;
  for (int i = 0; i + 1 < n; i++) {
    double s = 0;
    for (int k = from[i]; k < from[i + 1]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
})
BOTH(members, {
  for (int i = 0; i < m->n; i++) {
    double s = 0;
    for (int k = m->from[i]; k < m->to[i]; k++) s += m->val[k] * x[m->col[k]];
    y[i] = s;
  }
})
BOTH(unsigned_numbers, {
  unsigned n = m->n;
  const unsigned *u = m->ucol;
  for (unsigned i = 0; i < n; i++) {
    double s = 0;
    for (unsigned k = from[i]; k < (unsigned)to[i]; k++) s += val[k] * x[u[k]];
    y[i] = s;
  }
})
BOTH(wide_counter, {
  long n = m->n;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = from[i]; k < to[i]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
})
BOTH(until_equal, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    if (from[i] < to[i])
      for (int k = from[i]; k != to[i]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
})
BOTH(once_at_least, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    int k = from[i];
    if (k < MOST - 1)
      do s += val[k] * x[col[k]];
      while (++k < to[i]);
    y[i] = s;
  }
})
// Only read where the condition holds: what is said to be touched may be more.
BOTH(but_the_diagonal, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0, d = 1;
    for (int k = from[i]; k < to[i]; k++)
      if (col[k] == i) d = val[k];
      else s -= val[k] * x[col[k]];
    y[i] = s / d;
  }
})
// From elsewhere in each row, and in each eighth: a run ends where that changes.
BOTH(from_elsewhere, {
  long n = m->n;
  for (long i = 0; i < n; i++) {
    const double *v = x + i * 3;
    double s = 0;
    for (int k = from[i]; k < to[i]; k++) s += val[k] * v[col[k]];
    y[i] = s;
  }
})
BOTH(by_eighths, {
  long n = m->n;
  for (long i = 0; i < n; i++) {
    const double *v = x + i / 8 * 5;
    double s = 0;
    for (int k = from[i]; k < to[i]; k++) s += val[k] * v[col[k]];
    y[i] = s;
  }
})
BOTH(counted_from_one, {
  int n = m->n;
  for (int i = 1; i <= n; i++) {
    double s = 0;
    for (int k = from[i - 1] + 1; k <= to[i - 1]; k++) s += val[k - 1] * x[col[k - 1] + 1l - 1];
    y[i - 1] = s;
  }
})
BOTH(two_parts, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    int middle = from[i] + (to[i] - from[i]) / 2;
    for (int k = from[i]; k < middle; k++) s += val[k] * x[col[k]];
    for (int k = middle; k < to[i]; k++) s -= val[k] * x[col[k] + 1];
    y[i] = s;
  }
})
BOTH(backwards, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = to[i] - 1; k >= from[i]; k--) s += val[k] * x[col[k]];
    y[i] = s;
  }
})
BOTH(divided, {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = from[i]; k < to[i]; k++)
      if (col[k] != 0) s += x[MOST / col[k]];
    y[i] = s + val[0];
  }
})
// Threads have copies of what is touched of 'y'.
BOTH(scattered, {
  int n = m->n;
  long *counts = (long *)y;
  for (int i = 0; i < n; i++)
    for (int k = from[i]; k < to[i]; k++) counts[col[k]] += i;
})
BOTH(scattered_somewhere, {
  int n = m->n;
  long *counts = (long *)y;
  for (int i = 0; i < n; i++)
    for (int k = from[i]; k < to[i]; k++)
      if (val[k] > 3) counts[col[k]] += i;
})

static const struct { const char *name; loops *mine, *plain; } all[] = {
#define ENTRY(name) {#name, name, name##_plain}
  ENTRY(product), ENTRY(next_row), ENTRY(members), ENTRY(unsigned_numbers), ENTRY(wide_counter), ENTRY(until_equal), ENTRY(once_at_least),
  ENTRY(but_the_diagonal), ENTRY(from_elsewhere), ENTRY(by_eighths), ENTRY(counted_from_one), ENTRY(two_parts), ENTRY(backwards), ENTRY(divided),
  ENTRY(scattered), ENTRY(scattered_somewhere),
};

// So many bytes that end where a page without access begins.
static void *before_the_end(size_t bytes) {
  size_t page = 4096, whole = (bytes + page - 1) / page * page;
  char *at = mmap(0, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || mprotect(at + whole, page, PROT_NONE)) abort();
  return at + whole - bytes;
}

static unsigned long seed = 1;
static int below(int n) {
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((seed >> 33) % n);
}

// Rows of one shape: one after the other, with gaps, anywhere, and none at all.
static int rows(int shape, int *from, int *to) {
  int at = 0, n = shape ? 1 + below(ROWS) : 0;
  for (int i = 0; i < n; i++) {
    int length = below(8);
    if (shape % 4 == 1) at += below(5) ? 0 : below(6);
    if (shape % 4 == 2) at = below(MOST - 10);
    if (shape % 4 == 3) at = at + length > MOST / 2 || below(3) == 0 ? 0 : at;
    from[i] = at, to[i] = at = at + length > MOST ? MOST : at + length;
    if (shape % 4 == 2 && below(5) == 0) to[i] = from[i] - below(3);
  }
  return n;
}

int main() {
  double *base = malloc(SIZE * sizeof *base), *wanted = malloc(SIZE * sizeof *base), *start = malloc(SIZE * sizeof *base);
  double *val = before_the_end(MOST * sizeof *val), *other = before_the_end(MOST * sizeof *val);
  int *col = before_the_end(MOST * sizeof *col), *to = before_the_end(ROWS * sizeof *to);
  long shared[sizeof all / sizeof *all] = {0}, wrong = 0;
  for (int shape = 0; shape < SHAPES; shape++) {
    int room[ROWS], n = rows(shape, room, to);
    int *from = (int *)before_the_end((n ? n : 1) * sizeof *from);
    memcpy(from, room, n * sizeof *from);
    for (int i = 0; i < MOST; i++) col[i] = below(shape % 3 ? 30 : 80), val[i] = below(9), other[i] = below(7);
    for (int i = 0; i < SIZE; i++) start[i] = below(50);
    struct matrix m = {n, from, to, col, (unsigned *)col, val, other};
    for (size_t f = 0; f < sizeof all / sizeof *all; f++)
      // Where 'y' begins: before 'x', within what is touched of it, and behind that.
      for (int y = 0; y < SIZE - MOST; y += y < MOST - ROWS - 3 || y > MOST + 205 ? 57 : 3) {
        memcpy(base, start, SIZE * sizeof *base);
        all[f].plain(&m, from, to, col, val, base + MOST, base + y);
        memcpy(wanted, base, SIZE * sizeof *base);
        memcpy(base, start, SIZE * sizeof *base);
        forks = 0;
        all[f].mine(&m, from, to, col, val, base + MOST, base + y);
        shared[f] += forks != 0;
        if (memcmp(base, wanted, SIZE * sizeof *base)) {
          if (wrong++ < 10) printf("%s: wrong for shape %d, y at %d\n", all[f].name, shape, y);
        }
      }
    munmap((char *)((unsigned long)from & -4096ul), 8192);
  }
  for (size_t f = 0; f < sizeof all / sizeof *all; f++) printf("%s: %s\n", all[f].name, shared[f] ? "shared" : "alone");
  printf("wrong: %ld\n", wrong);
}
// CHECK-NOT: wrong for
// CHECK: product: shared
// CHECK: next_row: shared
// CHECK: members: shared
// CHECK: from_elsewhere: shared
// CHECK: by_eighths: shared
// CHECK: wrong: 0
