// Where flags let copies of a computation differ, or a library computes vectors by other functions, two statements that ask for one condition might be
// answered in two ways: such conditions are asked once. Of two branches exactly one has run.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.strict -lm 2>&1 | FileCheck %s --check-prefixes=STRICT
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffast-math -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.fast -lm 2>&1 | FileCheck %s --check-prefixes=FREE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.contracted -lm
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fno-math-errno -fveclib=libmvec -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.library -lm
// RUN: %t.strict && %t.fast && %t.contracted && %t.library
#include <math.h>
#include <stdio.h>

enum { N = 200 };
static double x[N], y[N], z[N], a[N][N], b[N][N];

// STRICT: conditions-of-floats.c:[[#@LINE+3]]:3: remark: {{.*}}loops i, j; i in vectors
// FREE: conditions-of-floats.c:[[#@LINE+2]]:3: remark: loop nest left as it was
__attribute__((noinline)) void product(int n, double t) {
  for (int i = 0; i < n; i++) {
    double s = x[i] * y[i] + z[i];
    if (s > t)
      for (int j = 0; j < n; j++)
        a[j][i] = 1 + x[j];
    else
      for (int j = 0; j < n; j++)
        b[j][i] = 1 + y[j];
  }
}

__attribute__((noinline)) void power(int n, double t) {
  for (int i = 0; i < n; i++) {
    if (exp(x[i]) * y[i] > t)
      for (int j = 0; j < n; j++)
        a[j][i] = 1 + x[j];
    else
      for (int j = 0; j < n; j++)
        b[j][i] = 1 + y[j];
  }
}

enum { MOST = 20000 };
static float u[MOST], v[MOST], table[1 << 20], *row[MOST];
static int kept[MOST];

// What is written and what is kept go by one answer, whichever loops they come to be in.
__attribute__((noinline)) int keep(const float *restrict u, const float *restrict v, float *table, float **restrict row, int *restrict kept, float t, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    float m = u[i] * t;
    int is_more = m + v[i] > 1;
    row[i] = is_more ? table + (int)m : 0;
    if (is_more)
      kept[count++] = i;
  }
  return count;
}

static int rows_are_there(unsigned state) {
  float t = 0.1f + (state >> 8) % 1000 * 0.0137f;
  for (int i = 0; i < MOST; i++) {
    state = state * 1664525u + 1013904223u;
    u[i] = ((state >> 8) % (1 << 20) + 1) / 300.f;
    volatile float m = u[i] * t, w = 1 - m;
    v[i] = w;
  }
  int count = keep(u, v, table, row, kept, t, MOST);
  for (int i = 0; i < count; i++)
    if (!row[kept[i]])
      return 0;
  return 1;
}

static int is_right(void) {
  int right = 1;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      right &= (a[j][i] != 0) != (b[j][i] != 0), a[j][i] = b[j][i] = 0;
  return right;
}

int main(void) {
  unsigned state = 7;
  for (int program = 0; program < 100; program++) {
    for (int i = 0; i < N; i++) {
      state = state * 1664525u + 1013904223u;
      x[i] = (state >> 8) / 3e7, y[i] = 0.1 + (state >> 12) / 2e6, z[i] = (state >> 9) / 1e6;
    }
    int at = program;
    product(N, x[at] * y[at] + z[at]);
    int right = is_right();
    product(N, fma(x[at], y[at], z[at]));
    right &= is_right();
    power(N, exp(x[at]) * y[at]);
    right &= is_right() && rows_are_there(state);
    if (!right) {
      printf("program %d\n", program);
      return 1;
    }
  }
  return 0;
}
