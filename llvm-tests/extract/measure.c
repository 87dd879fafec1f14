// Which elements x[col[k]] touches is measured before the loops.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops;parallel>' -disable-output - 2>&1 | FileCheck %s

void product(int n, const int *ptr, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

// CHECK-LABEL: # product
// CHECK: # tested: 'argument 2' and 'argument 6' do not overlap
// CHECK: # tested: 'argument 4' and 'argument 6' do not overlap, which is measured
// CHECK: # tested: 'argument 3' and 'argument 6' do not overlap, which is measured
// CHECK: # tested: 'argument 5' and 'argument 6' do not overlap, which is measured
