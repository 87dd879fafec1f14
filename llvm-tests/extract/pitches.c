// Strides from a descriptor are taken for what they are where rows lie side by side: the last one for one element, the others for multiples of one another.
// What has no such shape under any of them stays as it was.
//
// RUN: %loopwright-clang -O1 -g -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output 2>&1 | FileCheck %s

struct view {
  double *data;
  long size[3], stride[3];
};

// CHECK: # grow
// CHECK: # S{{[0-9]+}}: [[A:M?[0-9a-z]+]][i][j][k] = f([[A]][i][j][k])
// CHECK-DAG: # tested: the stride '{{.*}}' is 1
// CHECK-DAG: # tested: a stride is 1 * [[Q:[a-z0-9_]+]]{{$}}
// CHECK-DAG: # tested: a stride is 1 * [[Q]] * {{[a-z0-9_]+}}
void grow(const struct view *restrict v, int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        v->data[i * v->stride[0] + j * v->stride[1] + k * v->stride[2]] *= 2.0;
}

// Strides that stand in no descriptor may be anything.
// CHECK: # scale
// CHECK-NOT: tested: the stride
void scale(double *restrict a, long s, long t, int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      a[i * s + j * t] *= 2.0;
}

// Two counters times one another are affine under no stride.
// CHECK: # hyperbola
// CHECK-NOT: a stride is
void hyperbola(double *restrict a, long s, int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      a[i * j * s] *= 2.0;
}
