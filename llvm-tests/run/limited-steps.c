// How often a loop runs whose step is a number of the program is tested where something has to be assumed of it: that it is not left early, that a number
// computed in it does not wrap around. It is not made less.
//
// RUN: %loopwright-clang -O3 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 %s -o %t
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
//
// CHECK: left: 0 of
// CHECK: left_behind: 0 of
// CHECK: left_unsigned: 0 of
// CHECK: wraps: 0 of
// CHECK: wrapped_place: 0 of
#include <stdio.h>
#include <string.h>

static int to[4096], from[4096], most[4096];

#define LOOP(name, type, ...)                                                                   \
  __attribute__((noinline)) static type name(type a, type n, type s) { __VA_ARGS__ }            \
  __attribute__((noinline, optnone)) static type name##_plain(type a, type n, type s) { __VA_ARGS__ }

LOOP(left, int, int i, c = 0; for (i = a; i < n; i += s) { to[c] += from[c] + i; c++; if (c > 50) break; } return i;)
LOOP(left_behind, int, int i, c = 0; for (i = a; i < n; i += s) { to[c] += i; if (c == 33) { from[3] = i; break; } c++; } return i;)
LOOP(left_unsigned, unsigned, unsigned i; int c = 0; for (i = a; i < n; i += s) { to[c] += from[c] + (int)i; c++; if (c > 50) break; } return i;)
LOOP(wraps, int, int i; unsigned c = 0; for (i = a; i < n; i += s) { if ((int)(c * 20000000u) >= 0) to[i] += from[i] + i; c++; } return i;)
LOOP(wrapped_place, int, int i; unsigned c = 0; for (i = a; i < n; i += s) { to[i] += from[((long)(int)(c * 20000000u) >> 24) + 300]; c++; } return i;)

#define COMPARED(name)                                                                          \
  do {                                                                                          \
    int wrong = 0, tried = 0;                                                                   \
    for (int n = -2; n < 400; n += n < 60 ? 1 : 11)                                             \
      for (int a = 0; a < 3; a++)                                                               \
        for (int s = 1; s < 5; s++) {                                                           \
          if (n < 0 && sizeof #name == sizeof "left_unsigned") continue;                        \
          for (int i = 0; i < 4096; i++) to[i] = i % 13, from[i] = i * 37 % 101;                \
          long expected = name##_plain(a, n, s);                                                \
          memcpy(most, to, sizeof to);                                                          \
          int kept = from[3];                                                                   \
          for (int i = 0; i < 4096; i++) to[i] = i % 13, from[i] = i * 37 % 101;                \
          long found = name(a, n, s);                                                           \
          tried++, wrong += found != expected || memcmp(most, to, sizeof to) || from[3] != kept; \
        }                                                                                       \
    printf(#name ": %d of %d\n", wrong, tried);                                                 \
  } while (0)

int main(void) {
  COMPARED(left);
  COMPARED(left_behind);
  COMPARED(left_unsigned);
  COMPARED(wraps);
  COMPARED(wrapped_place);
}
