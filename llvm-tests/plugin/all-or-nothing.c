// An internal error at any stage leaves the function and the module as they were: no half of a new loop, no function, no global, no
// declaration, no remark that says what was not done. (Only the mark of a function that was handled stays.)
//
// RUN: %loopwright-clang -O3 -Xclang -disable-llvm-passes -g -fexceptions -S -emit-llvm %s -o %t.raw.ll
// RUN: %loopwright-clang -O1 -g -fexceptions -S -emit-llvm %s -o %t.clean.ll
// RUN: clang-22 -O2 %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// DEFINE: %{stage} =
// DEFINE: %{input} =
// DEFINE: %{words} =
// DEFINE: %{plain} = sed -e 's/ #[0-9][0-9]*//' -e '/^attributes/d' -e '/^; ModuleID/d'
// DEFINE: %{one} = %loopwright -passes='loopwright<check;only=two;%{words};provoke-panic=%{stage}>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %t.%{input}.ll -o %t.out.ll 2> %t.said && opt-22 -passes=verify -S %t.%{input}.ll -o - | %{plain} > %t.before && opt-22 -passes=verify -S %t.out.ll -o - | %{plain} | diff %t.before - && FileCheck %s --input-file %t.said
// DEFINE: %{run} = %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -mllvm -loopwright-provoke-panic=%{stage} %s -o %t.exe -lm 2> %t.said && env OMP_WAIT_POLICY=passive %t.exe | diff %t.expected -
//
// REDEFINE: %{input} = raw
// REDEFINE: %{words} = parallel
// REDEFINE: %{stage} = prepare
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = extract
// RUN: %{one}
// REDEFINE: %{stage} = extract:2
// RUN: %{one}
// REDEFINE: %{stage} = schedule
// RUN: %{one}
// REDEFINE: %{stage} = schedule:2
// RUN: %{one}
// REDEFINE: %{stage} = materialize
// RUN: %{one}
// REDEFINE: %{stage} = materialize:2
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = guard
// RUN: %{one}
// REDEFINE: %{stage} = guard:2
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = measure:2
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = outline
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = outline:2
// RUN: %{one}
// REDEFINE: %{stage} = write
// RUN: %{one}
// REDEFINE: %{stage} = write:2
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = branch
// RUN: %{one}
// REDEFINE: %{stage} = branch:2
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{stage} = branch:3
// RUN: %{one}
// REDEFINE: %{stage} = end
// RUN: %{one}
// RUN: %{run}
// REDEFINE: %{words} = no-parallel
// REDEFINE: %{stage} = prepare
// RUN: %{one}
// REDEFINE: %{stage} = extract:2
// RUN: %{one}
// REDEFINE: %{stage} = materialize
// RUN: %{one}
// REDEFINE: %{stage} = guard
// RUN: %{one}
// REDEFINE: %{stage} = write
// RUN: %{one}
// REDEFINE: %{stage} = write:2
// RUN: %{one}
// REDEFINE: %{stage} = branch
// RUN: %{one}
// REDEFINE: %{stage} = branch:2
// RUN: %{one}
// REDEFINE: %{stage} = end
// RUN: %{one}
// REDEFINE: %{input} = clean
// REDEFINE: %{words} = parallel
// REDEFINE: %{stage} = prepare
// RUN: %{one}
// REDEFINE: %{stage} = measure:3
// RUN: %{one}
// REDEFINE: %{stage} = outline:2
// RUN: %{one}
// REDEFINE: %{stage} = write
// RUN: %{one}
// REDEFINE: %{stage} = branch:2
// RUN: %{one}
//
// CHECK-NOT: remark: {{.*}}{S
// CHECK: remark: {{.*}}function 'two' left as it was: a law of the optimizer was broken: provoked
// CHECK-NOT: remark: {{.*}}{S
#include <math.h>
#include <stdio.h>

enum { N = 40 };
static double A[N][N], B[N][N], C[N][N], D[N][N];
static int at[N * N], first[N + 1];
static double x[N], y[N], z[N];

static inline double twice(double value) { return 2 * value; }

__attribute__((noinline)) void between(int where) { __asm__ volatile("" : : "r"(where) : "memory"); }

/* Three regions, and what else a function may have: calls that are inlined, a switch, a jump, memory on the stack. */
__attribute__((noinline)) double two(int n, int m, int mode, double *from, double *to, double *const out) {
  double kept[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += twice(A[i][k]) * B[k][j];
  between(1);
  for (int i = 0; i < n; i++)
    for (int k = first[i]; k < first[i + 1]; k++)
      to[i] += from[at[k]] * 0.5;
  switch (mode) {
  case 1:
    kept[0] = 1;
    break;
  case 2:
    kept[1] = sqrt(from[0]);
    break;
  default:
    kept[mode & 3] = 3;
  }
  if (mode & 1)
    goto odd;
  kept[2] += 1;
odd:
  between(2);
  long count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++) {
        D[i][j] += twice(A[i][k]) * B[k][j];
        count += at[(i + j) % N] > k;
      }
  for (int i = 0; i < n; i++)
    out[i] = sqrt(fabs(to[i])) + count;
  return kept[0] + kept[1] * 10 + kept[2] * 100 + kept[3] * 1000 + count;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      A[i][j] = i * 0.5 - j, B[i][j] = j * 0.25 + i, at[i * N + j] = (i * 7 + j * 3) % N;
    x[i] = i + 1;
    first[i] = i * 3;
  }
  first[N] = 3 * N;
  for (int mode = 0; mode < 4; mode++)
    printf("%.17g\n", two(N - mode, N, mode, x, y, z));
  for (int i = 0; i < N; i++)
    printf("%.17g %.17g %.17g %.17g\n", C[i][3], D[5][i], y[i], z[i]);
  return 0;
}
