// A value that a loop hands on where it is left has the name of its variable in the model, though no debug record says it again there.
//
// RUN: %loopwright-clang -O2 -g -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %t.ll 2>&1 | FileCheck %s

// CHECK: name: "s_sum"
// CHECK: kind: scalar
void csr(int rows, const int *restrict ptr, const int *restrict col, const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}
