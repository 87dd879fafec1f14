// Loops that do little before the one iteration that leaves them run some iterations as they are, then up to the exit, which many elements at once are asked for. Whether
// they have few iterations or many, and wherever they are left, they do what the program does: arrays end with pages, behind which there is nothing to read or to write.
//
// RUN: clang-22 -O1 -fno-strict-aliasing %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fno-strict-aliasing -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-strict-aliasing %s -o %t.native
// RUN: %t.native | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-no-read-ahead -g -Rpass=loopwright -c %s -o /dev/null 2>&1 | FileCheck --allow-empty --check-prefix=EXACT %s
// EXACT-NOT: is found first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline)) long
enum { PAGE = 4096, PAGES = 3, BYTES = PAGE * PAGES };

// The exit comes before what is written.
// CHECK: :[[#@LINE+3]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+4]] is found first
// CHECK-NOT: :[[#@LINE+2]]:{{.*}} left as it was
OWN copied(const int *restrict x, int *restrict o, int n, int key) {
  for (int i = 0; i < n; i++) {
    if (x[i] == key)
      return i;
    o[i] = x[i] * 2 + 1;
  }
  return -1;
}

// It comes behind it, so that the last iteration writes as well.
// CHECK: :[[#@LINE+2]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+4]] is found first
OWN written_first(const float *restrict x, float *restrict o, long n, float most) {
  for (long i = 0; i < n; i++) {
    o[i] += x[i];
    if (x[i] > most)
      break;
  }
  return n > 0 ? (long)o[0] : 0;
}

// Two ways out, and a value that each iteration changes.
// CHECK: :[[#@LINE+3]]:3: remark: loop i; i in vectors; the first of the exits at lines [[#@LINE+4]] and [[#@LINE+8]] is found first
OWN both(const short *restrict x, unsigned char *restrict o, unsigned n, short key) {
  long at = 0;
  for (unsigned i = 0; i < n; i++) {
    if (x[i] == key)
      return at;
    o[i] = x[i];
    at += 3;
    if (x[i] < 0)
      break;
  }
  return at + 1;
}

// What is written may be what is read: that is asked before it is looked for the exit, but behind the first iterations.
// CHECK: :[[#@LINE+2]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+3]] is found first
OWN perhaps_in_place(const int *x, int *o, int n, int key) {
  for (int i = 0; i < n; i++) {
    if (x[i] == key)
      return i;
    o[i] = x[i] ^ 5;
  }
  return -1;
}

// In place.
// CHECK: :[[#@LINE+2]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+3]] is found first
OWN in_place(int *x, int *unused, long n, int key) {
  for (long i = 0; i < n; i++) {
    if (x[i] == key)
      return i;
    x[i] += 3;
  }
  return -1;
}

// The condition of the loop is what data decides as well.
// CHECK: :[[#@LINE+3]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+3]] is found first
OWN up_to(const char *restrict x, char *restrict o, unsigned long n, char key) {
  unsigned long i;
  for (i = 0; i < n && x[i] != key; i++)
    o[i] = x[i];
  return i;
}

// One of several characters ends it.
// CHECK: :[[#@LINE+3]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+4]] is found first
OWN word(const char *restrict x, char *restrict o, long n, char unused) {
  long i;
  for (i = 0; i < n; i++) {
    if (x[i] == 9 || x[i] == ' ' || x[i] == ';')
      break;
    o[i] = x[i] >= 4 ? x[i] - 4 : x[i];
  }
  return i;
}

// From where another loop was left that goes the other way.
// CHECK: :[[#@LINE+4]]:3: remark: loop last; last in vectors; the exit at line [[#@LINE+5]] is found first
// CHECK: :[[#@LINE+8]]:3: remark: loop first; first in vectors; the exit at line [[#@LINE+9]] is found first
OWN both_ways(const int *restrict x, int *restrict o, long n, int key) {
  long last, first;
  for (last = n - 1; last >= 0; last--) {
    if (x[last] == key)
      break;
    o[last] = x[last];
  }
  for (first = 0; first < last; first++) {
    if (x[first] == 7)
      break;
    o[first] = x[first] + 1;
  }
  return first * 10000 + last;
}

// From the end.
// CHECK: :[[#@LINE+2]]:3: remark: loop i; i in vectors; the exit at line [[#@LINE+3]] is found first
OWN from_the_end(const int *restrict x, int *restrict o, long n, int key) {
  for (long i = n - 1; i >= 0; i--) {
    if (x[i] == key)
      return i;
    o[i] = x[i] - 1;
  }
  return -1;
}

static unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

static char *pages(void) {
  char *all = mmap(0, BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(all + PAGE, BYTES, PROT_READ | PROT_WRITE);
  return all + PAGE;
}

static unsigned long sum(const char *bytes) {
  unsigned long all = 0;
  for (int at = 0; at < BYTES; at++)
    all = all * 31 + (unsigned char)bytes[at];
  return all;
}

static char *x, *o;

// Arrays of so many elements end with the pages, or begin with them; with the key at one place, or nowhere.
#define TRY(f, T, U, n, at, key, other)                                                                                                                        \
  for (int where = 0; where < 2; where++) {                                                                                                                    \
    long bytes = (long)(n) * sizeof(T), behind = (long)(n) * sizeof(U);                                                                                        \
    T *from = (T *)(where ? x : x + BYTES - bytes);                                                                                                            \
    U *to = (U *)(where ? o : o + BYTES - behind);                                                                                                             \
    memset(x, 0, BYTES), memset(o, 1, BYTES);                                                                                                                  \
    for (int i = 0; i < (n); i++)                                                                                                                              \
      from[i] = other;                                                                                                                                         \
    if ((at) < (n))                                                                                                                                            \
      from[at] = key;                                                                                                                                          \
    long result = f(from, to, n, key);                                                                                                                         \
    printf("%s %d %d: %ld %lx %lx\n", #f, (int)(n), (int)(at), result, sum(x), sum(o));                                                                        \
  }

static void try_all(int n, int at) {
  TRY(copied, int, int, n, at, 9, (int)(next() % 8))
  TRY(written_first, float, float, n, at, 9, (float)(next() % 8))
  TRY(both, short, unsigned char, n, at, 9, (short)(next() % 8))
  TRY(both, short, unsigned char, n, at, -1, (short)(next() % 8 + 10))
  TRY(perhaps_in_place, int, int, n, at, 9, (int)(next() % 8))
  TRY(in_place, int, int, n, at, 9, (int)(next() % 4))
  TRY(up_to, char, char, n, at, 9, (char)(next() % 8))
  TRY(word, char, char, n, at, 9, (char)(next() % 8))
  TRY(word, char, char, n, at, ';', (char)(next() % 8))
  TRY(both_ways, int, int, n, at, 9, (int)(next() % 64 != 0) * 5 + 2)
  TRY(from_the_end, int, int, n, at, 9, (int)(next() % 8))
}

int main(void) {
  x = pages(), o = pages();
  for (int n = 0; n < 200; n += 1 + n / 9)
    for (int at = n; at >= 0; at -= 1 + n / 20)
      try_all(n, at);
  for (int round = 0; round < 60; round++) {
    int n = next() % (BYTES / 4);
    try_all(n, round % 3 ? next() % (n + 1) : n);
  }
  // Each element that is written is read a few iterations later, or is one that was read a few before.
  for (int apart = -40; apart <= 40; apart++) {
    int *all = (int *)x;
    for (int k = 0; k < BYTES / 4; k++)
      all[k] = next() % 64 + (k & 15);
    long result = perhaps_in_place(all + 100, all + 100 + apart, 700, 9);
    printf("%d: %ld %lx\n", apart, result, sum(x));
  }
}
