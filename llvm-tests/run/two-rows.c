// Dynamic programming of which only the last two rows are kept: the rows take turns, and what an element becomes hangs on data and on the element before it. What is in the
// way of such a nest is said of its rows as they take turns, not of a pointer that is now one row and now the other; tiles on a diagonal are worth it where there are cores
// enough for what the processor guesses wrong in them.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass-missed=loopwright %s -o %t.alone 2>&1 | FileCheck --check-prefix=ALONE --implicit-check-not='it is not known how' %s
// RUN: %t.alone | diff %t.expected -
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-cores=2 -g -Rpass-missed=loopwright %s -o %t.two 2>&1 | FileCheck --check-prefix=TWO --implicit-check-not='it is not known how' %s
// RUN: %t.two | diff %t.expected -
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-cores=16 -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.many 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: %t.many | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.many | diff %t.expected -
#include <stdio.h>
#include <string.h>

#define WIDTH 700

static int least(int a, int b) { return a < b ? a : b; }

// ALONE: two-rows.c:[[#@LINE+4]]:3: remark: loop nest left as it was: the condition on what is read from 'a' is not an affine comparison
// TWO: two-rows.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}the loops that were found are predicted to take {{[12][0-9][0-9]}}% of the program's time on 2 cores
// MANY: two-rows.c:[[#@LINE+2]]:3: remark: {{.*}}tiles of a diagonal on all cores
__attribute__((noinline)) int common(int n, int m, const char *restrict a, const char *restrict b, int *restrict p, int *restrict q) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      q[j] = a[i - 1] == b[j - 1] ? p[j - 1] + 1 : (p[j] > q[j - 1] ? p[j] : q[j - 1]);
    int *held = p;
    p = q;
    q = held;
  }
  return p[m];
}

// Rows that may overlap, and nothing is read behind the loops.
// MANY: two-rows.c:[[#@LINE+2]]:3: remark: {{.*}}tiles of a diagonal on all cores
__attribute__((noinline)) void in_any_rows(int n, int m, const int *a, const int *b, int *p, int *q) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      q[j] = a[i - 1] == b[j - 1] ? p[j - 1] + 1 : (p[j] > q[j - 1] ? p[j] : q[j - 1]);
    int *held = p;
    p = q;
    q = held;
  }
}

// The first element of each row is given, and a difference costs one.
// MANY: two-rows.c:[[#@LINE+4]]:3: remark: {{.*}}tiles of a diagonal on all cores
__attribute__((noinline)) int distance(int n, int m, const char *restrict a, const char *restrict b, int *restrict p, int *restrict q) {
  for (int j = 0; j <= m; j++)
    p[j] = j;
  for (int i = 1; i <= n; i++) {
    q[0] = i;
    for (int j = 1; j <= m; j++)
      q[j] = least(least(p[j], q[j - 1]) + 1, p[j - 1] + (a[i - 1] != b[j - 1]));
    int *held = p;
    p = q;
    q = held;
  }
  return p[m];
}

// Nothing hangs on data: on two cores, too.
// ALONE: two-rows.c:[[#@LINE+3]]:3: remark: loop nest left as it was: no transformation that pays was found
// MANY: two-rows.c:[[#@LINE+2]]:3: remark: {{.*}}tiled 32x256; tiles of a diagonal on all cores
__attribute__((noinline)) void chain(int n, int m, unsigned *restrict p, unsigned *restrict q) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      q[j] = p[j - 1] + p[j] * q[j - 1];
    unsigned *held = p;
    p = q;
    q = held;
  }
}

__attribute__((noinline)) int by_number(int n, int m, const char *restrict a, const char *restrict b, int (*t)[WIDTH]) {
  int now = 1;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      t[now][j] = a[i - 1] == b[j - 1] ? t[1 - now][j - 1] + 1
                                       : (t[1 - now][j] > t[now][j - 1] ? t[1 - now][j] : t[now][j - 1]);
    now = 1 - now;
  }
  return t[1 - now][m];
}

// TWO: two-rows.c:[[#@LINE+2]]:3: remark: loop nest left as it was: {{.*}}the loops that were found are predicted to take {{[12][0-9][0-9]}}% of the program's time on 2 cores
__attribute__((noinline)) int by_parity(int n, int m, const char *restrict a, const char *restrict b, int (*t)[WIDTH]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      t[i & 1][j] = a[i - 1] == b[j - 1] ? t[(i - 1) & 1][j - 1] + 1
                                         : (t[(i - 1) & 1][j] > t[i & 1][j - 1] ? t[(i - 1) & 1][j] : t[i & 1][j - 1]);
  return t[n & 1][m];
}

// What was the longest so far goes through all rows; each row is shared by threads.
// MANY: two-rows.c:[[#@LINE+3]]:3: remark: {{.*}}each thread reduces into its own copy
__attribute__((noinline)) int longest(int n, int m, const char *restrict a, const char *restrict b, int *restrict p, int *restrict q) {
  int best = 0;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      q[j] = a[i - 1] == b[j - 1] ? p[j - 1] + 1 : 0;
      if (q[j] > best)
        best = q[j];
    }
    int *held = p;
    p = q;
    q = held;
  }
  return best;
}

static char a[WIDTH], b[WIDTH];
static int numbers[WIDTH], others[WIDTH], rows[2][WIDTH], any[3 * WIDTH];
static unsigned values[2][WIDTH];

static void show(const char *what, int result, const void *memory, size_t bytes) {
  unsigned long sum = 5381;
  for (size_t at = 0; at < bytes; at++)
    sum = sum * 33 + ((const unsigned char *)memory)[at];
  printf("%s %d %lu\n", what, result, sum);
}

static void begin(void) {
  for (int at = 0; at < 3 * WIDTH; at++)
    any[at] = at * 7 % 13;
  for (int at = 0; at < WIDTH; at++) {
    rows[0][at] = at % 5;
    rows[1][at] = at % 3;
    values[0][at] = (unsigned)at * 2654435761u;
    values[1][at] = (unsigned)at * 40503u;
  }
}

int main(void) {
  for (int at = 0; at < WIDTH; at++) {
    numbers[at] = a[at] = "acgt"[at * at % 7 % 4];
    others[at] = b[at] = "acgt"[at * 31 % 11 % 4];
  }
  const int lengths[] = {0, 1, 2, 3, 31, 33, 64, 257, 301}, widths[] = {0, 1, 2, 3, 255, 256, 258, 699};
  for (int l = 0; l < 9; l++) {
    for (int w = 0; w < 8; w++) {
      int n = lengths[l], m = widths[w];
      printf("%d %d\n", n, m);
      begin();
      show("common", common(n, m, a, b, rows[0], rows[1]), rows, sizeof rows);
      begin();
      show("distance", distance(n, m, a, b, rows[0], rows[1]), rows, sizeof rows);
      begin();
      show("by number", by_number(n, m, a, b, rows), rows, sizeof rows);
      begin();
      show("by parity", by_parity(n, m, a, b, rows), rows, sizeof rows);
      begin();
      show("longest", longest(n, m, a, b, rows[0], rows[1]), rows, sizeof rows);
      begin();
      chain(n, m, values[0], values[1]);
      show("chain", 0, values, sizeof values);
      // Apart, the same, one behind the other by one in each direction, and one that reaches into the other.
      const int second[] = {WIDTH, 0, 1, -1, 200, -200};
      for (int at = 0; at < 6; at++) {
        begin();
        in_any_rows(n, m, numbers, others, any + WIDTH, any + WIDTH + second[at]);
        show("any", second[at], any, sizeof any);
      }
      // What is compared lies in a row.
      begin();
      in_any_rows(n, m, any + 40, others, any + WIDTH, any);
      show("compared", 0, any, sizeof any);
    }
  }
}
