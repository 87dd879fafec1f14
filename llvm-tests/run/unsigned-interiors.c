// Subscripts of unsigned numbers from which something is taken away, in loops over the interior and backwards: they are right where sizes are small, none, or so
// large that subscripts wrap around; there the program's own loops run. What wraps around is within the 4 GB that bytes have numbers for.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %t.validated | diff %t.expected -
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWN __attribute__((noinline))
#define SIZES unsigned h, unsigned w, unsigned p, unsigned q, uint8_t *restrict a, const uint8_t *restrict b

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void cube(SIZES) {
  for (unsigned i = 1; i < h - 1; i++)
    for (unsigned j = 1; j < w - 1; j++)
      for (unsigned k = 1; k < w - 1; k++)
        a[(i * p + j) * q + k] = b[((i - 1) * p + j) * q + k] + b[(i * p + j + 1) * q + k] * 3 + b[(i * p + j) * q + k - 1];
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void planes(SIZES) {
  for (unsigned i = 1; i < h - 1; i++)
    for (unsigned j = 1; j < w - 1; j++)
      for (unsigned k = 1; k < w - 1; k++)
        a[i * p * q + j * q + k] = b[(i - 1) * p * q + j * q + k] + b[i * p * q + (j + 1) * q + k];
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void flipped(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(h - 1 - y) * p + x] += b[y * q + (w - 1 - x)];
}

// The picture may have more rows than are flipped, and less.
// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void flipped_within(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(q - 1 - y) * p + x] += b[y * w + x] * 5;
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void turned(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[x * p + (h - 1 - y)] = b[y * q + x];
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void backwards(SIZES) {
  for (unsigned y = h; y-- > 0;)
    for (unsigned x = 1; x < w; x += 2)
      a[y * p + x] = b[x * q + y] + 1;
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void bordered(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(y + p) * (w + 2 * p) + x + p] = b[y * q + x];
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void moved(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      a[(y - p) * q + x + p] = b[y * w + x] + 3;
}

// CHECK: unsigned-interiors.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void halved(SIZES) {
  for (unsigned y = 0; y < h / 2; y++)
    for (unsigned x = 0; x < w / 2; x++)
      a[y * (w / 2) + x] = (b[2 * y * p + 2 * x] + b[(2 * y + 1) * p + 2 * x + 1]) / 2;
}

OWN void triangle(SIZES) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = y; x < w; x++)
      a[(h - 1 - y) * p + (x - y)] = b[(x - y) * q + x];
}

enum { PART = 4096 * 1031 };
static const uint64_t SIZE = (1ull << 32) + PART;

// The same small part again and again.
static uint8_t *reserved(int file) {
  uint64_t size = (SIZE + PART - 1) / PART * PART;
  uint8_t *start = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (uint64_t at = 0; at < size; at += PART)
    if (mmap(start + at, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED) abort();
  return start;
}

typedef void Loops(SIZES);

// What is in the places that subscripts of the program are in; loops that take their numbers for others leave it as it was.
static uint64_t around(const uint8_t *a, unsigned at) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 600; i++) sum = sum * 31 + a[(unsigned)(at + i - 300)];
  return sum;
}

int main(void) {
  static const struct { const char *name; Loops *loops; } all[] = {
    {"cube", cube}, {"planes", planes}, {"flipped", flipped}, {"flipped within", flipped_within}, {"turned", turned},
    {"backwards", backwards}, {"bordered", bordered}, {"moved", moved}, {"halved", halved}, {"triangle", triangle},
  };
  static const unsigned sides[] = {2, 3, 7, 40}, small[] = {0, 1, 2, 3, 7, 40, 130};
  static const unsigned large[] = {46341, 65536, 65537, 0x7fffffff, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffffeu, 0x55555556u, 1 << 20, (1 << 20) + 1, 1626};
  enum { LARGE = sizeof large / sizeof *large };
  int file = memfd_create("bytes", 0);
  if (file < 0 || ftruncate(file, PART)) abort();
  uint8_t *bytes = mmap(0, PART, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  for (unsigned i = 0; i < PART; i++) bytes[i] = i * 7919u % 65537 >> 3;
  uint8_t *a = reserved(file), *b = reserved(file);
  for (unsigned each = 0; each < sizeof all / sizeof *all; each++)
    for (unsigned n = 0; n < 240; n++) {
      unsigned h = sides[n % 4], w = sides[n / 4 % 4], p = small[n % 7], q = small[n / 7 % 7];
      if (n >= 120) p = n % 3 ? large[n % LARGE] : p, q = n % 3 != 1 ? large[n / 5 % LARGE] : q;
      // None at all, where the interior of nothing is not nearly everything.
      if (each > 1 && n % 11 == 0) h = 0;
      all[each].loops(h, w, p, q, a, b);
      uint64_t sum = 0;
      for (unsigned y = 0; y <= h; y += h / 3 + 1)
        for (unsigned x = 0; x <= 2; x++) {
          sum = sum * 7 + around(a, y * p + x * 20) + around(a, (y * p + x) * q) + around(a, (q - 1 - y) * p) + around(a, (y - p) * q + p);
          sum = sum * 7 + around(a, (h - 1 - y) * p) + around(a, (y + p) * (w + 2 * p) + p + x * 20);
        }
      printf("%s %u %u %u %u %llu\n", all[each].name, h, w, p, q, (unsigned long long)sum);
    }
}
