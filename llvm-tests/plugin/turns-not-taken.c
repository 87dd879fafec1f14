// Two rows of a table take turns, but nothing is done with the loops. So they stay as they are: unrolled alone they might be slower.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='loopwright,verify' -pass-remarks-missed=loopwright -S - -o - 2>&1 | FileCheck %s

// CHECK: loop nest left as it was
// CHECK-LABEL: define{{.*}} @common(
// CHECK-NOT: xtraiter
// CHECK: ret i32
// CHECK-NOT: xtraiter
int common(int n, int m, const char *restrict a, const char *restrict b, int *restrict now, int *restrict last) {
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++)
      now[j] = a[i] == b[j] ? last[j - 1] + 1 : now[j - 1] > last[j] ? now[j - 1] : last[j];
    int *held = now;
    now = last;
    last = held;
  }
  return last[m];
}
