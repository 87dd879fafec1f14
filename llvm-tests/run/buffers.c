// The memory for scalars that become arrays is as large as these are, of as many dimensions and iterations as there may be, none too.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -mllvm -loopwright-min-work=0 -Wl,--wrap=malloc,--wrap=free %s -o %t
// RUN: %t plain | diff %t.expected -
// RUN: %t | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noinline)) static void

OWN row_sums(int n, int m, double (*restrict a)[64], double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++) sum += a[j][i] * x[j];
    y[i] = sum;
  }
}

OWN from_below(int from, int n, int m, float (*restrict a)[64], float *restrict x, float *restrict y) {
  for (int i = from; i < n; i++) {
    float sum = 1;
    for (int j = 0; j < m; j++) sum += a[j][i] * x[j];
    y[i] = sum;
  }
}

OWN planes(int n, int m, double (*restrict a)[16][64], double *restrict x, double (*restrict y)[64]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      double sum = 0;
      for (int j = 0; j < n && j <= k; j++) sum += a[j][i][k] * x[j];
      y[i][k] = sum;
    }
}

// What tries them stays as it is.
#pragma clang optimize off

static double a[64][64], x[64], y[64], cube[16][16][64], plane[16][64];
static float b[64][64], u[64], v[64];

enum { BEHIND = 64, BEFORE = 16 };
static int is_broken, n_given_back;
static size_t total;
void *__real_malloc(size_t) __attribute__((weak));
void __real_free(void *) __attribute__((weak));

void *__wrap_malloc(size_t size) {
  char *memory = __real_malloc(BEFORE + size + BEHIND);
  memcpy(memory, &size, sizeof size), memset(memory + BEFORE + size, 0x5a, BEHIND);
  total += size;
  return memory + BEFORE;
}

void __wrap_free(void *given) {
  if (!given) return;
  char *memory = (char *)given - BEFORE;
  size_t size;
  memcpy(&size, memory, sizeof size);
  for (int i = 0; i < BEHIND; i++) is_broken |= memory[BEFORE + size + i] != 0x5a;
  n_given_back++, __real_free(memory);
}

int main(int count, char **arguments) {
  int is_plain = count > 1;
  for (int i = 0; i < 64; i++) {
    x[i] = u[i] = i * 0.5;
    for (int j = 0; j < 64; j++) {
      a[i][j] = b[i][j] = (i * 5 + j * 3) % 7;
      for (int k = 0; i < 16 && k < 16; k++) cube[i][k][j] = i ^ j ^ k;
    }
  }
  for (int n = 0; n <= 16; n += n < 2 ? 1 : 7)
    for (int m = 0; m <= 64; m += m < 2 ? 1 : 31) {
      double sum = 0;
      size_t sizes[3];
      total = 0, row_sums(m, n, a, x, y), sizes[0] = total;
      total = 0, from_below(n, m, n + 3, b, u, v), sizes[1] = total;
      total = 0, planes(n, m, cube, x, plane), sizes[2] = total;
      for (int i = 0; i < 64; i++) sum += y[i] * (i + 1) + v[i] + plane[i % 16][i];
      if (is_plain) printf("%d %d %a\n", n, m, sum);
      else printf("%d %d: %zu %zu %zu%s\n", n, m, sizes[0], sizes[1], sizes[2], is_broken ? ", memory is broken" : "");
    }
  // CHECK: 0 0: 0 0 0{{$}}
  // CHECK-NEXT: 0 1: 0 4 0{{$}}
  // CHECK-NEXT: 0 2: 0 8 0{{$}}
  // CHECK-NEXT: 0 33: 0 132 0{{$}}
  // CHECK-NEXT: 0 64: 0 256 0{{$}}
  // CHECK-NEXT: 1 0: 0 0 0{{$}}
  // CHECK-NEXT: 1 1: 8 0 8{{$}}
  // CHECK-NEXT: 1 2: 16 4 16{{$}}
  // CHECK-NEXT: 1 33: 264 128 264{{$}}
  // CHECK-NEXT: 1 64: 512 252 512{{$}}
  // CHECK-NEXT: 2 0: 0 0 0{{$}}
  // CHECK-NEXT: 2 1: 8 0 16{{$}}
  // CHECK-NEXT: 2 2: 16 0 32{{$}}
  // CHECK-NEXT: 2 33: 264 124 528{{$}}
  // CHECK-NEXT: 2 64: 512 248 1024{{$}}
  // CHECK-NEXT: 9 0: 0 0 0{{$}}
  // CHECK-NEXT: 9 1: 8 0 72{{$}}
  // CHECK-NEXT: 9 2: 16 0 144{{$}}
  // CHECK-NEXT: 9 33: 264 96 2376{{$}}
  // CHECK-NEXT: 9 64: 512 220 4608{{$}}
  // CHECK-NEXT: 16 0: 0 0 0{{$}}
  // CHECK-NEXT: 16 1: 8 0 128{{$}}
  // CHECK-NEXT: 16 2: 16 0 256{{$}}
  // CHECK-NEXT: 16 33: 264 68 4224{{$}}
  // CHECK-NEXT: 16 64: 512 192 8192{{$}}
}
