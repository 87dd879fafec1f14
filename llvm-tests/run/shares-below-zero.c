// A thread's share of the iterations may end long before all of them do: behind -1 is 0.
//
// RUN: clang-22 -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -fopenmp -Rpass=loopwright %s -o %t.threads 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=4 %t.threads | diff %t.expected -
#include <stdint.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static double a[256], b[256];

// CHECK-DAG: shares-below-zero.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
NOINLINE static void even(void) {
  for (long i = -96; i < 96; i++)
    a[i + 96] = a[i + 96] * 2 + b[97 + i];
}

// CHECK-DAG: shares-below-zero.c:[[#@LINE+3]]:3: remark: {{.*}}on all cores
NOINLINE static long sums(void) {
  long sum = 0;
  for (long i = -120; i <= 119; i++)
    sum += (long)a[i + 120] * i;
  return sum;
}

// CHECK-DAG: shares-below-zero.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
NOINLINE static void by_two(double *restrict to, const double *restrict from) {
  for (long i = -100; i < 101; i += 2)
    for (long j = -1; j <= 0; j++)
      to[i + j + 101] = from[i + j + 101] + (double)(i * j);
}

// Shares shrink.
// CHECK-DAG: shares-below-zero.c:[[#@LINE+2]]:3: remark: {{.*}}on all cores
NOINLINE static void triangle(double (*restrict to)[16], const double *restrict from) {
  for (long i = -8; i < 8; i++)
    for (long j = -8; j <= i; j++)
      to[i + 8][j + 8] += from[j + 8];
}

static void show(void) {
  uint64_t hash = 14695981039346656037u;
  for (unsigned i = 0; i < sizeof a; i++)
    hash = (hash ^ ((unsigned char *)a)[i]) * 1099511628211u;
  printf("%016llx\n", (unsigned long long)hash);
}

int main(void) {
  for (int i = 0; i < 256; i++)
    a[i] = i % 17 - 5, b[i] = i % 13 * 3;
  for (int round = 0; round < 4; round++) {
    even();
    show();
    printf("%ld\n", sums());
    by_two(a, b);
    show();
    triangle((void *)a, b);
    show();
  }
}
