// What pointers of different types lead to may overlap as well, since memory from which integers were read may be written as doubles
// afterwards. A test before the loops tells them apart; where there is none, the order stays.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK: types.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores
// CHECK: types.c:[[#@LINE+2]]:3: remark: {{.*}}'a' and 'b' do not overlap
void halved(int n, const int *a, double *b) {
  for (int i = n - 1; i >= 0; i--)
    b[i] = a[i] * 0.5;
}

// CHECK: types.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores
// CHECK: types.c:[[#@LINE+2]]:3: remark: {{.*}}'val' does not overlap 'ptr' or 'by' [
void scaled(int n, const int *ptr, double *val, const double *by) {
  for (int i = 0; i < n; i++)
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      val[k] *= by[i];
}

// What is read of the table of rows may be where a row is written, later: if not, and if the rows are apart, they are written in any order.
// CHECK: types.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores
// CHECK: types.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap: 'row', 'rows of row'
void filled(int n, int m, double **row) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      row[i][j] = i + j;
}

// More than two pointers on the way to a row are not followed.
// ONE: types.c:[[#@LINE+2]]:3: remark: {{.*}}runs in order: 'a pointer in a pointer in what row points to' written at line [[#@LINE+6]]{{.*}} may be read at line [[#@LINE+6]]
void cubes(int n, int m, double ****row) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++)
        for (int l = 0; l < m; l++)
          row[i][j][k][l] = i + j + k + l;
}
