// Loops that pay from some size on only run where there is enough to do. A program's own loops take over below that: small products are not
// slower than without the plugin, and large ones are what they were made for.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -DSIZE=10 %s -o %t.small
// RUN: env OMP_WAIT_POLICY=passive %t.small | FileCheck %s --check-prefix=SMALL
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -DSIZE=300 %s -o %t.large
// RUN: env OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 %t.large | FileCheck %s --check-prefix=LARGE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.ll
// RUN: FileCheck %s --check-prefix=SUMS --input-file=%t.ll
//
// Where the compiler knows that there is too little, it says so and changes nothing.
// RUN: %loopwright-clang -O3 -fopenmp -c -g -DKNOWN -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -c -g -DKNOWN -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALWAYS
//
// Where it knows all sizes, it knows whether the new loops are faster for them: what they take counts, no size that they might have.
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c -g -DKNOWN -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZES
#include <stdio.h>

#ifdef KNOWN
double x[100], y[100], square[1000][1000];

// SIZES: too-little-to-do.c:[[#@LINE+2]]:3: remark: {{.*}}loops i, j tiled
void mirrored(void) {
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < i; j++)
      square[j][i] = square[i][j];
    square[i][i] += 1000;
  }
}

// Where it knows only how large they can be, it says from what size on other loops would be faster.
// SIZES: too-little-to-do.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}other loops would, from {{[0-9]+}} operations on
void turned(int m, int n, double (*restrict b)[512], const double (*restrict a)[512]) {
  m &= 3, n &= 3;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      b[i][j] = a[j][i];
}

// KNOWN: too-little-to-do.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}only threads would, and for {{[0-9]+}} operations they do not (min-work=100000)
// ALWAYS: too-little-to-do.c:[[#@LINE+2]]:3: remark: {{.*}}loop i; i on all cores
void known(void) {
  for (int i = 0; i < 100; i++)
    y[i] = 2 * x[i] + 1;
}
#else

#ifndef SIZE
#define SIZE 10
#endif

// CODE-LABEL: define {{.*}}@relaxed(
// CODE: mul {{.*}}i64
// CODE: icmp {{.*gt}} i64 {{.*}}, 99999
// CODE: call {{.*}}@relaxed.loop(
// CODE: fadd <
__attribute__((noinline)) void relaxed(int n, double (*restrict c)[512], const double (*restrict a)[512]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      c[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}

__attribute__((noinline)) void product(int n, double (*restrict c)[512], const double (*restrict a)[512], const double (*restrict b)[512]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// Sums of rows in vectors of rows pay from some rows on, however long these are.
// SUMS-LABEL: define {{.*}}@sums(
// SUMS: icmp {{.*gt}} i64 {{.*}}, {{[1-9][0-9]*}}
// SUMS: icmp {{.*gt}} i32 %{{.*}}, {{[1-9][0-9]*}}
__attribute__((noinline)) void sums(int m, int n, double *restrict x, const double (*restrict a)[512]) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += a[i][j];
    x[i] = s;
  }
}

static double a[512][512], b[512][512], c[512][512];

int main(void) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      a[i][j] = i - j, b[i][j] = i + 2 * j;
  product(SIZE, c, a, b);
  relaxed(SIZE, a, c);
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      sum += c[i][j] * (i + j) + a[i][j];
  // SMALL: sum 16005{{$}}
  // LARGE: sum 29474186505400{{$}}
  printf("sum %.17g\n", sum);
}
#endif
