// What is inserted goes to its place from the end: loops that go down, and that data ends, find where before they move anything. Arrays begin where pages do, before
// which there is nothing to read.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O2 -march=native -fwrapv %s -o %t.native
// RUN: %t.native | diff %t.expected -
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline)) void
enum { PAGE = 4096, BYTES = 3 * PAGE };

// CHECK: :[[#@LINE+2]]:3: remark: loop {{.*}} in vectors; the exit at line [[#@LINE+4]] is found first | the search at line [[#@LINE+4]] asks 16 elements at once
OWN before_the_element(int *a, long n) {
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}

// CHECK: :[[#@LINE+2]]:3: remark: loop {{.*}} in vectors; the exit at line [[#@LINE+4]] is found first | the search at line [[#@LINE+4]] asks 16 elements at once
OWN at_the_element(int *a, long n) {
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i;
    while (j > 0 && a[j - 1] > key) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = key;
  }
}

// CHECK: :[[#@LINE+2]]:3: remark: loop {{.*}} in vectors; the exit at line [[#@LINE+5]] is found first | the search at line [[#@LINE+5]] asks 16 elements at once
OWN without_sign(float *a, long n) {
  for (unsigned i = 1; i < n; i++) {
    float key = a[i];
    unsigned j = i;
    for (; j > 0 && a[j - 1] > key; j--)
      a[j] = a[j - 1];
    a[j] = key;
  }
}

// CHECK: :[[#@LINE+2]]:3: remark: loop {{.*}} in vectors; the exit at line [[#@LINE+5]] is found first | the search at line [[#@LINE+5]] asks 16 elements at once
OWN of_words(double *a, long n) {
  for (long i = 1; i < n; i++) {
    double key = a[i];
    size_t j = i;
    for (; j > 0 && a[j - 1] > key; j--)
      a[j] = a[j - 1];
    a[j] = key;
  }
}

struct record {
  int key, payload;
};

// CHECK: :[[#@LINE+2]]:3: remark: loop {{.*}} in vectors; the exit at line [[#@LINE+5]] is found first | the search at line [[#@LINE+5]] asks 16 elements at once
OWN of_records(struct record *a, long n) {
  for (int i = 1; i < n; i++) {
    struct record key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j].key > key.key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}

// Steps of two, down to the first ones of both parities.
OWN each_second(short *a, long n) {
  for (int i = 2; i < n; i++) {
    short key = a[i];
    int j = i - 2;
    while (j >= 0 && a[j] > key) {
      a[j + 2] = a[j];
      j -= 2;
    }
    a[j + 2] = key;
  }
}

static char *pages(void) {
  char *all = mmap(0, BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + PAGE, BYTES, PROT_READ | PROT_WRITE))
    exit(1);
  return all + PAGE;
}

static unsigned state = 1;
static unsigned next(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 9;
}

static unsigned long sum(const char *bytes) {
  unsigned long all = 0;
  for (long k = 0; k < BYTES; k++)
    all = all * 31 + (unsigned char)bytes[k];
  return all;
}

#define TRY(function, type, make)                                                                                      \
  {                                                                                                                    \
    type *first = (type *)a;                                                                                           \
    memset(a, 0, BYTES);                                                                                               \
    for (long k = 0; k < n; k++) {                                                                                     \
      long v = order == 0 ? next() % 1000 : order == 1 ? n - k : k + (next() % 50 == 0) * 40;                          \
      first[k] = make;                                                                                                 \
    }                                                                                                                  \
    function(first, n);                                                                                                \
    printf(#function " %ld: %lx\n", n, sum(a));                                                                        \
  }

int main(void) {
  char *a = pages();
  for (long n = 0; n <= 1024; n += 1 + n / 5)
    for (int order = 0; order < 3; order++) {
      TRY(before_the_element, int, v)
      TRY(at_the_element, int, v)
      TRY(without_sign, float, v)
      TRY(of_words, double, v)
      TRY(of_records, struct record, ((struct record){v, k}))
      TRY(each_second, short, v)
    }
}
