// Where the declared sizes of arrays say how long loops are, the model of time is asked at these sizes, whatever is usual: a transposition in an array of 40
// rows has all of it in the cache.
//
// RUN: %loopwright-clang -O3 -mavx2 -mllvm -loopwright-cache=1048576 -Rpass=loopwright -Rpass-missed=loopwright -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s

double small[40][40], little[40][40], large[3000][3000], huge[3000][3000];

// CHECK: known-sizes.c:[[#@LINE+2]]:{{.*}} remark: loop nest left as it was: no transformation that pays was found
void within(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) small[j][i] = little[i][j];
}

// CHECK: known-sizes.c:[[#@LINE+2]]:{{.*}} remark: loops i{{.*}} tiled
void beyond(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) large[j][i] = huge[i][j];
}
