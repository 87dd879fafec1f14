// A loop that goes on although all that it is for is decided is left there, and then is a search. Where something else comes of it, it goes on.
//
// RUN: clang-22 -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads && %t.threads | diff %t.expected -
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline))

// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static int all_above(int n, const int *x, int least) {
  int ok = 1;
  for (int i = 0; i < n; i++)
    ok = ok && x[i] > least;
  return ok;
}

// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static bool any_is(int n, const short *x, short key) {
  bool found = false;
  for (int i = 0; i < n; i++)
    if (!found && x[i] == key)
      found = true;
  return found;
}

// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static int first_is(int n, const int *x, int key) {
  int first = -1;
  for (int i = 0; i < n; i++)
    if (first < 0 && x[i] == key)
      first = i;
  return first;
}

// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static int first_with(int n, const int *x, int key) {
  int first = -1;
  for (int i = 0; i < n && first == -1; i++)
    if (x[i] == key)
      first = i;
  return first;
}

// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static int while_good(int n, const int *x, int least) {
  int ok = 1;
  for (int i = 0; i < n && ok; i++)
    if (x[i] <= least)
      ok = 0;
  return ok;
}

// Numbers below zero do not end it: the last of them counts until one is found that is not.
NOINLINE static int from_below(int start, int n, const int *x, int key) {
  int first = -1;
  for (int i = start; i < n; i++)
    if (first < 0 && x[i + 100] == key)
      first = i;
  return first;
}

// The other one goes on.
NOINLINE static int two(int n, const int *x, int key, int *last) {
  int first = -1, final = -1;
  for (int i = 0; i < n; i++) {
    if (first < 0 && x[i] == key)
      first = i;
    if (x[i] == key + 1)
      final = i;
  }
  *last = final;
  return first;
}

// Both are decided together.
// CHECK-DAG: decided.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks {{[0-9]+}} elements at once
NOINLINE static int with_payload(int n, const int *x, const int *y, int key, int *of) {
  int first = -1, payload = 77;
  for (int i = 0; i < n; i++)
    if (first < 0 && x[i] == key) {
      first = i;
      payload = y[i];
    }
  *of = payload;
  return first;
}

// The other variable is what it becomes behind the decision: a number, a constant that is no integer, an address, nothing.
NOINLINE static double becomes(int n, const int *x, int key) {
  int first = -1;
  double then = 1;
  for (int i = 0; i < n; i++)
    if (first >= 0)
      then = 3;
    else if (x[i] == key)
      first = i;
  return then + first;
}

static int here, there;

NOINLINE static int points(int n, const int *x, int key) {
  int first = -1, number = 4;
  int *place = &here;
  const int *rest = x;
  for (int i = 0; i < n; i++)
    if (first >= 0) {
      place = &there;
      rest = NULL;
      number = 5;
    } else if (x[i] == key)
      first = i;
  return first + (place == &there) * 10000 + (rest == NULL) * 20000 + number * 100000;
}

// How often the loop went round is used.
NOINLINE static int rounds(int n, const int *x, int key, int *times) {
  int first = -1, i;
  for (i = 0; i < n; i++)
    if (first < 0 && x[i] == key)
      first = i;
  *times = i;
  return first;
}

// Something is written all the same.
NOINLINE static int writes(int n, const int *x, int key, int *seen) {
  int ok = 1;
  for (int i = 0; i < n; i++) {
    ok = ok && x[i] != key;
    seen[i] = ok;
  }
  return ok;
}

// The sum up to a number below zero.
NOINLINE static unsigned sum_until(int n, const int *x) {
  unsigned sum = 0;
  bool done = false;
  for (int i = 0; i < n; i++)
    if (!done) {
      sum += (unsigned)x[i];
      done = x[i] < 0;
    }
  return sum;
}

// It may begin decided.
NOINLINE static int given(int n, const int *x, int key, int first) {
  for (int i = 0; i < n; i++)
    if (first < 0 && x[i] == key)
      first = i;
  return first;
}

// What was decided is taken back.
NOINLINE static int taken_back(int n, const int *x, int key) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (at < 0) {
      if (x[i] == key)
        at = i;
    } else if (x[i] == 0)
      at = -1;
  return at;
}

int main(void) {
  enum { most = 4096, before = 100 };
  int *page = mmap(0, (most + before) * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int *x = page + before, *y = malloc(most * sizeof *y), *seen = malloc(most * sizeof *seen);
  short *s = malloc(most * sizeof *s);
  static const int sizes[] = {-1, 0, 1, 2, 15, 16, 17, 31, 100, 1000, 4095, 4096};
  for (int where = -1; where < most; where = where < 40 ? where + 1 : where * 3) {
    for (int i = -before; i < most; i++)
      x[i] = i % 5 + 1;
    for (int i = 0; i < most; i++)
      y[i] = i * 3, s[i] = (short)(i % 9), seen[i] = 0;
    if (where >= 0)
      x[where] = -7, s[where] = 44;
    for (int a = 0; a < 12; a++) {
      int n = sizes[a], other = 0, times = 0, last = 0;
      printf("%d %d %d %d %d", all_above(n, x, -1), any_is(n, s, 44), first_is(n, x, -7), first_with(n, x, -7), while_good(n, x, 0));
      printf(" %d %d", from_below(-50, n, x, 3), from_below(-3, n, x, -7));
      printf(" %d %d", two(n, x, -7, &last), last);
      printf(" %d %d", with_payload(n, x, y, -7, &other), other);
      printf(" %d %d", rounds(n, x, -7, &times), times);
      printf(" %g %d", becomes(n, x, -7), points(n, x, -7));
      printf(" %d", writes(n, x, -7, seen));
      unsigned all = 0;
      for (int i = 0; i < most; i++)
        all = all * 31 + (unsigned)seen[i];
      printf(" %u %u %d %d %d\n", all, sum_until(n, x), given(n, x, -7, -2), given(n, x, -7, 5), taken_back(n, x, -7));
    }
  }
}
