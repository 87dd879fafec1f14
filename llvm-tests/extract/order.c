// Statements in textual order, nested as the loops are; what comes last of all, behind them.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void nested(int n, double *restrict a, double (*restrict b)[100]) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    for (int j = 0; j < n; j++)
      b[i][j] = a[i];
  }
}

// CHECK-LABEL: # nested
// CHECK: schedule:
// CHECK: schedule: "[{ S0[i0] -> [(i0)]; S1[i0, i1] -> [(i0)] }]"
// CHECK: sequence:
// CHECK: - filter: "{ S0[i0] }"
// CHECK: - filter: "{ S1[i0, i1] }"
// CHECK: schedule: "[{ S1[i0, i1] -> [(i1)] }]"

struct grid { int w, h, *cells; };

int three(const struct grid *g) {
  int count = 0;
  for (int y = 0; y < g->h; y++)
    for (int x = 0; x < g->w; x++) {
      int k = 0;
      if (x > 0)
        k += g->cells[y * g->w + x - 1];
      count += k == 3;
    }
  return count;
}

// LLVM has the sum behind the inner loop in the outer one. Only what its last iteration leaves is used.
// CHECK-LABEL: # three
// CHECK: schedule:
// CHECK: - filter: "{ S0[] }"
// CHECK: - filter: "{ S1[i0, i1]; S2[i0, i1]; S3[i0, i1] }"
// CHECK: schedule: "[{ S1[i0, i1] -> [(i0)]; S2[i0, i1] -> [(i0)]; S3[i0, i1] -> [(i0)] }]"
// CHECK: {{^}}    - filter: "{ S4[i0] }"
// CHECK: # S4: {{.*}} = f(

// What is done in the last iteration only, before other statements of it, stays.
// CHECK-LABEL: # in_the_middle
// CHECK: schedule:
// CHECK: - filter: "{ S0[i0] }"
// CHECK-NEXT: - filter: "{ S1[i0] }"
// CHECK-NOT: schedule:
void in_the_middle(int n, double *restrict a) {
  for (int i = 0; i < n; i++) {
    if (i == n - 1)
      a[0] = 2;
    a[i] += 1;
  }
}
