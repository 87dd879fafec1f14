// Buffers that take turns three by three in loops that end where the counter is a number, as those of iterators do: several iterations in one are as many as the
// program has, whatever the remainder. They take no longer for it: the time would run out if bounds were loose by a part of 2^32.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.with
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: timeout 60 %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 timeout 60 %t.threads | diff %t.expected -
#include <stdio.h>

#define OWN __attribute__((noinline))

OWN void ring(unsigned steps, int n, double (*restrict h)[40]) {
  for (unsigned t = 0; t != steps; t++)
    for (int i = 1; i < n - 1; i++) h[(t + 1) % 3][i] = 0.25 * h[t % 3][i - 1] + 0.5 * h[t % 3][i] + 0.25 * h[(t + 2) % 3][i + 1];
}

OWN void half(unsigned steps, int n, double (*restrict h)[40]) {
  for (unsigned t = 0; t != steps / 2; t++)
    for (int i = 1; i < n - 1; i++) h[(t + 1) % 3][i] = 0.25 * h[t % 3][i - 1] + 0.5 * h[t % 3][i] + 0.25 * h[(t + 2) % 3][i + 1];
}

// CHECK: turns-to-a-number.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
OWN void lines(unsigned h, unsigned w, unsigned char *restrict a, const unsigned char *restrict b) {
  for (unsigned y = 0; y != h / 2; y++)
    for (unsigned x = 0; x < w; x++) a[y % 3 * w + x] += b[y * w + x];
}

// CHECK: turns-to-a-number.c:[[#@LINE+2]]:3: remark: loop
OWN void thirds(unsigned n, unsigned m, double *restrict a) {
  for (unsigned i = 0; i != n; i += 3)
    for (unsigned j = 0; j != m; j += 5) a[i] += a[i] * 0.5 + j;
}

static double h[3][40], a[100];
static unsigned char from[400], to[60];

int main(void) {
  for (unsigned steps = 0; steps < 30; steps++) {
    for (int i = 0; i < 120; i++) h[i / 40][i % 40] = i * 37 % 100;
    for (int i = 0; i < 400; i++) from[i] = i * 7;
    for (int i = 0; i < 100; i++) a[i] = i;
    ring(steps, 40, h), half(steps, 39, h), lines(steps, 20, to, from), thirds(steps * 3, steps % 4 * 5, a);
    double sum = 0;
    for (int i = 0; i < 120; i++) sum = sum * 0.75 + h[i / 40][i % 40] + to[i % 60] + a[i % 100];
    printf("%u %.17g\n", steps, sum);
  }
}
