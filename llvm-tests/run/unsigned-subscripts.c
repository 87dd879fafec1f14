// Subscripts with products of unsigned numbers: where these wrap around, rows overlap that would be apart, and the program's own loops run. Rows of three
// numbers for each point of a picture are as long as all steps allow.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %t.validated | diff %t.expected -
#include <stdint.h>
#include <stdio.h>

#define OWN __attribute__((noinline))

// CHECK: unsigned-subscripts.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void scaled(unsigned h, unsigned w, unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < h; i++)
    for (unsigned j = 8; j < w; j++)
      a[i * n + j] = a[i * n + j] * 0.5 + b[j];
}

// CHECK: unsigned-subscripts.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void turned(uint32_t h, uint32_t w, uint32_t n, double *restrict a, const double *restrict b) {
  for (uint32_t j = 8; j < w; j++)
    for (uint32_t i = 1; i < h; i++)
      a[i * n + j] += a[i * n + j - 1] * 0.25 + b[j];
}

// CHECK: unsigned-subscripts.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void product(unsigned h, unsigned w, unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < h; i++)
    for (unsigned j = 8; j < w; j++)
      for (unsigned k = 8; k < w; k++)
        a[i * n + j] += b[i * n + k] * b[k] * 0.125;
}

OWN void cube(unsigned h, unsigned w, unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < h; i++)
    for (unsigned j = 0; j < h; j++)
      for (unsigned k = 20; k < w; k++)
        a[(i * 2 + j) * n + k] = a[(i * 2 + j) * n + k] * 0.5 + b[k];
}

// CHECK: unsigned-subscripts.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void points(unsigned h, unsigned w, unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 6; x < w / 3; x++)
      for (unsigned c = 0; c < 3; c++)
        a[(y * n + x) * 3 + c] = a[(y * n + x) * 3 + c] * 0.5 + b[x * 3 + c];
}

// CHECK: unsigned-subscripts.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void signed_points(int h, int w, int n, double *restrict a, const double *restrict b) {
  for (int y = 0; y < h; y++)
    for (int x = 6; x < w / 3; x++)
      for (int c = 0; c < 3; c++)
        a[(y * n + x) * 3 + c] = a[(y * n + x) * 3 + c] * 0.5 + b[x * 3 + c];
}

// Each second row of a picture, of which the rows in between are read.
OWN void halves(int h, int w, int n, double *restrict a) {
  for (int y = 0; y < h / 2; y++)
    for (int x = 0; x < w; x++)
      a[2 * y * n + x] += a[(2 * y + 1) * n + x] * 0.5;
}

enum { SIZE = 64 * 64 * 3 };
static double a[SIZE], b[SIZE];

static void print(const char *what, unsigned n) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum += a[i] * (1 + i % 13);
  printf("%s %u %.17g\n", what, n, sum);
}

int main(void) {
  // Rows apart; rows that overlap; and each one or two elements before the last one, as numbers of 32 bits have it.
  unsigned lengths[] = {61, 64, 40, 3, 0, (unsigned)-1, (unsigned)-2, 0x80000000u, 0x55555556u};
  for (int at = 0; at < 9; at++)
    for (unsigned h = 0; h < 5; h += 2)
      for (unsigned w = 7; w < 70; w += 27) {
        unsigned n = lengths[at];
        for (int i = 0; i < SIZE; i++) a[i] = i * 7919 % 1000 * 0.001, b[i] = i * 104729 % 1000 * 0.002;
        int is_far = n == 0x80000000u || n == 0x55555556u;
        if (!is_far || h < 2) {
          scaled(h, w, n, a, b), print("scaled", n);
          turned(h, w, n, a, b), print("turned", n);
          product(h, w, n, a, b), print("product", n);
          if (!is_far) cube(h, w, n, a, b), print("cube", n);
        }
        // Three times this is two, three times the other one more than 32 bits hold, of which two and a half remain.
        if (n != 0x80000000u) points(h, w, n, a, b), print("points", n);
        if (n < 100) signed_points(h, w, n, a, b), print("signed points", n), halves(h, w, n, a), print("halves", n);
      }
}
