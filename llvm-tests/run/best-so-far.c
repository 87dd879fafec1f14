// The largest, the smallest, and where they are: loops are asked block by block whether they replace the best so far. Every bit is that of the program, whatever NaNs, zeros
// and equal keys there are, for all lengths around those of blocks, with arrays that end where memory does.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t -lm 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads -lm
// RUN: %loopwright-clang -O3 -march=x86-64-v3 %s -o %t.long -lm
// RUN: %t.long && %t && %t.threads && env OMP_NUM_THREADS=5 %t.threads
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// Each loop twice: as it is optimised, and as it is written.
#define BOTH(TYPE, NAME, PARAMETERS, ...)                                                                              \
  __attribute__((noinline)) static TYPE NAME PARAMETERS __VA_ARGS__                                                    \
  __attribute__((noinline, optnone)) static TYPE NAME##_as_written PARAMETERS __VA_ARGS__

typedef struct {
  double key, other;
  long at, count;
} Found;

// CHECK: best-so-far.c:[[#@LINE+3]]:{{.*}} remark: loop i; i in vectors, until the best so far is replaced
BOTH(float, largest, (const float *x, int n), {
  float m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
})

// CHECK: best-so-far.c:[[#@LINE+3]]:{{.*}} remark: loop i; i in vectors, until the best so far is replaced
BOTH(double, residual, (const double *x, const double *y, int n), {
  double m = 0;
  for (int i = 0; i < n; i++) {
    double d = fabs(x[i] - y[i]);
    if (m < d)
      m = d;
  }
  return m;
})

// CHECK: best-so-far.c:[[#@LINE+4]]:{{.*}} remark: loop i; i in vectors, until the best so far is replaced
BOTH(Found, first_smallest, (const double *x, int n), {
  double key = x[0], other = 0;
  int at = 0, count = 0;
  for (int i = 1; i < n; i++)
    if (x[i] < key) {
      key = x[i];
      at = i;
    }
  return (Found){key, other, at, count};
})

// CHECK: best-so-far.c:[[#@LINE+4]]:{{.*}} remark: loop i; i in vectors, until the best so far is replaced
BOTH(Found, last_largest, (const double *x, int n), {
  double key = x[0], other = 0;
  int at = 0, count = 0;
  for (int i = 1; i < n; i++)
    if (x[i] >= key) {
      key = x[i];
      at = i;
    }
  return (Found){key, other, at, count};
})

// What goes with the key is read only where it is taken.
BOTH(Found, with_another, (const double *x, const double *restrict y, int n), {
  double key = x[0], other = 0;
  int at = 0, count = 0;
  for (int i = 0; i < n; i++)
    if (x[i] < key) {
      key = x[i];
      other = y[i];
    }
  return (Found){key, other, at, count};
})

BOTH(long, by_place, (const double *x, int n), {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[at])
      at = i;
  return at;
})

BOTH(Found, every_third, (const double *x, int n), {
  double key = -1, other = 0;
  int at = -1, count = 0;
  for (int i = n - 1; i >= 0; i -= 3)
    if (x[i] > key) {
      key = x[i];
      at = i;
    }
  return (Found){key, other, at, count};
})

BOTH(Found, smallest_and_largest, (const double *x, int n), {
  double key = x[0], other = x[0];
  int at = 0, count = 0;
  for (int i = 1; i < n; i++) {
    if (x[i] < key)
      key = x[i];
    if (x[i] > other)
      other = x[i];
  }
  return (Found){key, other, at, count};
})

// The sum is what iterations wait for: beside it the largest takes no time, and a loop of its own would.
// CHECK: best-so-far.c:[[#@LINE+4]]:{{.*}} remark: loop nest left as it was: no transformation that pays was found
BOTH(Found, beside_a_sum, (const double *x, int n), {
  double key = x[0], other = 0;
  int at = 0, count = 0;
  for (int i = 0; i < n; i++) {
    other += x[i];
    if (x[i] > key) {
      key = x[i];
      at = i;
    }
  }
  return (Found){key, other, at, count};
})

// Each element of a column is in another line, and what is asked again would be fetched again.
// CHECK: best-so-far.c:[[#@LINE+5]]:{{.*}} remark: loop nest left as it was: no transformation that pays was found
BOTH(Found, of_a_column, (const double *x, int n), {
  int m = (int)sqrt(n);
  double key = 0, other = 0;
  int at = -1, count = m / 2;
  for (int i = 0; i < m; i++)
    if (fabs(x[i * m + count]) > key) {
      key = fabs(x[i * m + count]);
      at = i;
    }
  return (Found){key, other, at, count};
})

BOTH(Found, of_a_square, (const double *x, int n), {
  int m = (int)sqrt(n);
  double key = x[0], other = 0;
  int at = 0, count = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > key) {
        key = x[i * m + j];
        at = i;
        count = j;
      }
  return (Found){key, other, at, count};
})

BOTH(Found, of_each_row, (const double *x, int n), {
  int m = (int)sqrt(n / 4) + 1;
  double key = 0, other = 0;
  int at = 0, count = 0;
  for (int i = 0; i < m && (i + 1) * m <= n; i++) {
    double best = -1;
    int place = -1;
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > best) {
        best = x[i * m + j];
        place = j;
      }
    at = at * 31 + place;
    key += best;
  }
  return (Found){key, other, at, count};
})

BOTH(Found, of_the_valid, (const double *x, const unsigned char *valid, int n), {
  double key = -1, other = 0;
  int at = -1, count = 0;
  for (int i = 0; i < n; i++)
    if ((valid[i] != 0) & (x[i] > key)) {
      key = x[i];
      at = i;
    }
  return (Found){key, other, at, count};
})

BOTH(const double *, pointer_to_largest, (const double *x, int n), {
  const double *best = x;
  double m = x[0];
  for (const double *p = x + 1; p < x + n; p++)
    if (*p > m) {
      m = *p;
      best = p;
    }
  return best;
})

#define OF_INTEGERS(TYPE)                                                                                              \
  BOTH(Found, first_##TYPE, (const TYPE *x, int n), {                                                                  \
    TYPE best = x[0];                                                                                                  \
    int at = 0;                                                                                                        \
    for (int i = 1; i < n; i++)                                                                                        \
      if (x[i] > best) {                                                                                               \
        best = x[i];                                                                                                   \
        at = i;                                                                                                        \
      }                                                                                                                \
    Found found = {(double)best, 0, at, 0};                                                                            \
    return found;                                                                                                      \
  })
OF_INTEGERS(int8_t)
OF_INTEGERS(uint16_t)
OF_INTEGERS(int32_t)
OF_INTEGERS(uint64_t)

enum { MOST = 5000 };
static uint64_t state = 7;
static unsigned next(void) { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 40; }

// Memory for so many bytes right before a page without access.
static void *at_the_end(size_t bytes) {
  size_t pages = (bytes + 4095) / 4096 * 4096;
  char *all = mmap(0, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(all + pages, 4096, PROT_NONE);
  return all + pages - bytes;
}

static double number(int kind, int i, int n) {
  switch (kind) {
  case 0: return (int)next() - 8000000;
  case 1: return i;
  case 2: return -i;
  case 3: return next() % 3 ? 0.0 : -0.0;
  case 4: return next() % 5 ? next() % 100 : NAN;
  case 5: return i == 0 ? NAN : next() % 100;
  case 6: return i < n / 2 ? i : n - i;
  case 7: return next() % 50 ? -INFINITY : i;
  default: return next() % 4;
  }
}

static int wrong;
#define SAME(NAME, ...)                                                                                                \
  do {                                                                                                                 \
    __typeof__(NAME(__VA_ARGS__)) a, b;                                                                                \
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);                                                                  \
    a = NAME(__VA_ARGS__), b = NAME##_as_written(__VA_ARGS__);                                                         \
    if (memcmp(&a, &b, sizeof a))                                                                                      \
      wrong = 1, printf(#NAME ": kind %d, %d elements\n", kind, n);                                                    \
  } while (0)

int main(void) {
  for (int kind = 0; kind < 9; kind++)
    for (int size = 0; size < 60; size++) {
      int n = size < 20 ? size + 1 : size < 40 ? size * 13 - 150 : 1 + next() % MOST;
      static float *f; static double *x, *y; static unsigned char *valid;
      static int8_t *i8; static uint16_t *u16; static int32_t *i32; static uint64_t *u64;
      f = at_the_end(n * sizeof *f), x = at_the_end(n * sizeof *x), y = at_the_end(n * sizeof *y);
      valid = at_the_end(n), i8 = at_the_end(n), u16 = at_the_end(n * 2), i32 = at_the_end(n * 4), u64 = at_the_end(n * 8);
      for (int i = 0; i < n; i++) {
        double value = number(kind, i, n);
        f[i] = (float)value, x[i] = value, y[i] = next() % 10, valid[i] = next() % 3 == 0;
        int64_t whole = isfinite(value) ? (int64_t)value : -1;
        i8[i] = (int8_t)whole, u16[i] = (uint16_t)whole, i32[i] = (int32_t)whole, u64[i] = (uint64_t)whole;
      }
      SAME(largest, f, n);
      SAME(residual, x, y, n);
      SAME(first_smallest, x, n);
      SAME(last_largest, x, n);
      SAME(with_another, x, y, n);
      SAME(by_place, x, n);
      SAME(every_third, x, n);
      SAME(smallest_and_largest, x, n);
      SAME(beside_a_sum, x, n);
      SAME(of_a_column, x, n);
      SAME(of_a_square, x, n);
      SAME(of_each_row, x, n);
      SAME(of_the_valid, x, valid, n);
      SAME(pointer_to_largest, x, n);
      SAME(first_int8_t, i8, n);
      SAME(first_uint16_t, u16, n);
      SAME(first_int32_t, i32, n);
      SAME(first_uint64_t, u64, n);
      munmap((void *)((uintptr_t)x & ~(uintptr_t)4095), 4096);
    }
  return wrong;
}
