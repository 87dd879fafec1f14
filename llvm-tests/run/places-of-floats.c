// Places that are computed from floating-point numbers are measured before the loops only where whatever LLVM makes of the two computations gives the same: else a
// thread's copy of the bins would begin behind the first one. Where flags or a library of vectors leave that open, one thread counts.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.strict -lm 2>&1 | FileCheck %s --check-prefixes=STRICT
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffast-math -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.fast -lm 2>&1 | FileCheck %s --check-prefixes=FREE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.contracted -lm 2>&1 | FileCheck %s --check-prefixes=FREE
// RUN: %t.strict && %t.fast && %t.contracted
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 20000, ROUNDS = 12 };

// STRICT: places-of-floats.c:[[#@LINE+3]]:3: remark: {{.*}}on all cores
// FREE: places-of-floats.c:[[#@LINE+2]]:3: remark: loop nest left as it was: each thread would need a copy of its own of 'c'
__attribute__((noinline)) void histogram(const float *restrict x, const float *restrict y, int *restrict c, float d, int n) {
  for (int i = 0; i < n; i++) {
    float m = x[i] * d;
    c[(int)(m + y[i])] += (int)m;
  }
}

// STRICT: places-of-floats.c:[[#@LINE+3]]:3: remark: {{.*}}loop nest left as it was: each thread would need a copy of its own of 'c'
// FREE: places-of-floats.c:[[#@LINE+2]]:3: remark: loop nest left as it was: each thread would need a copy of its own of 'c'
__attribute__((noinline)) void of_function(const float *restrict x, int *restrict c, int n) {
  for (int i = 0; i < n; i++)
    c[(int)((sinf(x[i]) + 1) * 1e5f)]++;
}

static float x[N], y[N];
static int c[1 << 21];

int main(void) {
  unsigned state = 1;
  for (int round = 0; round < ROUNDS; round++) {
    float d = 0.3f, least = 0;
    // A number whose product is just below a whole one, and rounded to it.
    for (;;) {
      state = state * 1664525u + 1013904223u;
      volatile float v = 2500000 + (state >> 8) / 16.f, m = v * d;
      double error = (double)v * d - m;
      if (m < (1 << 20) && m >= (1 << 19) && m + 0.0625f == floorf(m + 0.0625f) && error > 0.004) {
        least = v;
        break;
      }
    }
    for (int i = 0; i < N; i++) {
      state = state * 1664525u + 1013904223u;
      x[i] = least + 64 + (state >> 8) % 100000, y[i] = 0.25f;
    }
    x[state % N] = least, y[state % N] = 1 / 32.f - 0.001f;
    memset(c, 0, sizeof c);
    histogram(x, y, c, d, N);
    long sum = 0, wanted = 0;
    for (int i = 0; i < 1 << 21; i++)
      sum += c[i];
    for (int i = 0; i < N; i++) {
      volatile float m = x[i] * d;
      wanted += (int)m;
    }
    for (int i = 0; i < N; i++)
      x[i] = (float)(i % 700) / 100;
    memset(c, 0, sizeof c);
    of_function(x, c, N);
    long count = 0;
    for (int i = 0; i < 1 << 21; i++)
      count += c[i];
    if (sum != wanted || count != N) {
      printf("round %d: %ld, not %ld; %ld\n", round, sum, wanted, count);
      return 1;
    }
  }
  return 0;
}
