// Subscripts of unsigned numbers in loops that begin below zero: how often these run, a distance of numbers with signs, may be too much for a product, or for what is
// taken away from. Then subscripts wrap around, and the program's own loops run. Bytes have all 4 GB that there are numbers for.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline))

// CHECK: unsigned-from-below.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void backwards(unsigned n, int from, int to, unsigned w, uint8_t *a) {
  for (int i = from; i < 0; i++)
    for (unsigned x = 0; x < w; x++) a[(n - (unsigned)(i - from)) * w + x] += to + x;
}

// CHECK: unsigned-from-below.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void to_zero(unsigned n, int from, int to, unsigned w, uint8_t *a) {
  for (int i = from; i < 0; i++)
    for (unsigned x = 0; x < n; x++) a[(unsigned)(i - from) * w + x] += to + x;
}

// CHECK: unsigned-from-below.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void between(unsigned n, int from, int to, unsigned w, uint8_t *a) {
  for (int i = from; i < to; i++)
    for (unsigned x = 0; x < n; x++) a[(unsigned)(i - from) * w + x] += i + x;
}

// CHECK: unsigned-from-below.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void along(unsigned n, int from, int to, unsigned w, uint8_t *a) {
  for (unsigned y = 0; y < n; y++)
    for (int i = from; i < to; i++) a[(y + (unsigned)(i - from)) * w] += i + y;
}

// What is written all around, and what else there would be if numbers had more bits.
static uint64_t sum(uint8_t *a, unsigned w) {
  static const int64_t rounds[] = {-(1ll << 32), 0, 1ll << 32};
  uint64_t sum = 0;
  for (int round = 0; round < 3; round++)
    for (int64_t row = 0; row < 400; row++)
      for (int64_t x = 0; x < 40; x++) sum = sum * 31 + a[rounds[round] + (uint32_t)(row * w + x)] + a[rounds[round] + (uint32_t)(x - row * w)];
  return sum;
}

int main(void) {
  static void (*const all[])(unsigned, int, int, unsigned, uint8_t *) = {backwards, to_zero, between, along};
  static const int ends[][2] = {{-3, 4}, {-300, 10}, {-300, -10}, {0, 300}, {7, 9}, {-1, 0}, {-2147483647 - 1, -2147483647 + 3}, {5, -5}};
  static const unsigned sides[] = {0, 1, 3, 33}, widths[] = {1, 20, 39, 1 << 24, (1 << 24) + 1, 0x80000000u, 0xffffffffu};
  uint64_t size = 3ull << 32;
  uint8_t *start = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) abort();
  for (unsigned each = 0; each < sizeof all / sizeof *all; each++)
    for (unsigned end = 0; end < sizeof ends / sizeof *ends; end++)
      for (unsigned n = 0; n < sizeof sides / sizeof *sides; n++)
        for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++) {
          int from = ends[end][0], to = ends[end][1];
          if (each < 2 && from < -1000) continue;
          if (each == 0 && widths[w] > 1000) continue;
          all[each](sides[n], from, to, widths[w], start + (1ull << 32));
          printf("%u %u %d %d %u %llu\n", each, sides[n], from, to, widths[w], (unsigned long long)sum(start + (1ull << 32), widths[w]));
          madvise(start, size, MADV_DONTNEED);
        }
}
