// A counter that steps over its limit goes on behind zero where the limit is one of the greatest numbers. LLVM does not count such loops; they are counted for lower limits, which
// is asked before them.
//
// RUN: clang-22 -O3 -DMODELS -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s
// RUN: clang-22 -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -mllvm -loopwright-min-work=0 %s -o %t.changed && %t.changed > %t.found && diff %t.expected %t.found
// RUN: FileCheck %s --check-prefix=LAPS --input-file=%t.found
#include <stddef.h>
#include <stdio.h>

#ifdef MODELS
// CHECK-LABEL: # thirds
// CHECK: domain: "[p0] -> { S0[i0] : p0 >= 3 and 3i0 <= p0 - 3 and i0 >= 0 }"
// CHECK: # tested: counters do not wrap around before they come to the number that ends their loop
void thirds(size_t n, double *restrict a) {
  for (size_t i = 0; i + 2 < n; i += 3)
    a[i] = a[i + 1] + a[i + 2];
}

// CHECK-LABEL: # with_the_limit
// CHECK: # tested: counters do not wrap around before they come to the number that ends their loop
void with_the_limit(unsigned n, double *restrict a) {
  for (unsigned i = 0; i <= n; i += 5)
    a[i] = 0;
}

// CHECK-LABEL: # signed_counter
// CHECK: # tested: {{.*}}counters do not wrap around before they come to the number that ends their loop
void signed_counter(int n, double *restrict a) {
  for (int i = 0; n > i; i = (int)((unsigned)i + 3u))
    a[i] = 0;
}
#else
static unsigned hits[1024];

__attribute__((noinline)) static unsigned laps(unsigned start, unsigned n) {
  unsigned count = 0;
  for (unsigned i = start; i < n; i += 65535) {
    hits[i >> 6 & 1023] += i;
    count++;
  }
  return count;
}

__attribute__((noinline)) static unsigned up_to(unsigned start, unsigned n) {
  unsigned count = 0;
  for (unsigned i = start; i <= n; i += 7) {
    hits[i & 1023] += i;
    count++;
  }
  return count;
}

__attribute__((noinline)) static unsigned at_least_once(unsigned start, unsigned n) {
  unsigned count = 0, i = start;
  do {
    hits[i & 1023] ^= i;
    count++;
    i += 3;
  } while (i < n);
  return count;
}

// From 1 the counter does not come to the greatest number before the second lap.
// LAPS: laps 65537 131074
int main(void) {
  printf("laps %u %u\n", laps(0, ~0u), laps(1, ~0u));
  for (unsigned start = 0; start < 12; start++)
    for (unsigned n = 0; n < 40; n++)
      printf("%u %u %u\n", laps(start * 9999, n * 40000), up_to(start, n), at_least_once(start, n));
  printf("%u %u %u\n", up_to(~0u - 20, ~0u - 8), at_least_once(~0u - 9, ~0u), at_least_once(~0u - 9, 5));
  for (int i = 0; i < 1024; i++)
    printf("%u\n", hits[i]);
}
#endif
