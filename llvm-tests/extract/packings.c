// Which statements pack and do nothing else: not those that store elsewhere as well, nor those whose arrays may overlap.
//
// RUN: clang-22 -O3 -march=x86-64-v4 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// A place in a row that the loop around gives.
void rows(int m, int n, float (*restrict out)[n], const float (*restrict x)[n], int *restrict count) {
  for (int j = 0; j < m; j++) {
    int k = 0;
    for (int i = 0; i < n; i++)
      if (x[j][i] > 0)
        out[j][k++] = x[j][i];
    count[j] = k;
  }
}

// CHECK-LABEL: # rows
// CHECK: packed: 1

int stores_elsewhere(int *restrict out, int *restrict mark, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[k++] = x[i];
    else
      mark[i] = 1;
  return k;
}

// CHECK-LABEL: # stores_elsewhere
// CHECK-NOT: packed:

int twice(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      out[k] = x[i];
      out[k + 1] = x[i] + 1;
      k++;
    }
  return k;
}

// CHECK-LABEL: # twice
// CHECK-NOT: packed:

int in_a_loop(int *restrict out, const int *restrict x, const int *restrict length, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      out[k++] = x[i];
  return k;
}

// CHECK-LABEL: # in_a_loop
// CHECK-NOT: packed:

// What few elements need is computed for all of them.
int dear(double *restrict out, const double *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[k++] = 1 / x[i];
  return k;
}

// CHECK-LABEL: # dear
// CHECK-NOT: packed:

// Where an address takes a division that the program does only where something is stored.
int by_division(double *restrict out, const double *restrict x, int n, long m, long d) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      out[m / d + k] = x[i];
      k++;
    }
  return k;
}

// CHECK-LABEL: # by_division
// CHECK-NOT: packed:

int segment(int __seg_gs *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[k++] = x[i];
  return k;
}

// CHECK-LABEL: # segment
// CHECK-NOT: packed:

__attribute__((target("general-regs-only"))) int without_vectors(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[k++] = x[i];
  return k;
}

// CHECK-LABEL: # without_vectors
// CHECK-NOT: packed:
