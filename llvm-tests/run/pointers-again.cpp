// Where the original loops are kept, what was a pointer is one again: of the least of three nothing is left but comparisons.
//
// RUN: clang++-22 -O3 -march=x86-64-v3 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: clang++-22 -O3 -march=x86-64-v3 -fpass-plugin=%plugin -g -Rpass=loopwright %s -o %t.with 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: clang++-22 -O3 -fpass-plugin=%plugin %s -o %t.usual
// RUN: clang++-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected && %t.with | diff - %t.expected && %t.usual | diff - %t.expected
#include <algorithm>
#include <cstdio>

// REMARK: remark: loop i0; i0 in vectors, until the best so far is replaced

// CHECK-LABEL: define {{.*}}@_Z5leastiii(
// CHECK-NOT: alloca
// CHECK: ret i32
int least(int a, int b, int c) { return std::min({a, b, c}); }

// CHECK-LABEL: define {{.*}}@_Z4mostddd(
// CHECK-NOT: alloca
// CHECK: ret double
double most(double a, double b, double c) { return std::max({a, b, c}); }

#define KEPT __attribute__((noinline))

// What calls what calls the loop knows as much of it as ever: it only reads, and ends.
// CHECK: define {{.*}}@_Z5placePKdi({{.*}} #[[PLACE:[0-9]+]]
KEPT long place(const double *x, int n) { return std::max_element(x, x + n) - x; }

// Pointers to several elements, one of which is chosen from another one, and what they point to behind the loop.
struct pair { const float *best, *second; };
KEPT pair two(const float *first, const float *last) {
  pair all = {first, first};
  while (++first != last)
    if (*first > *all.best) { all.second = all.best; all.best = first; }
    else if (*first > *all.second || all.second == all.best) all.second = first;
  return all;
}

// The last of equals, or none: the pointer that the loop begins with is not the row's.
KEPT const int *last_least(const int *x, int n) {
  const int *best = x;
  for (const int *p = x; p != x + n; p++)
    if (*p <= *best) best = p;
  return best;
}

static unsigned seed = 5;
static unsigned number() { return (seed = seed * 1664525 + 1013904223) >> 10; }

// CHECK: attributes #[[PLACE]] = {{.*}} willreturn memory({{.*}}read

int main() {
  static int x[1200];
  static double d[1200];
  static float f[1200];
  for (int n = 1; n <= 1200; n = n < 300 ? n + 1 : n + 97)
    for (unsigned kinds = 1; kinds < 5000; kinds *= 17) {
      for (int i = 0; i < n; i++) x[i] = number() % kinds, f[i] = x[i] * 0.5f, d[i] = f[i];
      pair both = two(f, f + n);
      std::printf("%d %d %d", int(both.best - f), int(both.second - f), int(last_least(x, n) - x));
      std::printf(" %d %d", int(std::min_element(x, x + n) - x), int(std::max_element(f, f + n) - f));
      std::printf(" %ld", place(d, n));
      std::printf(" %d %g\n", least(x[0], x[n / 2], x[n - 1]), most(f[0], f[n / 2], f[n - 1]));
    }
}
