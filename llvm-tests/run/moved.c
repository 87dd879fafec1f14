// Copies and fills of memory in loops: where both sides overlap, in either direction, by parts of an element; structures with gaps; lengths of all types.
//
// RUN: clang-22 -O3 -march=native %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -fopenmp -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native %s -o %t.one
// RUN: %t.one | diff %t.expected -

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline))

struct gaps { int a; char c; double b; };
struct small { char x; short y; };

// CHECK: moved.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void copied(int n, int m, uint32_t *restrict a, uint32_t *restrict b) {
  for (int i = 0; i < n; i++) memcpy(b + i * m, a + i * m, m * 4);
}

// CHECK: moved.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void without_sign(int n, int m, uint32_t *restrict a, uint32_t *restrict b) {
  for (int i = 0; i < n; i++) memcpy(b + i * 64, a + i * 64, (unsigned)m * sizeof *a);
}

// CHECK: moved.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void filled(int n, int m, uint32_t *restrict a, uint32_t *restrict b) {
  for (int i = 0; i < n; i++) memset(b + i * m, 3, sizeof *b * m);
}

// CHECK: moved.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void with_gaps(int n, int m, struct gaps *restrict a, struct gaps *restrict b) {
  for (int i = 0; i < n; i++) memcpy(b + i, a + i, sizeof *a);
}

OWN void up(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) memmove(a + i + 2, a + i, m * sizeof *a);
}

OWN void down(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) memmove(a + i, a + i + 1, m * sizeof *a), a[i] += b[i];
}

OWN void by_bytes(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) {
    memmove((char *)(a + i) + 1, a + i, m);
    memmove((char *)(a + i * m), (char *)(a + i * m) + 3, m * sizeof *a);
  }
}

OWN void in_few(int n, int m, struct small *a, struct small *b) {
  for (int i = 0; i < n; i++) memmove(a + i + 1, a + i, 5 * sizeof *a), memmove(a + i + 2, a + i + 3, 3 * sizeof *a);
}

OWN void anywhere(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) memmove(b + i, a + i, m * sizeof *a);
}

OWN void anywhere_few(int n, int m, uint16_t *a, uint16_t *b) {
  for (int i = 0; i < n; i++) memmove(b + i, a + i, 7 * sizeof *a);
}

OWN void with_variable(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) memset(a + i * m, i, m * sizeof *a);
}

OWN void as_numbers(int n, int m, uint64_t *a, uint64_t *b) {
  for (int i = 0; i < n; i++) {
    double v[8];
    memcpy(v, a + i, sizeof v);
    memmove(v + 1, v, 6 * sizeof *v);
    memcpy(a + i, v, sizeof v);
  }
}

OWN void narrow_length(int n, int m, uint32_t *a, uint32_t *b) {
  for (int i = 0; i < n; i++) {
    uint8_t few = m * 3, bytes = few * 4;
    memmove(a + i * 2, a + i * 2 + 3, bytes);
    memset(b + i, 0, (uint16_t)(m * 2) * 4u);
  }
}

static uint64_t hash(const void *bytes, size_t n, uint64_t h) {
  for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return h;
}

static unsigned char x[1 << 16], y[1 << 16];

typedef void Nest(int n, int m, void *a, void *b);

int main(void) {
  void *nests[] = {copied, without_sign, filled, with_gaps, up, down, by_bytes, in_few, anywhere, anywhere_few,
                   with_variable, as_numbers, narrow_length};
  enum { N_NESTS = sizeof nests / sizeof *nests, N_APART = 4 };
  int sizes[] = {0, 1, 2, 3, 7, 33, 64};
  for (int at = 0; at < N_NESTS; at++)
    for (int ni = 0; ni < 7; ni++)
      for (int mi = 0; mi < 7; mi++)
        for (int way = 0; way < (at < N_APART ? 1 : 4); way++) {
          for (int i = 0; i < sizeof x; i++) x[i] = i * 7 + i / 251, y[i] = i * 3 + i / 241;
          void *a = x + (way == 3 ? 8 : 0), *b = way == 0 ? y : way == 1 ? x + 8 : way == 2 ? x : x;
          ((Nest *)nests[at])(sizes[ni], sizes[mi], a, b);
          uint64_t h = hash(y, sizeof y, hash(x, sizeof x, 14695981039346656037u));
          printf("%d %d %d %d %016lx\n", at, sizes[ni], sizes[mi], way, (unsigned long)h);
        }
}
