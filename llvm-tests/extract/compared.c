// Which numbers are asked about: those that a condition, parts or ranges bring together with the number that data gives.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// A condition compares a part of it.
void part(int n, const int *restrict c, const int *restrict d, int t, int (*restrict a)[16]) {
  for (int i = 0; i < n; i++)
    if (c[i] >= 0 && c[i] + 1 < 16 && d[i] < t)
      a[i][c[i]]++;
}
// CHECK-LABEL: # part
// CHECK: may_write: "{{.*}} 0 <= o1 <= 14 }"
// CHECK-NOT: # tested

// A condition before the loops, which have none of it.
void before(int n, const int *restrict c, const int *restrict d, int t, int (*restrict a)[16]) {
  int m = c[n];
  if (m < 0 || m >= 16)
    return;
  for (int i = 0; i < n; i++)
    if (d[i] < t)
      a[i][m]++;
}
// CHECK-LABEL: # before
// CHECK: assumed: "{{.*}} 0 <= p0 <= 15 and p1 > 0 }"
// CHECK-NOT: # tested

// Ranges alone say that it is less than the counter of a loop.
void ranges(int n, const unsigned char *restrict c, const int *restrict d, int (*restrict a)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 300; j < 1000; j++)
      if (d[j] > 7 && j != i)
        a[i][j - c[i]] += d[j];
}
// CHECK-LABEL: # ranges
// CHECK: may_write: "{{.*}} 0 < o1 <= i1 + 300 and o1 >= i1 + 45 }"
// CHECK-NOT: # tested
