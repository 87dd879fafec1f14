// Rows to which the pointers of a table lead are one array, the first subscript of which is the pointer's number: of a table of structures, that of a word.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm -g %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # shifted
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j] -> rows_a[i, j + 1]
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j] -> a[i]
// CHECK-DAG: write: "[n] -> { S{{[0-9]+}}[i, j] -> rows_a[i + 1, j]
// CHECK: # tested: no rows overlap: 'a', 'rows of a'
void shifted(int n, double **a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + 1][j] = a[i][j + 1];
}

struct line { long length; double *old, *new; };

// CHECK-LABEL: # members
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j] -> rows_g[3i + 1, j]
// CHECK-DAG: write: "[n] -> { S{{[0-9]+}}[i, j] -> rows_g[3i + 2, j]
void members(int n, struct line *g) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      g[i].new[j] = g[i].old[j];
}

// A table that the loops write to is none.
// CHECK-LABEL: # exchanged
// CHECK-NOT: rows_a
void exchanged(int n, double **a) {
  for (int i = 1; i < n; i++) {
    a[i] = a[i - 1];
    for (int j = 0; j < n; j++)
      a[i][j] = 0;
  }
}

// Pointers that are read under a condition stay what data decides.
// CHECK-LABEL: # conditional
// CHECK-NOT: rows_a
void conditional(int n, double **a, int *restrict wanted) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (wanted[j])
        a[i + j][j] = 0;
}

// Pixels are bytes, which may be anywhere, also in the table: the pointers are read again for each pixel, and the loop runs in single steps.
// CHECK-LABEL: # pixels
// CHECK: mark: "rows read again"
void pixels(int n, unsigned char **in, unsigned char **out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = 255 - in[i][j];
}

// Doubles are no pointers: these are read once for each row.
// CHECK-LABEL: # doubles
// CHECK-NOT: rows read again
void doubles(int n, double **in, double **out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = 255 - in[i][j];
}

// Two pointers lead to a row: the first two subscripts say which.
// CHECK-LABEL: # planes
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j, k] -> rows_of_rows_a[j, i + 1, k]
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j, k] -> rows_a[j, i + 1]
// CHECK-DAG: read: "[n] -> { S{{[0-9]+}}[i, j, k] -> a[j]
// CHECK-DAG: write: "[n] -> { S{{[0-9]+}}[i, j, k] -> rows_of_rows_a[i, j, k]
// CHECK: # tested: no rows overlap: 'a', 'rows of a', 'rows of rows of a'
void planes(int n, double ***a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j][k] = a[j][i + 1][k];
}

// Not where the loops write a table on the way.
// CHECK-LABEL: # moved
// CHECK-NOT: rows_of_rows_a
void moved(int n, double ***a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++) {
      a[i][j] = a[i][j - 1];
      for (int k = 0; k < n; k++)
        a[i][j][k] = 0;
    }
}

// Three pointers are more than the numbers have room for.
// CHECK-LABEL: # fourth
// CHECK-NOT: rows_of_rows_rows
void fourth(int n, double ****a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          a[i][j][k][l] += 1;
}
