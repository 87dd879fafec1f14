// Where no inner loop runs the original loops are as good as any; where the search runs, it is what the model is about.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void first_of_row(int n, int m, const int *restrict a, const int *restrict key, int *restrict at) {
  for (int i = 0; i < n; i++) {
    int found = -1;
    for (int j = 0; j < m; j++)
      if (a[i + j] == key[i]) {
        found = j;
        break;
      }
    at[i] = found;
  }
}

// CHECK: # first_of_row
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 and p1 > 0 }"

// Either way has as much to do: both are modelled.
void either(int n, int way, double *restrict a) {
  for (int i = 0; i < n; i++)
    if (way > 0)
      a[i] = a[i] * 2;
    else
      a[i] = a[i] + 1;
}

// CHECK: # either
// CHECK: assumed: "[p0, p1] -> { : p0 > 0 }"
