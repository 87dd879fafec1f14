// Bounds, pointers and sizes that a loop reads again in each iteration, as what it writes may change them for all that types say: they are read once where it is
// asked before the loop that it does not, and the loop does what it always did where it does.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OWN __attribute__((noinline)) void
enum { N = 600, ROOM = 800 };

// With room around each bound, in which what is written may meet it.
struct mesh {
  int *low, *first, *count;
  unsigned char *marks;
  int before[ROOM], levels, behind[ROOM];
  unsigned char before_n[ROOM];
  unsigned n;
  unsigned char behind_n[ROOM];
  long rows, columns;
  int inside[N];
};

static struct {
  unsigned char before[ROOM];
  int size;
  unsigned char behind[ROOM];
} all_sizes;
#define size all_sizes.size
unsigned char *map;

// Bytes may be anything, a global or the pointer itself.
// CHECK: read-again.c:[[#@LINE+3]]:3: remark: loop i; i in vectors
// CHECK: read-again.c:[[#@LINE+2]]:3: remark: tested before the loops: {{.*}}what is read again at lines [[#@LINE+2]] and [[#@LINE+3]] stays the same
OWN globals(struct mesh *m) {
  for (int i = 0; i < size; i++)
    map[i] = 0;
}

// CHECK: read-again.c:[[#@LINE+2]]:3: remark: the loop as it is, which LLVM puts into vectors
OWN members(struct mesh *m) {
  for (int i = 0; i <= m->levels; i++) {
    m->first[i] = m->low[i];
    m->count[i] -= m->low[i];
  }
}

// CHECK: read-again.c:[[#@LINE+2]]:3: remark: {{.*}}in vectors
OWN marked(struct mesh *m) {
  for (unsigned i = 0; i < m->n; i++)
    m->marks[i] = (unsigned char)(m->marks[i] >> 1);
}

// CHECK: read-again.c:[[#@LINE+2]]:3: remark: loops i, -j; -j in vectors
OWN two_deep(struct mesh *m) {
  for (long i = 0; i < m->rows; i++)
    for (long j = 0; j < m->columns; j++)
      m->marks[i * 20 + j] = (unsigned char)(i + 3 * j);
}

// An array in the structure itself, behind the bound.
OWN within(struct mesh *m) {
  for (int i = 0; i < m->levels; i++)
    m->inside[i] = i * 3;
}

// Backwards, to a bound.
OWN backwards(struct mesh *m) {
  for (int i = N - 1; i > m->levels; i--)
    m->first[i] = i;
}

// Half of it.
OWN halved(struct mesh *m) {
  for (int i = 0; i < m->levels / 2; i++)
    m->first[i] = m->low[i] + m->levels;
}

// It is what is written last.
OWN itself(struct mesh *m) {
  for (int i = 0; i < m->levels; i++) {
    m->first[i] = m->low[i];
    if (m->low[i] == 77)
      m->levels = 10;
  }
}

static void fill(struct mesh *m, int *numbers, unsigned char *bytes) {
  memset(&all_sizes, 0, sizeof all_sizes);
  memset(m, 0, sizeof *m);
  for (int i = 0; i < 4 * N; i++)
    numbers[i] = i * 7 % 41 + 3;
  for (int i = 0; i < 4 * N; i++)
    bytes[i] = (unsigned char)(i * 5);
  for (int i = 0; i < N; i++)
    m->inside[i] = i % 9;
}

static double sum_of(double sum, const unsigned char *bytes, int n) {
  for (int i = 0; i < n; i++)
    sum = sum * 0.75 + bytes[i];
  return sum;
}

static void tell(int which, int way, struct mesh *m, int *numbers, unsigned char *bytes) {
  double sum = m->levels + m->n + (double)m->rows + (double)m->columns;
  sum = sum_of(sum, (unsigned char *)&all_sizes, sizeof all_sizes);
  sum = sum_of(sum, (unsigned char *)m->before, sizeof *m - offsetof(struct mesh, before));
  sum = sum_of(sum, (unsigned char *)numbers, 4 * N * sizeof *numbers);
  printf("%d %d %a\n", which, way, sum_of(sum, bytes, 4 * N));
}

int main(void) {
  void (*all[])(struct mesh *) = {globals, members, marked, two_deep, within, backwards, halved, itself};
  static int numbers[4 * N];
  static unsigned char bytes[4 * N];
  static struct mesh m;
  const int sizes[] = {0, 1, 2, 19, 20, 21, 100, 399};
  for (int which = 0; which < 8; which++)
    for (int at = 0; at < 8; at++)
      for (int way = 0; way < 6; way++) {
        int n = sizes[at];
        fill(&m, numbers, bytes);
        size = n;
        map = bytes + 1;
        m.levels = n, m.n = (unsigned)n, m.rows = n / 20, m.columns = n < 20 ? n : 20;
        m.low = numbers, m.first = numbers + N, m.count = numbers + 2 * N, m.marks = bytes + N;
        // What is written meets the bound at once, on the way, at the end, or just not; or arrays overlap.
        const int distance[] = {-1, 0, 5, 18, 400};
        if (way > 0) {
          int by = distance[way - 1];
          m.first = &m.levels - by;
          m.marks = (unsigned char *)&m.n - (by < 0 ? 7 : by);
          map = (unsigned char *)&size - (by < 0 ? 7 : by);
        }
        if (way == 3)
          m.low = m.first + 1, m.count = m.first + 30;
        if (which == 5 && way > 0)
          m.first = &m.levels - 500 + distance[way - 1];
        all[which](&m);
        tell(which, way, &m, numbers, bytes);
      }
}
